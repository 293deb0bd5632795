/**
 * The command against a hostile world: killed at random moments, disks that are full, files that may not grow, folders
 * that may not be written, two writers on one file. Never a crash without a typed error; whatever was written before is
 * a true beginning of the flight, and the reader says what is missing.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replayFlight, type SimError } from "@escapement/core";
import { readRecording, readTable } from "@escapement/formats";
import { buildCommand, type BuiltCommand, finished, type Finished } from "../support/command.ts";

const KILLS = 50;
const FLIGHT = ["fly", "mission", "--until", "40"];
const ALL = ["--log", "log.csv", "log.ulg", "--record", "flight.mcap"];

const folder = mkdtempSync(join(tmpdir(), "escapement-faults-"));
let command: BuiltCommand;
let count = 0;
const fresh = (): string => {
  const place = join(folder, `case-${(count += 1)}`);
  mkdirSync(place);
  return place;
};
/** The same flight undisturbed: every file of a disturbed one is a beginning of these. */
const whole = new Map<string, Buffer>();
let wholeMs = 0;

beforeAll(async () => {
  command = await buildCommand();
  const place = fresh();
  const started = performance.now();
  expect((await command.run([...FLIGHT, ...ALL], { cwd: place })).complaint).toBe("");
  wholeMs = performance.now() - started;
  for (const name of readdirSync(place)) whole.set(name, readFileSync(join(place, name)));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What is left of a log: a beginning of the whole one, byte for byte, read row by row. Gives its rows. */
async function checkLog(place: string, name: string): Promise<number> {
  const bytes = readFileSync(join(place, name));
  if (bytes.length === 0) return 0;
  expect(whole.get(name)!.subarray(0, bytes.length).equals(bytes)).toBe(true);
  const table = await readTable(bytes, undefined, name);
  if (bytes.length < whole.get(name)!.length) expect(table.missing).toContain("the end");
  return Math.max(...[...table.columns.values()].map((column) => column.length));
}

/** What is left of a log that was closed when another file failed: a beginning of the whole one, row by row. */
async function checkRows(place: string, name: string): Promise<number> {
  const bytes = readFileSync(join(place, name));
  if (bytes.length === 0) return 0;
  const [left, all] = [await readTable(bytes, undefined, name), await readTable(whole.get(name)!)];
  let rows = 0;
  for (const [column, values] of left.columns) {
    rows = Math.max(rows, values.length);
    expect(Buffer.compare(bytesOf(values), bytesOf(all.columns.get(column)!.subarray(0, values.length)))).toBe(0);
  }
  return rows;
}

function bytesOf(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** What is left of a recording replays bit for bit, as far as it goes. Gives its seconds; 0 where nothing was whole yet. */
async function checkRecording(place: string, isCut: boolean): Promise<number> {
  const bytes = readFileSync(join(place, "flight.mcap"));
  const file = await readRecording(bytes).catch((error: SimError) => error.code);
  if (typeof file === "string") {
    expect(file).toMatch(/^RECORDING-00[13]$/);
    return 0;
  }
  if (isCut) expect(file.missing).toMatch(/^the (end|summary)/);
  const { reproduces, differsUs } = replayFlight(file.recording, { marks: file.perSecond });
  expect([reproduces, differsUs]).toEqual([true, undefined]);
  return file.recording.endUs / 1e6;
}

/**
 * Kills at a random moment: one time in four of the clock, which may be before anything is written, and else of the
 * flight, as far as its log tells, because the clock says little about how far a flight is.
 */
function killLater(child: ChildProcess, place: string): NodeJS.Timeout {
  const kill = () => child.kill("SIGKILL");
  if (Math.random() < 0.25) return setTimeout(kill, 0.5 * wholeMs * Math.random());
  const bytes = 0.9 * whole.get("log.csv")!.length * Math.random();
  const log = join(place, "log.csv");
  return setInterval(() => {
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? -1) >= bytes) kill();
  }, 2);
}

describe("killed without warning, at random moments", () => {
  it(`${KILLS} times: what is there is true, and says what is missing`, async () => {
    let [rows, seconds, kills] = [0, 0, 0];
    while (kills < KILLS) {
      const place = fresh();
      const child = command.start([...FLIGHT, ...ALL], { cwd: place, stdio: "ignore" });
      const timer = killLater(child, place);
      const { signal } = await finished(child);
      clearInterval(timer);
      // One that was quicker than its killer does not count.
      if (signal !== "SIGKILL") continue;
      kills += 1;
      for (const name of ["log.csv", "log.ulg"]) if (existsSync(join(place, name))) rows += await checkLog(place, name);
      if (existsSync(join(place, "flight.mcap"))) seconds += await checkRecording(place, true);
      rmSync(place, { recursive: true });
    }
    expect(rows).toBeGreaterThan(50 * kills);
    expect(seconds).toBeGreaterThan(kills);
  });

  it("files that are whole or nothing never appear half made", async () => {
    for (let n = 0; n < 12; n += 1) {
      const place = fresh();
      const child = command.start([...FLIGHT, "--log", "log.h5", "log.parquet"], { cwd: place, stdio: "ignore" });
      const timer = setTimeout(() => child.kill("SIGKILL"), (0.1 + 0.08 * n) * wholeMs);
      await finished(child);
      clearTimeout(timer);
      for (const name of ["log.h5", "log.parquet"]) {
        if (existsSync(join(place, name)))
          expect((await readTable(readFileSync(join(place, name)))).missing).toBeUndefined();
      }
      rmSync(place, { recursive: true });
    }
  });
});

/** A failure that a user can understand, and nothing else. */
function expectTyped({ code, signal, complaint }: Finished, error: RegExp): void {
  expect([code, signal]).toEqual([1, null]);
  expect(complaint).toMatch(error);
  expect(complaint).not.toContain("defect of Escapement");
}

describe("no room", () => {
  const outputs: readonly (readonly [name: string, flag: string])[] = [
    ["log.csv", "--log"],
    ["log.ulg", "--log"],
    ["log.mcap", "--log"],
    ["log.parquet", "--log"],
    ["flight.mcap", "--record"],
  ];

  it.each(outputs)("a full device instead of %s (%s)", async (name, flag) => {
    const place = fresh();
    symlinkSync("/dev/full", join(place, name));
    expectTyped(await command.run([...FLIGHT, flag, name], { cwd: place }), /FILE-021.*ENOSPC/);
  });

  /** With a limit on the size of files, in blocks of 1024 bytes, set by a shell. */
  const limited = (blocks: number, args: readonly string[], cwd: string): Promise<Finished> => {
    const line = `ulimit -f ${blocks}; exec "$0" "$@"`;
    return finished(
      spawn("bash", ["-c", line, process.execPath, command.main, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] }),
    );
  };

  it("a file that may not grow leaves true beginnings of all of them", async () => {
    let seconds = 0;
    for (const blocks of [1, 64, 130, 300, 700, 1100, 1700, 2300]) {
      const place = fresh();
      expectTyped(await limited(blocks, [...FLIGHT, ...ALL], place), /FILE-02[012].*/);
      for (const name of ["log.csv", "log.ulg"]) {
        // A file of a block may end before its first row.
        await checkRows(place, name).catch((error: SimError) => expect(error.code).toBe("LOG-004"));
      }
      if (existsSync(join(place, "flight.mcap"))) seconds += await checkRecording(place, false);
    }
    expect(seconds).toBeGreaterThan(2);
  });

  it.each([
    ["flight.mcap", "--record", 300],
    ["flight.mcap", "--record", 1500],
    ["log.mcap", "--log", 200],
    ["log.h5", "--log", 3000],
    ["log.parquet", "--log", 100],
  ] as const)("a %s (%s) of more than %d blocks", async (name, flag, blocks) => {
    const place = fresh();
    expectTyped(await limited(blocks, [...FLIGHT, flag, name], place), /FILE-02[12]/);
    // What is whole or nothing is nothing, and nothing half made stays behind.
    if (!name.endsWith(".mcap")) expect(readdirSync(place)).toEqual([]);
    if (name === "flight.mcap") await checkRecording(place, true);
  });

  it("a small disk", async ({ skip }) => {
    const place = fresh();
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=600k", "none", place]).status !== 0)
      return skip("mounting is not allowed here");
    try {
      expectTyped(await command.run([...FLIGHT, ...ALL], { cwd: place }), /FILE-021.*ENOSPC/);
      expect(await checkRows(place, "log.ulg")).toBeGreaterThan(0);
      await checkRecording(place, false);
    } finally {
      spawnSync("umount", [place]);
    }
  });

  it("a conversion that does not fit leaves nothing", async () => {
    const place = fresh();
    const { length } = whole.get("flight.mcap")!;
    expect(length).toBeGreaterThan(0);
    const run = await command.run([...FLIGHT, "--record", "flight.mcap"], { cwd: place });
    expect(run.complaint).toBe("");
    for (const name of ["a.csv", "a.ulg", "a.parquet", "a.h5", "a.mcap"]) {
      expectTyped(await limited(100, ["convert", "flight.mcap", name], place), /FILE-02[12]/);
    }
    expect(readdirSync(place)).toEqual(["flight.mcap"]);
  });
});

