/** Tests descent: the root of the balance, the thrust lost in the vortex ring state, and states without a loss. */
import { describe, expect, it } from "vitest";
import { referenceEnvironment, type Rig, rig, uniformAir } from "../../../../../../tests/support/plant.ts";
import { airInto } from "../air/air.ts";
import { searchInflowInto } from "./descent.ts";
import { momentumRotorsInto } from "./momentum.ts";

const RHO = 1.225;
const AREA = Math.PI * 0.127 * 0.127;
const AIR = referenceEnvironment({ atmosphere: uniformAir(RHO) });
const SPEED = 480;

const iris = (momentum: object = {}) => rig("iris", { propulsion: { momentum }, contact: { enabled: false } }, AIR);

/** Returns the scratch after an evaluation high above the ground. */
function evaluate(testRig: Rig, sink: number, forward = 0) {
  const { w, x, u, vehicle } = testRig.views();
  const rotorSpeed = Array.from({ length: testRig.plant.dims.rotors }, () => SPEED);
  testRig.set({ posNed: [0, 0, -1000], velNed: [forward, 0, sink], rotorSpeed });
  airInto(w, x, u, vehicle);
  momentumRotorsInto(w, x, u, vehicle);
  return w;
}

const thrust = (testRig: Rig, sink: number, forward = 0) => evaluate(testRig, sink, forward).thrust[0]!;

describe("the induced velocity in descent", () => {
  it.each(["iris", "x500", "hexa", "octa"])(
    "%s: steps and search find the same root at every rate of descent",
    (name) => {
      const testRig = rig(name, { propulsion: { momentum: { vortexRingLoss: 0, vortexRingUnsteadiness: 0 } } });
      for (let sink = 0; sink <= 15; sink += 0.05) {
        for (const forward of [0, 2, 9]) {
          const found = evaluate(testRig, sink, forward);
          const [inflow, coefficient] = [found.inflow[0]!, found.thrustCoefficient[0]!];
          searchInflowInto(found, testRig.plant.constants, 0);
          expect(Math.abs(inflow - found.inflow[0]!), `${sink} m/s`).toBeLessThan(2e-11);
          expect(Math.abs(coefficient - found.thrustCoefficient[0]!), `${sink} m/s`).toBeLessThan(2e-11);
        }
      }
    },
  );

  it("follows momentum theory up to a descent at 5 % of the induced velocity, and the correction begins smoothly there", () => {
    const testRig = iris({ vortexRingLoss: 0 });
    const induced = (sink: number) => evaluate(testRig, sink).inducedVelocity[0]!;
    const disagreement = (sink: number) => {
      const { thrust: t, inducedVelocity: v } = evaluate(testRig, sink);
      return 1 - t[0]! / (2 * RHO * AREA * v[0]! * (v[0]! - sink));
    };
    const onset = 0.05 * induced(0.3);
    expect(Math.abs(disagreement(0.9 * onset))).toBeLessThan(1e-12);
    // The correction is of fourth order beyond the onset: at twice the distance it is sixteen times as large.
    const [near, far] = [disagreement(onset + 0.1), disagreement(onset + 0.2)];
    expect(Math.log2(far / near)).toBeGreaterThan(3.6);
    expect(Math.log2(far / near)).toBeLessThan(4.4);
  });
});

describe("the vortex ring", () => {
  const [testRig, lossless] = [iris(), iris({ vortexRingLoss: 0, vortexRingUnsteadiness: 0 })];
  const hover = Math.sqrt(thrust(testRig, 0) / (2 * RHO * AREA));

  it("reduces the thrust at constant speed, most at about the induced velocity of hover", () => {
    const lost = (sink: number) => 1 - thrust(testRig, sink * hover) / thrust(lossless, sink * hover);
    const sinks = Array.from({ length: 200 }, (_, k) => 0.01 * k);
    const worst = sinks.reduce((best, sink) => (lost(sink) > lost(best) ? sink : best));
    expect(worst).toBeGreaterThan(0.95);
    expect(worst).toBeLessThan(1.15);
    expect(lost(worst)).toBeCloseTo(0.25, 3);
    expect(thrust(testRig, worst * hover)).toBeLessThan(0.92 * thrust(testRig, 0));
  });

  it("has no effect in climb, in hover, in slow descent and in the windmill state", () => {
    for (const sink of [-3, -0.5, 0, 0.09, 2.4, 3])
      expect(thrust(testRig, sink * hover)).toBe(thrust(lossless, sink * hover));
    expect(thrust(testRig, 0.3 * hover) / thrust(lossless, 0.3 * hover)).toBeGreaterThan(0.995);
  });

  it("is carried away by forward flight", () => {
    const lost = (forward: number) => {
      const state = [1.1 * hover, forward * hover] as const;
      return 1 - thrust(testRig, ...state) / thrust(lossless, ...state);
    };
    expect(lost(0)).toBeGreaterThan(0.2);
    expect(lost(1.5)).toBeLessThan(0.03);
  });

  it("makes the thrust unsteady in proportion to the input", () => {
    const calm = thrust(testRig, 1.04 * hover);
    testRig.input({ wakeUnsteadiness: [1, 0, 0, 0] });
    const disturbed = evaluate(testRig, 1.04 * hover);
    const momentum = thrust(lossless, 1.04 * hover);
    expect((calm - disturbed.thrust[0]!) / momentum).toBeCloseTo(0.075, 3);
    expect(disturbed.thrust[1]).toBe(calm);
    expect(evaluate(testRig, 0).thrust[0]).toBe(evaluate(testRig, 0).thrust[1]);
    testRig.input({ wakeUnsteadiness: [0, 0, 0, 0] });
  });
});
