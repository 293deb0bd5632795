/**
 * rk45 integrates through a touch-down at 4.4 m/s at every tolerance, although the seam lies between two microseconds.
 */
import { coreRegistry, flyFlightNow, mustResolve, resolveFlight } from "@escapement/core";
import { describe, expect, it } from "vitest";

function drop(toleranceScale: number) {
  const spec = { extends: "drop", timeline: { endS: 1.5 }, integrator: { kind: "rk45", toleranceScale } };
  const { end, outcome, signal } = flyFlightNow(mustResolve(resolveFlight({ file: "drop", spec }, coreRegistry)));
  return { outcome, forced: end.stats.forced, down: signal("posNed").at(1.5)[2]! };
}

describe("rk45 drops the iris from one metre", () => {
  const fine = drop(1e-6);

  it.each([1, 1e-3])(
    "with the tolerances times %f, it ends at the same state as with the tolerances times 1e-6",
    (scale) => {
      const coarse = drop(scale);
      expect(coarse).toMatchObject({ outcome: "completed", forced: 0 });
      expect(Math.abs(coarse.down - fine.down)).toBeLessThan(1e-5 * scale);
    },
  );

  it("accepts a step that misses its tolerance only if it contains a seam", () => {
    expect(fine).toMatchObject({ outcome: "completed", forced: 0 });
  });
});