describe("places that may not be written", () => {
  it("a protected folder", async ({ skip }) => {
    if (process.getuid?.() !== 0) return skip("only the superuser can become somebody else");
    const place = fresh();
    for (const above of [folder, place, command.folder]) chmodSync(above, 0o755);
    const asNobody = { cwd: place, uid: 65534, gid: 65534 };
    const trial = await command.run(["--version"], asNobody);
    if (trial.code !== 0) return skip(`nobody may not run the command here: ${trial.complaint.slice(0, 80)}`);
    for (const [flag, name] of [
      ["--log", "a.csv"],
      ["--log", "a.ulg"],
      ["--log", "a.h5"],
      ["--record", "a.mcap"],
    ] as const) {
      expectTyped(await command.run([...FLIGHT, flag, name], asNobody), /FILE-024.*EACCES/);
    }
    expect(readdirSync(place)).toEqual([]);
  });

  it("a folder that is not there, and a folder in place of a file", async () => {
    const place = fresh();
    mkdirSync(join(place, "a.csv"));
    expectTyped(await command.run([...FLIGHT, "--log", "nowhere/a.csv"], { cwd: place }), /FILE-023/);
    expectTyped(await command.run([...FLIGHT, "--log", "a.csv"], { cwd: place }), /FILE-024|FILE-020/);
  });
});

describe("two writers on one file", () => {
  it.each(["log.csv", "log.ulg", "log.h5", "log.parquet", "flight.mcap"])(
    "one of them gets %s, the other is told",
    async (name) => {
      const place = fresh();
      const args = [...FLIGHT, name === "flight.mcap" ? "--record" : "--log", name];
      const both = await Promise.all([command.run(args, { cwd: place }), command.run(args, { cwd: place })]);
      const lost = both.filter(({ complaint }) => complaint.includes("FILE-020"));
      expect(lost).toHaveLength(1);
      expectTyped(lost[0]!, /FILE-020/);
      expect(both.filter(({ complaint }) => complaint === "")).toHaveLength(1);
      const left = readFileSync(join(place, name));
      if (whole.has(name)) expect(left.equals(whole.get(name)!)).toBe(true);
      else expect((await readTable(left)).missing).toBeUndefined();
    },
  );
});
