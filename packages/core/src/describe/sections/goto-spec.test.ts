/** `goto` in latitude and longitude: the same flight as with metres from the origin. */
import { describe, expect, it } from "vitest";
import { projectionKinds } from "../../world/geodesy/index.ts";
import { coreRegistry } from "../registry.ts";
import { mustResolve, resolveFlight } from "../resolve/resolve.ts";
import type { FlightSpec } from "../spec/spec.ts";

const origin = { latDeg: 47.397742, lonDeg: 8.545594, altMslM: 488 };

function resolve(goto: object, environment: object = { origin }) {
  const spec: FlightSpec = { extends: "hover", environment, scenario: [{ atS: 5, goto: goto as never }] };
  return resolveFlight({ file: "x", spec: spec as never }, coreRegistry);
}

describe("goto", () => {
  it.each(projectionKinds.map(({ name }) => name))(
    "takes latitude and longitude in the projection %s",
    (projection) => {
      const kind = projectionKinds.find(({ name }) => name === projection)!;
      const geodetic = new Float64Array(3);
      kind.make({} as never, { origin }).toGeodeticInto(geodetic, [30, -20, 0]);
      const [latDeg, lonDeg] = geodetic;
      const environment = { origin, projection };
      const { definition } = mustResolve(resolve({ latDeg, lonDeg, altitudeM: 12, yawDeg: 90 }, environment));
      const { params } = definition.scenario.find(({ action }) => action === "goto")!;
      const [n, e, d] = params["posNedM"] as number[];
      expect(n).toBeCloseTo(30, 6);
      expect(e).toBeCloseTo(-20, 6);
      expect(d).toBe(-12);
      expect(params["yawDeg"]).toBe(90);
      // The same request in metres gives the same definition.
      const inMetres = mustResolve(resolve({ posNedM: [n, e, d], yawDeg: 90 }, environment));
      expect(inMetres.definition).toEqual(definition);
    },
  );

  it.each([
    [{ latDeg: 47.4 }, ["lonDeg", "altitudeM"]],
    [{ latDeg: 95, lonDeg: 8, altitudeM: 5 }, ["latDeg"]],
    [{ latDeg: 10, lonDeg: 8, altitudeM: 5 }, ["latDeg"]],
    [{ latDeg: 47.4, lonDeg: 8.5, altitudeM: 5, posNedM: [0, 0, -5] }, ["posNedM"]],
    [{ latDeg: 47.4, lonDeg: 8.5, altitudeM: 5, height: 2 }, ["height"]],
  ])("rejects %j and names the key", (goto, keys) => {
    const { errors } = resolve(goto);
    expect(errors.map(({ where }) => where.key)).toEqual(keys.map((key) => `scenario[0].goto.${key}`));
  });
});
