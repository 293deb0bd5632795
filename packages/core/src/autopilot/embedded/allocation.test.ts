/** Compares control allocation with PX4's published matrix, and checks desaturation for any layout and demand. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Allocation } from "./allocation.ts";
import { AXES, makeMixer } from "./effectiveness.ts";
import { Parameters } from "./parameters.ts";
import type { RotorGeometry } from "../context.ts";

const UP = [0, 0, -1];
const rotor = (x: number, y: number, km: number, channel: number): RotorGeometry => ({
  posBody: [x, y, 0],
  axisBody: UP,
  torqueRatioM: km,
  channel,
});
const IRIS = [
  rotor(0.1515, 0.245, 0.05, 0),
  rotor(-0.1515, -0.1875, 0.05, 1),
  rotor(0.1515, -0.245, -0.05, 2),
  rotor(-0.1515, 0.1875, -0.05, 3),
];
const ring = (count: number): RotorGeometry[] =>
  Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.5)) / count;
    return rotor(0.3 * Math.cos(angle), 0.3 * Math.sin(angle), i % 2 === 0 ? 0.05 : -0.05, i);
  });

function allocate(rotors: RotorGeometry[], torque: number[], thrust: number, parameters: Record<string, number> = {}) {
  const allocation = new Allocation(0.004);
  allocation.configure(new Parameters(rotors, parameters));
  const demand = Float64Array.from(torque);
  const collective = Float64Array.of(thrust);
  allocation.update(demand, collective);
  allocation.report(demand, collective);
  return { allocation, motors: Array.from(allocation.motors.subarray(0, rotors.length)) };
}

describe("mixer", () => {
  it("is PX4's mixer for the iris, to the published digits", () => {
    const { mix, scale } = makeMixer(new Parameters(IRIS));
    const published = [
      [-0.495383, 0.707107, 0.765306, -1],
      [0.495383, -0.707107, 1, -1],
      [0.495383, 0.707107, -0.765306, -1],
      [-0.495383, -0.707107, -1, -1],
    ];
    published.forEach((row, i) => {
      const ours = [0, 1, 2, 5].map((axis) => mix[i * AXES + axis]!);
      row.forEach((entry, j) => expect(ours[j]).toBeCloseTo(entry, 6));
      expect([3, 4].map((axis) => mix[i * AXES + axis])).toEqual([0, 0]);
    });
    expect(scale[0]).toBeCloseTo(0.3590286, 7);
    expect(scale[1]).toBe(scale[0]);
    expect(scale[2]).toBeCloseTo(0.8714984, 7);
    expect(scale[5]).toBeCloseTo(0.0384615, 7);
  });

  it("is the Moore–Penrose inverse: E·M·E = E for any layout", () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 12 }), fc.double({ min: 0.1, max: 1, noNaN: true }), (count, spread) => {
        const rotors = ring(count).map((place) => ({ ...place, posBody: place.posBody.map((x) => x * spread * 3) }));
        const { mix, effect, scale } = makeMixer(new Parameters(rotors));
        // Undo the normalisation, which multiplied rows of E and divided columns of M by the same scale.
        const e = (axis: number, i: number) => effect[axis * count + i]! / scale[axis]!;
        const m = (i: number, axis: number) => mix[i * AXES + axis]! * scale[axis]!;
        for (let a = 0; a < AXES; a += 1) {
          for (let j = 0; j < count; j += 1) {
            let sum = 0;
            for (let i = 0; i < count; i += 1) {
              for (let b = 0; b < AXES; b += 1) sum += e(a, i) * m(i, b) * e(b, j);
            }
            expect(Math.abs(sum - e(a, j))).toBeLessThan(0.02);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it("rejects rotors without a direction, and vehicles without vertical thrust", () => {
    expect(() => makeMixer(new Parameters([{ ...IRIS[0]!, axisBody: [0, 0, 0] }]))).toThrow(/no thrust direction/);
    expect(() => makeMixer(new Parameters([{ ...IRIS[0]!, axisBody: [1, 0, 0] }]))).toThrow(/z axis/);
  });
});

describe("allocation", () => {
  it("maps each unit demand to the motors that produce it", () => {
    // Roll to the right raises the left motors (2 and 3), nose up raises the front motors (1 and 3), yaw to the right
    // raises the counter-clockwise motors.
    const base = allocate(IRIS, [0, 0, 0], -0.5).motors;
    expect(base).toEqual([0.5, 0.5, 0.5, 0.5].map((x) => expect.closeTo(x, 12)));
    const moved = (torque: number[]) =>
      allocate(IRIS, torque, -0.5).motors.map((u) => Math.sign(Math.round((u - 0.5) * 1e6)));
    expect(moved([0.1, 0, 0])).toEqual([-1, 1, 1, -1]);
    expect(moved([0, 0.1, 0])).toEqual([1, -1, 1, -1]);
    expect(moved([0, 0, 0.1])).toEqual([1, 1, -1, -1]);
  });

  it("reports no unallocated demand if no motor saturates", () => {
    const { allocation } = allocate(IRIS, [0.05, -0.04, 0.03], -0.5);
    for (const rest of allocation.unallocated) expect(Math.abs(rest)).toBeLessThan(1e-12);
    const flags = new Float64Array(3);
    allocation.saturationInto(flags);
    expect(Array.from(flags)).toEqual([0, 0, 0]);
  });

  it("keeps motors within 0 and 1, never raises thrust without airmode, and stays finite", () => {
    const wild = fc.double({ min: -3, max: 3, noNaN: true });
    const layouts = [IRIS, ring(4), ring(6), ring(8), ring(12)];
    fc.assert(
      fc.property(
        fc.constantFrom(...layouts),
        fc.tuple(wild, wild, wild),
        fc.double({ min: -1.2, max: 0.2, noNaN: true }),
        fc.integer({ min: 0, max: 2 }),
        (rotors, torque, thrust, airmode) => {
          const { allocation, motors } = allocate(rotors, [...torque], thrust, { MC_AIRMODE: airmode });
          for (const u of motors) {
            expect(u).toBeGreaterThanOrEqual(0);
            expect(u).toBeLessThanOrEqual(1);
          }
          for (const rest of allocation.unallocated) expect(Number.isFinite(rest)).toBe(true);
          if (airmode === 0) {
            const mean = motors.reduce((sum, u) => sum + u, 0) / motors.length;
            expect(mean).toBeLessThanOrEqual(Math.max(-thrust, 0) + 1e-9);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("at full throttle reduces yaw first, and lowers thrust to retain roll", () => {
    const full = allocate(IRIS, [0.2, 0, 0.5], -1);
    const flags = new Float64Array(3);
    full.allocation.saturationInto(flags);
    expect(Math.abs(full.allocation.unallocated[0]!)).toBeLessThan(1e-9);
    expect(full.allocation.unallocated[3]!).toBeLessThan(0);
    expect(flags[2]).toBe(1);
  });

  it("at idle raises thrust to retain roll, but only with airmode", () => {
    const without = allocate(IRIS, [0.3, 0, 0], 0).motors;
    const airmode = allocate(IRIS, [0.3, 0, 0], 0, { MC_AIRMODE: 1 });
    expect(Math.max(...without) - Math.min(...without)).toBeLessThan(0.2);
    expect(Math.abs(airmode.allocation.unallocated[0]!)).toBeLessThan(1e-9);
  });

  it("inverts the motors' thrust curve", () => {
    const command = new Float64Array(12);
    for (const f of [0, 0.3, 1]) {
      const { allocation } = allocate(IRIS, [0, 0, 0], -0.36, { THR_MDL_FAC: f });
      allocation.commandInto(command, Int32Array.of(0, 1, 2, 3));
      expect(f * command[0]! ** 2 + (1 - f) * command[0]!).toBeCloseTo(0.36, 12);
    }
  });

  it("limits the change of a motor with CA_R0_SLEW", () => {
    const { motors } = allocate(IRIS, [0, 0, 0], -0.5, { CA_R0_SLEW: 0.1 });
    expect(motors[0]).toBeCloseTo(0.04, 12);
    expect(motors[1]).toBeCloseTo(0.5, 12);
  });
});
