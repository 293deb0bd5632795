/** Compares the thrust that a chipped blade loses with the integral of its lift over the radius. */
import { expect, it } from "vitest";
import type { PlainObject } from "../../../params/index.ts";
import { rig } from "../../../../../../tests/support/plant.ts";

const hovering = (vehicle: string, changes: PlainObject = {}) =>
  rig(vehicle, changes).set({ posNed: [0, 0, -50], rotorSpeed: [490, 490, 490, 490] });

it.each([
  ["two blades", 2],
  ["three blades", 3],
])(
  "a chipped propeller with %s lacks the lift of its tip, which grows with the square of the radius",
  (_name, blades) => {
    const whole = hovering("iris", { propulsion: { blades } }).outputs();
    const chipped = hovering("iris", { propulsion: { blades } })
      .input({ propellerChip: [0.2] })
      .outputs();
    let lost = 0;
    for (let k = 0; k < 1000; k += 1) lost += (3 * (0.8 + (0.2 * (k + 0.5)) / 1000) ** 2 * 0.2) / 1000;
    expect(chipped.rotorThrust[0]! / whole.rotorThrust[0]!).toBeCloseTo(1 - lost / blades, 7);
    expect(chipped.rotorTorque[0]! / whole.rotorTorque[0]!).toBeCloseTo(1 - lost / blades, 7);
    expect(chipped.rotorThrust[1]).toBe(whole.rotorThrust[1]);
  },
);

it("a chipped propeller tilts the vehicle towards its rotor", () => {
  const { rateDotBody } = hovering("iris")
    .input({ propellerChip: [0.2] })
    .outputs();
  // Rotor 1 is at the front right, so without its lift the right side (roll) and the nose (pitch) sink.
  expect(rateDotBody[0]).toBeGreaterThan(0);
  expect(rateDotBody[1]).toBeLessThan(0);
});
