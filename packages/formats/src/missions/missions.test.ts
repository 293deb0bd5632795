/** Mission files: both formats with all their rules, all diagnostics with lines, and no crash on any input. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SimError, type Mission, type MissionItem } from "@escapement/core";
import { readMission, readPlan, readWpl, writePlan, writeWpl } from "./index.ts";
import type { Reading } from "../text/findings.ts";

const flights = new URL("../../../../flights/missions/", import.meta.url);
const load = (name: string) => readMission(readFileSync(new URL(name, flights)), name);

const SQUARE = [
  "QGC WPL 110",
  "0\t1\t3\t22\t0\t0\t0\tnan\t47.39800000\t8.54560000\t10\t1",
  "1\t0\t3\t16\t0\t2\t0\tnan\t47.39818000\t8.54560000\t10\t1",
  "2\t0\t3\t16\t3\t2\t0\t90\t47.39818000\t8.54587000\t10\t1",
  "3\t0\t2\t178\t1\t3\t-1\t0\t0\t0\t0\t1",
  "4\t0\t3\t16\t0\t2\t0\tnan\t47.39800000\t8.54587000\t10\t1",
  "5\t0\t3\t21\t0\t0\t0\tnan\t47.39800000\t8.54560000\t0\t1",
  "",
].join("\n");

function codes(reading: Reading<unknown>): string[] {
  return reading.errors.map((error) => `${error.code} line ${error.where.line ?? "-"}`);
}

function valueOf(reading: Reading<Mission>): Mission {
  expect(reading.errors).toEqual([]);
  return reading.value!;
}

/** Returns the example with line n (from 1) replaced. */
function withLine(n: number, line: string): string {
  const lines = SQUARE.split("\n");
  lines[n - 1] = line;
  return lines.join("\n");
}

