/** The ground effect of a multirotor exceeds that of its rotors alone, is smooth, and vanishes with height. */
import { describe, expect, it } from "vitest";
import { referenceEnvironment, type Rig, rig, uniformAir } from "../../../../../../tests/support/plant.ts";
import { airInto } from "../air/air.ts";
import { momentumRotorsInto } from "./momentum.ts";

const RADIUS = 0.127;
const AIR = referenceEnvironment({ atmosphere: uniformAir(1.225) });
const x500 = (momentum: object = {}) => rig("x500", { propulsion: { momentum }, contact: { enabled: false } }, AIR);

/** Returns the thrusts at one speed with the hubs `radii` radii above the ground. */
function thrusts(testRig: Rig, radii: number, state: { forward?: number; roll?: number } = {}): number[] {
  const { w, x, u, vehicle } = testRig.views();
  const half = (state.roll ?? 0) / 2;
  const qBodyToNed = [Math.cos(half), Math.sin(half), 0, 0];
  const rotorSpeed = Array.from({ length: testRig.plant.dims.rotors }, () => 500);
  const posNed = [0, 0, -(radii * RADIUS - 0.06)];
  testRig.set({ posNed, velNed: [state.forward ?? 0, 0, 0], qBodyToNed, rotorSpeed });
  airInto(w, x, u, vehicle);
  momentumRotorsInto(w, x, u, vehicle);
  return [...w.thrust.subarray(0, rotorSpeed.length)];
}

const gain = (testRig: Rig, radii: number, state = {}) =>
  thrusts(testRig, radii, state)[0]! / thrusts(testRig, 1e5, state)[0]! - 1;

describe("ground effect of a multirotor", () => {
  const [whole, alone] = [x500(), x500({ groundModel: "rotor" })];

  it("exceeds that of a rotor alone, and most of it is the fountain", () => {
    for (const radii of [1, 2, 3, 5]) {
      const neighbours = gain(x500({ fountain: 0 }), radii);
      expect(neighbours).toBeGreaterThan(gain(alone, radii));
      expect(gain(whole, radii)).toBeGreaterThan(neighbours);
    }
    expect(gain(whole, 2)).toBeGreaterThan(3 * gain(alone, 2));
  });

  it("decreases smoothly with height, and equals that of a rotor alone above 12 radii", () => {
    let before = gain(whole, 2);
    for (let radii = 2.01; radii < 13; radii += 0.01) {
      const now = gain(whole, radii);
      expect(now).toBeLessThan(before);
      expect(before - now).toBeLessThan(2e-3);
      before = now;
    }
    expect(gain(whole, 12)).toBe(gain(alone, 12));
    expect(gain(whole, 11.5) - gain(alone, 11.5)).toBeLessThan(1e-4);
  });

  it("fades with forward flight and can be switched off", () => {
    expect(gain(whole, 2, { forward: 10 })).toBeLessThan(0.5 * gain(whole, 2));
    expect(gain(x500({ groundEffect: false }), 2)).toBeCloseTo(0, 12);
  });

  it("levels a tilted vehicle, because the lower rotors gain more", () => {
    const [right, left] = thrusts(whole, 2.5, { roll: 0.15 }) as [number, number];
    expect(right).toBeGreaterThan(1.005 * left);
  });

  it("does not depend on neighbours if there are none, and stays finite if rotors overlap", () => {
    const single = { rotors: [{ positionM: [0, 0, -0.06], direction: 1, channel: 1 }] };
    const one = rig("x500", { ...single, contact: { enabled: false } }, AIR);
    expect(gain(one, 2)).toBeCloseTo(gain(alone, 2), 12);
    const stacked = Array.from({ length: 12 }, (_, i) => ({ positionM: [0, 0, -0.06], direction: 1, channel: i + 1 }));
    const many = rig("x500", { rotors: stacked, contact: { enabled: false } }, AIR);
    expect(gain(many, 0.5)).toBeGreaterThan(0);
    expect(Number.isFinite(gain(many, 0.5))).toBe(true);
  });
});
