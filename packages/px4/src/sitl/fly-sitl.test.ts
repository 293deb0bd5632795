/**
 * Whole flights with the mock PX4 as a process: its start and end, instance numbers that are in use, and the reports of
 * failures.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { coreRegistry, mustResolve, resolveFlight, SimError } from "@escapement/core";
import type { PlainObject, ResolvedFlight } from "@escapement/core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { px4Kinds } from "../kinds.ts";
import { isRunning, writeMockProgram } from "../testing/mock-program-files.ts";
import { buildProgram } from "../testing/programs.ts";
import { openPorts } from "./bridge.ts";
import { flySitl } from "./fly-sitl.ts";
import type { FlySitlOptions } from "./fly-sitl.ts";
import { MockPx4 } from "../testing/mock-px4.ts";
import { FIRST_PORT } from "./simulator-port.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-sitl-test-"));
const registry = coreRegistry.with(px4Kinds);
const program = await writeMockProgram(folder);
const wrapper = await writeMockProgram(join(folder, "wrapper"), { isWrapper: true });

// PX4's work folders are created inside a temporary folder of this test.
const tmp = join(folder, "tmp");
beforeAll(() => {
  mkdirSync(tmp);
  process.env.TMPDIR = tmp;
});
afterEach(() => {
  delete process.env.MOCK_PX4;
  delete process.env.MOCK_PX4_MARK;
  for (const name of kept()) rmSync(join(tmp, name), { recursive: true, force: true });
});
afterAll(() => {
  delete process.env.TMPDIR;
  rmSync(folder, { recursive: true, force: true });
});

function resolved(over: PlainObject = {}): ResolvedFlight {
  const sensors = { imu: {}, magnetometer: {}, barometer: {}, gnss: {} };
  const spec = { extends: "hover", autopilot: "px4-sitl", sensors, timeline: { endS: 2 }, ...over };
  return mustResolve(resolveFlight({ file: "test", spec }, registry));
}

function fly(options: Partial<FlySitlOptions> = {}, flight = resolved(), failure = "") {
  process.env.MOCK_PX4 = failure;
  // Use the maximum limit for an answer, because the mock is a separate process that other tests may delay.
  const limits = { replyMs: 1000, ...options.run?.limits };
  return flySitl(flight, { registry, ...options, run: { program, ...options.run, limits } });
}

const kept = () => readdirSync(tmp).filter((name) => name.startsWith("escapement-px4-"));

async function failureOf(flight: Promise<unknown>): Promise<SimError> {
  const failure = await flight.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SimError);
  return failure as SimError;
}

describe("flights with a PX4 process", () => {
  it("fly, send PX4 the range finder's limits, and leave no files except in a work folder that the user named", async () => {
    const workFolder = join(folder, "work");
    mkdirSync(workFolder);
    // The path is relative to the working directory of the command, not of PX4. The folder contains files of an earlier
    // flight.
    const left = ["parameters.bson", "parameters_backup.bson", "dataman", "eeprom"];
    for (const name of [...left, "notes.txt"]) writeFileSync(join(workFolder, name), "");
    const sensors = { imu: {}, magnetometer: {}, barometer: {}, gnss: {}, rangeFinder: { minM: 0.3, maxM: 100 } };
    const run = { workFolder: relative(process.cwd(), workFolder) };
    const { flight, report } = await fly({ run }, resolved({ sensors }));
    expect(flight.end.endUs).toBe(2_000_000);
    expect(report).toMatchObject({ missed: 0, readyAtS: expect.closeTo(0.4, 0) as number });
    expect(readdirSync(workFolder).sort()).toEqual(["notes.txt", "px4-output.txt"]);
    expect(readFileSync(join(workFolder, "px4-output.txt"), "utf8")).toContain("range 30 to 10000 cm");
    expect(kept()).toEqual([]);
  });

  it("end a PX4 that a user's script started, and the script", async () => {
    const mark = (process.env.MOCK_PX4_MARK = join(folder, "pid"));
    await fly({ run: { program: wrapper } });
    const pid = Number(readFileSync(mark, "utf8"));
    for (let i = 0; i < 50 && isRunning(pid); i += 1) await new Promise((done) => setTimeout(done, 20));
    expect(isRunning(pid)).toBe(false);
    expect(kept()).toEqual([]);
  });

  it("skip an instance number that another PX4 uses, unless it was requested", async () => {
    process.env.MOCK_PX4_MARK = join(folder, "taken");
    const { instance, port, link } = await openPorts({});
    await port.close();
    await link.close();
    // The other PX4, which waits for a simulator and connects to ours.
    const other = new MockPx4({ port: FIRST_PORT + instance });
    other.start();
    const { report } = await fly({}, resolved(), "taken-once").finally(() => other.die());
    expect(report.instance).toBeGreaterThan(instance);
    expect(report.missed).toBe(0);
    rmSync(join(folder, "taken"));
    const failure = await failureOf(fly({ run: { instance: report.instance } }, resolved(), "taken-once"));
    expect(failure.message).toMatch(/SITL-002: another PX4 is running as instance/);
    await expect(openPorts({}, 10)).rejects.toThrow(/SITL-002.*TCP 4560 to 4569/);
    expect(kept()).toEqual([]);
  });

  it("report PX4's last output when they fail, and the path of the whole output", async () => {
    let frames = 0;
    const onReport = (report: { frames: number }) => (frames = report.frames);
    const failure = await failureOf(fly({ onReport }, resolved(), "dies"));
    expect(failure.message).toMatch(/SITL-004: PX4 ended with code 3; PX4's last lines: .*a last word/);
    expect(frames).toBeGreaterThan(250);
    const [work] = kept();
    const output = join(tmp, work!, "px4-output.txt");
    expect(failure.fix).toContain(output);
    expect(readFileSync(output, "utf8")).toContain("a last word");
    rmSync(join(tmp, work!), { recursive: true });
    const mute = await failureOf(fly({ run: { limits: { connectMs: 1500 } } }, resolved(), "mute"));
    expect(mute.message).toMatch(/SITL-003.*PX4's last lines: .*started/);
    expect(mute.fix).toContain(join(tmp, kept()[0]!, "px4-output.txt"));
  });

  it("end on request, before PX4 connects and in flight", async () => {
    await expect(fly({ signal: AbortSignal.abort() })).rejects.toThrow(/SITL-015/);
    await expect(fly({ signal: AbortSignal.timeout(700) }, resolved(), "mute")).rejects.toThrow(/SITL-015/);
    const control = new AbortController();
    const flight = await fly({ signal: control.signal, onPause: () => control.abort(), pace: 1 });
    expect(flight.flight.end.endUs).toBeLessThan(1_900_000);
    expect(kept()).toEqual([]);
  });

  it("name a work folder that cannot be created", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(fly({ run: { workFolder: join(folder, "file") } })).rejects.toThrow(/SITL-014.*cannot be created/);
  });
});

describe("a program that flies with PX4 and is ended", () => {
  it.each(["SIGINT", "SIGHUP", "SIGTERM", "SIGKILL"] as const)(
    "ends PX4 and removes its folder: %s",
    async (signal) => {
      const mark = join(folder, `pid-${signal}`);
      const child = spawn(process.execPath, [await buildProgram("fly-stock"), program.binary], {
        env: { ...process.env, MOCK_PX4: "", MOCK_PX4_MARK: mark },
        stdio: ["ignore", "pipe", "inherit"],
        detached: true,
      });
      const ended = new Promise((done) => child.once("exit", (_code, by) => done(by)));
      await new Promise((done) => child.stdout.once("data", done));
      process.kill(-child.pid!, signal);
      expect(await ended).toBe(signal);
      const pid = Number(readFileSync(mark, "utf8"));
      for (let i = 0; i < 50 && isRunning(pid); i += 1) await new Promise((done) => setTimeout(done, 20));
      expect(isRunning(pid)).toBe(false);
      for (let i = 0; i < 50 && kept().length > 0; i += 1) await new Promise((done) => setTimeout(done, 20));
      expect(kept()).toEqual([]);
    },
  );
});
