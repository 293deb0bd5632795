/** The hover-thrust estimator finds the collective thrust of simulated vehicles, and resets on the ground. */
import { describe, expect, it } from "vitest";
import { FlightClock } from "../../time/index.ts";
import { HoverThrust } from "./hover-thrust.ts";
import { Parameters } from "./parameters.ts";
import { Vehicle } from "./vehicle.ts";

const G = 9.80665;
const rotor = { posBody: [0, 0, 0], axisBody: [0, 0, -1], torqueRatioM: 0.05, channel: 0 };

/** Flies a vehicle whose true hover thrust is `hover` with a collective thrust that oscillates about it. */
function estimateHover(hover: number, seconds: number, parameters: Record<string, number> = {}) {
  const vehicle = new Vehicle();
  vehicle.posNed[2] = -10;
  const thrustZ = new Float64Array(1);
  const estimator = new HoverThrust(
    { vehicle, homeNed: new Float64Array(3), thrustZ, unallocated: new Float64Array(4) },
    0.008,
  );
  estimator.configure(new Parameters([rotor], parameters));
  const clock = new FlightClock();
  let validAtS = NaN;
  for (let i = 0; i * 0.008 < seconds; i += 1) {
    clock.set(i * 8000);
    const thrust = hover * (1 + 0.1 * Math.sin(i * 0.05));
    thrustZ[0] = -thrust;
    vehicle.accNed[2] = G - (G * thrust) / hover;
    estimator.update(clock, true, false);
    if (estimator.valid && Number.isNaN(validAtS)) validAtS = clock.s;
  }
  return { estimator, validAtS, clock };
}

describe("hover-thrust estimator", () => {
  it("finds the collective thrust at hover, and is valid after two seconds of low variance", () => {
    for (const hover of [0.35, 0.5, 0.66]) {
      const { estimator, validAtS } = estimateHover(hover, 40);
      expect(estimator.hover).toBeCloseTo(hover, 2);
      expect(validAtS).toBeGreaterThan(2);
      expect(validAtS).toBeLessThan(15);
    }
  });

  it("stays within HTE_THR_RANGE of MPC_THR_HOVER", () => {
    const { estimator } = estimateHover(0.25, 60);
    expect(estimator.hover).toBeCloseTo(0.3, 6);
  });

  it("restarts on the ground and after disarming", () => {
    const { estimator, clock } = estimateHover(0.4, 30);
    expect(estimator.valid).toBe(true);
    estimator.update(clock, true, true);
    expect(estimator.valid).toBe(false);
    estimator.update(clock, false, true);
    expect(estimator.hover).toBe(0.5);
  });
});
