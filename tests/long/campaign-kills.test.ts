/**
 * Campaigns that are killed, stopped or run out of resources many times: the results have the bytes of an undisturbed
 * campaign, and few flights are flown twice.
 */
import { type ChildProcess, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RandomStream } from "@escapement/core";
import { countRows, journalRows, kill, resultHashes, untilRows } from "../support/campaign-run.ts";
import { type BuiltCommand, buildCommand, type Finished, waitForEnd } from "../support/command.ts";
import { misbehavingCampaign, MISBEHAVING_PARTS } from "../support/misbehaving-parts.ts";
import { findRedis, RedisServer } from "../support/redis.ts";

const FLIGHTS = 200;
const CAMPAIGN = `
name = "hops"
flight = { extends = "hover", timeline = { endS = 3 } }

[plan]
kind = "random"
flights = ${FLIGHTS}

[vary]
"wind.w20Mps" = { uniform = [3, 15] }

[[requirements]]
name = "low"
text = "always altitude < 5 m"
`;
const KILLS = 50;
const FREEZE_MS = 60_000;
/** Longest time without a row if a worker is frozen: its default lock of 30 s, and 10 s to notice that it expired. */
const MAX_IDLE_MS = 40_000;

let command: BuiltCommand;
let folder: string;
const found = findRedis();
const run = (...args: string[]) => command.run(args, { cwd: folder });
const start = (...args: string[]) => command.start(args, { cwd: folder });
const campaign = (output: string, ...flags: string[]) =>
  ["campaign", "hops.campaign.toml", "-o", output, "--no-cache", "--exit", "flown"].concat(flags);
const results = (name: string) => resultHashes(join(folder, name));
const rowsIn = (name: string) => countRows(join(folder, name));

beforeAll(async () => {
  command = await buildCommand();
  folder = mkdtempSync(join(tmpdir(), "escapement-kills-"));
  writeFileSync(join(folder, "hops.campaign.toml"), CAMPAIGN);
  const { code, err } = await run(...campaign("whole", "--jobs", "1"));
  expect(code, err).toBe(0);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("a campaign on threads", () => {
  it(`continues after ${KILLS} kills at random moments`, async () => {
    const random = new RandomStream(1, "kills");
    for (let i = 0; i < KILLS && rowsIn("killed") < FLIGHTS; i += 1) {
      const before = rowsIn("killed");
      const child = start(...campaign("killed", "--jobs", "1"));
      // Kill at any time from the start of the process to a few rows later.
      await untilRows(join(folder, "killed"), before + Math.floor(random.uniform() * 5), child);
      await sleep(random.uniform() * 100);
      await kill(child);
    }
    const { code, err } = await run(...campaign("killed", "--jobs", "1"));
    expect(code, err).toBe(0);
    expect(results("killed")).toEqual(results("whole"));
    const numbers = journalRows(join(folder, "killed")).map(({ k }) => Number(k));
    expect([numbers.length, new Set(numbers).size]).toEqual([FLIGHTS, FLIGHTS]);
  });

  it("reports a full disk, and continues when there is space", async ({ skip }) => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { encoding: "utf8" });
    if (mounted.status !== 0) return skip(`a small file system cannot be mounted: ${mounted.stderr.trim()}`);
    try {
      const full = await run(...campaign("disk", "--jobs", "1"));
      expect([full.code, full.err]).toEqual([1, expect.stringContaining("CAMPAIGN-013")]);
      const kept = rowsIn("disk");
      expect(kept).toBeGreaterThan(10);
      expect(spawnSync("mount", ["-o", "remount,size=16m", disk]).status).toBe(0);
      const { code, err } = await run(...campaign("disk", "--jobs", "1"));
      expect(code, err).toBe(0);
      expect(results("disk")).toEqual(results("whole"));
      expect(JSON.parse(readFileSync(join(disk, "run.json"), "utf8")).flown).toBeLessThanOrEqual(FLIGHTS - kept + 1);
    } finally {
      spawnSync("umount", [disk]);
    }
  });

  it("stops at a signal with exit code 130, and continues", async () => {
    const child = start(...campaign("stopped", "--jobs", "1"));
    const ended = waitForEnd(child);
    await untilRows(join(folder, "stopped"), 5, child);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(rowsIn("stopped")).toBeLessThan(FLIGHTS);
    expect((await run(...campaign("stopped", "--jobs", "1"))).code).toBe(0);
    expect(results("stopped")).toEqual(results("whole"));
  });

  it("survives flights that run out of memory or never end", async () => {
    writeFileSync(join(folder, "parts.mjs"), MISBEHAVING_PARTS);
    writeFileSync(join(folder, "bad.campaign.toml"), misbehavingCampaign(["well", "memory", "loop", "well"]));
    const { code } = await run("campaign", "bad.campaign.toml", "--with", "parts.mjs", "--jobs", "1", "--limit", "20");
    expect(code).toBe(7);
    const rows = journalRows(join(folder, "bad")).sort((a, b) => Number(a["k"]) - Number(b["k"]));
    expect(rows.map(({ outcome }) => outcome)).toEqual(["time ran out", "poisoned", "poisoned", "time ran out"]);
    expect(rows.slice(1, 3).map(({ reason }) => reason)).toEqual([
      expect.stringContaining("memory"),
      expect.stringContaining("time limit"),
    ]);
  });
});

