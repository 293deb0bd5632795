/**
 * Tests campaigns with a real queue server. Workers join, leave and are killed; the results equal the results with
 * threads.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kill, resultHashes, untilRows } from "../support/campaign-run.ts";
import { type BuiltCommand, buildCommand, CommandSession, waitForEnd } from "../support/command.ts";
import { findRedis, RedisServer } from "../support/redis.ts";

const CAMPAIGN = `
name = "hops"
flight = { extends = "hover", timeline = { endS = 3 } }

[plan]
kind = "random"
flights = 12

[vary]
"wind.w20Mps" = { uniform = [3, 15] }

[[requirements]]
name = "low"
text = "always altitude < 5 m"
`;
const OTHER_BUILD = `export const winds = [{
  name: "still", about: "no wind", version: 1, params: {},
  make: () => ({ sampleInto(out) { out[0] = out[1] = out[2] = 0; }, save() {}, load() {} }),
}];
`;
/** A module loader that finds no optional package. */
const WITHOUT_PEERS = `import { register } from "node:module";
register("data:text/javascript," + encodeURIComponent(\`export async function resolve(name, context, next) {
  if (name === "bullmq" || name === "vitest") throw Object.assign(new Error("not there"), { code: "ERR_MODULE_NOT_FOUND" });
  return next(name, context);
}\`));
`;

let command: BuiltCommand;
let folder: string;
let redis: RedisServer | undefined;
const found = findRedis();

beforeAll(async () => {
  command = await buildCommand();
  folder = mkdtempSync(join(tmpdir(), "escapement-fleet-"));
  writeFileSync(join(folder, "hops.campaign.toml"), CAMPAIGN);
  writeFileSync(join(folder, "parts.mjs"), OTHER_BUILD);
  writeFileSync(join(folder, "without-peers.mjs"), WITHOUT_PEERS);
  if ("program" in found) redis = await RedisServer.start(found.program, ["--save", "", "--dir", folder]);
});

afterAll(async () => {
  await redis?.kill();
  rmSync(folder, { recursive: true });
});

const campaign = (output: string, ...flags: string[]) =>
  ["campaign", "hops.campaign.toml", "-o", output, "--no-cache"].concat(flags);

describe("a campaign on workers", () => {
  it("has the same bytes as on threads if a worker is killed and a worker of a different build connects", async ({
    skip,
  }) => {
    if ("missing" in found) return skip(found.missing);
    const { url } = redis!;
    const local = await command.run(campaign("threads", "--jobs", "1"), { cwd: folder });
    expect(local.code, local.err).toBe(0);

    const start = (...args: string[]) => command.start(args, { cwd: folder });
    const stranger = start("join", url, "--threads", "1", "--with", "parts.mjs");
    const first = start("join", url, "--threads", "1");
    // A third of this lock time is not a whole number of milliseconds; the server rejects such times.
    const coordinator = start(...campaign("queue", "--fleet", url, "--lock", "4", "--exit", "flown"));
    const ends = [coordinator, stranger].map(waitForEnd);
    try {
      await untilRows(join(folder, "queue"), 1, coordinator);
      await kill(first);
      const second = start("join", url, "--threads", "1", "--json");
      const left = waitForEnd(second);
      const { code, err } = await ends[0]!;
      expect(code, err).toBe(0);
      expect(resultHashes(join(folder, "queue"))).toEqual(resultHashes(join(folder, "threads")));

      await kill(second, "SIGTERM");
      await kill(stranger, "SIGINT");
      const { code: leftCode, out: leftJson, err: leftText } = await left;
      expect(JSON.parse(leftJson)).toMatchObject({ campaigns: [{ name: "hops" }] });
      expect([leftCode, leftText]).toEqual([
        0,
        expect.stringMatching(/hops c1:\w+: [1-9]\d* flights flown\nleft the queue\n$/),
      ]);
      const { code: refusalCode, err: refusalText } = await ends[1]!;
      expect([refusalCode, refusalText]).toEqual([0, expect.stringContaining("CAMPAIGN-014")]);
      expect(refusalText).not.toContain("flying");
      expect(redis!.command("KEYS", "*")).toBe("");
    } finally {
      for (const child of [coordinator, first, stranger]) await kill(child);
    }
  });

  it("has the same bytes as on threads if the server is emptied and the coordinator is killed", async ({ skip }) => {
    if ("missing" in found) return skip(found.missing);
    const { url } = redis!;
    // Use longer flights, so that the campaign does not end before it is disturbed.
    writeFileSync(
      join(folder, "long.campaign.toml"),
      CAMPAIGN.replace("endS = 3", "endS = 8").replace("flights = 12", "flights = 8"),
    );
    const long = (output: string, ...flags: string[]) =>
      ["campaign", "long.campaign.toml", "-o", output, "--no-cache", "--exit", "flown"].concat(flags);
    expect((await command.run(long("long-threads", "--jobs", "1"), { cwd: folder })).code).toBe(0);

    const worker = command.start(["join", url, "--threads", "1"], { cwd: folder });
    const queued = long("long-queue", "--fleet", url, "--lock", "1");
    const first = command.start(queued, { cwd: folder });
    try {
      await untilRows(join(folder, "long-queue"), 1, first);
      redis!.command("FLUSHALL");
      await untilRows(join(folder, "long-queue"), 4, first);
      await kill(first);
      const { code, err } = await command.run(queued, { cwd: folder });
      expect(code, err).toBe(0);
      expect(resultHashes(join(folder, "long-queue"))).toEqual(resultHashes(join(folder, "long-threads")));
    } finally {
      for (const child of [first, worker]) await kill(child);
    }
  });

  it("needs an address, and a server that answers and deletes nothing", async ({ skip }) => {
    if ("missing" in found) return skip(found.missing);
    redis!.command("CONFIG", "SET", "maxmemory", "100mb", "maxmemory-policy", "allkeys-lru");
    const cases = [
      [redis!.url, "allkeys-lru"],
      ["redis://127.0.0.1:1", "ECONNREFUSED"],
      ["http://127.0.0.1", "the address of the server cannot be used"],
    ] as const;
    const session = new CommandSession(command, folder);
    for (const [url, what] of cases) {
      for (const args of [campaign("none", "--fleet", url), ["join", url]]) {
        const { code, err } = await session.run(args);
        expect([code, err]).toEqual([1, expect.stringContaining("CAMPAIGN-010")]);
        expect(err).toContain(what);
      }
    }
  });

  it("needs the optional packages, and names them", async () => {
    const env = { ...process.env, NODE_OPTIONS: `--import=${join(folder, "without-peers.mjs")}` };
    const { code, err } = await command.run(campaign("none", "--fleet", "redis://127.0.0.1:1"), { cwd: folder, env });
    expect([code, err]).toEqual([1, expect.stringContaining("CAMPAIGN-009")]);
    expect(err).toContain("npm install bullmq ioredis");
    const one = campaign("local", "--exit", "flown", "--flights", "0..1", "--jobs", "1");
    const local = await command.run(one, { cwd: folder, env });
    expect(local.code, local.err).toBe(0);
    const entry = pathToFileURL(join(command.folder, "vitest.js")).href;
    const matchers = spawnSync(process.execPath, ["--input-type=module", "-e", `await import("${entry}")`], { env });
    expect([matchers.status, String(matchers.stderr)]).toEqual([1, expect.stringContaining("CAMPAIGN-009")]);
    expect(String(matchers.stderr)).toContain("npm install --save-dev vitest");
  });
});
