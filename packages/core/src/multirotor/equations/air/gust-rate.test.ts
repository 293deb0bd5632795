/** Rotating air has the same effect as a vehicle that rotates the opposite way. */
import { describe, expect, it } from "vitest";
import { rig } from "../../../../../../tests/support/plant.ts";

const STATE = { posNed: [0, 0, -50], rotorSpeed: [480, 500, 520, 490] };
const TURNED = { qBodyToNed: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] };

const moment = (vehicle: string, rate: number[], gust: number[], more: object = {}) => {
  const testRig = rig(vehicle, { drag: { angularNmSPerRad: [0.01, 0.01, 0.01] } });
  testRig.set({ ...STATE, ...more, rateBody: rate }).input({ gustRateNed: gust });
  return testRig.rate("rateBody");
};

describe.each(["iris", "iris-reference"])("%s", (name) => {
  it("has only gyroscopic moments if it rotates with the air", () => {
    for (const gust of [
      [0.4, 0, 0],
      [0, 0.3, 0],
      [0, 0, 0.5],
    ]) {
      const still = moment(name, [0, 0, 0], [0, 0, 0]);
      const ofAir = moment(name, [0, 0, 0], gust).map((value, i) => value - still[i]!);
      expect(Math.max(...ofAir.map(Math.abs))).toBeGreaterThan(1e-3);
      // If the vehicle rotates with the air, only the gyroscopic moments of its own rate remain.
      const { plant } = rig(name);
      const [xx, yy, zz] = plant.vehicle.inertiaDiagKgM2 as [number, number, number];
      const spin = plant.constants.rotors
        .slice(0, 4)
        .reduce((sum, { spinInertia }, i) => sum + spinInertia * STATE.rotorSpeed[i]!, 0);
      const along = moment(name, gust, gust).map((value, i) => value - still[i]!);
      const [p, q] = gust as [number, number, number];
      const gyroscopic = [-(q * spin) / xx, (p * spin) / yy, 0 / zz];
      along.forEach((value, i) => expect(value).toBeCloseTo(gyroscopic[i]!, 9));
    }
  });

  it("uses the rotation of the air in body axes", () => {
    const level = moment(name, [0, 0, 0], [0.4, 0, 0]);
    const turned = moment(name, [0, 0, 0], [0, 0.4, 0], TURNED);
    level.forEach((value, i) => expect(turned[i]).toBeCloseTo(value, 9));
  });
});

it("rotating air turns the vehicle with it", () => {
  const [roll] = moment("iris", [0, 0, 0], [1, 0, 0], { rotorSpeed: [490, 490, 490, 490] });
  const [still] = moment("iris", [0, 0, 0], [0, 0, 0], { rotorSpeed: [490, 490, 490, 490] });
  expect(roll! - still!).toBeGreaterThan(0.5);
});
