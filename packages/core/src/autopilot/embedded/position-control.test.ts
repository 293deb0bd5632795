/** Tests position control: hover, tilt, limits, the take-off ramp, and finite results for any error. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Parameters } from "./parameters.ts";
import { PositionControl } from "./position-control.ts";
import { TrajectorySetpoint } from "./trajectory/setpoint.ts";
import { Vehicle } from "./vehicle.ts";

const G = 9.80665;
const DEG = Math.PI / 180;
const rotor = { posBody: [0, 0, 0], axisBody: [0, 0, -1], torqueRatioM: 0.05, channel: 0 };

function controller(parameters: Record<string, number> = {}) {
  const vehicle = new Vehicle();
  const control = new PositionControl(vehicle, 0.008);
  control.configure(new Parameters([rotor], parameters));
  control.speedLimits.set([3, 1.5]);
  const setpoint = new TrajectorySetpoint();
  return { vehicle, control, setpoint };
}

/** Runs until the tilt limit has slewed to its full value. */
function settledController(parameters: Record<string, number> = {}) {
  const parts = controller(parameters);
  parts.setpoint.posNed.fill(0);
  for (let i = 0; i < 800; i += 1) parts.control.update(parts.setpoint, true);
  parts.control.resetIntegral();
  return parts;
}

