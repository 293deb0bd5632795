/**
 * Tests the bundled command as a user runs it: exit codes, output streams, files and Ctrl-C.
 *
 * `runProcess` starts a process. `run` runs many commands in one process, which is much faster, for tests that do not
 * depend on the process, its environment or its standard input.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTable } from "@escapement/formats";
import { buildFixture, noCompiler } from "../../packages/px4/src/testing/fixture-library.ts";
import { isRunning, writeMockProgram } from "../../packages/px4/src/testing/mock-program-files.ts";
import { buildCommand, type BuiltCommand, CommandSession } from "../support/command.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-command-"));
const stock = await writeMockProgram(join(folder, "px4"));
let built: BuiltCommand;
let session: CommandSession;
const run = (args: readonly string[]) => session.run(args);

beforeAll(async () => {
  built = await buildCommand();
  session = new CommandSession(built, folder, { PX4_SITL_BIN: undefined, PX4_LOCKSTEP_LIB: undefined });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A command that runs longer than this counts as hanging. */
const HANG_MS = 30_000;

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function runProcess(args: readonly string[], env: NodeJS.ProcessEnv = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [built.main, ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: HANG_MS,
    env: { ...process.env, NO_COLOR: undefined, ...env },
  });
  return { code: status, out: stdout, err: stderr };
}

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