describe("QGC WPL 110", () => {
  it("reads items, NaN and frames", () => {
    const { items, ...rest } = valueOf(readWpl(SQUARE, "square.waypoints"));
    expect(rest).toEqual({});
    expect(items).toHaveLength(6);
    expect(items[0]).toEqual({
      command: 22,
      frame: "relative",
      p1: 0,
      p2: 0,
      p3: 0,
      p4: NaN,
      latDeg: 47.398,
      lonDeg: 8.5456,
      altM: 10,
      autoContinue: true,
    });
    expect(items[3]).toMatchObject({ command: 178, frame: "mission", p1: 1, p2: 3, p3: -1 });
  });

  it("accepts any white space, CRLF, comment lines, a byte order mark, and frames 5 and 6", () => {
    const messy =
      "\uFEFFQGC WPL 110\r\n# a comment\r\n\r\n" +
      " 0  1   6 22 0 0 0 nan 47.398 8.5456 10 1 \r\n1 0 5 16 0 2.0 0 NaN 47.39818 +8.5456 1e1 0\r\n";
    const { items } = valueOf(readWpl(new TextEncoder().encode(messy), "messy.txt"));
    expect(items.map((item) => item.frame)).toEqual(["relative", "amsl"]);
    expect(items[1]).toMatchObject({ altM: 10, lonDeg: 8.5456, autoContinue: false });
  });

  it("reads a home stored as item 0 as the planned home, renumbers jumps, and warns", () => {
    const text = [
      "QGC WPL 110",
      "0 1 0 16 0 0 0 0 47.397742 8.545594 488 1",
      "1 0 3 22 0 0 0 nan 47.397742 8.545594 12 1",
      "2 0 3 16 0 0 0 nan 47.3978 8.5456 12 1",
      "3 0 2 177 2 3 0 0 0 0 0 1",
      "4 0 3 21 0 0 0 nan 47.397742 8.545594 0 1",
    ].join("\n");
    const reading = readWpl(text, "mp.waypoints");
    const mission = valueOf(reading);
    expect(mission.home).toEqual({ latDeg: 47.397742, lonDeg: 8.545594, altM: 488 });
    expect(mission.items).toHaveLength(4);
    expect(mission.items[2]).toMatchObject({ command: 177, p1: 1, p2: 3 });
    expect(reading.warnings.map((w) => [w.code, w.where.line])).toEqual([["FILE-016", 2]]);
  });

  it("warns if the mission is set to start at an item other than the first", () => {
    const text = SQUARE.replace("0\t1\t3\t22", "0\t0\t3\t22").replace("2\t0\t3\t16", "2\t1\t3\t16");
    expect(readWpl(text, "f").warnings.map((w) => [w.code, w.where.line])).toEqual([["FILE-015", 4]]);
  });

  const broken: readonly (readonly [string, string, readonly string[]])[] = [
    ["empty file", "", ["FILE-005 line 1"]],
    ["other kind", "hello\n", ["FILE-005 line 1"]],
    ["version 120", SQUARE.replace("110", "120"), ["FILE-006 line 1"]],
    ["no items", "QGC WPL 110\n\n", ["MISSION-006 line 1"]],
    ["too few columns", withLine(3, "1 0 3 16 0 2 0 nan 47.4 8.5 10"), ["FILE-007 line 3"]],
    ["too many columns", withLine(3, "1 0 3 16 0 2 0 nan 47.4 8.5 10 1 1"), ["FILE-007 line 3"]],
    ["decimal comma", withLine(3, "1 0 3 16 0 2 0 nan 47,4 8.5 10 1"), ["FILE-008 line 3"]],
    ["infinite altitude", withLine(3, "1 0 3 16 0 2 0 nan 47.4 8.5 inf 1"), ["FILE-008 line 3"]],
    ["overflowing number", withLine(3, "1 0 3 16 0 2 0 nan 47.4 8.5 1e999 1"), ["FILE-008 line 3"]],
    ["nan as frame", withLine(3, "1 0 nan 16 0 2 0 nan 47.4 8.5 10 1"), ["FILE-008 line 3"]],
    ["gap in the numbering", withLine(3, "7 0 3 16 0 2 0 nan 47.4 8.5 10 1"), ["FILE-014 line 3"]],
    ["a flag of 2", withLine(3, "1 0 3 16 0 2 0 nan 47.4 8.5 10 2"), ["FILE-009 line 3"]],
    ["terrain frame", withLine(3, "1 0 10 16 0 2 0 nan 47.4 8.5 10 1"), ["FILE-012 line 3"]],
    ["local frame", withLine(3, "1 0 1 16 0 2 0 nan 47.4 8.5 10 1"), ["FILE-012 line 3"]],
    ["unknown NAV command", withLine(3, "1 0 3 94 0 2 0 nan 47.4 8.5 10 1"), ["MISSION-001 line 3"]],
    ["unknown large command", withLine(3, "1 0 3 40123 0 2 0 nan 47.4 8.5 10 1"), ["MISSION-001 line 3"]],
    ["fractional command", withLine(3, "1 0 3 16.5 0 2 0 nan 47.4 8.5 10 1"), ["MISSION-001 line 3"]],
    ["fixed-wing turns", withLine(3, "1 0 3 18 2 0 20 nan 47.4 8.5 10 1"), ["MISSION-002 line 3"]],
    ["condition yaw", withLine(3, "1 0 2 115 90 0 0 0 0 0 0 1"), ["MISSION-002 line 3"]],
    ["latitude 91", withLine(3, "1 0 3 16 0 2 0 nan 91 8.5 10 1"), ["MISSION-003 line 3"]],
    ["latitude nan", withLine(3, "1 0 3 16 0 2 0 nan nan 8.5 10 1"), ["MISSION-003 line 3"]],
    ["waypoint without position frame", withLine(3, "1 0 2 16 0 2 0 nan 47.4 8.5 10 1"), ["MISSION-003 line 3"]],
    ["take-off to the ground", withLine(2, "0 1 3 22 0 0 0 nan 47.4 8.5 0 1"), ["MISSION-003 line 2"]],
    ["negative hold", withLine(3, "1 0 3 16 -1 2 0 nan 47.4 8.5 10 1"), ["MISSION-004 line 3"]],
    ["yaw of 1000", withLine(3, "1 0 3 16 0 2 0 1000 47.4 8.5 10 1"), ["MISSION-004 line 3"]],
    ["delay until a time of day", withLine(3, "1 0 2 93 -1 12 0 0 0 0 0 1"), ["MISSION-004 line 3"]],
    ["speed zero", withLine(5, "3 0 2 178 1 0 -1 0 0 0 0 1"), ["MISSION-004 line 5"]],
    ["jump beyond the end", withLine(5, "3 0 2 177 6 1 0 0 0 0 0 1"), ["MISSION-005 line 5"]],
    ["jump to itself", withLine(5, "3 0 2 177 3 1 0 0 0 0 0 1"), ["MISSION-005 line 5"]],
    ["endless jump", withLine(5, "3 0 2 177 1 -1 0 0 0 0 0 1"), ["MISSION-005 line 5"]],
    ["zero byte", SQUARE.replace("22", "2\0"), ["FILE-001 line 2"]],
    ["too large", SQUARE + "#".repeat(1 << 20), ["FILE-002 line -"]],
    [
      "several at once",
      withLine(3, "1 0 3 18 2 0 20 nan 47.4 8.5 10 1").replace("10\t1\n1", "1e\t1\n1"),
      ["FILE-008 line 2"],
    ],
  ];
  it.each(broken)("rejects: %s", (_name, text, expected) => {
    const reading = readWpl(text, "broken.waypoints");
    expect(codes(reading)).toEqual(expected);
    expect(reading.value).toBeUndefined();
    for (const error of reading.errors) {
      expect(error.where.file).toBe("broken.waypoints");
      expect(error.fix).not.toBe("");
    }
  });

  it("reports all errors together", () => {
    const text = withLine(2, "0 1 3 22 0 0 0 x 47.4 8.5 10 1").replace("\t16\t3\t", "\t16\t,\t");
    expect(codes(readWpl(text, "f"))).toEqual(["FILE-008 line 2", "FILE-008 line 4"]);
    const flown = SQUARE.replaceAll("\t16\t", "\t18\t");
    expect(codes(readWpl(flown, "f"))).toEqual(["MISSION-002 line 3", "MISSION-002 line 4", "MISSION-002 line 6"]);
  });

  it("warns of items that will be skipped", () => {
    const reading = readWpl(withLine(5, "3 0 2 2000 0 1 1 0 0 0 0 1"), "f");
    expect(valueOf(reading).items).toHaveLength(6);
    expect(reading.warnings.map((w) => [w.code, w.where.line])).toEqual([["MISSION-007", 5]]);
  });

  it("reports what the format cannot store when writing", () => {
    const home = { latDeg: 1, lonDeg: 2, altM: 3 };
    expect(writeWpl({ items: [], home, rally: [home] }).lost).toEqual(["home", "rally"]);
    expect(writeWpl(valueOf(readWpl(SQUARE, "f")))).toEqual({ text: SQUARE, lost: [] });
  });
});

