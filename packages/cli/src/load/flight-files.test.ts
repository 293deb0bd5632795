/**
 * Files that a flight file, an object or the command line names are found, and their contents are part of the
 * definition.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { coreRegistry, type FlightSpec, mustResolve, ofKind, type PlainObject, unchecked } from "@escapement/core";
import { excerptOf } from "@escapement/formats";
import { fly } from "../index.ts";
import { FlightFiles } from "./flight-files.ts";
import { parseOverrides } from "./overrides.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

const WPL = `QGC WPL 110
0\t0\t3\t22\t0\t0\t0\t0\t47.397742\t8.545594\t7\t1
1\t0\t3\t21\t0\t0\t0\t0\t47.397742\t8.545594\t0\t1
`;
const resolve = async (name: string, overrides: PlainObject = {}) =>
  new FlightFiles(coreRegistry).resolve({
    name,
    assignments: Object.entries(overrides).map(([key, value]) => ({ path: [key], value })),
  });
const flown = async (name: string, overrides: PlainObject = {}) =>
  mustResolve(await resolve(name, overrides)).definition;

const mission = write("sub/m.waypoints", WPL);
write("sub/quick.params", "1\t1\tMPC_XY_CRUISE\t7.5\t9\n1\t1\tCAL_MAG0_ID\t12\t6\n");
write("sub/heavy.toml", 'extends = "iris"\nmassKg = 1.9\n');
write(
  "sub/base.toml",
  'mission = "m.waypoints"\nvehicle = "heavy.toml"\n[autopilot]\nparametersFile = "quick.params"\n[outputs]\nrecording = "flight.mcap"\n',
);
const child = write("child.toml", 'extends = "sub/base.toml"\nseed = 5\n[autopilot.parameters]\nMPC_Z_V_AUTO_UP = 2\n');

describe("flight files", () => {
  it("[D7] paths in a parent are relative to the parent, and the file contents are part of the flight", async () => {
    const { seed, mission: read, vehicle, autopilot } = await flown(child);
    expect([seed, read!.items.length, read!.items[0]!.altM, vehicle.massKg]).toEqual([5, 2, 7, 1.9]);
    expect(autopilot.parameters).toMatchObject({ MPC_XY_CRUISE: 7.5, MPC_Z_V_AUTO_UP: 2 });
  });

  it("a campaign file is not a flight, and the error names one of its flights", async () => {
    const campaign = write("c.toml", 'flight = "hover"\n[plan]\nkind = "grid"\n');
    const { errors } = await resolve(campaign);
    expect(errors.map(({ code, what }) => [code, what])).toEqual([
      ["FLIGHT-014", `${campaign} is a campaign, not a flight`],
    ]);
    expect(errors[0]!.fix).toContain(`${campaign}#0`);
  });

  it("a vehicle file is flown by name like a built-in vehicle, and its errors name its lines", async () => {
    const heavy = join(folder, "sub/heavy.toml");
    const { vehicle, mission: items } = await flown(heavy);
    expect([vehicle.massKg, items]).toEqual([1.9, (await flown("iris")).mission]);
    const wrong = write("sub/wrong.toml", 'extends = "iris"\nmassKg = 1.9\nmotors = 4\n');
    const { errors } = await resolve(wrong);
    expect(errors.map(({ where }) => [where.file, where.key, where.line])).toEqual([[wrong, "motors", 3]]);
  });

  it("[D7] output paths are relative to the file that names them", async () => {
    const files = new FlightFiles(coreRegistry);
    const resolution = await files.resolve({ name: child });
    const { settings } = mustResolve(resolution);
    expect(files.pathFrom(settings.outputs.recording, resolution.originOf("outputs.recording"))).toBe(
      join(folder, "sub/flight.mcap"),
    );
  });

  it("--set reaches into lists of the file, of its mission and of the vehicle that it extends", async () => {
    const timed = write(
      "timed.toml",
      `extends = "${child}"\n[[scenario]]\nname = "out"\nat = "9 s"\nmotorOff = { motor = 2 }\n`,
    );
    const set = ["scenario.out.at=4 s", "mission.items[1].altM=3", "vehicle.batteries[0].soc=0.5"];
    const files = new FlightFiles(coreRegistry);
    const plain = mustResolve(await files.resolve({ name: timed })).definition;
    const { definition } = mustResolve(await files.resolve({ name: timed, assignments: parseOverrides(set) }));
    const edited = structuredClone(plain) as any;
    edited.mission.items[1].altM = 3;
    edited.vehicle.batteries[0].soc = 0.5;
    edited.scenario.find(({ name }: { name: string }) => name === "out").trigger.tUs = 4_000_000;
    expect(definition).toEqual(edited);
  });

  it("warns about parameters in a file that the autopilot does not use", async () => {
    const { warnings } = await resolve(child);
    expect(warnings.map(({ code, what }) => `${code} ${what}`)).toEqual([
      "AUTOPILOT-001 this autopilot does not have 1 parameter of quick.params: CAL_MAG0_ID",
    ]);
  });

  it("underlines the key if its name is wrong, and otherwise the value", async () => {
    const path = write(
      "marks.toml",
      [
        'extends = "mission"',
        "sead = 3",
        "[autopilot]",
        'parametersFile = "sub/quick.params"',
        "[autopilot.parameters]",
        "MPC_XY_CRUISS = 4",
        "MPC_XY_CRUISE = -5",
        "[[scenario]]",
        'at = "1 s"',
        'parameter = { name = "MPC_XY_CRUISS", value = 4 }',
      ].join("\n"),
    );
    const { errors, warnings } = await resolve(path);
    const marked = [...errors, ...warnings].map((error) => {
      const { text, mark } = excerptOf(error)!;
      return `${error.code} ${text.slice(mark!.column - 1, mark!.column - 1 + mark!.length)}`;
    });
    expect(marked).toEqual([
      "FLIGHT-002 sead",
      "AUTOPILOT-001 MPC_XY_CRUISS",
      "AUTOPILOT-002 -5",
      'AUTOPILOT-001 "MPC_XY_CRUISS"',
      'AUTOPILOT-001 "sub/quick.params"',
    ]);
  });

  it("the command line can override the mission", async () => {
    expect((await flown("hover", { mission })).mission!.items.map(({ command }) => command)).toEqual([22, 21]);
  });

  it("reads the missions of the original project unchanged", async () => {
    const simple = await flown("mission", { mission: "flights/missions/simple.waypoints" });
    expect(simple.mission!.items.map(({ command, altM }) => [command, altM])).toEqual([
      [22, 12],
      [16, 12],
      [16, 12],
      [16, 12],
      [16, 12],
      [16, 12],
      [16, 6],
      [21, 0],
    ]);
    const long = await flown("mission", { mission: "flights/missions/long-20min.plan" });
    expect(long.mission!.items.map(({ command }) => command)).toEqual([22, 16, 19, 16, 21]);
  });

  it("a text and an object with the same content are the same flight", async () => {
    const text = await resolve(write("same.toml", 'extends = "mission"\nseed = 3\n[wind]\nkind = "dryden"\n'));
    const json = await resolve(write("same.json", '{ "extends": "mission", "seed": 3, "wind": { "kind": "dryden" } }'));
    const object = await new FlightFiles(coreRegistry).resolveLayer({
      file: "flight",
      spec: { extends: "mission", seed: 3, wind: "dryden" },
    });
    expect(new Set([text, json, object].map((resolution) => mustResolve(resolution).hash)).size).toBe(1);
  });
});

describe("a missing file", () => {
  const placesOf = ({ errors }: Awaited<ReturnType<typeof resolve>>) =>
    errors.map(({ code, where: { file = "", key = "", line = "" }, fix }) => [
      `${code} ${file.replace(folder, "")} ${key} ${line}`.trim(),
      /working folder|relative to the file/.exec(fix)?.[0],
    ]);

  it.each([
    ['seed = 1\nextends = "nope.toml"', ["FILE-023 /gone.toml extends 2"]],
    ['extends = "mission"\nmission = "nope.plan"', ["FILE-023 /gone.toml mission 2"]],
    ['extends = "mission"\n[mission]\nfile = "nope.plan"', ["FILE-023 /gone.toml mission.file 3"]],
    ['extends = "mission"\nvehicle = "nope.toml"', ["FILE-023 /gone.toml vehicle 2"]],
    [
      'extends = "mission"\n[vehicle]\nextends = "no.toml"\n[autopilot]\nparametersFile = "no.params"',
      ["FILE-023 /gone.toml vehicle.extends 3", "FILE-023 /gone.toml autopilot.parametersFile 5"],
    ],
  ])("is reported at the key that names it: %j", async (text, places) => {
    expect(placesOf(await resolve(write("gone.toml", text)))).toEqual(
      places.map((place) => [place, "relative to the file"]),
    );
  });

  it("is reported at the vehicle file that names it", async () => {
    write("lost.toml", 'extends = "nope.toml"\n');
    const flight = write("lost-flight.toml", 'vehicle = "lost.toml"\n');
    expect(placesOf(await resolve(flight))).toEqual([["FILE-023 /lost.toml extends 1", "relative to the file"]]);
  });

  it("is looked for in the working folder if the command line or an object names it", async () => {
    expect(placesOf(await resolve("nope.toml"))).toEqual([["FILE-023 command line flight", "working folder"]]);
    expect(placesOf(await resolve("hover", { mission: "nope.plan" }))).toEqual([
      ["FILE-023 command line mission", "working folder"],
    ]);
    const object = { file: "flight", spec: { vehicle: "nope.toml" } };
    expect(placesOf(await new FlightFiles(coreRegistry).resolveLayer(object))).toEqual([
      ["FILE-023 flight vehicle", "working folder"],
    ]);
  });

  it("is not reported if a built-in name is misspelled", async () => {
    const [misspelled] = (await resolve("misson")).errors;
    expect([misspelled!.where.key, misspelled!.fix]).toEqual(["flight", 'did you mean "mission"?']);
    const [laidOver] = (await resolve("mission", { extends: "misson" })).errors;
    expect(laidOver!.where.key).toBe("extends");
  });
});

describe("fly()", () => {
  it("accepts objects that name files: mission, parameters, vehicle, extends", async () => {
    const flight = await fly({
      extends: unchecked(child),
      mission: unchecked(mission),
      vehicle: unchecked(join(folder, "sub/heavy.toml")),
      autopilot: { parametersFile: join(folder, "sub/quick.params") },
      timeline: { endS: 0.1 },
    });
    const { definition: what } = flight.resolved;
    expect([what.mission!.items.length, what.vehicle.massKg, what.autopilot.parameters["MPC_XY_CRUISE"]]).toEqual([
      2, 1.9, 7.5,
    ]);
    expect(flight.outcome).toBe("time ran out");
    expect(flight.warnings.map(({ what }) => what)).toEqual([expect.stringContaining("CAL_MAG0_ID")]);
  });

  it("returns the outcome, the fingerprint and the signals", async () => {
    const flight = await fly({ extends: "drop", timeline: { endS: 1 } });
    expect(flight.fingerprint).toMatch(/^fp1:([0-9a-f]{4}-){3}[0-9a-f]{4}$/);
    expect(flight.signal("posNed").at("0 s")[2]).toBeLessThan(-1);
    // This time is a log tick; between ticks the last row is held.
    expect(flight.signal("posNed").at("240 ms")[2]!).toBeCloseTo(
      flight.signal("posNed").at(0)[2]! + 0.5 * 9.81 * 0.24 * 0.24,
      2,
    );
    expect(flight.signal("posNed").at("250 ms")).toEqual(flight.signal("posNed").at("240 ms"));
  });

  it("makes the recording only if it is used", async () => {
    const flight = await fly({ extends: "hover", timeline: { endS: 0.1 } });
    expect(flight.warnings).toEqual([]);
    // The getter is still there: no copy of the result has read it.
    expect(Object.getOwnPropertyDescriptor(flight, "recording")!.get).toBeTypeOf("function");
    expect(flight.recording.endUs).toBe(100_000);
  });

  it("returns the total wind: base plus gusts", async () => {
    const gust = { atS: 0.5, forS: 0.25, gust: { velNedMps: [3, 0, 0] } };
    const flight = await fly({
      extends: "drop",
      wind: { kind: "constant", windNedMps: [1, 2, 0] },
      timeline: { endS: 1 },
      scenario: [gust],
    });
    const wind = flight.signal("windNed");
    expect([0.4, 0.5, 0.749999, 0.75].map((time) => [...wind.at(time)])).toEqual([
      [1, 2, 0],
      [4, 2, 0],
      [4, 2, 0],
      [1, 2, 0],
    ]);
    expect([...wind.timesUs]).toEqual([0, 500_000, 750_000]);
  });

  it("writes the outputs of the description, and checks their names before it creates a file", async () => {
    const spec: FlightSpec = {
      extends: "drop",
      timeline: { endS: 0.2 },
      outputs: {
        logs: [{ file: join(folder, "api.csv"), everyRows: 5, columns: ["pos_ned_d_m"] }],
        recording: join(folder, "api.mcap"),
        picture: join(folder, "api.svg"),
      },
    };
    await fly(spec);
    const lines = readFileSync(join(folder, "api.csv"), "utf8").trim().split("\n");
    expect(lines.filter((line) => !line.startsWith("#")).map((line) => line.split(",").length)).toEqual([2, 2, 2, 2]);
    expect([existsSync(join(folder, "api.mcap")), existsSync(join(folder, "api.svg"))]).toEqual([true, true]);
    const fresh = join(folder, "fresh.csv");
    const again = fly({ ...spec, outputs: { logs: [{ file: fresh }], picture: join(folder, "api.svg") } });
    await expect(again).rejects.toThrow(/FILE-020.*already exists/);
    await expect(fly({ ...spec, outputs: { logs: [{ file: fresh }, { file: fresh }] } })).rejects.toThrow(
      /FILE-020.*named twice/,
    );
    expect(existsSync(fresh)).toBe(false);
  });

  it("leaves no file if the flight does not begin", async () => {
    const make = () => {
      throw new Error("cannot be made");
    };
    const unmade = { ...coreRegistry.integrators[0]!, name: "unmade", make };
    const names = ["never.csv", "never.h5", "never.mcap"];
    const [csv, hdf5, recording] = names.map((name) => join(folder, name)) as [string, string, string];
    const spec: FlightSpec = {
      extends: "drop",
      integrator: ofKind(unmade),
      outputs: { logs: [{ file: csv }, { file: hdf5 }], recording },
    };
    const flight = fly(spec, { registry: coreRegistry.with({ integrators: [unmade] }) });
    await expect(flight).rejects.toThrow("cannot be made");
    expect(readdirSync(folder).filter((name) => name.startsWith("never"))).toEqual([]);
  });

  it("throws one error that lists all errors", async () => {
    await expect(fly({ seed: -1, mission: "nowhere.plan" })).rejects.toThrow(/2 errors/);
  });
});
