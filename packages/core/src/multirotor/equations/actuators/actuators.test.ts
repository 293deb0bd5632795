/** Tests actuators: exact solutions, the rate limit, channel maps, and faults on the duty. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { integrator, rig } from "../../../../../../tests/support/plant.ts";
import { resolveVehicle } from "../../vehicle.ts";
import { builtInVehicles } from "../../../describe/vehicles/index.ts";
import { firstOrderStep, secondOrderStepInto } from "../../../../../../tests/support/exact-actuators.ts";

const firstOrder = (tauS: number) => ({ motorActuator: { kind: "firstOrder", tauS } });
const secondOrder = (rateLimitPerS = 1e9) => ({
  motorActuator: { kind: "secondOrder", naturalRadS: 30, damping: 0.7, rateLimitPerS },
});

describe("first order", () => {
  it("reaches 1 − 1/e after one time constant", () => {
    const testRig = rig("iris-linear", firstOrder(0.05)).input({ motorCommand: [1, 1, 1, 1] });
    testRig.fly(integrator("rk4", testRig.plant, testRig.u), { us: 10_000, steps: 5 });
    expect(testRig.get("motorOutput")[0]).toBeCloseTo(0.632, 3);
    expect(Math.abs(testRig.get("motorOutput")[0]! - (1 - Math.exp(-1)))).toBeLessThan(1e-5);
  });

  it("the exact step gives 1 − e^−½", () => {
    expect(firstOrderStep(0, { command: 1, dtS: 0.05, tauS: 0.1 })).toBeCloseTo(1 - Math.exp(-0.5), 12);
  });

  it("two partial steps equal one whole step", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (dtS, part) => {
          const whole = firstOrderStep(0.3, { command: 0.9, dtS, tauS: 0.02 });
          const half = firstOrderStep(0.3, { command: 0.9, dtS: dtS * part, tauS: 0.02 });
          expect(firstOrderStep(half, { command: 0.9, dtS: dtS * (1 - part), tauS: 0.02 })).toBeCloseTo(whole, 14);
        },
      ),
    );
  });

  it("[D11] a time constant of 0 is rejected and does not freeze the output", () => {
    expect(() => resolveVehicle({ ...builtInVehicles["iris-linear"], ...firstOrder(0) })).toThrow(/PLANT-001.*tauS/);
  });
});

describe("second order", () => {
  it("golden: unit step at 0.1 s is 0.9653009801", () => {
    const state = new Float64Array(2);
    secondOrderStepInto(state, { command: 1, dtS: 0.1, naturalRadS: 30, damping: 0.7 });
    expect(state[0]).toBeCloseTo(0.9653009801, 9);
    const testRig = rig("iris-linear", secondOrder()).input({ motorCommand: [1, 1, 1, 1] });
    testRig.fly(integrator("rk4", testRig.plant, testRig.u), { us: 1000, steps: 100 });
    expect(testRig.get("motorOutput")[0]).toBeCloseTo(state[0]!, 7);
    expect(testRig.get("motorOutputRate")[0]).toBeCloseTo(state[1]!, 5);
  });

  it("the rate never exceeds its limit, under any sequence of commands", () => {
    const limit = 3;
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 20 }), (commands) => {
        const testRig = rig("iris-linear", secondOrder(limit));
        const method = integrator("rk4", testRig.plant, testRig.u);
        for (const command of commands) {
          testRig.input({ motorCommand: [command] });
          testRig.fly(method, { us: 1000, steps: 20 }, () => {
            expect(Math.abs(testRig.get("motorOutputRate")[0]!)).toBeLessThanOrEqual(limit * (1 + 1e-12));
          });
        }
      }),
      { numRuns: 30 },
    );
  });

  it("a step with a rate limit rises at the limit and reaches its target", () => {
    const testRig = rig("iris-linear", secondOrder(2)).input({ motorCommand: [1] });
    const method = integrator("rk4", testRig.plant, testRig.u);
    testRig.fly(method, { us: 1000, steps: 300 });
    // After the rate has built up with its lag 1/(2ζωn), y = 2·(t − 1/42).
    expect(testRig.get("motorOutput")[0]).toBeCloseTo(2 * (0.3 - 1 / 42), 4);
    testRig.fly(method, { us: 1000, steps: 1000 });
    expect(testRig.get("motorOutput")[0]).toBeCloseTo(1, 6);
  });
});

describe("channels, jump and faults", () => {
  const swapped = {
    rotors: [2, 1, 3, 4].map((channel, i) => ({
      ...(builtInVehicles["iris-reference"]!["rotors"] as { positionM: number[]; direction: number }[])[i]!,
      channel,
    })),
  };

  it("motors are driven through their channel", () => {
    const testRig = rig("iris-reference", swapped).input({ motorCommand: [0.1, 0.9, 0.5, 0.5] });
    testRig.plant.jump!(testRig.x, testRig.u);
    expect(testRig.get("motorOutput")).toEqual([0.9, 0.1, 0.5, 0.5]);
    const [first, second] = testRig.rate("rotorSpeed");
    expect(first).toBeGreaterThan(second!);
  });

  it("jump sets direct outputs only, and is idempotent", () => {
    const direct = rig("iris-reference").input({ motorCommand: [0.3, 0.3, 0.3, 0.3] });
    direct.plant.jump!(direct.x, direct.u);
    const once = direct.x.slice();
    direct.plant.jump!(direct.x, direct.u);
    expect(direct.x).toEqual(once);
    const lagging = rig("iris-linear").input({ motorCommand: [1, 1, 1, 1] });
    lagging.plant.jump!(lagging.x, lagging.u);
    expect(lagging.get("motorOutput")).toEqual([0, 0, 0, 0]);
  });

  it("servos are simulated, direct or lagged, without effect on the motion", () => {
    const servos = { servos: [{ channel: 2 }, { channel: 1 }] };
    const direct = rig("iris-reference", servos).input({ servoCommand: [0.4, -0.7] });
    direct.plant.jump!(direct.x, direct.u);
    expect(direct.get("servoOutput")).toEqual([-0.7, 0.4]);
    const lag = rig("iris-reference", { ...servos, servoActuator: { kind: "firstOrder", tauS: 0.1 } }).input({
      servoCommand: [0, 1],
    });
    expect(lag.rate("servoOutput")).toEqual([10, 0]);
    expect(lag.rate("velNed")).toEqual(rig("iris-reference").rate("velNed"));
  });

  it("duty is clamp01(gain·output + offset): partial loss, stuck, noisy, off", () => {
    const current = (gain: number, offset: number) =>
      rig("iris-reference")
        .set({ motorOutput: [0.6, 0, 0, 0], rotorSpeed: [100, 0, 0, 0] })
        .input({ motorGain: [gain], motorOffset: [offset] })
        .outputs().motorCurrent[0]!;
    expect(current(0, 0)).toBe(0);
    expect(current(0.5, 0)).toBeCloseTo(current(0, 0.3), 12);
    expect(current(0.5, 0)).toBeLessThan(current(1, 0));
    expect(current(1, 0.1)).toBeGreaterThan(current(1, 0));
    expect(current(5, 0)).toBe(current(1, 0.4));
  });

  it("with a dead zone, a motor runs at and above the zone's edge, and is off below it", () => {
    const at = (duty: number) =>
      rig("iris-reference")
        .set({ motorOutput: [duty, 0, 0, 0] })
        .outputs().motorCurrent[0]!;
    expect(at(0.02)).toBeGreaterThan(0);
    expect(at(0.0199999)).toBe(0);
  });

  it("a jammed rotor stops in milliseconds, draws nothing, and passes its angular momentum to the airframe", () => {
    const jammed = rig("iris-reference", { contact: { enabled: false } }, undefined)
      .set({ motorOutput: [0.6, 0.6, 0.6, 0.6], rotorSpeed: [200, 200, 200, 200], posNed: [0, 0, -50] })
      .input({ motorJam: [1] });
    expect(jammed.outputs().motorCurrent[0]).toBe(0);
    expect(jammed.rate("rotorSpeed")[0]).toBeCloseTo(-200 / 0.005, 9);
    // The rotor turns with sign −direction. It loses H = −J·Ω·a, which the body gains.
    expect(jammed.rate("rateBody")[2]).toBeLessThan(0);
  });
});