/** Returns a plan as QGroundControl would write it, with our own coordinates. */
function plan(change: (document: any) => void = () => {}): string {
  const simple = (doJumpId: number, command: number, params: (number | null)[], frame = 3) => ({
    AMSLAltAboveTerrain: null,
    Altitude: 10,
    AltitudeMode: 1,
    autoContinue: true,
    command,
    doJumpId,
    frame,
    params,
    type: "SimpleItem",
  });
  const document = {
    fileType: "Plan",
    geoFence: {
      circles: [{ circle: { center: [47.4, 8.54], radius: 120.5 }, inclusion: true, version: 1 }],
      polygons: [{ inclusion: false, polygon: [[47, 8], [47, 9], [48, 9]], version: 1 }], // prettier-ignore
      version: 2,
    },
    groundStation: "QGroundControl",
    mission: {
      cruiseSpeed: 15,
      firmwareType: 12,
      globalPlanAltitudeMode: 1,
      hoverSpeed: 5,
      items: [
        simple(1, 22, [0, 0, 0, null, 47.398, 8.5456, 10]),
        simple(4, 16, [0, 2, 0, null, 47.3982, 8.5456, 10]),
        {
          TransectStyleComplexItem: {
            Items: [
              simple(5, 16, [0, 0, 0, null, 47.3984, 8.5456, 10]),
              simple(6, 206, [5, 0, 1, 0, 0, 0, 0], 2),
              simple(7, 16, [0, 0, 0, null, 47.3984, 8.5459, 10]),
            ],
            version: 1,
          },
          angle: 0,
          complexItemType: "survey",
          type: "ComplexItem",
          version: 5,
        },
        simple(9, 177, [7, 2, 0, 0, 0, 0, 0], 2),
        simple(10, 20, [0, 0, 0, 0, 0, 0, 0], 2),
      ],
      plannedHomePosition: [47.398, 8.5456, 488.25],
      vehicleType: 2,
      version: 2,
    },
    rallyPoints: { points: [[47.4, 8.55, 20]], version: 2 },
    version: 1,
  };
  change(document);
  return JSON.stringify(document, null, 2);
}