describe("exit codes", () => {
  it("0: completed", () => {
    const { code, out, err } = runProcess(["fly", "drop", "--until", "1"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("completed");
    expect(out).not.toMatch(/reference:|compiled/);
  });

  it("3: time ran out", () => {
    expect(runProcess(["fly", "mission", "--until", "2.5"])).toMatchObject({
      code: 3,
      out: expect.stringContaining("time ran out") as string,
    });
  });

  it("4: crashed", () => {
    const { code, out } = runProcess(["fly", "drop", "--set", "stop.onCrash=true"]);
    expect([code, /crashed — hit the ground\s+at 4\.\d m\/s/.test(out)]).toEqual([4, true]);
  });

  it("1: rejected, with every error on stderr", () => {
    write("broken.toml", 'seed = -1\n[wind]\nkind = "ouu"\n');
    const { code, out, err } = runProcess(["fly", "broken.toml"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("error FLIGHT-005");
    expect(err).toContain('^^^^^ did you mean "ou"?');
    expect(err).toContain("2 errors in broken.toml; nothing was flown.");
  });

  it("1: failed in flight, with a summary up to the failure", async () => {
    write(
      "mad.mjs",
      `export const autopilots = [{ name: "mad", about: "", version: 1, params: {}, make: (_, { periodUs }) => ({
        writer: "autopilot", axis: { kind: "periodic", startUs: 0, periodUs }, save() {}, load() {},
        update: (clock, bus) => { bus.motorCommand[1] = clock.s > 0.5 ? 2 : 0; } }) }];`,
    );
    const { code, out, err } = await run([
      "fly",
      "drop",
      "--with",
      "mad.mjs",
      "--set",
      "autopilot.kind=mad",
      "--log",
      "failed.csv",
    ]);
    expect(code).toBe(1);
    expect(out).toMatch(/0\.50 {2}failed — motor channel 2 was\s/);
    expect(err).toContain("error ENGINE-003");
    expect(existsSync(join(folder, "failed.csv"))).toBe(true);
    const json = await run(["fly", "drop", "--with", "mad.mjs", "--set", "autopilot.kind=mad", "--json"]);
    expect([json.code, json.err]).toEqual([1, ""]);
    expect(JSON.parse(json.out)).toMatchObject({ outcome: "failed", endS: 0.504, errors: [{ code: "ENGINE-003" }] });
  });

  it("1: the state is not finite: one line in the summary, a warning before the flight, and the state in the error", async () => {
    const heavy = ["fly", "mission", "--set", "vehicle.massKg=1700", "--set", "integrator=rk4"];
    const { code, out, err } = await run(heavy);
    expect(code).toBe(1);
    expect(out).toMatch(/failed — the state is not finite: \d+ values, the first posNed\.n\n\n/);
    expect(err).toMatch(/warning PLANT-005 {2}the vehicle cannot lift itself/);
    expect(err).toMatch(/error STATE-002[^]*posNed = NaN/);
    expect((await run([...heavy, "--json"])).out).toContain(String.raw`values, the first posNed.n",`);
  });

  it.each([[["flyy"]], [["fly", "--nope"]], [["check"]], [["fly", "a", "b"]]])("2: wrong usage %j", async (args) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^error CLI-029 {2}/);
    expect(err).toMatch(/^ {2}fix {4}(did you mean|run escapement )/m);
  });

  it.each([
    [["fly", "hoverr"], "FLIGHT-014"],
    [["fly", "drop", "--set", "sead=3"], "FLIGHT-002"],
    [["fly", "drop", "--set", "seed"], "CLI-001"],
    [["fly", "drop", "--until", "soon"], "FLIGHT-004"],
    [["list", "wins"], "CLI-003"],
    [["explain", "NOPE-1"], "CLI-002"],
    [["completion", "tcsh"], "CLI-009"],
  ])("2: a name or value typed wrongly: %j, %s", async (args, code) => {
    expect(await run(args)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining(`error ${code}`) as string,
    });
  });

  it.each([
    [["fly", "gone.toml"]],
    [["check", "gone.toml"]],
    [["report", "gone.mcap"]],
    [["campaign", "gone.toml"]],
    [["tree", "gone"]],
  ])("1: a file that does not exist: %j", async (args) => {
    const { code, err } = await run(args);
    expect([code, err]).toEqual([1, expect.stringMatching(/error FILE-023 .*does not exist/)]);
  });

  it.each([[["--help"]], [["fly", "--help"]], [["help", "list"]], [["--version"]], [[]]])(
    "0: help for %j",
    async (args) => {
      const { code, out, err } = await run(args);
      expect([code, err]).toEqual([0, ""]);
      expect(out.length).toBeGreaterThan(4);
    },
  );
});

describe("check", () => {
  it("prints a flight that can be flown, as TOML and as JSON, with the same result", async () => {
    const original = await run(["fly", "mission", "--until", "0.5", "--json"]);
    const { fingerprint, flightHash } = JSON.parse(original.out) as Record<string, string>;
    for (const [name, ...flags] of [
      ["resolved.toml", "--full"],
      ["resolved.json", "--json"],
    ] as const) {
      write(name, (await run(["check", "mission", "--set", "timeline.endS=0.5", ...flags])).out);
      expect(JSON.parse((await run(["fly", name, "--json"])).out)).toMatchObject({ fingerprint, flightHash });
    }
    expect((await run(["fly", "mission", "--until", "0.5", "--record", "again.mcap"])).code).toBe(3);
    expect(JSON.parse((await run(["fly", "again.mcap", "--json"])).out)).toMatchObject({ fingerprint, flightHash });
    const other = await run(["fly", "again.mcap", "--seed", "8", "--json"]);
    expect(JSON.parse(other.out)).toMatchObject({ seed: 8, endS: 0.5 });
  });

  it("reports a valid flight in a few lines: its layers and what it changes", async () => {
    write("base.toml", 'extends = "hover"\nseed = 4\n');
    write("windy.toml", 'extends = "base.toml"\n[wind]\nkind = "dryden"\nw20Mps = 8\n');
    const { code, out } = await run(["check", "windy.toml", "--set", "seed=5"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}layers +windy\.toml → base\.toml → hover$/m);
    expect(out).toMatch(/changes +[^]*seed = 5$/m);
    expect(out).toMatch(/^ +(changes +)?wind\.w20Mps = 8$/m);
    expect(out).toMatch(/^ok {2}hover/m);
    expect(out.split("\n").length).toBeLessThan(12);
    expect((await run(["check", "hover"])).out).not.toContain("changes");
  });
});

describe("standard input and output", () => {
  const pipe = (args: readonly string[], input: string | Buffer) =>
    spawnSync(process.execPath, [built.main, ...args], { cwd: folder, encoding: "utf8", input, timeout: HANG_MS });

  it("- reads a flight in TOML or JSON, and a recording", async () => {
    for (const input of ['extends = "drop"\nseed = 3\n', '{ "extends": "drop", "seed": 3 }']) {
      const { status, stdout } = pipe(["fly", "-", "--until", "0.2", "--json"], input);
      expect([status, JSON.parse(stdout)]).toMatchObject([0, { name: "drop", seed: 3 }]);
    }
    const checked = pipe(["check", "-"], 'extends = "drop"\nseed = 3\n');
    expect([checked.status, checked.stdout]).toEqual([0, expect.stringMatching(/standard input → drop[^]*seed = 3/)]);
    const wrong = pipe(["check", "-"], "sead = 3\n");
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("standard input › sead, line 1")]);
    await run(["fly", "drop", "--until", "0.2", "--record", "piped.mcap"]);
    const replayed = pipe(["replay", "-"], readFileSync(join(folder, "piped.mcap")));
    expect([replayed.status, replayed.stdout]).toEqual([0, expect.stringContaining("the same bits")]);
  });

  it("- writes a log as CSV, a page and a template, and nothing else to standard output", async () => {
    await run(["fly", "drop", "--until", "0.2", "--record", "piped2.mcap", "--log", "piped2.csv"]);
    const csv = readFileSync(join(folder, "piped2.csv"), "utf8");
    expect(runProcess(["convert", "piped2.mcap", "-"])).toEqual({ code: 0, out: csv, err: "" });
    const flown = runProcess(["fly", "drop", "--until", "0.2", "--log", "-"]);
    expect([flown.code, flown.out]).toEqual([0, csv]);
    expect(flown.err).toContain("completed");
    expect(runProcess(["report", "piped2.mcap", "-o", "-"]).out).toMatch(/^<!doctype html>[^]*<\/html>\s*$/i);
    expect(runProcess(["init", "-"]).out).toContain('extends = "mission"');
    expect(await run(["fly", "drop", "--record", "-"])).toMatchObject({ code: 1, out: "" });
  });
});