describe("a campaign on workers", () => {
  interface Parts {
    readonly redis: RedisServer;
    readonly coordinator: ChildProcess;
    readonly worker: ChildProcess;
    /** Starts a process that is ended with the test. */
    readonly begin: (...args: string[]) => ChildProcess;
  }

  /**
   * Flies the campaign with one worker, and disturbs it after some rows. Returns the output of the last coordinator.
   */
  const withQueue = async (name: string, disturb: (parts: Parts) => Promise<Finished | undefined>) => {
    if ("missing" in found) throw new Error(found.missing);
    const redis = await RedisServer.start(found.program, ["--save", "", "--dir", folder]);
    const children: ChildProcess[] = [];
    const begin = (...args: string[]) => {
      const child = start(...args);
      children.push(child);
      return child;
    };
    try {
      const worker = begin("join", redis.url, "--threads", "1");
      const coordinator = begin(...queued(name, redis));
      const ended = waitForEnd(coordinator);
      await untilRows(join(folder, name), 5, coordinator);
      const { code, err } = (await disturb({ redis, coordinator, worker, begin })) ?? (await ended);
      expect(code, err).toBe(0);
      expect(results(name)).toEqual(results("whole"));
      const numbers = journalRows(join(folder, name)).map(({ k }) => Number(k));
      expect(new Set(numbers).size).toBe(numbers.length);
    } finally {
      for (const child of children) await kill(child);
      await redis.kill();
    }
  };
  const queued = (name: string, { url }: RedisServer) => campaign(name, "--fleet", url, "--lock", "1");

  /** Returns the longest time without a new row until a process ends. */
  const longestIdleMs = async (name: string, child: ChildProcess) => {
    let longestMs = 0;
    while (child.exitCode === null && child.signalCode === null) {
      const began = performance.now();
      await untilRows(join(folder, name), rowsIn(name) + 1, child);
      longestMs = Math.max(longestMs, performance.now() - began);
    }
    return longestMs;
  };

  it("continues if a worker is killed and a new one joins", async ({ skip }) => {
    if ("missing" in found) return skip(found.missing);
    await withQueue("worker-killed", async ({ redis, worker, begin }) => {
      await kill(worker);
      begin("join", redis.url, "--threads", "1");
      return undefined;
    });
  });

  it("continues if a worker is frozen, and drops the rows that it sends when it wakes up", async ({ skip }) => {
    if ("missing" in found) return skip(found.missing);
    await withQueue("worker-frozen", async ({ redis, worker, coordinator, begin }) => {
      begin("join", redis.url, "--threads", "1");
      worker.kill("SIGSTOP");
      await untilRows(join(folder, "worker-frozen"), rowsIn("worker-frozen") + 40, coordinator);
      worker.kill("SIGCONT");
      return undefined;
    });
  });

  it("waits at most 10 s longer than the lock of a frozen worker lasts", async ({ skip }) => {
    if ("missing" in found) return skip(found.missing);
    const redis = await RedisServer.start(found.program, ["--save", "", "--dir", folder]);
    const frozen = start("join", redis.url, "--threads", "1");
    const left = waitForEnd(frozen);
    const coordinator = start(...campaign("frozen-long", "--fleet", redis.url));
    const ended = waitForEnd(coordinator);
    const children = [frozen, coordinator];
    try {
      await untilRows(join(folder, "frozen-long"), 5, coordinator);
      frozen.kill("SIGSTOP");
      const thawed = sleep(FREEZE_MS).then(() => frozen.kill("SIGCONT"));
      children.push(start("join", redis.url, "--threads", "1"));
      expect(await longestIdleMs("frozen-long", coordinator)).toBeLessThan(MAX_IDLE_MS);
      const { code, err } = await ended;
      expect(code, err).toBe(0);
      expect(results("frozen-long")).toEqual(results("whole"));
      await thawed;
      // The thawed process is still a worker, and leaves as usual.
      frozen.kill("SIGTERM");
      expect((await left).code).toBe(0);
    } finally {
      for (const child of children) await kill(child);
      await redis.kill();
    }
  });

  it("continues if the coordinator is killed and started again", async ({ skip }) => {
    if ("missing" in found) return skip(found.missing);
    await withQueue("coordinator-killed", async ({ redis, coordinator, begin }) => {
      await kill(coordinator);
      return waitForEnd(begin(...queued("coordinator-killed", redis)));
    });
  });

  it("continues if the server is killed and started again without its data", async ({ skip }) => {
    if ("missing" in found) return skip(found.missing);
    await withQueue("server-killed", async ({ redis }) => {
      await redis.kill();
      await sleep(1000);
      await redis.begin();
      return undefined;
    });
  });

  it("continues if the server is emptied", async ({ skip }) => {
    if ("missing" in found) return skip(found.missing);
    await withQueue("server-emptied", async ({ redis }) => {
      redis.command("FLUSHALL");
      return undefined;
    });
  });
});