describe("position control", () => {
  it("is level at the hover thrust if position and velocity errors are zero", () => {
    const { control, setpoint } = settledController();
    control.update(setpoint, true);
    expect(control.thrustZ[0]).toBeCloseTo(-0.5, 12);
    expect(Array.from(control.qBodyToNed)).toEqual([1, 0, 0, 0].map((x) => expect.closeTo(x, 12)));
  });

  it("causes no jump if the notch filter is switched on, moved or switched off at speed", () => {
    const { vehicle, control, setpoint } = settledController({ MPC_XY_VEL_I_ACC: 0, MPC_XY_VEL_D_ACC: 0.5 });
    setpoint.posNed.fill(NaN);
    setpoint.velNed.set([8, 0, 0]);
    vehicle.velNed.set([8, 0, 0]);
    const pitch = () => {
      control.observe();
      control.update(setpoint, true);
      return control.qBodyToNed[2]!;
    };
    for (let i = 0; i < 500; i += 1) pitch();
    for (const centreHz of [5, 9, 0]) {
      const parameters = { MPC_XY_VEL_I_ACC: 0, MPC_XY_VEL_D_ACC: 0.5, MPC_VEL_NF_FRQ: centreHz };
      control.configure(new Parameters([rotor], parameters));
      for (let i = 0; i < 200; i += 1) expect(pitch()).toBeCloseTo(0, 9);
    }
  });

  it("turns a horizontal acceleration into a tilt of atan(a/g), without a change of the vertical thrust", () => {
    const { control, setpoint } = settledController({ MPC_XY_VEL_I_ACC: 0, MPC_Z_VEL_I_ACC: 0 });
    setpoint.posNed.fill(NaN);
    setpoint.accNed.set([3, 0, -1]);
    setpoint.yaw[0] = 0;
    control.update(setpoint, true);
    const tilt = Math.atan(3 / G);
    expect(control.qBodyToNed[2]).toBeCloseTo(-Math.sin(tilt / 2), 9);
    expect(control.thrustSp[2]).toBeCloseTo(-0.5 * (1 + 1 / G), 9);
    expect(control.thrustZ[0]).toBeCloseTo((-0.5 * (1 + 1 / G)) / Math.cos(tilt), 9);
  });

  it("points the nose along the yaw setpoint", () => {
    const { control, setpoint } = settledController();
    setpoint.yaw[0] = 2;
    control.update(setpoint, true);
    const [w, x, y, z] = control.qBodyToNed as unknown as [number, number, number, number];
    expect(Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))).toBeCloseTo(2, 9);
  });

  it("limits the velocity setpoint, with priority for the correction over the feed-forward", () => {
    const { control, setpoint } = settledController();
    setpoint.posNed.set([20, 0, 0]);
    setpoint.velNed.set([0, 5, 0]);
    control.update(setpoint, true);
    expect(Math.hypot(control.velSp[0]!, control.velSp[1]!)).toBeCloseTo(12, 9);
    expect([control.velSp[0], control.velSp[1]]).toEqual([12, 0].map((v) => expect.closeTo(v, 9)));
    setpoint.posNed.set([10, 0, 0]);
    setpoint.velNed.set([0, 20, 0]);
    control.update(setpoint, true);
    expect(control.velSp[0]).toBeCloseTo(9.5, 9);
    expect(control.velSp[1]).toBeCloseTo(Math.sqrt(144 - 9.5 ** 2), 9);
  });

  it("demands no thrust while the climb-rate limit is at the ramp's start, which is below zero", () => {
    const { control, setpoint } = settledController();
    control.speedLimits[0] = -G / 4;
    setpoint.posNed.set([0, 0, -5]);
    control.update(setpoint, false);
    expect(control.velSp[2]).toBeCloseTo(G / 4, 12);
    expect(control.thrustZ[0]).toBeCloseTo(-0.001, 12);
  });

  it("does not change the thrust when the estimate of the hover thrust changes in flight", () => {
    const { control, setpoint } = settledController();
    setpoint.posNed[2] = -0.3;
    control.update(setpoint, true);
    const before = control.thrustSp[2]!;
    control.hoverEstimate[0] = 0.6;
    control.updateHoverThrust();
    control.update(setpoint, true);
    expect(control.hoverThrust).toBe(0.6);
    expect(control.thrustSp[2]).toBeCloseTo(before, 2);
  });

  it("stays finite and within its thrust and tilt limits for any error; its integrals do not wind up", () => {
    const far = fc.double({ min: -1e4, max: 1e4, noNaN: true });
    const fast = fc.double({ min: -100, max: 100, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(far, { minLength: 6, maxLength: 6 }),
        fc.array(fast, { minLength: 3, maxLength: 3 }),
        (p, v) => {
          const { vehicle, control, setpoint } = settledController();
          vehicle.posNed.set(p.slice(0, 3));
          vehicle.velNed.set(v);
          setpoint.posNed.set(p.slice(3));
          for (let i = 0; i < 50; i += 1) {
            control.observe();
            control.update(setpoint, true);
            const [n, e, d] = control.thrustSp as unknown as [number, number, number];
            const thrust = Math.hypot(n, e, d);
            expect(thrust).toBeLessThanOrEqual(1 + 1e-9);
            expect(thrust).toBeGreaterThanOrEqual(0.12 - 1e-9);
            expect(Math.hypot(...control.qBodyToNed)).toBeCloseTo(1, 9);
          }
          // When the vehicle is back at the target, the integral alone must not demand more than a modest acceleration.
          vehicle.posNed.set(p.slice(3));
          vehicle.velNed.fill(0);
          for (let i = 0; i < 200; i += 1) control.observe();
          control.update(setpoint, true);
          expect(Math.abs(control.accSp[2]!)).toBeLessThan(G + 0.1);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("raises the tilt limit at 0.2 rad/s up to MPC_TILTMAX_AIR", () => {
    const { control, setpoint } = controller({ MPC_TILTMAX_AIR: 30 });
    setpoint.posNed.set([1000, 0, 0]);
    const tilt = () => 2 * Math.asin(Math.abs(control.qBodyToNed[2]!));
    control.update(setpoint, true);
    expect(tilt()).toBeLessThanOrEqual(0.2 * 0.008 + 1e-9);
    for (let i = 0; i < 1000; i += 1) control.update(setpoint, true);
    expect(tilt()).toBeLessThanOrEqual(30 * DEG + 1e-9);
    expect(tilt()).toBeGreaterThan(29.9 * DEG);
  });

  it("filters velocity with MPC_VEL_LP and the notch without changing steady speeds", () => {
    const { vehicle, control, setpoint } = settledController({ MPC_VEL_LP: 5, MPC_VEL_NF_FRQ: 10 });
    vehicle.velNed.set([1, 0, 0]);
    for (let i = 0; i < 500; i += 1) control.observe();
    setpoint.posNed.fill(NaN);
    setpoint.velNed.set([1, 0, 0]);
    control.update(setpoint, true);
    expect(control.accSp[0]).toBeCloseTo(0, 6);
  });
});
