/**
 * Tests recordings and logs with the command: one flight is written in every format, converted from its recording, read
 * back by name, replayed, compared and reported.
 */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRecording, readSeries } from "escapement";
import { readTable } from "@escapement/formats";
import { bitsOf } from "../support/log-rows.ts";
import { buildCommand, CommandSession, type Finished } from "../support/command.ts";
import { EARLY_TAKE_OFF_TOML } from "../support/early-take-off.ts";
import { isFullVolume } from "../support/volume.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-recordings-"));
const file = (name: string) => join(folder, name);
const FORMATS = ["csv", "ulg", "h5", "parquet", "log.mcap"];
let command: CommandSession;
const run = (...args: string[]): Promise<Finished> => command.run(args);

beforeAll(async () => {
  command = new CommandSession(await buildCommand(), folder);
  writeFileSync(file("hop.toml"), `extends = "mission"\n${EARLY_TAKE_OFF_TOML}`);
  const logs = FORMATS.map((ending) => `live.${ending}`);
  const definition = await run("fly", "hop.toml", "--until", "4", "--record", "flight.mcap", "--log", ...logs);
  expect([definition.code, definition.err]).toEqual([3, ""]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("info", () => {
  it("shows a recording: its facts, and every signal with its values", async () => {
    const { code, out } = await run("info", "flight.mcap");
    expect(code).toBe(0);
    expect(out).toMatch(/^recording {2}flight\.mcap\n {2}flight +mission\n {2}vehicle +iris\n {2}seed +1\n/);
    expect(out).toMatch(/^ {2}duration +4\.00 s$/m);
    expect(out).toMatch(/^autopilot +23 +\d+$/m);
    expect(out).not.toMatch(/^gnss/m);
    expect(out.split("\n").length).toBeLessThan(25);
    const fields = (await run("info", "flight.mcap", "--fields")).out;
    expect(fields).toMatch(/^motorCommand +1 +\d+$/m);
    expect(fields).toMatch(/^gnssLatLon +deg +0$/m);
    const json = JSON.parse((await run("info", "flight.mcap", "--json")).out) as {
      facts: object;
      contents: { name: string; values: number }[];
    };
    const { recording } = await openRecording(file("flight.mcap"));
    expect(json.facts).toMatchObject({
      endS: 4,
      boundaries: recording.boundaries.timesUs.length,
      fingerprint: `fp1:${recording.digests.plant}`,
    });
    expect(json.contents.map(({ name, values }) => [name, values])).toEqual(
      [...recording.streams, ...recording.logged].map(({ name, timesUs }) => [name, timesUs.length]),
    );
  });

  it.each(FORMATS)("shows a log as %s", async (ending) => {
    const { code, out } = await run("info", `live.${ending}`, "--json");
    const info = JSON.parse(out) as { kind: string; facts: object; contents: object[] };
    expect([code, info.kind]).toEqual([0, "log"]);
    expect(info.facts).toMatchObject({ flight: "mission", seed: "1" });
    expect(info.contents.length).toBeGreaterThan(50);
    const screen = (await run("info", `live.${ending}`)).out;
    expect(screen.split("\n").length).toBeLessThan(40);
    if (ending === "ulg") expect(screen).toMatch(/^vehicle_attitude +11 +\d+ +50\.\d$/m);
  });

  it("exits with 1 if the file is missing or damaged, and reports what is missing from a truncated file", async () => {
    expect((await run("info", "absent.mcap")).code).toBe(1);
    const bytes = readFileSync(file("flight.mcap"));
    writeFileSync(file("cut.mcap"), bytes.subarray(0, bytes.length / 2));
    const cut = await run("info", "cut.mcap");
    expect([cut.code, cut.err]).toEqual([0, expect.stringContaining("the end: the file was cut short")]);
    expect(cut.out).toContain("incomplete");
    const damaged = Uint8Array.from(bytes);
    damaged[bytes.length >> 1]! ^= 1;
    writeFileSync(file("damaged.mcap"), damaged);
    const bad = await run("info", "damaged.mcap");
    expect([bad.code, bad.err]).toEqual([1, expect.stringContaining("RECORDING-002")]);
  });
});

describe("list", () => {
  it("shows the columns of a vehicle's logs", async () => {
    const columnsOf = async (...args: string[]) => {
      const { code, out } = await run("list", "columns", ...args, "--json");
      expect(code).toBe(0);
      return (JSON.parse(out) as { columns: { name: string }[] }).columns.map(({ name }) => name);
    };
    const { columns } = await readTable(readFileSync(file("live.csv")));
    expect(["time_us", ...(await columnsOf())]).toEqual([...columns.keys()]);
    const ofOcta = await columnsOf("octa");
    expect(ofOcta.length).toBeGreaterThan(columns.size);
    expect(ofOcta).toContain("rotor_speed_8_radps");
    expect(await columnsOf("rotor_speed")).not.toContain("rotor_speed_8_radps");
  });

  it("shows one line per list and per entry, and the parameters or figures of a named entry", async () => {
    const linesOf = async (...args: string[]) => (await run("list", ...args)).out.trimEnd().split("\n");
    const lists = await linesOf();
    expect(lists.length).toBeLessThan(24);
    expect(lists).toContainEqual(expect.stringMatching(/^columns +\d+ {2}pos_ned_n_m, .*, …$/));
    expect((await linesOf("winds")).join("\n")).not.toContain("sigmaNedMps");
    expect((await linesOf("winds", "ou")).join("\n")).toContain("sigmaNedMps");
    expect((await linesOf("vehicles", "x500")).join("\n")).toMatch(/mass +2\.06 kg[^]*battery +5 Ah, 16\.8 V/);
    expect(await linesOf("vehicles", "x500", "--toml")).toContain("massKg = 2.06");
    expect((await linesOf("parameters", "MPC_XY_VEL_D_ACC")).join(" ")).toMatch(/Default\s+0\.2, range 0 to 10\.$/);
    for (const line of lists) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it("exits with 0 for a list, an entry and a part of a name, and with 2 for an unknown name", async () => {
    for (const args of [[], ["signals"], ["vehicles", "x500"], ["parameters", "MPC_XY"]]) {
      expect((await run("list", ...args)).code, args.join(" ")).toBe(0);
    }
    for (const args of [["wins"], ["vehicles", "x5000"], ["columns", "octopus"]]) {
      expect((await run("list", ...args)).code, args.join(" ")).toBe(2);
    }
  });
});

describe("verify", () => {
  it("exits with 0 and prints a verdict on every result", async () => {
    const { code, out } = await run("verify", "--json");
    const { passed, failed, rows } = JSON.parse(out) as { passed: number; failed: number; rows: { verdict: string }[] };
    expect([code, failed, passed]).toEqual([0, 0, rows.length]);
    expect(rows.length).toBeGreaterThan(20);
    expect((await run("verify", "--jsn")).code).toBe(2);
  });
});

describe("a recording flown again", () => {
  it("keeps the name of its vehicle, and has the same bits", async () => {
    const summaryOf = async (...args: string[]) =>
      JSON.parse((await run("fly", ...args, "--until", "1", "--json")).out) as {
        vehicle: string;
        fingerprint: string;
      };
    const first = await summaryOf("mission", "--set", "vehicle=octa", "--record", "octa.mcap");
    const again = await summaryOf("octa.mcap");
    expect([again.vehicle, again.fingerprint]).toEqual(["octa", first.fingerprint]);
    writeFileSync(file("resolved.json"), (await run("check", "octa.mcap", "--json")).out);
    expect((await summaryOf("resolved.json")).vehicle).toBe("octa");
  });

  it("warns if this program has a different version of one of its kinds", async () => {
    const resolved = JSON.parse((await run("check", "mission", "--json")).out) as {
      flown: { integrator: { kind: string; version: number } };
    };
    resolved.flown.integrator.version += 1;
    writeFileSync(file("newer.json"), JSON.stringify(resolved));
    const { code, err } = await run("check", "newer.json");
    const { kind, version } = resolved.flown.integrator;
    expect(code).toBe(0);
    expect(err).toContain("FLIGHT-034");
    expect(err.replace(/\s+/g, " ")).toContain(
      `resolved with version ${version} of "${kind}", but flies with version ${version - 1}`,
    );
  });
});

describe("the documented line for pandas", () => {
  it("reads every number of a CSV log bit for bit", async ({ skip }) => {
    if (spawnSync("python3", ["-c", "import pandas"]).status !== 0)
      skip("python3 has no pandas (Debian: python3-pandas)");
    const docs = readFileSync(resolve("docs/formats.md"), "utf8");
    const line = /`(pandas\.read_csv\([^`]+\))`/.exec(docs)![1]!;
    const program = `import pandas, struct, sys
table = ${line.replace("log.csv", "live.csv")}
print(",".join(table.columns))
for name in table.columns: print("".join(struct.pack(">d", value).hex() for value in table[name]))`;
    const { stdout, stderr, status } = spawnSync("python3", ["-c", program], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1e9,
    });
    expect([status, stderr]).toEqual([0, ""]);
    const [names, ...rows] = stdout.trim().split("\n");
    const { columns } = await readTable(readFileSync(file("live.csv")));
    expect(names!.split(",")).toEqual([...columns.keys()]);
    const bits = (values: Float64Array) => {
      const view = new DataView(new ArrayBuffer(8 * values.length));
      values.forEach((value, i) => view.setFloat64(8 * i, value));
      return Buffer.from(view.buffer).toString("hex");
    };
    expect(rows).toEqual([...columns.values()].map(bits));
  });
});

describe("convert", () => {
  it.each(FORMATS)("writes from a recording the same %s that the flight wrote, byte for byte", async (ending) => {
    const made = await run("convert", "flight.mcap", `made.${ending}`);
    expect([made.code, made.err]).toEqual([0, ""]);
    expect(readFileSync(file(`made.${ending}`)).equals(readFileSync(file(`live.${ending}`)))).toBe(true);
  });

  it("converts between log formats and back without losing a bit", async () => {
    for (const [from, to] of [
      ["live.csv", "a.parquet"],
      ["a.parquet", "a.h5"],
      ["a.h5", "a.mcap"],
      ["a.mcap", "back.csv"],
    ] as const) {
      expect((await run("convert", from, to)).err).toBe("");
    }
    expect(readFileSync(file("back.csv")).equals(readFileSync(file("live.csv")))).toBe(true);
  });

  // Each format that has descriptions is read once and written once.
  it.each([
    ["h5", "parquet"],
    ["parquet", "log.mcap"],
    ["log.mcap", "h5"],
  ])("keeps the column descriptions of %s in %s", async (from, to) => {
    expect((await run("convert", `live.${from}`, `described.${to}`)).err).toBe("");
    const { abouts } = await readTable(readFileSync(file(`described.${to}`)));
    expect(abouts!.get("air_density_kgpm3")).toMatch(/air/i);
  });

  it("lists the written files in JSON, like report", async () => {
    for (const [path, kind, ...args] of [
      ["listed.csv", "log", "convert", "flight.mcap", "listed.csv"],
      ["listed.html", "page", "report", "flight.mcap", "-o", "listed.html"],
    ] as const) {
      const { out } = await run(...args, "--json");
      expect(JSON.parse(out)).toEqual({ wrote: [{ path, kind, bytes: statSync(file(path)).size }] });
    }
  });

  it("keeps the old file and leaves no partial file if it fails", async () => {
    writeFileSync(file("good.ulg"), "precious");
    const few = ["convert", "live.csv", "good.ulg", "--columns", "air_density_kgpm3", "--overwrite"];
    expect((await run(...few)).err).toContain("LOG-007");
    expect(readFileSync(file("good.ulg"), "utf8")).toBe("precious");
    const lines = readFileSync(file("live.csv"), "utf8").split("\n");
    const names = lines.findIndex((line) => line.startsWith("time_us"));
    const torn = [...lines.slice(0, names + 2), lines[names + 2]!.replace(/^\d+/, "20000.5"), ""].join("\n");
    writeFileSync(file("torn.csv"), torn);
    for (const ending of FORMATS.filter((name) => name !== "ulg")) {
      expect((await run("convert", "torn.csv", `torn-made.${ending}`)).err).toContain("LOG-003");
      expect(existsSync(file(`torn-made.${ending}`))).toBe(false);
    }
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("selects columns and rows", async () => {
    await run("convert", "flight.mcap", "few.csv", "--columns", "pos_ned_d_m,armed", "--every", "10");
    const series = await readSeries(file("few.csv"));
    expect(series.names).toEqual(["pos_ned_d_m", "armed"]);
    expect(series.timesUs()).toHaveLength(21);
  });

  it("rejects impossible conversions and leaves no file", async () => {
    writeFileSync(file("precious.csv"), "mine");
    const attempts = {
      "LOG-011": ["live.ulg", "from-ulog.csv"],
      "FILE-020": ["flight.mcap", "precious.csv"],
      "FILE-013": ["flight.mcap", "what.txt"],
      "LOG-002": ["flight.mcap", "misspelled.csv", "--columns", "pos_ned_n"],
      "CLI-010": ["flight.mcap", "every.csv", "--every", "0"],
      "FILE-023": ["nowhere.mcap", "x.csv"],
    };
    for (const [code, args] of Object.entries(attempts)) {
      const refused = await run("convert", ...args);
      expect([refused.code, refused.err]).toEqual([code === "CLI-010" ? 2 : 1, expect.stringContaining(code)]);
      const target = file(args[1]!);
      expect([code, existsSync(`${target}.part`)]).toEqual([code, false]);
      if (code !== "FILE-020") expect([code, existsSync(target)]).toEqual([code, false]);
    }
    expect(readFileSync(file("precious.csv"), "utf8")).toBe("mine");
  });
});

describe("time series for scripts", () => {
  it.each(["live.csv", "live.h5", "live.parquet", "live.log.mcap"])(
    "read from %s equal the time series of the recording, bit for bit",
    async (name) => {
      const [log, recording] = [await readSeries(file(name)), await readSeries(file("flight.mcap"))];
      expect(log.names).toEqual(recording.names);
      expect(log.provenance).toEqual(recording.provenance);
      for (const signal of [
        "posNed",
        "qBodyToNed",
        "motorCommand",
        "windNed",
        "setYaw",
        "batteryVoltage",
        "sensorFaultKind",
      ]) {
        const [a, b] = [log.signal(signal), recording.signal(signal)];
        expect([signal, a.size, a.unit]).toEqual([signal, b.size, b.unit]);
        expect(a.timesUs).toEqual(b.timesUs);
        expect(bitsOf(a.values)).toEqual(bitsOf(b.values));
      }
      for (const column of ["vel_ned_d_mps", "gyro_rate_body_x_radps", "nav_state"]) {
        expect(bitsOf(log.column(column))).toEqual(bitsOf(recording.column(column)));
        expect(log.unit(column)).toBe(recording.unit(column));
      }
    },
  );

  it("read from a ULog have PX4's names, each with its own times", async () => {
    const log = await readSeries(file("live.ulg"));
    const recording = await readSeries(file("flight.mcap"));
    const attitude = log.signal("vehicle_attitude.q");
    const estimate = recording.signal("estQBodyToNed");
    expect(attitude.size).toBe(4);
    expect([...attitude.timesUs]).toEqual([...estimate.timesUs]);
    expect([...attitude.values]).toEqual(Array.from(estimate.values, Math.fround));
    expect(() => log.timesUs()).toThrow("LOG-010");
  });

  it("with unknown names are rejected, and similar names are suggested", async () => {
    const log = await readSeries(file("live.csv"));
    expect(() => log.column("pos_ned_n")).toThrow(/LOG-010.*did you mean "pos_ned_n_m"/);
    expect(() => log.signal("posNedd")).toThrow("LOG-010");
  });

  it("read from a recording come with the flight's definition", async () => {
    const { definition, series, recording, missing } = await openRecording(file("flight.mcap"));
    expect([definition.name, missing, recording.endUs]).toEqual(["mission", undefined, 4e6]);
    expect(series.signal("posNed").values).toHaveLength(3 * 201);
    await expect(openRecording(file("live.log.mcap"))).rejects.toThrow("CLI-011");
  });
});

describe("replay, compare, diff and report", () => {
  it("replay reproduces the bits, or reports why they differ", async () => {
    const same = await run("replay", "flight.mcap");
    expect([same.code, same.out]).toEqual([0, expect.stringContaining("the same bits")]);
    const live = await run("replay", "flight.mcap", "--live", "autopilot", "--json");
    expect(JSON.parse(live.out)).toMatchObject({ reproduces: true, changed: [], live: ["autopilot"] });
    const other = await run("replay", "flight.mcap", "--integrator", "rk45");
    expect(other.out.split("\n").slice(0, 3)).toEqual([
      "different bits, as expected",
      expect.stringMatching(/^ {2}integrator rk45 instead of rk\w+$/),
      expect.stringMatching(/^ {2}since \d\.00 s at the latest; recorded fp1:/),
    ]);
    expect(other.out).toContain("escapement compare flight.mcap --integrator rk45");
    expect(Math.max(...other.out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("an incomplete recording can be replayed, converted and reported up to its end", async () => {
    const whole = readFileSync(file("flight.mcap"));
    writeFileSync(file("cut.mcap"), whole.subarray(0, Math.floor(0.9 * whole.length)));
    const replay = await run("replay", "cut.mcap");
    expect(replay.err).toMatch(/^incomplete {2}cut.mcap: the end/);
    expect([replay.code, replay.out]).toEqual([0, expect.stringContaining("in every recorded second")]);
    await run("convert", "cut.mcap", "cut.csv");
    const { provenance, missing } = await readSeries(file("cut.csv"));
    expect([provenance["incomplete"], missing]).toEqual([expect.stringContaining("the end"), undefined]);
    await run("report", "cut.mcap");
    expect(readFileSync(file("cut.html"), "utf8")).toContain("cut short");
  });

  it("compare ranks the integrators and writes a table, a picture and a page", async () => {
    const files = ["--csv", "errors.csv", "--picture", "errors.svg", "--report", "errors.html"];
    const integrators = ["euler", "rk23", "rk4", "rk43", "rk45"];
    const compared = integrators.flatMap((name) => ["--integrator", name]);
    // The ranks hold for a flight that is on the ground for most of the time.
    await run("fly", "mission", "--until", "6", "--record", "ranked.mcap");
    const { out, err } = await run("compare", "ranked.mcap", "--json", ...compared, ...files);
    expect(err).toBe("");
    const { rows } = JSON.parse(out) as {
      rows: { label: string; reproduces?: boolean; errors: Record<string, { max: number }> }[];
    };
    const byError = [...rows].sort((a, b) => b.errors["position"]!.max - a.errors["position"]!.max);
    const ranked = byError.map(({ label }) => label);
    // The order of the two best methods depends on the flight.
    expect([...ranked.slice(0, 3), ...ranked.slice(3).sort()]).toEqual(integrators);
    expect(readFileSync(file("errors.csv"), "utf8").split("\n")[1]).toContain("position_max_m");
    expect(readFileSync(file("errors.svg"), "utf8")).toContain("<polyline");
    expect(readFileSync(file("errors.html"), "utf8")).toContain('"kind":"integrators"');
  });

  it("compare and report reject bad file names before they start", async () => {
    writeFileSync(file("there.csv"), "precious");
    for (const [code, ...args] of [
      ["FILE-020", "compare", "flight.mcap", "--csv", "there.csv"],
      ["CLI-007", "compare", "flight.mcap", "--picture", "errors.gif"],
      ["FILE-013", "report", "flight.mcap", "-o", "flight.pdf"],
      ["FILE-023", "report", "flight.mcap", "-o", "nowhere/flight.html"],
    ] as const) {
      const { out, err } = await run(...args);
      expect([out, err]).toEqual(["", expect.stringContaining(code)]);
    }
  });

  it("compare reports which integrator reproduces the recorded bits, but not with --until", async () => {
    const reproduced = async (...args: string[]) => {
      const { out } = await run(
        "compare",
        "short.mcap",
        "--integrator",
        "rk43",
        "--integrator",
        "euler",
        "--json",
        ...args,
      );
      return (JSON.parse(out) as { rows: { reproduces?: boolean }[] }).rows.map(({ reproduces }) => reproduces);
    };
    await run("fly", "hop.toml", "--until", "2", "--record", "short.mcap");
    expect(await reproduced()).toEqual([true, false]);
    expect(await reproduced("--until", "1")).toEqual([undefined, undefined]);
    const { out } = await run("compare", "short.mcap", "--integrator", "rk43", "--until", "1");
    expect(out).not.toContain("bits");
  });

  it("compare reports that it is open loop, ends while the reference follows the path, and fits 80 columns", async () => {
    await run("fly", "hop.toml", "--until", "4", "--set", "integrator=euler", "--record", "euler.mcap");
    const compare = ["compare", "euler.mcap", "--integrator", "euler", "--integrator", "rk4"];
    const { out } = await run(...compare);
    expect(out).toMatch(/^euler\.mcap, first \d\.\d s of 4\.0 s, open loop, reference rk45 \(toleranceScale =/);
    expect(out.replace(/\s+/g, " ")).toContain("the reference is more than 1 cm from the recorded path");
    for (const line of out.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    const scopeOf = async (...flags: string[]) =>
      JSON.parse((await run(...compare, "--json", ...flags)).out) as {
        readonly loop: string;
        readonly endS: number;
        readonly rows: readonly { readonly reproduces?: boolean; readonly errors: { position: { max: number } } }[];
        readonly timing: unknown;
      };
    const open = await scopeOf();
    expect([open.loop, open.endS > 1 && open.endS < 4, open.rows[0]!.errors.position.max <= 0.0101]).toEqual([
      "open",
      true,
      true,
    ]);
    expect((await scopeOf("--until", "4")).endS).toBe(4);
    const closed = await scopeOf("--closed-loop");
    expect([closed.loop, closed.endS, closed.rows[0]!.reproduces]).toEqual(["closed", 4, true]);
    if (isFullVolume) expect({ ...(await scopeOf("--closed-loop")), timing: 0 }).toEqual({ ...closed, timing: 0 });
    expect((await run(...compare, "--until", "soon")).err).toContain("CLI-015");
  });

  it("replay needs the user's own parts (--with) only if they are live", async () => {
    const example = resolve("examples/17-own-parts");
    const own = ["--with", join(example, "parts.mjs")];
    expect((await run("fly", join(example, "flight.toml"), ...own, "--until", "3", "--record", "own.mcap")).code).toBe(
      3,
    );
    expect((await run("replay", "own.mcap")).out).toContain("the same bits");
    expect((await run("replay", "own.mcap", "--live", "wind")).err).toContain("FLIGHT-013");
    expect((await run("replay", "own.mcap", "--live", "wind", ...own)).out).toContain("the same bits");
    expect((await run("list", "winds", ...own)).out).toContain("swing");
    expect((await run("schema", ...own)).out).toContain("swing");
  });

  it("diff finds no difference between a flight and itself, but finds a different seed", async () => {
    await run("fly", "hop.toml", "--until", "4", "--seed", "2", "--record", "other.mcap");
    const same = await run("diff", "flight.mcap", "flight.mcap");
    expect([same.code, same.out]).toEqual([
      0,
      expect.stringMatching(/^the same bits .*\n\nthe descriptions are equal\n$/),
    ]);
    const other = await run("diff", "flight.mcap", "other.mcap");
    expect(other.code).toBe(4);
    const [head, description, first, growth, signals] = other.out.split("\n\n");
    expect(head).toBe("different bits  flight.mcap and other.mcap");
    expect(description!.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["description", "flight.mcap", "other.mcap"],
      ["seed", "1", "2"],
    ]);
    expect(first).toMatch(
      /^first difference at 0\.\d+ s, boundary \d+, in wind: windBaseNed\.[ned]\n {2}flight\.mcap {2}\S+\n {2}other\.mcap /,
    );
    expect(growth).toMatch(/^difference after {2}position m .*\n0\.\d+ s +\S+ +\S+ +\S+ +\S+\n[^]*s \(end\) /);
    expect(signals).toMatch(/^windBaseNed\.[ned] +wind +0\.\d+ s +\d\.?\d* +m\/s +\d\.\d+ s$/m);
    expect(signals).toMatch(/^posNed\.[ned] +plant /m);
    const json = JSON.parse((await run("diff", "flight.mcap", "other.mcap", "--json")).out) as { signals: object[] };
    expect(json).toMatchObject({
      sameBits: false,
      description: [{ key: "seed", a: 1, b: 2 }],
      first: { stage: "wind" },
    });
    expect(json.signals.length).toBeGreaterThan(5);
  });

  it("tree shows branches below their parents, and diff shows what a branch changed", async () => {
    const branch = "{ atS = 2.0001, motorLoss = { motor = 2, gain = 0.8 } }";
    writeFileSync(file("branch.toml"), `extends = "hop.toml"\nname = "branch"\nscenario = [${branch}]\n`);
    await run("fly", "branch.toml", "--until", "4", "--record", "branch.mcap");
    await run("fly", "hop.toml", "--until", "4", "--seed", "3", "--record", "third.mcap");
    const tree = await run("tree", "branch.mcap", "flight.mcap", "third.mcap");
    expect(tree.code).toBe(0);
    expect(tree.out.split("\n")).toEqual([
      expect.stringMatching(/^flight\.mcap {2}time ran out at 4\.00 s {2}fp1:[0-9a-f]{4}-[0-9a-f]{4}$/),
      "└─ 2.0001 s  motor 2 keeps 80 % of its duty",
      expect.stringMatching(/^ {3}branch\.mcap {2}time ran out at 4\.00 s {2}fp1:/),
      "",
      expect.stringMatching(/^third\.mcap {2}time ran out/),
      "",
    ]);
    mkdirSync(file("family"));
    for (const name of ["flight.mcap", "branch.mcap", "live.log.mcap"])
      copyFileSync(file(name), file(`family/${name}`));
    const folderTree = await run("tree", "family", "--json");
    const { recordings, skipped } = JSON.parse(folderTree.out) as {
      recordings: { file: string; parent: string | null }[];
      skipped: { file: string }[];
    };
    expect(recordings.find(({ file: name }) => name === join("family", "branch.mcap"))).toMatchObject({
      parent: join("family", "flight.mcap"),
      forkS: 2.0001,
      changes: ["motor 2 keeps 80 % of its duty"],
      outcome: "time ran out",
    });
    expect(skipped.map(({ file: name }) => name)).toEqual([join("family", "live.log.mcap")]);
    expect((await run("tree", "live.log.mcap")).err).toContain("RECORDING-001");

    const { code, out } = await run("diff", "flight.mcap", "branch.mcap");
    expect(code).toBe(4);
    expect(out).toContain("branch.mcap branches from flight.mcap at 2.0001 s:\n  motor 2 keeps 80 % of its duty\n");
    expect(out).toMatch(/^first difference at 2\.000100 s, boundary \d+, in boundaries: time$/m);
    expect(out).toMatch(/^first differing signal at 2\.000100 s, boundary \d+, in scenario: motorGain\[2\]$/m);
    const json = JSON.parse((await run("diff", "flight.mcap", "branch.mcap", "--json")).out) as object;
    expect(json).toMatchObject({
      branch: { forkS: 2.0001, changes: ["motor 2 keeps 80 % of its duty"] },
      firstSignal: { signal: "motorGain", component: 1, a: 1, b: 0.8 },
      growth: [{ tUs: 2_100_000 }, { tUs: 2_300_000 }, { tUs: 3_000_000 }, { tUs: 4_000_000 }],
    });
  });

  it("report overwrites its own page but no other file", async () => {
    expect((await run("report", "flight.mcap")).code).toBe(0);
    expect((await run("report", "flight.mcap", "other.mcap", "-o", "flight.html")).code).toBe(0);
    const html = readFileSync(file("flight.html"), "utf8");
    expect(html).toContain('id="head-1"');
    expect(html).not.toMatch(/(src|href)="?http/);
    writeFileSync(file("precious.html"), "<html>mine</html>");
    expect((await run("report", "flight.mcap", "-o", "precious.html")).err).toContain("FILE-020");
  });
});