describe("output for scripts", () => {
  it("is JSON from fly, list, schema and check, and for errors", async () => {
    const json = async (args: readonly string[]) => JSON.parse((await run(args)).out) as Record<string, unknown>;
    expect(await json(["fly", "drop", "--until", "0.5", "--json"])).toMatchObject({
      outcome: "completed",
      endS: 0.5,
      seed: 1,
    });
    expect(await json(["list", "winds", "--json"])).toHaveProperty("winds");
    expect(await json(["schema"])).toHaveProperty("properties.wind");
    expect(await json(["check", "hover", "--json"])).toHaveProperty("flown.timeline.endS", 60);
    expect(await json(["explain", "FLIGHT-013", "--json"])).toMatchObject([{ code: "FLIGHT-013" }]);
    const { code, out, err } = await run(["fly", "hoverr", "--json"]);
    expect([code, err]).toEqual([2, ""]);
    expect(JSON.parse(out)).toMatchObject({
      outcome: "failed",
      errors: [{ code: "FLIGHT-014", fix: 'did you mean "hover"?' }],
    });
  });

  it("has no progress on a pipe, and colour only on request", () => {
    const plain = runProcess(["fly", "drop", "--until", "0.5"]);
    expect(plain.out + plain.err).not.toContain("\u001b");
    expect(runProcess(["fly", "drop", "--until", "0.5"], { FORCE_COLOR: "1" }).out).toContain("\u001b[36m");
  });

  it("survives a pipe that is closed early", () => {
    const { status, stderr } = spawnSync(
      "bash",
      ["-c", `${process.execPath} ${built.main} list parameters | head -1`],
      {
        encoding: "utf8",
        cwd: folder,
      },
    );
    expect([status, stderr]).toEqual([0, ""]);
  });
});

