/**
 * A definition from outside is either equal to one that resolution makes, or rejected with an error that names the
 * keys.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SimError } from "../../errors/index.ts";
import type { PlainObject } from "../../params/index.ts";
import { canonicalJson } from "./canonical.ts";
import { checkDefinition } from "./check-definition.ts";
import type { FlightDefinition } from "./definition.ts";
import { coreRegistry } from "../registry.ts";
import { builtInLoader, mustResolve, resolveFlight } from "../resolve/resolve.ts";

const resolved = (spec: PlainObject): FlightDefinition =>
  mustResolve(resolveFlight({ file: "test", spec }, coreRegistry, builtInLoader(coreRegistry))).definition;
const throughJson = (definition: FlightDefinition): unknown => JSON.parse(canonicalJson(definition));
const mission = throughJson(
  resolved({
    extends: "mission",
    sensors: { imu: true, gnss: true },
    scenario: [
      { at: "5 s", for: "2 s", gust: { velNedMps: [3, 0, 0], shape: "one-minus-cosine" } },
      {
        when: "altitudeM > 3 and armed == 1",
        fromS: 2,
        name: "slow",
        note: "Slows down.",
        holdS: 1,
        parameter: { name: "MPC_XY_CRUISE", value: 3 },
      },
      { step: 7, motorJam: { motor: 2 }, forS: 1 },
    ],
  }),
);

/** Returns a copy with one value replaced; `path` is a list of keys and indices. */
function withValue(path: readonly (string | number)[], value: unknown, base: unknown = mission): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy = (Array.isArray(base) ? [...(base as unknown[])] : { ...(base as object) }) as Record<string, unknown>;
  copy[key] = withValue(rest, value, (base as Record<string, unknown>)[key]);
  return copy;
}

function errorOf(foreign: unknown): SimError {
  try {
    checkDefinition(foreign, { file: "a.mcap" });
  } catch (error) {
    expect(error).toBeInstanceOf(SimError);
    return error as SimError;
  }
  throw new Error("the definition was accepted");
}

describe("a definition that resolution made", () => {
  for (const name of Object.keys(coreRegistry.flights)) {
    it(`${name} is accepted unchanged`, () => {
      const definition = resolved({ extends: name });
      expect(canonicalJson(checkDefinition(throughJson(definition)))).toBe(canonicalJson(definition));
    });
  }

  for (const name of Object.keys(coreRegistry.vehicles)) {
    it(`${name} is accepted unchanged`, () => {
      const definition = resolved({ extends: "mission", vehicle: name });
      expect(canonicalJson(checkDefinition(throughJson(definition)))).toBe(canonicalJson(definition));
    });
  }

  it("keeps sensors, events, fence and rally points", () => {
    const square = [47, 47, 48, 48];
    const definition = resolved({
      extends: "mission",
      mission: {
        items: [{ takeoff: { altitudeM: 5 } }, { land: {} }],
        fence: {
          circles: [{ latDeg: 47.4, lonDeg: 8.5, radiusM: 5000 }],
          polygons: [{ latsDeg: square, lonsDeg: [8, 9, 9, 8] }],
        },
        rally: [{ latDeg: 47.4, lonDeg: 8.5, altM: 20 }],
      },
    });
    expect(canonicalJson(checkDefinition(throughJson(definition)))).toBe(canonicalJson(definition));
    expect(canonicalJson(checkDefinition(mission))).toBe(canonicalJson(mission));
  });

  it("keeps the parameters of a kind that this registry does not have", () => {
    const own = withValue(["wind"], { kind: "mine", version: 3, params: { a: [1, { b: 2 }] } });
    expect(checkDefinition(own).wind).toEqual({ kind: "mine", version: 3, params: { a: [1, { b: 2 }] } });
  });
});

