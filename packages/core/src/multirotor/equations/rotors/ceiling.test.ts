/** Tests the effect of a ceiling: the published coefficient, and cases without the effect. */
import { describe, expect, it } from "vitest";
import { referenceEnvironment, rig, uniformAir } from "../../../../../../tests/support/plant.ts";
import { airInto } from "../air/air.ts";
import { momentumRotorsInto } from "./momentum.ts";

const RADIUS = 0.127;
const IDEAL = { inducedFactor: 1, profileDrag: 0 };

/** Returns thrust, torque and induced velocity of the iris' first rotor, `gapM` below a ceiling. */
function under(gapM: number, speed: number, momentum: object = IDEAL, velNed = [0, 0, 0]) {
  const environment = { ...referenceEnvironment({ atmosphere: uniformAir(1.225) }), ceilingM: 100 };
  const testRig = rig("iris", { propulsion: { momentum }, contact: { enabled: false } }, environment);
  // The hubs are 3 cm above the centre of mass.
  testRig.set({ posNed: [0, 0, gapM - 99.97], velNed, rotorSpeed: [speed, speed, speed, speed] });
  const { w, x, u, vehicle } = testRig.views();
  airInto(w, x, u, vehicle);
  momentumRotorsInto(w, x, u, vehicle);
  return { thrust: w.thrust[0]!, torque: w.torque[0]!, inflow: w.inflow[0]! };
}

describe("a ceiling", () => {
  it.each([0.15, 0.25, 0.5, 1, 2])("%f radii above a rotor multiplies its thrust at constant power by γ^⅔", (radii) => {
    const away = under(50, 500);
    let [low, high] = [300, 700];
    for (let k = 0; k < 100; k += 1) {
      const middle = (low + high) / 2;
      if (under(radii * RADIUS, middle).torque * middle > away.torque * 500) high = middle;
      else low = middle;
    }
    const gamma = 0.5 + 0.5 * Math.sqrt(1 + 1 / (8 * radii * radii));
    expect(under(radii * RADIUS, low).thrust / away.thrust / gamma ** (2 / 3)).toBeCloseTo(1, 5);
  });

  it("adds more thrust at constant speed the closer it is, down to a gap of a tenth of the radius", () => {
    const thrusts = [5, 1, 0.5, 0.2, 0.1].map((radii) => under(radii * RADIUS, 500, {}).thrust);
    for (let k = 1; k < thrusts.length; k += 1) expect(thrusts[k]).toBeGreaterThan(thrusts[k - 1]!);
    expect(under(0.01 * RADIUS, 500, {}).thrust).toBeCloseTo(thrusts.at(-1)!, 9);
  });

  it("acts less in forward flight, and not at all if switched off", () => {
    const gain = (velNed: number[]) => under(0.3 * RADIUS, 500, {}, velNed).thrust / under(50, 500, {}, velNed).thrust;
    expect(gain([8, 0, 0]) - 1).toBeLessThan(0.5 * (gain([0, 0, 0]) - 1));
    const off = { groundEffect: false };
    expect(under(0.3 * RADIUS, 500, off).thrust).toBeCloseTo(under(50, 500, off).thrust, 12);
  });

  it("is absent from an environment without one", () => {
    expect(rig("iris").plant.constants.hasCeiling).toBe(0);
  });
});
