/**
 * Tests the command under faults: killed at random moments, full disks, limited file sizes, read-only folders, and two
 * writers on one file. Unless it is killed, it must end with a typed error. The files must contain a correct beginning
 * of the flight, and the readers must report what is missing.
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
import { buildCommand, type BuiltCommand, waitForEnd, type Finished } from "../support/command.ts";

const KILLS = 50;
const FLIGHT = ["fly", "mission", "--until", "40"];
const ALL = ["--log", "log.csv", "log.ulg", "--record", "flight.mcap"];

const folder = mkdtempSync(join(tmpdir(), "escapement-faults-"));
let command: BuiltCommand;
let count = 0;
const newFolder = (): string => {
  const place = join(folder, `case-${(count += 1)}`);
  mkdirSync(place);
  return place;
};
/** Files of the undisturbed flight. Every file of a disturbed flight must be a beginning of one of these. */
const whole = new Map<string, Buffer>();
let wholeMs = 0;

beforeAll(async () => {
  command = await buildCommand();
  const place = newFolder();
  const started = performance.now();
  expect((await command.run([...FLIGHT, ...ALL], { cwd: place })).err).toBe("");
  wholeMs = performance.now() - started;
  for (const name of readdirSync(place)) whole.set(name, readFileSync(join(place, name)));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Checks that a log is a beginning of the undisturbed one, byte for byte, and readable. Returns its number of rows. */
async function checkLog(place: string, name: string): Promise<number> {
  const bytes = readFileSync(join(place, name));
  if (bytes.length === 0) return 0;
  expect(whole.get(name)!.subarray(0, bytes.length).equals(bytes)).toBe(true);
  const table = await readTable(bytes, undefined, name);
  if (bytes.length < whole.get(name)!.length) expect(table.missing).toContain("the end");
  return Math.max(...[...table.columns.values()].map((column) => column.length));
}

/** Checks that a log closed after another file failed is a beginning of the undisturbed one, row by row. */
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

/**
 * Checks that a recording replays bit for bit up to its end. Returns its seconds; 0 if it has no complete chunk.
 */
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
 * Kills a process at a random moment. One time in four, the moment is a wall-clock time, possibly before anything is
 * written. Otherwise it is a size of the log, because wall-clock time says little about the flight's progress.
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

describe("a command killed at random moments", () => {
  it(`leaves correct beginnings of its files in ${KILLS} runs, and their readers report what is missing`, async () => {
    let [rows, seconds, kills] = [0, 0, 0];
    while (kills < KILLS) {
      const place = newFolder();
      const child = command.start([...FLIGHT, ...ALL], { cwd: place, stdio: "ignore" });
      const timer = killLater(child, place);
      const { signal } = await waitForEnd(child);
      clearInterval(timer);
      // Do not count a flight that ended before it was killed.
      if (signal !== "SIGKILL") continue;
      kills += 1;
      for (const name of ["log.csv", "log.ulg"]) if (existsSync(join(place, name))) rows += await checkLog(place, name);
      if (existsSync(join(place, "flight.mcap"))) seconds += await checkRecording(place, true);
      rmSync(place, { recursive: true });
    }
    expect(rows).toBeGreaterThan(50 * kills);
    expect(seconds).toBeGreaterThan(kills);
  });

  it("never leaves an incomplete HDF5 or Parquet file", async () => {
    for (let n = 0; n < 12; n += 1) {
      const place = newFolder();
      const child = command.start([...FLIGHT, "--log", "log.h5", "log.parquet"], { cwd: place, stdio: "ignore" });
      const timer = setTimeout(() => child.kill("SIGKILL"), (0.1 + 0.08 * n) * wholeMs);
      await waitForEnd(child);
      clearTimeout(timer);
      for (const name of ["log.h5", "log.parquet"]) {
        if (existsSync(join(place, name)))
          expect((await readTable(readFileSync(join(place, name)))).missing).toBeUndefined();
      }
      rmSync(place, { recursive: true });
    }
  });
});

/** Expects one of our errors, not an internal defect. */
function expectTyped({ code, signal, err }: Finished, error: RegExp): void {
  expect([code, signal]).toEqual([1, null]);
  expect(err).toMatch(error);
  expect(err).not.toContain("defect in Escapement");
}

describe("a command that runs out of space", () => {
  const outputs: readonly (readonly [name: string, flag: string])[] = [
    ["log.csv", "--log"],
    ["log.ulg", "--log"],
    ["log.mcap", "--log"],
    ["log.parquet", "--log"],
    ["flight.mcap", "--record"],
  ];

  it.each(outputs)("reports a full device for %s (%s)", async (name, flag) => {
    const place = newFolder();
    symlinkSync("/dev/full", join(place, name));
    expectTyped(await command.run([...FLIGHT, flag, name], { cwd: place }), /FILE-021.*ENOSPC/);
  });

  /** Runs the command with the shell's limit on file sizes, in blocks of 1024 bytes. */
  const runLimited = (blocks: number, args: readonly string[], cwd: string): Promise<Finished> => {
    const line = `ulimit -f ${blocks}; exec "$0" "$@"`;
    return waitForEnd(
      spawn("bash", ["-c", line, process.execPath, command.main, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] }),
    );
  };

  it("leaves correct beginnings of all files under a file size limit", async () => {
    let seconds = 0;
    for (const blocks of [1, 64, 130, 300, 700, 1100, 1700, 2300]) {
      const place = newFolder();
      expectTyped(await runLimited(blocks, [...FLIGHT, ...ALL], place), /FILE-02[012].*/);
      for (const name of ["log.csv", "log.ulg"]) {
        // A file of one block may end before its first row.
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
  ] as const)("leaves a correct beginning of a %s (%s) larger than %d blocks", async (name, flag, blocks) => {
    const place = newFolder();
    expectTyped(await runLimited(blocks, [...FLIGHT, flag, name], place), /FILE-02[12]/);
    // HDF5 and Parquet files are complete or absent, and leave no partial file.
    if (!name.endsWith(".mcap")) expect(readdirSync(place)).toEqual([]);
    if (name === "flight.mcap") await checkRecording(place, true);
  });

  it("leaves readable files on a small disk", async ({ skip }) => {
    const place = newFolder();
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

  it("leaves no file if a conversion does not fit", async () => {
    const place = newFolder();
    const { length } = whole.get("flight.mcap")!;
    expect(length).toBeGreaterThan(0);
    const run = await command.run([...FLIGHT, "--record", "flight.mcap"], { cwd: place });
    expect(run.err).toBe("");
    for (const name of ["a.csv", "a.ulg", "a.parquet", "a.h5", "a.mcap"]) {
      expectTyped(await runLimited(100, ["convert", "flight.mcap", name], place), /FILE-02[12]/);
    }
    expect(readdirSync(place)).toEqual(["flight.mcap"]);
  });
});

describe("a path that cannot be written", () => {
  it("is rejected in a protected folder", async ({ skip }) => {
    if (process.getuid?.() !== 0) return skip("only root can run the command as another user");
    const place = newFolder();
    for (const above of [folder, place, command.folder]) chmodSync(above, 0o755);
    const asNobody = { cwd: place, uid: 65534, gid: 65534 };
    const trial = await command.run(["--version"], asNobody);
    if (trial.code !== 0) return skip(`the user "nobody" cannot run the command here: ${trial.err.slice(0, 80)}`);
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

  it("is rejected if the folder is missing or the path is a folder", async () => {
    const place = newFolder();
    mkdirSync(join(place, "a.csv"));
    expectTyped(await command.run([...FLIGHT, "--log", "nowhere/a.csv"], { cwd: place }), /FILE-023/);
    expectTyped(await command.run([...FLIGHT, "--log", "a.csv"], { cwd: place }), /FILE-024|FILE-020/);
  });
});

describe("two writers on one file", () => {
  it.each(["log.csv", "log.ulg", "log.h5", "log.parquet", "flight.mcap"])(
    "do not disturb each other: one writes %s, and the other reports an error",
    async (name) => {
      const place = newFolder();
      const args = [...FLIGHT, name === "flight.mcap" ? "--record" : "--log", name];
      const both = await Promise.all([command.run(args, { cwd: place }), command.run(args, { cwd: place })]);
      const lost = both.filter(({ err }) => err.includes("FILE-020"));
      expect(lost).toHaveLength(1);
      expectTyped(lost[0]!, /FILE-020/);
      expect(both.filter(({ err }) => err === "")).toHaveLength(1);
      const left = readFileSync(join(place, name));
      if (whole.has(name)) expect(left.equals(whole.get(name)!)).toBe(true);
      else expect((await readTable(left)).missing).toBeUndefined();
    },
  );
});
