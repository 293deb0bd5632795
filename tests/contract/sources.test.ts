/** Every registered source survives save → load → continue with equal bits. A new kind is taken up by itself. */
import { describe, expect, it } from "vitest";
import { interrupt } from "./checkpoint.ts";
import { partsOf } from "./parts.ts";

const parts = (["winds", "estimators", "sensors", "autopilots"] as const).flatMap((family) => partsOf(family));

describe("every source", () => {
  it.each(parts)("[L9.7] $name: saved, loaded and flown on, every digest is the same", ({ make }) => {
    // On the ground; a window open, a crossing behind and a fault in force.
    const { whole, continued } = interrupt(make(), [2_500_001, 5_200_000]);
    expect(continued).toHaveLength(2);
    for (const { atUs, digests } of continued) expect(`${atUs} µs ${digests}`).toBe(`${atUs} µs ${whole}`);
  });
});