describe("QGC plan", () => {
  it("reads home, fence, rally points, and flattens surveys with jumps translated", () => {
    const reading = readPlan(plan(), "survey.plan");
    const mission = valueOf(reading);
    expect(mission.home).toEqual({ latDeg: 47.398, lonDeg: 8.5456, altM: 488.25 });
    expect(mission.items.map((item) => item.command)).toEqual([22, 16, 16, 206, 16, 177, 20]);
    expect(mission.items[5]).toMatchObject({ frame: "mission", p1: 4, p2: 2 });
    expect(mission.items[0]!.p4).toBeNaN();
    expect(mission.fence).toEqual({
      circles: [{ center: { latDeg: 47.4, lonDeg: 8.54 }, radiusM: 120.5, inclusion: true }],
      polygons: [
        {
          points: [
            { latDeg: 47, lonDeg: 8 },
            { latDeg: 47, lonDeg: 9 },
            { latDeg: 48, lonDeg: 9 },
          ],
          inclusion: false,
        },
      ],
    });
    expect(mission.rally).toEqual([{ latDeg: 47.4, lonDeg: 8.55, altM: 20 }]);
    expect(reading.warnings.map((w) => w.code)).toEqual(["MISSION-007"]);
  });

  const broken: readonly (readonly [string, (d: any) => void, readonly (readonly [string, string | undefined])[]])[] = [
    ["other file type", (d) => (d.fileType = "Mission"), [["FILE-005", undefined]]],
    ["plan version 2", (d) => (d.version = 2), [["FILE-006", "version"]]],
    ["mission version 1", (d) => (d.mission.version = 1), [["FILE-006", "mission.version"]]],
    ["no mission", (d) => delete d.mission, [["FILE-010", undefined]]],
    ["items missing", (d) => delete d.mission.items, [["FILE-010", "mission"]]],
    ["items not a list", (d) => (d.mission.items = 3), [["FILE-009", "mission.items"]]],
    ["item not an object", (d) => (d.mission.items[1] = null), [["FILE-009", "mission.items[1]"]]],
    ["unknown item type", (d) => (d.mission.items[1].type = "X"), [["FILE-012", "mission.items[1]"]]],
    ["six parameters", (d) => d.mission.items[1].params.pop(), [["FILE-009", "mission.items[1].params"]]],
    ["text parameter", (d) => (d.mission.items[1].params[0] = "0"), [["FILE-009", "mission.items[1].params"]]],
    ["command as text", (d) => (d.mission.items[1].command = "16"), [["FILE-009", "mission.items[1].command"]]],
    ["terrain frame", (d) => (d.mission.items[1].frame = 10), [["FILE-012", "mission.items[1].frame"]]],
    ["terrain never calculated", (d) => (d.mission.items[1].AltitudeMode = 3), [["FILE-012", "mission.items[1]"]]],
    [
      "auto continue as number",
      (d) => (d.mission.items[1].autoContinue = 1),
      [["FILE-009", "mission.items[1].autoContinue"]],
    ],
    ["structure scan", (d) => (d.mission.items[2].complexItemType = "StructureScan"), [["FILE-012", "mission.items[2]"], ["FILE-010", "mission.items[3].params"]]], // prettier-ignore
    ["fixed-wing landing", (d) => d.mission.items.push({ type: "ComplexItem", complexItemType: "fwLandingPattern" }), [["FILE-012", "mission.items[5]"]]], // prettier-ignore
    ["survey without items", (d) => delete d.mission.items[2].TransectStyleComplexItem.Items, [["FILE-010", "mission.items[2].TransectStyleComplexItem"], ["FILE-010", "mission.items[3].params"]]], // prettier-ignore
    ["jump to an unknown id", (d) => (d.mission.items[3].params[0] = 99), [["FILE-010", "mission.items[3].params"]]],
    ["two equal jump ids", (d) => (d.mission.items[1].doJumpId = 1), [["FILE-011", "mission.items[1].doJumpId"]]],
    ["waypoint without latitude", (d) => (d.mission.items[1].params[4] = null), [["MISSION-003", "mission.items[1]"]]],
    ["unknown command in a survey", (d) => (d.mission.items[2].TransectStyleComplexItem.Items[2].command = 55), [["MISSION-001", "mission.items[2].TransectStyleComplexItem.Items[2]"]]], // prettier-ignore
    ["home of two numbers", (d) => d.mission.plannedHomePosition.pop(), [["FILE-009", "mission.plannedHomePosition"]]],
    [
      "home off the globe",
      (d) => (d.mission.plannedHomePosition[0] = 100),
      [["MISSION-009", "mission.plannedHomePosition"]],
    ],
    ["fence version", (d) => (d.geoFence.version = 1), [["FILE-006", "geoFence.version"]]],
    [
      "fence circle without radius",
      (d) => delete d.geoFence.circles[0].circle.radius,
      [["FILE-010", "geoFence.circles[0].circle"]],
    ],
    [
      "fence circle of radius zero",
      (d) => (d.geoFence.circles[0].circle.radius = 0),
      [["MISSION-008", "geoFence.circles[0]"]],
    ],
    ["fence of two corners", (d) => d.geoFence.polygons[0].polygon.pop(), [["MISSION-008", "geoFence.polygons[0]"]]],
    ["rally point without altitude", (d) => d.rallyPoints.points[0].pop(), [["FILE-009", "rallyPoints.points[0]"]]],
    ["two errors at once", (d) => ((d.mission.items[0].frame = 1), (d.mission.items[1].command = null)), [["FILE-012", "mission.items[0].frame"], ["FILE-009", "mission.items[1].command"]]], // prettier-ignore
  ];
  it.each(broken)("rejects: %s", (_name, change, expected) => {
    const reading = readPlan(plan(change), "broken.plan");
    expect(reading.value).toBeUndefined();
    expect(reading.errors.map((error) => [error.code, error.where.key])).toEqual(expected);
    for (const error of reading.errors) expect(error.where.line).toBeGreaterThan(0);
  });

  it("reports the line of an error", () => {
    const text = plan((d) => (d.mission.items[1].frame = 10));
    const line = text.split("\n").findIndex((t) => t.includes('"frame": 10')) + 1;
    expect(readPlan(text, "f").errors[0]!.where.line).toBe(line);
    expect(readPlan('{\n "fileType": "Plan",\n "version": 1,,\n}', "f").errors[0]).toMatchObject({
      code: "FILE-004",
      where: { line: 3 },
    });
  });

  it("warns of a plan for other firmware", () => {
    const reading = readPlan(
      plan((d) => (d.mission.firmwareType = 3)),
      "f",
    );
    expect(reading.warnings.map((w) => w.where.key)).toContain("mission.firmwareType");
  });
});

