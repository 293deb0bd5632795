/** For any input, `resolve` returns a flight or diagnostics and never crashes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlainObject, type PlainObject } from "../../params/index.ts";
import { coreRegistry } from "../registry.ts";
import { resolveFlight } from "./resolve.ts";
import { TOP_KEYS } from "../spec/flight-keys.ts";
import { volume } from "../../../../../tests/support/volume.ts";

/** Returns the paths of all leaves of a value. */
function leafPaths(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => leafPaths(item, `${path}[${i}]`));
  if (isPlainObject(value)) return Object.entries(value).flatMap(([key, item]) => leafPaths(item, `${path}.${key}`));
  return [path];
}

describe("arbitrary input", () => {
  const words = [
    "extends",
    "mission",
    "iris",
    "wind",
    "kind",
    "ou",
    "vehicle",
    "scenario",
    "at",
    "5 s",
    "when",
    "altitudeM > 1",
    "gust",
    "timeline",
    "endS",
    "items",
    "takeoff",
    "estimator",
    "sensors",
    "imu",
    "autopilot",
    "parameters",
    "stop",
    "outputs",
    "logs",
    "environment",
    "origin",
    "rotors",
    "file",
  ] as const;
  const key = fc.oneof(fc.constantFrom(...words, "__proto__", "constructor"), fc.string({ maxLength: 6 }));
  const leaf = fc.oneof(
    fc.constantFrom<unknown>(...words, null, true, NaN, Infinity, -1, 0, 1e300, undefined),
    fc.double(),
    fc.string({ maxLength: 8 }),
    fc.bigInt(),
    fc.date(),
  );
  const { value: tree } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.dictionary(key, tie("value"), { maxKeys: 4 }),
      fc.array(tie("value"), { maxLength: 3 }),
    ),
  }));

  const expectNoCrash = (spec: unknown) => {
    const { resolved, errors: found } = resolveFlight({ file: "f", spec: spec as PlainObject }, coreRegistry);
    expect(resolved !== undefined || found.length > 0).toBe(true);
    for (const { what, fix, code } of found)
      expect([typeof what, typeof fix, /^[A-Z0-9]+-\d+$/.test(code)]).toEqual(["string", "string", true]);
  };

  it("never crashes the resolver: any value", () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true, withNullPrototype: true }),
        expectNoCrash,
      ),
      { numRuns: volume(100, 2000) },
    );
  });

  it("never crashes the resolver: known sections with arbitrary content", () => {
    fc.assert(fc.property(fc.dictionary(fc.constantFrom(...TOP_KEYS, "seed"), tree, { maxKeys: 5 }), expectNoCrash), {
      numRuns: volume(150, 5000),
    });
  });

  it("never crashes the resolver: one value of a valid description replaced", () => {
    const good = JSON.parse(
      JSON.stringify({
        ...coreRegistry.flights["motor-out"],
        vehicle: { extends: "iris", massKg: 1.5, contact: { friction: 0.8 } },
        wind: { kind: "ou", tauS: 3 },
        timeline: { endS: 10 },
        mission: { items: [{ takeoff: { altitudeM: 5 } }, { command: 21, latDeg: 47.4, lonDeg: 8.5, altM: 0 }] },
        autopilot: { parameters: { MPC_XY_CRUISE: 4 } },
        outputs: { logs: [{ file: "a.csv" }] },
      }),
    ) as PlainObject;
    const paths = leafPaths(good);
    fc.assert(
      fc.property(fc.constantFrom(...paths), tree, (path, value) => expectNoCrash(withValue(good, path, value))),
      { numRuns: volume(150, 5000) },
    );
  });
});

/** Returns a copy with a different value at a path such as `.mission.items[0].takeoff.altitudeM`. */
function withValue(whole: PlainObject, path: string, value: unknown): unknown {
  const copy = structuredClone(whole) as Record<string, unknown>;
  const steps = path.split(/[.[\]]+/).filter((step) => step !== "");
  const last = steps.pop()!;
  const parent = steps.reduce<Record<string, unknown>>((node, step) => node[step] as Record<string, unknown>, copy);
  parent[last] = value;
  return copy;
}
