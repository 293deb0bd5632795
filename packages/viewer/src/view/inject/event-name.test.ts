/** Every action of the forms gives an event that a description accepts, and a name for its branch. */
import {
  ACTION_NAMES,
  ACTIONS,
  coreRegistry,
  isSetting,
  type ParamTable,
  type PlainObject,
  resolveFlight,
} from "@escapement/core";
import { describe, expect, it } from "vitest";
import { branchName, eventOf } from "./event-name.ts";
import { INITIAL_VALUES } from "./first-values.ts";
import { TOOLS } from "./tools.ts";

/** A valid value of each parameter. */
const GIVEN: PlainObject = {
  velNedMps: [0, 9, 0],
  posNedM: [1, 2, -10],
  motor: 2,
  battery: 1,
  gain: 0.75,
  duty: 0.5,
  sigma: 0.1,
  imbalanceGmm: 20,
  share: 0.05,
  sensor: "estimator",
  fault: "stuck",
  name: "MPC_XY_P",
  value: 0.8,
  seed: 3,
};

describe("the rail", () => {
  it.each(ACTION_NAMES.filter((name) => !isSetting(name) || name === "reseed"))("%s resolves", (action) => {
    const table = ACTIONS[action].params as ParamTable;
    const keys = Object.keys(table).filter((key) => table[key]!.default === undefined);
    const params = Object.fromEntries(keys.map((key) => [key, GIVEN[key]])) as PlainObject;
    const event = eventOf({ action, atUs: 24_400_000, params, durationText: "3 s" });
    const spec = { extends: "mission", scenario: [event] };
    const resolved = resolveFlight({ file: "flight", spec }, coreRegistry);
    expect("errors" in resolved ? resolved.errors : []).toEqual([]);
    expect(branchName({ action, params })).not.toBe("");
  });

  it("names branches after their event", () => {
    expect(branchName({ action: "gust", params: { velNedMps: [0, 9, 0] } })).toBe("gust 9 m/s");
    expect(branchName({ action: "motorLoss", params: { motor: 2, gain: 0.75 } })).toBe("motor 2 at 75 %");
    expect(branchName({ action: "rtl", params: {} })).toBe("return");
  });

  it("reaches every action by a key, and uses every key once", () => {
    expect(new Set(TOOLS.flatMap(({ actions }) => actions))).toEqual(new Set(ACTION_NAMES));
    expect(new Set(TOOLS.map(({ key }) => key)).size).toBe(TOOLS.length);
  });
});

describe("forms for events", () => {
  it("have an initial value for every parameter without a default, so that Enter flies them", () => {
    const missing = ACTION_NAMES.filter((action) => !isSetting(action) || action === "reseed").flatMap((action) =>
      Object.entries(ACTIONS[action].params as ParamTable)
        // The initial `value` of an autopilot parameter is its current value.
        .filter(([key, { default: own, type }]) => own === undefined && type !== "choice" && key !== "value")
        .filter(([key]) => INITIAL_VALUES[key] === undefined)
        .map(([key]) => `${action}.${key}`),
    );
    expect(missing, "add a value to INITIAL_VALUES in first-values.ts").toEqual([]);
  });
});
