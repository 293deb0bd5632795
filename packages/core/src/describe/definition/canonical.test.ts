/** The text of a definition does not depend on the definitions that were written before it. */
import { describe, expect, it } from "vitest";
import { canonicalJson, definitionJson } from "./canonical.ts";

describe("definitionJson", () => {
  const vehicle = { massKg: 1.5, rotors: [{ position: [0.1, 0, -0] }, { position: [0, 0.1, 0] }], drag: { cd: 1 } };
  const base = { name: "a", seed: 1, vehicle, wind: { kind: "none" }, mission: null };

  it.each([
    ["another number", { ...base, vehicle: { ...vehicle, massKg: 1.6 } }],
    ["a zero of the other sign", { ...base, vehicle: { ...vehicle, rotors: [{ position: [0.1, 0, 0] }] } }],
    ["a shorter list", { ...base, vehicle: { ...vehicle, rotors: vehicle.rotors.slice(1) } }],
    ["a list instead of a table", { ...base, vehicle: { ...vehicle, drag: [1] } }],
    ["an empty list instead of an empty table", { ...base, vehicle: { ...vehicle, drag: {} } }],
    ["an empty table instead of an empty list", { ...base, vehicle: { ...vehicle, drag: [] } }],
    ["keys in another order", { ...base, vehicle: { drag: { cd: 1 }, rotors: vehicle.rotors, massKg: 1.5 } }],
    ["another key", { ...base, vehicle: { ...vehicle, drag: { cl: 1 } } }],
    ["a key that is undefined", { ...base, vehicle: { ...vehicle, drag: { cd: 1, cl: undefined } } }],
    ["an undefined instead of another key", { ...base, vehicle: { ...vehicle, drag: { cl: undefined } } }],
    ["no number", { ...base, vehicle: { ...vehicle, massKg: NaN } }],
    ["another kind", { ...base, wind: { kind: "dryden" } }],
    ["a mission", { ...base, mission: { items: [] } }],
    ["events", { ...base, scenario: [{ atS: 1 }] }],
  ])("writes a definition with %s, before and after the first one", (_difference, definition) => {
    for (const each of [base, definition, structuredClone(base), structuredClone(definition)]) {
      expect(definitionJson(each)).toBe(canonicalJson(each));
    }
  });
});