const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
const parameter = fc.oneof(finite, fc.constant(NaN), fc.constant(-0));
const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true });
const waypoint: fc.Arbitrary<MissionItem> = fc.record({
  command: fc.constantFrom(16, 17, 19, 21, 31),
  frame: fc.constantFrom("amsl" as const, "relative" as const),
  p1: fc.oneof(fc.double({ min: 0, max: 1e5, noNaN: true }), fc.constant(NaN)),
  p2: fc.oneof(fc.double({ min: 0, max: 1e5, noNaN: true }), fc.constant(NaN)),
  p3: parameter,
  p4: fc.oneof(fc.double({ min: -360, max: 360, noNaN: true }), fc.constant(NaN)),
  latDeg: degrees(90),
  lonDeg: degrees(180),
  altM: finite,
  autoContinue: fc.boolean(),
});
const action: fc.Arbitrary<MissionItem> = fc.record({
  command: fc.constantFrom(20, 189, 206, 2000),
  frame: fc.constant("mission" as const),
  p1: parameter,
  p2: parameter,
  p3: parameter,
  p4: parameter,
  latDeg: parameter,
  lonDeg: parameter,
  altM: parameter,
  autoContinue: fc.boolean(),
});
const jump = (target: number): MissionItem => ({
  command: 177,
  frame: "mission",
  p1: target,
  p2: 2,
  p3: 0,
  p4: 0,
  latDeg: 0,
  lonDeg: 0,
  altM: 0,
  autoContinue: true,
});
const items = fc
  .tuple(waypoint, fc.array(fc.oneof(waypoint, action), { maxLength: 8 }), fc.nat())
  .map(([first, rest, n]) => [first, ...rest, jump(n % (rest.length + 1))]);

