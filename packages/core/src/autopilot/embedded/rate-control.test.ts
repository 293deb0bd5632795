/** Tests rate control: the PID law, its integrals and its filters. */
import { describe, expect, it } from "vitest";
import { Snapshot } from "../../snapshot/index.ts";
import { Parameters } from "./parameters.ts";
import { RateControl } from "./rate-control.ts";
import { Vehicle } from "./vehicle.ts";

const rotor = { posBody: [0, 0, 0], axisBody: [0, 0, -1], torqueRatioM: 0.05, channel: 0 };

function controller(parameters: Record<string, number> = {}, filtered = false) {
  const vehicle = new Vehicle();
  const control = new RateControl(vehicle, 0.004, filtered);
  control.configure(new Parameters([rotor], parameters));
  return { vehicle, control };
}

describe("rate control", () => {
  it("is P + I − D + feed-forward, with the integral of the previous step", () => {
    const { vehicle, control } = controller({ MC_ROLLRATE_FF: 0.01, MC_ROLLRATE_K: 2, MC_YAW_TQ_CUTOFF: 0 });
    vehicle.rateBody.set([0.1, 0, 0]);
    vehicle.rateDotBody.set([3, 0, 0]);
    control.observe();
    const sp = Float64Array.of(0.5, 0, 0);
    control.update(sp, true);
    const first = 2 * 0.15 * 0.4 - 2 * 0.003 * 3 + 0.01 * 0.5;
    expect(control.torque[0]).toBeCloseTo(first, 12);
    control.update(sp, true);
    const factor = 1 - (0.4 / ((400 * Math.PI) / 180)) ** 2;
    expect(control.torque[0]).toBeCloseTo(first + factor * 2 * 0.2 * 0.4 * 0.004, 12);
  });

  it("does not integrate on the ground, into a saturation or beyond its limit", () => {
    const { control } = controller({ MC_YAW_TQ_CUTOFF: 0 });
    control.observe();
    const sp = Float64Array.of(0.5, -0.5, 0.5);
    const torqueAfter = (steps: number, integrate: boolean) => {
      for (let i = 0; i < steps; i += 1) control.update(sp, integrate);
      return Array.from(control.torque);
    };
    const start = torqueAfter(1, false);
    expect(torqueAfter(100, false)).toEqual(start);
    control.saturation.set([1, -1, 0]);
    const held = torqueAfter(100, true);
    expect([held[0], held[1]]).toEqual([start[0], start[1]]);
    expect(held[2]).toBeGreaterThan(start[2]!);
    control.saturation.fill(0);
    const far = torqueAfter(20000, true);
    expect(far[0]).toBeCloseTo(start[0]! + 0.3, 9);
    control.resetIntegral();
    torqueAfter(1, false).forEach((torque, i) => expect(torque).toBeCloseTo(start[i]!, 12));
  });

  it("smooths the yaw torque with the time constant of MC_YAW_TQ_CUTOFF", () => {
    const { control } = controller();
    control.observe();
    const sp = Float64Array.of(0, 0, 1);
    const steps = Math.round(1 / (2 * Math.PI * 2) / 0.004);
    for (let i = 0; i < steps; i += 1) control.update(sp, false);
    expect(control.torque[2]).toBeGreaterThan(0.2 * 0.6);
    expect(control.torque[2]).toBeLessThan(0.2 * 0.68);
  });

  it("filters rates like PX4's gyro: −3 dB at the cut-off, steady values unchanged", () => {
    const { vehicle, control } = controller({ MC_ROLLRATE_P: 1, MC_ROLLRATE_D: 0 }, true);
    const none = new Float64Array(3);
    let peak = 0;
    for (let i = 0; i < 500; i += 1) {
      vehicle.rateBody[0] = Math.sin(2 * Math.PI * 40 * i * 0.004);
      control.observe();
      control.update(none, false);
      if (i > 250) peak = Math.max(peak, Math.abs(control.torque[0]!));
    }
    expect(peak).toBeGreaterThan(0.68);
    expect(peak).toBeLessThan(0.74);
    vehicle.rateBody[0] = 0.3;
    for (let i = 0; i < 200; i += 1) control.observe();
    control.update(none, false);
    expect(control.torque[0]).toBeCloseTo(-0.3, 9);
  });

  it.each([15, 0, 40])("causes no jump if the gyro filter changes to %s Hz", (cutoffHz) => {
    const parameters = { MC_ROLLRATE_P: 1, MC_ROLLRATE_D: 0.01 };
    const { vehicle, control } = controller({ ...parameters, IMU_GYRO_CUTOFF: cutoffHz === 40 ? 0 : 40 }, true);
    const torque = (rate: number) => {
      vehicle.rateBody[0] = rate;
      control.observe();
      control.update(new Float64Array(3), false);
      return control.torque[0]!;
    };
    for (let i = 0; i < 500; i += 1) torque(1);
    control.configure(new Parameters([rotor], { ...parameters, IMU_GYRO_CUTOFF: cutoffHz }));
    for (let i = 0; i < 100; i += 1) expect(torque(1)).toBeCloseTo(-1, 9);
  });

  it("continues with the same bits from a checkpoint between the change of a filter and its start", () => {
    const changed = new Parameters([rotor], { IMU_GYRO_CUTOFF: 15 });
    const first = controller({}, true);
    const torques = ({ vehicle, control }: typeof first, from: number) =>
      Array.from({ length: 20 }, (_, i) => {
        vehicle.rateBody[0] = Math.sin(0.3 * (from + i));
        control.observe();
        control.update(new Float64Array(3), true);
        return control.torque[0];
      });
    torques(first, 0);
    first.control.configure(changed);
    const second = controller({}, true);
    second.control.configure(changed);
    Snapshot.of(first.control).into(second.control);
    expect(torques(second, 20)).toEqual(torques(first, 20));
  });

  it("does not restart its filter when a different parameter changes", () => {
    const [plain, changed] = [controller({}, true), controller({}, true)];
    for (let i = 0; i < 50; i += 1) {
      if (i === 20) changed.control.configure(new Parameters([rotor], { MC_PITCHRATE_P: 0.2 }));
      const roll = [plain, changed].map(({ vehicle, control }) => {
        vehicle.rateBody[0] = Math.sin(0.3 * i);
        control.observe();
        control.update(new Float64Array(3), false);
        return control.torque[0];
      });
      expect(roll[1]).toBe(roll[0]);
    }
  });
});
