/** Merging of layered descriptions: merged keys, replaced keys, and the layer recorded as the origin of each key. */
import { describe, expect, it } from "vitest";
import type { PlainObject } from "../../params/index.ts";
import { codeOf } from "../../../../../tests/support/flights.ts";
import { collectLayers, mergeLayers, type SpecLayer } from "./layers.ts";
import { FLIGHT_RULES } from "./flight-keys.ts";

const layer = (file: string, spec: PlainObject): SpecLayer => ({ file, spec });
const merged = (...specs: readonly PlainObject[]) =>
  mergeLayers(
    specs.map((spec, i) => layer(`layer ${i}`, spec)),
    FLIGHT_RULES,
  );

describe("merging", () => {
  it("tables merge, arrays and scalars replace", () => {
    const below = { seed: 1, timeline: { endS: 10, logPeriodS: 0.02 }, outputs: { logs: [{ file: "a.csv" }] } };
    expect(merged(below, { seed: 2, timeline: { endS: 20 }, outputs: { logs: [{ file: "b.csv" }] } }).spec).toEqual({
      seed: 2,
      timeline: { endS: 20, logPeriodS: 0.02 },
      outputs: { logs: [{ file: "b.csv" }] },
    });
  });

  it("appends the events of each layer, lowest layer first", () => {
    const result = merged({ scenario: [{ atS: 1 }, { atS: 2 }] }, { seed: 2 }, { scenario: [{ atS: 3 }] });
    expect(result.spec["scenario"]).toEqual([{ atS: 1 }, { atS: 2 }, { atS: 3 }]);
    expect(result.placeOf("scenario[1].atS")).toMatchObject({ layer: { file: "layer 0" }, key: "scenario[1].atS" });
    expect(result.placeOf("scenario[2].atS")).toMatchObject({ layer: { file: "layer 2" }, key: "scenario[0].atS" });
  });

  it("removes the events of the layers below if a layer gives an empty list, assigns the list, or names it in `replace`", () => {
    const below = { scenario: [{ atS: 1 }], seed: 1 };
    const above = { scenario: [{ atS: 3 }] };
    expect(merged(below, { scenario: [] }).spec["scenario"]).toEqual([]);
    expect(merged(below, { ...above, replace: "scenario" }).spec).toEqual({ scenario: [{ atS: 3 }], seed: 1 });
    const assigned = mergeLayers([layer("a", below), { ...layer("b", above), assigns: true }], FLIGHT_RULES);
    expect(assigned.spec["scenario"]).toEqual([{ atS: 3 }]);
  });

  it("places a missing key in the description, not in the assignments above it", () => {
    const assignments = { ...layer("command line", { seed: 2 }), assigns: true } as const;
    const { placeOf } = mergeLayers([layer("base", {}), layer("a.toml", { seed: 1 }), assignments], FLIGHT_RULES);
    expect(placeOf("timeline.endS").layer.file).toBe("a.toml");
    expect(placeOf("seed").layer.file).toBe("command line");
  });

  it("replaces a whole table if `replace` lists it", () => {
    const below = { wind: { kind: "ou", tauS: 2 }, vehicle: { extends: "iris", massKg: 2 } };
    const above = { replace: ["wind", "vehicle"], wind: { meanNedMps: [1, 0, 0] }, vehicle: "iris" };
    expect(merged(below, above).spec).toEqual({ wind: { meanNedMps: [1, 0, 0] }, vehicle: { extends: "iris" } });
  });

  it.each([[["scenaro"]], [["seed"]], [[3]], [{ wind: true }]])("rejects replace = %j", (replace) => {
    expect(codeOf(() => merged({ seed: 1 }, { scenario: [], replace }))).toBe("FLIGHT-004");
  });

  it("a table replaces a scalar, and a scalar replaces a table", () => {
    expect(merged({ a: 1 }, { a: { b: 2 } }).spec).toEqual({ a: { b: 2 } });
    expect(merged({ a: { b: 2 } }, { a: 1 }).spec).toEqual({ a: 1 });
  });

  it("another kind replaces the whole table, the same kind is merged", () => {
    expect(merged({ wind: { kind: "ou", tauS: 2 } }, { wind: { kind: "dryden" } }).spec).toEqual({
      wind: { kind: "dryden" },
    });
    expect(merged({ wind: { kind: "ou", tauS: 2 } }, { wind: { kind: "ou", meanNedMps: [1, 0, 0] } }).spec).toEqual({
      wind: { kind: "ou", tauS: 2, meanNedMps: [1, 0, 0] },
    });
    expect(merged({ wind: { kind: "ou", tauS: 2 } }, { wind: { tauS: 4 } }).spec).toEqual({
      wind: { kind: "ou", tauS: 4 },
    });
  });

  it("a table without a kind has the default kind", () => {
    expect(merged({ wind: { tauS: 2 } }, { wind: { kind: "dryden" } }).spec).toEqual({ wind: { kind: "dryden" } });
    expect(merged({ wind: { tauS: 2 } }, { wind: { kind: "ou" } }).spec).toEqual({ wind: { kind: "ou", tauS: 2 } });
  });

  it("a bare name is short for a table, so that keys can be merged into it", () => {
    expect(
      merged(
        { vehicle: "iris", wind: "ou", mission: "a.plan" },
        { vehicle: { massKg: 2 }, wind: { tauS: 1 }, mission: { armAtS: 3 } },
      ).spec,
    ).toEqual({
      vehicle: { extends: "iris", massKg: 2 },
      wind: { kind: "ou", tauS: 1 },
      mission: { file: "a.plan", armAtS: 3 },
    });
  });

  it("another vehicle discards the keys of the vehicle below", () => {
    expect(merged({ vehicle: { extends: "iris", massKg: 2 } }, { vehicle: "octa" }).spec).toEqual({
      vehicle: { extends: "octa" },
    });
  });

  it("a mission's file and its items replace each other", () => {
    expect(merged({ mission: { items: [1], rally: [2], armAtS: 2 } }, { mission: "b.plan" }).spec).toEqual({
      mission: { armAtS: 2, file: "b.plan" },
    });
    expect(merged({ mission: { file: "b.plan" } }, { mission: { items: [1] } }).spec).toEqual({
      mission: { items: [1] },
    });
  });

  it("keys with names of Object.prototype are ordinary keys", () => {
    const odd = JSON.parse(
      '{ "__proto__": { "polluted": 1 }, "constructor": 2, "toString": { "a": 3 } }',
    ) as PlainObject;
    const { spec } = merged({ seed: 1 }, odd);
    expect(Object.keys(spec)).toEqual(["seed", "__proto__", "constructor", "toString"]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("[FLIGHT-024] an object that contains itself is rejected", () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    expect(codeOf(() => merged(loop))).toBe("FLIGHT-024");
  });
});

describe("origins", () => {
  const result = merged({ wind: { kind: "ou", tauS: 2 }, scenario: [{ atS: 1 }] }, { wind: { tauS: 3 }, seed: 4 });
  it.each([
    ["wind.tauS", "layer 1"],
    ["wind.kind", "layer 0"],
    ["scenario[0].atS", "layer 0"],
    ["seed", "layer 1"],
    ["wind.meanNedMps", "layer 1"],
    ["nowhere", "layer 1"],
  ])("%s comes from %s", (key, file) => {
    expect(result.placeOf(key).layer.file).toBe(file);
  });
});

describe("extends", () => {
  const files: Readonly<Record<string, PlainObject>> = {
    a: { extends: ["b", "c"], x: 1 },
    b: { extends: "d", x: 2, y: 2 },
    c: { extends: "d", y: 3, z: 3 },
    d: { z: 4, w: 4 },
    round: { extends: "trip" },
    trip: { extends: "round" },
  };
  const load = (name: string) => (Object.hasOwn(files, name) ? layer(name, files[name]!) : undefined);
  const collect = (name: string) =>
    collectLayers(layer(name, files[name] ?? { extends: name }), load, Object.keys(files), (error) => {
      throw error;
    });

  it("merges from left to right, the file itself last; a parent may be reached twice", () => {
    expect(collect("a").map(({ file }) => file)).toEqual(["d", "b", "d", "c", "a"]);
    expect(mergeLayers(collect("a")).spec).toEqual({ x: 1, y: 3, z: 3, w: 4 });
  });

  it("[FLIGHT-015] rejects cycles and names their files", () => {
    expect(() => collect("round")).toThrow(/round → trip → round/);
    expect(codeOf(() => collect("round"))).toBe("FLIGHT-015");
  });

  it("[FLIGHT-014] suggests the nearest name", () => {
    expect(codeOf(() => collect("roundd"))).toBe("FLIGHT-014");
    expect(() => collect("roundd")).toThrow(/did you mean "round"/);
  });
});