describe("an invalid definition is rejected, with the key of the error", () => {
  const cases: readonly (readonly [string, readonly (string | number)[], unknown])[] = [
    ["vehicle", ["vehicle"], null],
    ["vehicle.rotors", ["vehicle", "rotors"], { 0: {} }],
    ["vehicle.contact.feet", ["vehicle", "contact", "feet"], Array.from({ length: 1e5 }, () => ({}))],
    ["vehicle.massKg", ["vehicle", "massKg"], "heavy"],
    ["integrator.params", ["integrator", "params"], null],
    ["integrator.params.substepUs", ["integrator", "params", "substepUs"], -4],
    ["integrator.params.substepUs", ["integrator", "params", "substepUs"], 0.5],
    ["integrator.version", ["integrator", "version"], "1"],
    ["environment.gravity", ["environment", "gravity"], []],
    ["environment.origin.latDeg", ["environment", "origin", "latDeg"], 91],
    ["timeline.endS", ["timeline", "endS"], 1e300],
    ["timeline.logPeriodS", ["timeline", "logPeriodS"], 0],
    ["mission.items[0]", ["mission", "items"], [null, null]],
    ["mission.items", ["mission", "items"], []],
    ["mission.fence", ["mission", "fence"], 5],
    ["mission.home.latDeg", ["mission", "home"], { latDeg: null, lonDeg: 0, altM: 0 }],
    ["name", ["name"], {}],
    ["seed", ["seed"], -1],
    ["seed", ["seed"], 1.5],
    ["commandPolicy", ["commandPolicy"], "lenient"],
    ["sensors", ["sensors"], Array.from({ length: 1000 }, () => null)],
    ["sensors[1]", ["sensors", 1], { kind: "imu", version: 1, params: {} }],
    ["autopilot.parameters", ["autopilot", "parameters"], [1]],
    ["autopilot.parameters.MPC_XY_CRUISE", ["autopilot", "parameters"], { MPC_XY_CRUISE: 1e30 }],
    ["scenario", ["scenario"], null],
    ["scenario", ["scenario"], Array.from({ length: 1e5 }, () => ({}))],
    ["scenario[0].trigger", ["scenario", 0, "trigger"], null],
    ["scenario[0].trigger.tUs", ["scenario", 0, "trigger", "tUs"], 1.5],
    ["scenario[2].params.velNedMps", ["scenario", 2, "params", "velNedMps"], [1, 2]],
    ["scenario[2].forUs", ["scenario", 2, "forUs"], -1],
    ["scenario[3].trigger.condition[0].quantity", ["scenario", 3, "trigger", "condition", 0, "quantity"], "toString"],
    ["scenario[3].trigger.fromUs", ["scenario", 3, "trigger", "fromUs"], -1],
    ["scenario[3].name", ["scenario", 3, "name"], "5 s"],
    ["scenario[3].note", ["scenario", 3, "note"], { text: "" }],
    ["scenario[4].name", ["scenario", 4, "name"], "slow"],
    ["scenario[4].action", ["scenario", 4, "action"], "__proto__"],
    ["extra", ["extra"], 1],
  ];
  for (const [key, path, value] of cases) {
    it(`${path.join(".")} = ${JSON.stringify(value)?.slice(0, 40)}`, () => {
      const error = errorOf(withValue(path, value));
      expect(error.code).toBe("FLIGHT-028");
      expect(error.where).toMatchObject({ file: "a.mcap" });
      expect(error.what).toContain(key);
    });
  }

  it("if an event names a rotor that does not exist", () => {
    expect(errorOf(withValue(["scenario", 4, "params", "motor"], 9)).what).toContain("there is no motor 9");
  });

  it("if it has another format", () => {
    expect(errorOf(withValue(["format"], 2)).code).toBe("FLIGHT-029");
  });

  it("if it is not a definition at all", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 1e5; i += 1) deep = [deep];
    for (const value of [undefined, null, 1, "x", [], deep, { format: 1, deep }]) {
      expect(errorOf(value).code).toBe("FLIGHT-028");
    }
  });
});

describe("any mutated definition", () => {
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(null, true, "", -1, 0.5, 1e300, -0, [], {}, [null], { kind: "ou" }, "embedded"),
    fc.double(),
    fc.integer(),
    fc.string({ maxLength: 8 }),
  );

  it("is accepted or rejected with a typed error", () => {
    const paths = pathsOf(mission);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...paths), leaf), { minLength: 1, maxLength: 3 }), (changes) => {
        let foreign = mission;
        for (const [path, value] of changes) {
          if (valueAt(foreign, path) !== undefined) foreign = withValue(path, value, foreign);
        }
        try {
          checkDefinition(foreign);
        } catch (error) {
          expect(error).toBeInstanceOf(SimError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))].filter(
    ({ length }) => length > 0,
  );
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);
}
