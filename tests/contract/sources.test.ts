/** Every registered source continues with the same bits after a save and load. New kinds are included automatically. */
import { coreRegistry } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { interrupt } from "./checkpoint.ts";
import { partsOf, sensorsTogether } from "./parts.ts";
import { hasWind } from "../support/has-wind.ts";

const families = ["winds", "estimators", "autopilots"] as const;
const parts = [...families.flatMap((family) => partsOf(family)), sensorsTogether()];

describe("every source", () => {
  it.each(parts)("[L9.7] $name: a flight continued from a checkpoint has the same digests", ({ make }) => {
    // Save in the air, after the located event, and during a gust and a fault.
    const { whole, continued } = interrupt(make(), [5_900_001, 6_200_000]);
    expect(continued).toHaveLength(2);
    for (const { atUs, digests } of continued) expect(`${atUs} µs ${digests}`).toBe(`${atUs} µs ${whole}`);
  });

  it("every wind but `none` blows; if a kind needs parameters to do so, add them to `NEEDED_PARAMS`", () => {
    const calm = partsOf("winds").filter(({ make }) => !hasWind(make()));
    expect(calm.map(({ name }) => name)).toEqual(["winds/none"]);
  });

  it("[L9.7] every sensor runs in the flight with all sensors", () => {
    const digests = JSON.parse(interrupt(sensorsTogether().make(), []).whole) as { writers: Record<string, string> };
    const silent = JSON.parse(interrupt(partsOf("winds")[0]!.make(), []).whole) as typeof digests;
    for (const { name } of coreRegistry.sensors) expect(digests.writers[name]).not.toBe(silent.writers[name]);
  });
});
