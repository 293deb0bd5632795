/** Completion from the schema: keys of tables, kinds, values and parameters, even in unfinished texts. */
import { describe, expect, it } from "vitest";
import { coreRegistry, flightSchema } from "@escapement/core";
import { offersAt } from "./offers.ts";

const schema = flightSchema(coreRegistry);
const labels = (text: string) => offersAt(text, text.length, schema).offers.map(({ label }) => label);

describe("offers", () => {
  it.each([
    ["", "extends"],
    ["wi", "wind"],
    ['extends = "mi', "mission"],
    ['wind = "dry', "dryden"],
    ["[wind]\nki", "kind"],
    ['[wind]\nkind = "', "dryden"],
    ["[timeline]\nen", "endS"],
    ["[[scenario]]\nmotor", "motorOff"],
    ["[[scenario]]\nmotorOff = { mo", "motor"],
    ['[[scenario]]\nat = "3 s"\ngust = { velNedMps = [0, 1, 0], sha', "shape"],
    ["[autopilot.parameters]\nMPC_XY", "MPC_XY_P"],
    ["[autopilot]\nparameters = { MPC_XY_P = 1, MPC_Z", "MPC_Z_P"],
    ["seed = = 3\n[stop]\nonC", "onCrash"],
    ["[stop]\nonCrash = ", "true"],
  ])("after %j contain %s", (text, label) => {
    expect(labels(text)).toContain(label);
  });

  it("replace the typed part of a word, and describe the key", () => {
    const text = "[timeline]\nendS = 3\nlogP";
    const { from, to, offers } = offersAt(text, text.length, schema);
    expect([text.slice(from, to), offers[0]]).toMatchObject(["logP", { label: "logPeriodS", insert: "logPeriodS = " }]);
    expect(offers[0]!.about).toContain("log");
  });

  it("are empty in an unknown table or for an unknown value", () => {
    expect(labels("[nothing]\nx")).toEqual([]);
    expect(labels("name = 3")).toEqual([]);
  });
});
