/**
 * Whole flights in a child process with our small test library. The engine, plant, library and sinks run in the child;
 * the result arrives here. Also covers children that crash, hang or are stopped.
 */
import type { PlainObject, ResolvedFlight } from "@escapement/core";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { buildFixture, noCompiler } from "../testing/fixture-library.ts";
import { buildProgram } from "../testing/programs.ts";
import { flyLockstep as flyFromSources } from "./child.ts";
import type { FlyLockstepOptions } from "./child.ts";
import type { ChildFlight } from "./child-protocol.ts";

const { coreRegistry, flyLockstep, mustResolve, px4Kinds, replayFlight, replayLockstep, resolveFlight, SimError } =
  (await import(pathToFileURL(await buildProgram("lockstep")).href)) as typeof import("../testing/lockstep.ts");

const fixture = noCompiler === undefined ? buildFixture() : undefined;
const folder = mkdtempSync(join(tmpdir(), "escapement-child-"));
afterAll(() => {
  fixture?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const registry = coreRegistry.with(px4Kinds);

function resolved(over: PlainObject = {}): ResolvedFlight {
  const spec = { extends: "mission", autopilot: "px4-lockstep", wind: "none", timeline: { endS: 1 }, ...over };
  return mustResolve(resolveFlight({ file: "test", spec }, registry));
}

function environment(failure: string): NodeJS.ProcessEnv {
  return { ...process.env, PX4_LOCKSTEP_LIB: fixture!.path, LOCKSTEP_FIXTURE: failure };
}

function fly(flight: ResolvedFlight, failure = "", options: FlyLockstepOptions & { record?: true } = {}) {
  return flyLockstep(flight, { env: environment(failure), ...options });
}

/** A flight without failures, which several tests use: each child process takes more than a second. */
let whole: ReturnType<typeof fly> | undefined;

describe("flights in a child process", () => {
  beforeEach(({ skip }) => skip(noCompiler !== undefined, noCompiler));

  it("forward PX4's output, write rows in the child, and have the same fingerprint bundled and from source", async () => {
    const module = join(folder, "sinks.mjs");
    writeFileSync(
      module,
      `import { writeFileSync } from "node:fs";
export async function openSinks(path) {
  let rows = 0;
  return [{ open() {}, row() { rows += 1; }, isFull: false, async drain() {}, async close() { writeFileSync(path, String(rows)); } }];
}`,
    );
    const path = join(folder, "rows.txt");
    const lines: string[] = [];
    const sinks = { url: pathToFileURL(module).href, data: path };
    const flights = await Promise.all([
      (whole = fly(resolved(), "", { sinks, onOutput: (line) => lines.push(line) })),
      flyFromSources(resolved(), { env: environment(""), codegen: false }),
    ]);
    expect(flights[0].end.endUs).toBe(1_000_000);
    expect(flights[0].fingerprint).toMatch(/^fp1:/);
    expect(flights[1].fingerprint).toBe(flights[0].fingerprint);
    expect(flights.map(({ end }) => end.code.split(/[:,]/)[0])).toEqual(["compiled", "reference"]);
    expect(flights[0].recording.stateBlocks.length).toBeGreaterThan(0);
    expect(lines).toContain("INFO [px4] fixture created");
    // The recording contains PX4's commands, so it replays bit for bit on a machine without PX4.
    expect(replayFlight(flights[0].recording).reproduces).toBe(true);
    // The rows at both ends are logged: 1 s at 0.02 s per row.
    expect(readFileSync(path, "utf8")).toBe("51");
    const unrecorded = await flyLockstep(resolved(), { env: environment(""), record: false });
    expect(unrecorded.recording).toBeUndefined();
    expect(unrecorded.fingerprint).toBe(flights[0].fingerprint);
    expect(unrecorded.track).toEqual(flights[0].track);
  });

  it("can replay with the library live", async () => {
    const { recording } = await (whole ?? fly(resolved()));
    const env = environment("");
    const [same, other] = await Promise.all([
      replayLockstep(recording, { live: ["autopilot"] }, env),
      replayLockstep(recording, { live: ["autopilot"], integrator: { kind: "euler", version: 1, params: {} } }, env),
    ]);
    expect(same.reproduces).toBe(true);
    expect(other).toMatchObject({ reproduces: false, changed: ["integrator"] });
  });

  it("end with a typed error if the library crashes or hangs, and do not affect this process", async () => {
    const parts: ChildFlight[] = [];
    const onBrokenOff = (part: ChildFlight) => parts.push(part);
    const failures = await Promise.all([
      fly(resolved(), "step-crashes:100", { onBrokenOff }).catch((error: unknown) => error),
      fly(resolved(), "create-hangs", { limits: { createMs: 1500 } }).catch((error: unknown) => error),
      fly(resolved(), "step-hangs:100", { limits: { silentMs: 1500 } }).catch((error: unknown) => error),
    ]);
    for (const failure of failures) expect(failure).toBeInstanceOf(SimError);
    expect((failures[0] as Error).message).toMatch(/LOCKSTEP-012.*(SIGABRT|code).*while flying/);
    // A process that crashed cannot report the flight up to the crash.
    expect(parts).toEqual([]);
    expect((failures[1] as Error).message).toMatch(/LOCKSTEP-013.*did not start within 1\.5 s.*autosave deadlocks/);
    expect((failures[2] as Error).message).toMatch(/LOCKSTEP-013.*did not respond for 1\.5 s while flying/);
  });

  it("ignore parameters that PX4 does not have, and list them", async () => {
    const unknown = resolved({ autopilot: { kind: "px4-lockstep", parameters: { NO_SUCH_PARAM: 1 } } });
    const { events } = await fly(unknown);
    expect(events.find(({ kind }) => kind === "autopilotWarning")?.data).toEqual({
      text: "without effect: NO_SUCH_PARAM, which the PX4 library does not have",
    });
  });

  it("report the flight up to an error if the process is still running", async () => {
    const parts: ChildFlight[] = [];
    const onBrokenOff = (part: ChildFlight) => parts.push(part);
    await expect(fly(resolved(), "step-fails:100", { onBrokenOff })).rejects.toThrow(/LOCKSTEP-006/);
    expect(parts).toHaveLength(1);
    expect(parts[0]!.end.endUs).toBe(396_000);
    expect(parts[0]!.recording!.logged.find(({ name }) => name === "state")!.timesUs.length).toBeGreaterThan(10);
  });

  it("are ended by the parent, not by a signal to the process group", async () => {
    const child = spawn(process.execPath, [await buildProgram("fly-library")], {
      env: environment(""),
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    const printed: string[] = [];
    const closed = new Promise((done) => child.once("close", done));
    const flying = new Promise<void>((done) => {
      child.stdout.on("data", (data: Buffer) => {
        printed.push(data.toString());
        done();
      });
    });
    await flying;
    process.kill(-child.pid!, "SIGINT");
    await closed;
    expect(printed.join("")).toMatch(/^flying\nflew \d+ s\n$/);
  });

  it("stop on request, before the start and in flight, and report the flight up to that time", async () => {
    await expect(fly(resolved(), "", { signal: AbortSignal.abort() })).rejects.toThrow(/LOCKSTEP-014.*cancelled/);
    const control = new AbortController();
    const flight = await fly(resolved({ timeline: { endS: 100_000 } }), "", {
      signal: control.signal,
      onProgress: () => control.abort(),
      limits: { stopMs: 30_000 },
    });
    expect(flight.end.endUs).toBeGreaterThan(0);
    expect(flight.end.endUs).toBeLessThan(100_000e6);
  });
});