describe("output files", () => {
  it("are several logs, a recording and a picture from one flight, overwritten only with --overwrite", async () => {
    const args = [
      "fly",
      "drop",
      "--until",
      "1",
      "--log",
      "a.csv",
      "a.ulg",
      "a.h5",
      "a.parquet",
      "--record",
      "a.mcap",
      "--picture",
      "a.png",
    ];
    const { code, out } = await run(args);
    expect(code).toBe(0);
    for (const name of ["a.csv", "a.ulg", "a.h5", "a.parquet", "a.mcap", "a.png"]) expect(out).toContain(`${name} (`);
    const csv = await readTable(readFileSync(join(folder, "a.csv")));
    const parquet = await readTable(readFileSync(join(folder, "a.parquet")));
    expect(csv.columns.get("pos_ned_d_m")).toEqual(parquet.columns.get("pos_ned_d_m"));
    expect(csv.columns.get("time_us")).toHaveLength(51);
    expect(await run(args)).toMatchObject({ code: 1, err: expect.stringContaining("FILE-020") as string });
    expect((await run([...args, "--overwrite"])).code).toBe(0);
    expect(await run(["replay", "a.mcap"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("the same bits") as string,
    });
  });

  it("are written next to the flight file that names them", async () => {
    mkdirSync(join(folder, "sub"));
    write(
      "sub/out.toml",
      'extends = "drop"\ntimeline.endS = 0.2\n[[outputs.logs]]\nfile = "o.csv"\ncolumns = ["pos_ned_d_m"]\n',
    );
    expect(await run(["fly", "sub/out.toml"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("sub/o.csv (") as string,
    });
    expect(readFileSync(join(folder, "sub/o.csv"), "utf8")).toMatch(/^time_us,pos_ned_d_m$/m);
  });

  it("are rejected before the flight if their format is unknown", async () => {
    expect(await run(["fly", "drop", "--log", "a.xls"])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("FILE-013") as string,
    });
    expect(await run(["fly", "drop", "--picture", "a.gif"])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("CLI-007") as string,
    });
  });

  it.each([
    ["FILE-013", ["--record", "flight.toml", "--overwrite"]],
    ["FILE-023", ["--picture", "nowhere/a.svg"]],
    ["FILE-023", ["--record", "plain/a.mcap"]],
    ["FILE-024", ["--log", `${"long".repeat(80)}.csv`]],
    ["FILE-024", ["--record", "folder.mcap"]],
    ["FILE-020", ["--log", "a.csv", "./a.csv"]],
  ])("are rejected before the flight if they cannot be written: %s %j", async (code, flags) => {
    write("flight.toml", 'extends = "drop"\n');
    write("plain", "");
    mkdirSync(join(folder, "folder.mcap"), { recursive: true });
    expect(await run(["fly", "flight.toml", ...flags])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(`error ${code}`) as string,
    });
    expect(readFileSync(join(folder, "flight.toml"), "utf8")).toBe('extends = "drop"\n');
  });

  it("can fail during the flight: the error is reported, and the summary is still printed", (context) => {
    if (!existsSync("/dev/full")) context.skip("this system has no /dev/full");
    symlinkSync("/dev/full", join(folder, "full.csv"));
    symlinkSync("/dev/full", join(folder, "full.svg"));
    const { code, out, err } = runProcess(["fly", "drop", "--log", "full.csv", "--picture", "full.svg"]);
    expect([code, out]).toEqual([1, expect.stringContaining("fingerprint")]);
    expect([...err.matchAll(/error FILE-021[^]*?(full\.\w+)/g)].map(([, name]) => name)).toEqual([
      "full.csv",
      "full.svg",
    ]);
  });

  it("are written by init, as a valid flight file, and overwritten only on request", async () => {
    expect(await run(["init", "new.toml"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("escapement fly new.toml") as string,
    });
    write("new.toml", "# mine\n");
    expect(await run(["init", "new.toml"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("FILE-020") as string,
    });
    expect(readFileSync(join(folder, "new.toml"), "utf8")).toBe("# mine\n");
    expect((await run(["init", "new.toml", "--overwrite"])).code).toBe(0);
    expect((await run(["fly", "new.toml", "--until", "0.1", "--json"])).code).toBe(3);
  });
});

it("fly warns if only a vehicle is named, and suggests a mission", async () => {
  const { code, err } = await run(["fly", "iris", "--until", "0.1"]);
  expect([code, err]).toEqual([0, expect.stringContaining("CLI-030")]);
  expect(err).toContain("escapement fly mission --set vehicle=iris");
});

describe("a flight that cannot start", () => {
  const FILES = ["--record", "never.mcap", "--log", "never.csv", "never.h5", "never.parquet", "never.ulg"];
  const left = () => readdirSync(folder).filter((name) => name.startsWith("never"));
  const expectRefused = async (code: string, args: readonly string[]) => {
    const { code: exit, err } = await run(["fly", ...args]);
    expect([exit, err]).toEqual([1, expect.stringContaining(code)]);
  };

  it("leaves no file if PX4 is missing", async () => {
    await expectRefused("SITL-001", ["mission", "--autopilot", "px4-sitl", ...FILES]);
    expect(left()).toEqual([]);
  });

  it("leaves no file if a part cannot be built", async () => {
    write(
      "unmade.mjs",
      `export const integrators = [{ name: "unmade", about: "", version: 1, params: {},
        make: () => { throw new Error("cannot be made"); } }];`,
    );
    await expectRefused("cannot be made", [
      "drop",
      "--with",
      "unmade.mjs",
      "--set",
      "integrator.kind=unmade",
      ...FILES,
    ]);
    expect(left()).toEqual([]);
  });

  it("replaces no file, even one that was already opened", async () => {
    const logs = ["kept.csv", "kept.ulg", "kept.h5", "kept.parquet", "kept.mcap"];
    for (const name of logs) write(name, "precious");
    await expectRefused("SITL-001", ["mission", "--autopilot", "px4-sitl", "--log", ...logs, "--overwrite"]);
    await expectRefused("FILE-023", ["drop", "--log", ...logs, "--record", "nowhere/never.mcap", "--overwrite"]);
    expect(logs.map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(logs.map(() => "precious"));
  });

  it("leaves no file if a second file cannot be opened", async () => {
    await expectRefused("FILE-0", ["drop", "--log", "never.csv", "--record", "nowhere/never.mcap"]);
    expect(left()).toEqual([]);
  });

  it("leaves no empty recording if the first boundary fails", async () => {
    write(
      "dead.mjs",
      `export const autopilots = [{ name: "dead", about: "", version: 1, params: {}, make: (_, { periodUs }) => ({
        writer: "autopilot", axis: { kind: "periodic", startUs: 0, periodUs }, save() {}, load() {},
        update: (clock, bus) => { bus.motorCommand[1] = 2; } }) }];`,
    );
    await expectRefused("ENGINE-003", [
      "drop",
      "--with",
      "dead.mjs",
      "--set",
      "autopilot.kind=dead",
      "--record",
      "never.mcap",
    ]);
    expect(left()).toEqual([]);
  });

  it("checks options and files before it looks for the PX4 library", async () => {
    write("there.csv", "");
    const fly = ["mission", "--autopilot", "px4-lockstep"];
    await expectRefused("CLI-012", [...fly, "--pace", "1"]);
    await expectRefused("FILE-020", [...fly, "--log", "there.csv"]);
    await expectRefused("CLI-007", [...fly, "--picture", "a.gif"]);
  });
});

describe("Ctrl-C", () => {
  const waitForBytes = async (child: ChildProcess, path: string, bytes: number) => {
    for (;;) {
      if (child.exitCode !== null || (existsSync(path) && statSync(path).size > bytes)) return;
      await new Promise((done) => setTimeout(done, 20));
    }
  };

  it("ends the flight immediately and leaves readable files", async () => {
    const path = join(folder, "cut.csv");
    const child = spawn(
      process.execPath,
      [built.main, "fly", "mission", "--pace", "1", "--log", path, "--record", join(folder, "cut.mcap"), "--json"],
      { cwd: folder },
    );
    let out = "";
    child.stdout.on("data", (part: Buffer) => (out += part.toString()));
    const ended = new Promise<number | null>((done) => child.on("exit", done));
    await waitForBytes(child, path, 0);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ outcome: "interrupted" });
    const table = await readTable(readFileSync(path));
    expect(table.missing).toBeUndefined();
    expect(table.columns.get("time_us")!.length).toBeGreaterThan(0);
    expect(await run(["replay", "cut.mcap"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("the same bits") as string,
    });
  });
});

describe("PX4", () => {
  const tmp = join(folder, "tmp");
  const mark = join(folder, "px4.pid");
  const STOCK = { PX4_SITL_BIN: stock.binary, TMPDIR: tmp, MOCK_PX4_MARK: mark };
  mkdirSync(tmp);
  const folders = () => readdirSync(tmp).filter((name) => name.startsWith("escapement-px4-"));

  /** Starts the command as a shell does, as the leader of a process group that receives Ctrl-C. */
  function start(args: readonly string[], env: NodeJS.ProcessEnv) {
    const child = built.start(args, { cwd: folder, env: { ...process.env, ...env }, detached: true });
    let out = "";
    child.stdout!.on("data", (part: Buffer) => (out += part.toString()));
    const ended = new Promise<Ran>((done) => child.on("close", (code) => done({ code, out, err: "" })));
    return { ended, interrupt: () => process.kill(-child.pid!, "SIGINT") };
  }

  async function until(condition: () => boolean): Promise<void> {
    for (let i = 0; i < 1000 && !condition(); i += 1) await new Promise((done) => setTimeout(done, 20));
    expect(condition()).toBe(true);
  }

  it("stock: Ctrl-C in a terminal ends the flight before PX4, prints the summary and leaves complete files", async () => {
    const log = join(folder, "stock.csv");
    const args = ["fly", "hover", "--autopilot", "px4-sitl", "--pace", "1", "--log", log, "--json"];
    const { ended, interrupt } = start(args, STOCK);
    await until(() => existsSync(log) && statSync(log).size > 0);
    interrupt();
    const { code, out } = await ended;
    expect(code).toBe(130);
    expect(JSON.parse(out)).toMatchObject({ outcome: "interrupted", wrote: [{ path: log }], px4: { missed: 0 } });
    expect((await readTable(readFileSync(log))).missing).toBeUndefined();
    await until(() => !isRunning(Number(readFileSync(mark, "utf8"))));
    expect(folders()).toEqual([]);
  });

  it("stock: a failed flight has a summary up to the failure, with PX4's last output", () => {
    const fly = ["fly", "hover", "--autopilot", "px4-sitl", "--overwrite", "--log", "dies.csv"];
    const { code, out, err } = runProcess(fly, { ...STOCK, MOCK_PX4: "dies" });
    expect(code).toBe(1);
    expect(out).toMatch(/failed — PX4 ended with/);
    expect(out).toMatch(/stock PX4, instance \d: ready at 0\.\d s/);
    expect(out).toContain("dies.csv");
    expect(err.replace(/\s+/g, " ")).toMatch(/error SITL-004 .*a last word.*px4-output\.txt/);
    const json = runProcess([...fly, "--json"], { ...STOCK, MOCK_PX4: "dies" });
    expect(JSON.parse(json.out)).toMatchObject({
      outcome: "failed",
      errors: [{ code: "SITL-004" }],
      px4: { missed: 0 },
    });
  });

  it("stock: Ctrl-C before PX4 connects ends the command, and leaves no file", async () => {
    const started = join(folder, "started");
    mkdirSync(started);
    const env = { ...STOCK, TMPDIR: started, MOCK_PX4: "mute" };
    const { ended, interrupt } = start(["fly", "hover", "--autopilot", "px4-sitl"], env);
    await until(() => readdirSync(started).length > 0);
    interrupt();
    expect(await ended).toMatchObject({ code: 130, out: expect.stringContaining("before the flight began") as string });
    expect(readdirSync(started)).toEqual([]);
  });

  it("library: Ctrl-C before the flight ends the command; a failed flight has a summary up to the failure", async ({
    skip,
  }) => {
    skip(noCompiler !== undefined, noCompiler);
    const fixture = buildFixture();
    const library = (failure: string) => ({ PX4_LOCKSTEP_LIB: fixture.path, LOCKSTEP_FIXTURE: failure });
    const fly = ["fly", "mission", "--autopilot", "px4-lockstep", "--until", "4", "--json"];
    try {
      const { ended, interrupt } = start(fly, library("create-hangs"));
      await new Promise((done) => setTimeout(done, 1500));
      interrupt();
      const { code, out } = await ended;
      expect([code, JSON.parse(out)]).toMatchObject([130, { outcome: "interrupted" }]);
      const failed = runProcess([...fly, "--log", "broken.csv"], library("step-fails:100"));
      expect(failed.code).toBe(1);
      expect(JSON.parse(failed.out)).toMatchObject({
        outcome: "failed",
        endS: 0.396,
        wrote: [{ path: "broken.csv" }],
        errors: [{ code: "LOCKSTEP-006" }],
      });
    } finally {
      fixture.remove();
    }
  });
});