describe("round trips", () => {
  it("WPL → internal → plan → internal is bit-identical", () => {
    fc.assert(
      fc.property(items, (list) => {
        const fromWpl = valueOf(readWpl(writeWpl({ items: list }).text, "a"));
        expect(fromWpl).toEqual({ items: list });
        expect(valueOf(readPlan(writePlan(fromWpl), "b"))).toEqual(fromWpl);
      }),
    );
  });

  it("plans preserve home, fence and rally points", () => {
    const mission = valueOf(readPlan(plan(), "f"));
    expect(valueOf(readPlan(writePlan(mission), "g"))).toEqual(mission);
  });

  it("the example missions have the items of the originals", () => {
    const simple = valueOf(load("simple.waypoints"));
    expect(simple.items.map((item) => item.command)).toEqual([22, 16, 16, 16, 16, 16, 16, 21]);
    expect(simple.items.map((item) => item.altM)).toEqual([12, 12, 12, 12, 12, 12, 6, 0]);
    for (const corner of simple.items.slice(1, 5)) {
      expect(Math.abs(corner.latDeg - 47.397742)).toBeCloseTo(1e-4, 12);
      expect(Math.abs(corner.lonDeg - 8.545594)).toBeCloseTo(1e-4, 12);
    }
    const long = valueOf(load("long-20min.plan"));
    expect(long.items.map((item) => item.command)).toEqual([22, 16, 19, 16, 21]);
    expect(long.items[2]).toMatchObject({ p1: 220, p3: 20 });
    for (const name of ["simple.waypoints", "long-20min.plan"]) expect(load(name).warnings).toEqual([]);
  });
});

describe("arbitrary input", () => {
  const onlySimErrors = (reading: Reading<Mission>) => {
    expect(reading.value === undefined).toBe(reading.errors.length > 0);
    for (const error of reading.errors) expect(error).toBeInstanceOf(SimError);
  };

  it("never crashes on bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => onlySimErrors(readMission(bytes, "f"))));
  });

  it("never crashes on damaged files", () => {
    const texts = [SQUARE, plan()];
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat({ max: 8 }), fc.string(), (text, at, length, insert) => {
        const cut = at % text.length;
        onlySimErrors(readMission(text.slice(0, cut) + insert + text.slice(cut + length), "f"));
        onlySimErrors(readMission(text.slice(0, cut), "f"));
      }),
    );
  });

  it("never crashes on arbitrary JSON inside a plan", () => {
    fc.assert(
      fc.property(fc.constantFrom("mission", "geoFence", "rallyPoints"), fc.jsonValue(), (key, value) =>
        onlySimErrors(
          readPlan(
            plan((d) => (d[key] = value)),
            "f",
          ),
        ),
      ),
    );
    fc.assert(
      fc.property(fc.nat({ max: 4 }), fc.jsonValue(), (index, value) =>
        onlySimErrors(
          readPlan(
            plan((d) => (d.mission.items[index] = value)),
            "f",
          ),
        ),
      ),
    );
  });
});
