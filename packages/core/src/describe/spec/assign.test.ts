/** Assignments to keys, list entries and named events, and the errors about entries that do not exist. */
import { describe, expect, it } from "vitest";
import { assignedSpec, type AssignmentBase, keyPathText, parseKeyPath, reachesIntoList } from "./assign.ts";

const GUST = { name: "gust", at: "5 s", forS: 1, gust: { speedMps: 4 } };
const base: AssignmentBase = {
  spec: {
    vehicle: { extends: "iris" },
    mission: { file: "m.plan" },
    scenario: [GUST, { name: "engineOut", atS: 9, motorOff: { motor: 2 } }],
  },
  filled: {
    vehicle: { massKg: 1.5, batteries: [{ soc: 1, cells: 3 }] },
    mission: { items: [{ command: 22 }, { command: 21, altM: 0 }], home: { latDeg: 1 }, armAtS: 1 },
  },
};
const assign = (key: string, value: unknown) =>
  assignedSpec([{ path: parseKeyPath(key)!, value }], () => base, "command line");

describe("key paths", () => {
  it.each(["seed", "wind.kind", "vehicle.batteries[0].soc", "scenario[2].motorOff.motor", "a[0][1]"])("%s", (text) => {
    expect(keyPathText(parseKeyPath(text)!)).toBe(text);
  });

  it.each(["", ".", "a.", ".a", "a..b", "a b", "[0]", "a[]", "a[-1]", "a[1.5]", "a[x]", "a[0", "a[99999]"])(
    "%j is not a key path",
    (text) => {
      expect(parseKeyPath(text)).toBeUndefined();
    },
  );

  it("report whether they reach into lists", () => {
    const isInside = (text: string) => reachesIntoList(parseKeyPath(text)!);
    expect(["scenario", "wind.kind", "scenario.engineOut", "a[0]"].map(isInside)).toEqual([false, false, true, true]);
  });
});

describe("assignments", () => {
  it("to plain keys do not need the base", () => {
    const never = () => {
      throw new Error("called");
    };
    const given = [
      { path: ["wind", "kind"], value: "none" },
      { path: ["wind", "tauS"], value: 3 },
    ];
    expect(assignedSpec(given, never, "x")).toEqual({ wind: { kind: "none", tauS: 3 } });
  });

  it("to an event, by name or number, copy the scenario, and replace a time given in the other form", () => {
    const expected = {
      scenario: [GUST, { name: "engineOut", at: "7 s", motorOff: { motor: 2 } }],
    };
    expect(assign("scenario.engineOut.at", "7 s")).toEqual(expected);
    expect(assign("scenario[1].at", "7 s")).toEqual(expected);
    const nested = assign("scenario.engineOut.motorOff.motor", 4) as { scenario: readonly unknown[] };
    expect(nested.scenario[1]).toEqual({ name: "engineOut", atS: 9, motorOff: { motor: 4 } });
  });

  it("to a list entry copy the list from the resolved flight if the description does not contain it", () => {
    expect(assign("vehicle.batteries[0].soc", 0.3)).toEqual({ vehicle: { batteries: [{ soc: 0.3, cells: 3 }] } });
  });

  it("to an item of a mission from a file copy the mission's other keys too", () => {
    expect(assign("mission.items[1].altM", 2)).toEqual({
      mission: { items: [{ command: 22 }, { command: 21, altM: 2 }], home: { latDeg: 1 } },
    });
  });

  it("build on each other", () => {
    const both = assignedSpec(
      [
        { path: ["scenario", 0, "at"], value: "1 s" },
        { path: ["scenario", "gust", "gust", "speedMps"], value: 9 },
      ],
      () => base,
      "x",
    );
    expect((both["scenario"] as readonly unknown[])[0]).toEqual({
      name: "gust",
      at: "1 s",
      forS: 1,
      gust: { speedMps: 9 },
    });
  });

  it.each([
    ["scenario.engineout.at", 'this flight has no event named "engineout"', 'did you mean "engineOut"?'],
    ["scenario.x.at", 'this flight has no event named "x"', "use one of: gust, engineOut"],
    ["scenario[2].at", "scenario has 2 entries, so scenario[2] does not exist", "scenario[0] to scenario[1]"],
    ["vehicle.batteries[1].soc", "vehicle.batteries has 1 entry, so vehicle.batteries[1] does not exist", "[0]"],
    ["vehicle.wings[0].spanM", 'this flight has no list "vehicle.wings"', "check"],
    ["scenario[0].gust[1]", 'this flight has no list "scenario[0].gust"', "check"],
  ])("to %s are rejected", (key, what, fix) => {
    expect(() => assign(key, 1)).toThrow(
      expect.objectContaining({
        code: "FLIGHT-002",
        what: expect.stringContaining(what),
        fix: expect.stringContaining(fix),
        where: { file: "command line", key },
      }),
    );
  });
});
