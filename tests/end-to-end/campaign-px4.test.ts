/**
 * Campaigns with PX4. Flights with stock PX4 (here a program that behaves like it) cannot be flown again, so those that
 * violate a requirement are recorded immediately. With the library, the worst flights are flown again.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildFixture, noCompiler } from "../../packages/px4/src/testing/fixture-library.ts";
import { isRunning, writeMockProgram } from "../../packages/px4/src/testing/mock-program-files.ts";
import { journalRows } from "../support/campaign-run.ts";
import { type BuiltCommand, buildCommand, CommandSession, waitForEnd } from "../support/command.ts";
import { findRedis, RedisServer } from "../support/redis.ts";

/** The sensors that stock PX4's estimator needs. */
const SENSORS = "sensors = { imu = {}, magnetometer = {}, barometer = {}, gnss = {} }";
const campaignOf = (autopilot: string, requirement: string) => `
name = "standing"
flight = { extends = "hover", autopilot = "${autopilot}", timeline = { endS = 1 }, ${SENSORS} }
criteria = ["no flight fails"]

[plan]
kind = "random"
flights = 2

[vary]
"vehicle.massKg" = { uniform = [1.4, 1.6] }

[[requirements]]
name = "stated"
text = "${requirement}"

[measures]
lowest = "min altitude"

[keep]
recordings = 1
`;

let command: BuiltCommand;
let folder: string;

beforeAll(async () => {
  command = await buildCommand();
  folder = mkdtempSync(join(tmpdir(), "escapement-campaign-px4-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function fly(name: string, text: string, env: NodeJS.ProcessEnv, flags: readonly string[] = []) {
  writeFileSync(join(folder, `${name}.campaign.toml`), text);
  // Use one thread, because each thread compiles the flight again.
  const args = ["campaign", `${name}.campaign.toml`, "--no-cache", "--jobs", "1", "--json", ...flags];
  const { code, out, err } = await new CommandSession(command, folder, env).run(args);
  expect(code, `${err}\n${out}`).toBe(0);
  return JSON.parse(out);
}

const recordings = (name: string) =>
  readdirSync(join(folder, name, "flights"))
    .filter((file) => file.endsWith(".mcap"))
    .sort();

it("stock PX4: flights that violate a requirement are recorded while they are flown", async () => {
  const { binary } = await writeMockProgram(join(folder, "px4"));
  const env = { PX4_SITL_BIN: binary };
  const violated = await fly("bad", campaignOf("px4-sitl", "eventually altitude > 50 m"), env);
  expect(journalRows(join(folder, "bad")).map(({ isRepeatable }) => isRepeatable)).toEqual([false, false]);
  expect(recordings("bad")).toEqual(["0.mcap", "1.mcap"]);
  expect(violated.kept).toHaveLength(1);
  expect(existsSync(join(folder, "bad", violated.kept[0].page))).toBe(true);
  const replayed = await new CommandSession(command, folder).run(["replay", "bad/flights/0.mcap"]);
  expect([replayed.code, replayed.out]).toEqual([0, expect.stringContaining("the same bits")]);

  const [{ k }] = violated.worst;
  const shown = await new CommandSession(command, folder, env).run(["campaign", "bad.campaign.toml", "--no-cache"]);
  expect(shown.out).toContain(`escapement replay bad/flights/${k}.mcap`);
  expect(shown.out).not.toContain("escapement fly");

  const good = await fly("good", campaignOf("px4-sitl", "always altitude < 50 m"), env);
  expect([good.kept, recordings("good")]).toEqual([[], []]);

  // With --fresh, other flights get the numbers of the recorded ones.
  const again = await fly("bad", campaignOf("px4-sitl", "always altitude < 50 m"), env, ["--fresh"]);
  expect([again.kept, readdirSync(join(folder, "bad", "flights"))]).toEqual([[], []]);

  const reused = await new CommandSession(command, folder, env).run([
    "campaign",
    "bad.campaign.toml",
    "--cache-from",
    "bad",
  ]);
  expect([reused.code, reused.err]).toEqual([2, expect.stringContaining("CLI-024")]);
  const judged = await new CommandSession(command, folder, env).run([
    "campaign",
    "judge",
    "bad",
    "--require",
    "never tilt > 45 deg",
  ]);
  expect([judged.code, judged.err]).toEqual([2, expect.stringContaining("CLI-024")]);

  const blind = campaignOf("px4-sitl", "always altitude < 50 m").replace(`, ${SENSORS}`, "");
  writeFileSync(join(folder, "blind.campaign.toml"), blind);
  const refused = await new CommandSession(command, folder, env).run(["campaign", "blind.campaign.toml"]);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("SITL-013")]);
});

it("stock PX4: Ctrl-C ends the flight and PX4, and keeps no recording of a flight without a row", async () => {
  const { binary } = await writeMockProgram(join(folder, "px4"));
  const mark = join(folder, "mark");
  const text = campaignOf("px4-sitl", "never altitude < 50 m").replace("endS = 1 ", "endS = 36000 ");
  writeFileSync(join(folder, "long.campaign.toml"), text);
  const env = { ...process.env, PX4_SITL_BIN: binary, MOCK_PX4_MARK: mark };
  const child = command.start(["campaign", "long.campaign.toml"], { cwd: folder, env });
  const ended = waitForEnd(child);
  while (!existsSync(mark) && child.exitCode === null) await sleep(20);
  await sleep(1000);
  child.kill("SIGINT");
  const { code, out, err } = await ended;
  expect([code, out, err]).toEqual([130, expect.stringContaining("interrupted"), ""]);
  expect(isRunning(Number(readFileSync(mark, "utf8")))).toBe(false);
  expect(journalRows(join(folder, "long"))).toEqual([]);
  expect(existsSync(join(folder, "long", "flights"))).toBe(false);
});

it("stock PX4: workers of a queue record in their own folder", async ({ skip }) => {
  const found = findRedis();
  if ("missing" in found) return skip(found.missing);
  const { binary } = await writeMockProgram(join(folder, "px4"));
  const options = { cwd: join(folder, "worker"), env: { ...process.env, PX4_SITL_BIN: binary } };
  mkdirSync(options.cwd);
  const redis = await RedisServer.start(found.program, ["--save", "", "--dir", folder]);
  const worker = command.start(["join", redis.url, "--threads", "1"], options);
  const left = waitForEnd(worker);
  try {
    await fly("queued", campaignOf("px4-sitl", "eventually altitude > 50 m"), {}, ["--fleet", redis.url]);
    const [own] = readdirSync(options.cwd);
    expect(own).toMatch(/^queued-[0-9a-f]{16}$/);
    expect(readdirSync(join(options.cwd, own!, "flights")).sort()).toEqual(["0.mcap", "1.mcap"]);
  } finally {
    worker.kill("SIGTERM");
    await left;
    await redis.kill();
  }
});

it("the library: the worst flight is flown again with the same bits", async ({ skip }) => {
  if (noCompiler !== undefined) return skip(noCompiler);
  const library = buildFixture();
  try {
    const text = campaignOf("px4-lockstep", "always altitude < 50 m");
    const { kept, measures, notes } = await fly("library", text, { PX4_LOCKSTEP_LIB: library.path });
    expect([notes, kept.length, recordings("library").length]).toEqual([[], 1, 1]);
    expect(measures.find(({ name }: { name: string }) => name === "lowest").flights).toBe(2);
  } finally {
    library.remove();
  }
});
