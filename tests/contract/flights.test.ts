/** Flights with every integrator, vehicle and environment model repeat bit for bit, and continue from checkpoints. */
import { assemble, coreRegistry, flyNow } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { interrupt } from "./checkpoint.ts";
import { families, partsOf, vehicleParts } from "./parts.ts";

describe("every integrator and vehicle", () => {
  it.each([...partsOf("integrators"), ...vehicleParts()])(
    "[L9.7] $name: a flight continued from a checkpoint has the same digests",
    ({ make }) => {
      const { whole, continued } = interrupt(make(), [6_200_000]);
      expect(continued[0]!.digests).toBe(whole);
    },
  );
});

describe("every environment model", () => {
  it.each([...partsOf("atmospheres"), ...partsOf("gravities")])(
    "[L9.1] $name: two flights have the same digests",
    ({ make }) => {
      const digests = () => {
        const { flight, fingerprint } = assemble(make().definition, coreRegistry);
        flyNow(flight);
        return fingerprint!.result();
      };
      expect(digests()).toEqual(digests());
    },
  );
});

describe("every kind in the registry", () => {
  it.each(families)("of family %s has a unique name, a description, a version and documented parameters", (family) => {
    const kinds = coreRegistry[family];
    expect(kinds.length).toBeGreaterThan(0);
    expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
    for (const { name, about, version, params } of kinds) {
      expect(name).toMatch(/^[a-z][a-zA-Z0-9-]*$/);
      expect(about.length).toBeGreaterThanOrEqual(8);
      expect(Number.isInteger(version) && version > 0).toBe(true);
      for (const [key, param] of Object.entries(params)) {
        expect(key).toMatch(/^[a-z][a-zA-Z0-9]*$/);
        expect(param.about.length, `${name}.${key}`).toBeGreaterThan(3);
      }
    }
  });
});
