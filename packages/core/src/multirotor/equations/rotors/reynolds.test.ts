/** Tests the dependence of a blade on the Reynolds number: its limits, its smoothness, and the number itself. */
import { describe, expect, it } from "vitest";
import { referenceEnvironment, rig, uniformAir } from "../../../../../../tests/support/plant.ts";
import { airInto } from "../air/air.ts";
import { momentumRotorsInto } from "./momentum.ts";
import { viscosityOf } from "./reynolds.ts";

const RADIUS = 0.127;

/** Returns the scratch of a hovering iris in air of a density, with a changed blade. */
function hover(speed: number, momentum: object = {}, density = 1.225) {
  const environment = referenceEnvironment({ atmosphere: uniformAir(density) });
  const testRig = rig("iris", { propulsion: { momentum }, contact: { enabled: false } }, environment);
  testRig.set({ posNed: [0, 0, -1000], rotorSpeed: [speed, speed, speed, speed] });
  const { w, x, u, vehicle } = testRig.views();
  airInto(w, x, u, vehicle);
  momentumRotorsInto(w, x, u, vehicle);
  return { w, blade: testRig.plant.vehicle.propulsion.momentum, constants: vehicle };
}

const liftSlope = (speed: number, momentum: object = {}, density = 1.225) => {
  const { w, blade } = hover(speed, momentum, density);
  return (6 * w.lift[0]!) / blade.solidity;
};
const drag = (speed: number, momentum: object = {}) => {
  const { w, blade } = hover(speed, momentum);
  return (8 * w.profile[0]!) / blade.solidity;
};

it("viscosity is that of the U.S. Standard Atmosphere 1976 at sea level and 11 km", () => {
  expect(viscosityOf(288.15)).toBeCloseTo(1.7894e-5, 9);
  expect(viscosityOf(216.65)).toBeCloseTo(1.4216e-5, 9);
});

describe("lift and drag of the section", () => {
  it("are midway between their limits at the transition number, and reach both limits", () => {
    const at = { liftSlopePerRad: 6, lowReynoldsLift: 0.5, profileDrag: 0.02, lowReynoldsDrag: 3 };
    // Re = ρ·0.75ΩR·c/μ with the chord c = π·R·σ/2.
    const speed = (1e5 * viscosityOf(288.15)) / (1.225 * 0.75 * RADIUS * ((Math.PI * RADIUS * 0.125) / 2));
    expect(liftSlope(speed, { ...at, reynoldsTransition: 1e5 })).toBeCloseTo(4.5, 9);
    expect(drag(speed, { ...at, reynoldsTransition: 1e5 })).toBeCloseTo(0.04, 9);
    expect(liftSlope(0, at)).toBe(3);
    expect(drag(0, at)).toBeCloseTo(0.06, 15);
    expect(liftSlope(1e6, at)).toBeCloseTo(6, 4);
    expect(drag(1e6, at)).toBeCloseTo(0.02, 5);
  });

  it("follow the product of density and speed", () => {
    expect(liftSlope(800, {}, 0.6125)).toBeCloseTo(liftSlope(400), 9);
  });

  it("do not change with the Reynolds number if both limits are equal", () => {
    const flat = { lowReynoldsLift: 1, lowReynoldsDrag: 1 };
    const coefficient = (speed: number) => hover(speed, flat).w.thrust[0]! / (speed * speed);
    expect(coefficient(200) / coefficient(700)).toBeCloseTo(1, 12);
  });

  it("make the thrust coefficient rise with speed, as a small propeller's does", () => {
    const coefficient = (speed: number) => hover(speed).w.thrustCoefficient[0]!;
    expect(coefficient(683.6) / coefficient(248.9)).toBeGreaterThan(1.18);
    expect(coefficient(683.6) / coefficient(248.9)).toBeLessThan(1.27);
  });
});
