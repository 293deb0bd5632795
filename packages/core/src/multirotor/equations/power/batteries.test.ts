/** Tests batteries: closed forms, curves, warnings, disconnection, exhaustion and two RC pairs. */
import { describe, expect, it } from "vitest";
import { integrator, rig } from "../../../../../../tests/support/plant.ts";

const pack = (changes: object) => ({
  capacityAh: 2,
  ocvSoc: [0, 1],
  ocvV: [12, 12],
  resistanceOhm: 0.05,
  r1Ohm: 0.1,
  c1F: 100,
  cutoffV: 0,
  ...changes,
});
/** Makes a load of constant current: stalled motors, limited to `amps`·η of winding current together. */
const withLoad = (amps: number, batteries: object[], more: object = {}) =>
  rig("iris-reference", {
    contact: { enabled: false },
    batteries,
    // Each of four stalled motors at duty 1 draws maxCurrent/η from the bus.
    propulsion: { motor: { maxCurrentA: (amps / 4) * 0.98, idleCurrentA: 100 } },
    ...more,
  }).set({ motorOutput: [1, 1, 1, 1] });

describe("one Thévenin pack", () => {
  it("5 A for 10 s follow the closed form at every step", () => {
    const testRig = withLoad(5, [pack({})]);
    const tau = 0.1 * 100;
    testRig.fly(integrator("rk4", testRig.plant, testRig.u), { us: 10_000, steps: 1000 }, (step) => {
      const t = (step + 1) * 0.01;
      if (step % 100 !== 99) return;
      expect(Math.abs(testRig.get("batterySoc")[0]! - (1 - (5 * t) / 7200))).toBeLessThan(1e-12);
      expect(Math.abs(testRig.get("batteryV1")[0]! - 0.5 * (1 - Math.exp(-t / tau)))).toBeLessThan(1e-11);
    });
    expect(testRig.get("batterySoc")[0]).toBeCloseTo(0.99305555556, 10);
    expect(testRig.get("batteryV1")[0]).toBeCloseTo(0.31606027941, 10);
    expect(testRig.outputs().batteryVoltage[0]).toBeCloseTo(11.43393972059, 10);
  });

  it("a second RC pair adds its own polarisation", () => {
    const testRig = withLoad(5, [pack({ r2Ohm: 0.04, c2F: 50 })]);
    testRig.fly(integrator("rk4", testRig.plant, testRig.u), { us: 10_000, steps: 400 });
    expect(testRig.get("batteryV2")[0]).toBeCloseTo(5 * 0.04 * (1 - Math.exp(-4 / 2)), 10);
    expect(testRig.outputs().batteryVoltage[0]).toBeCloseTo(
      12 - 5 * 0.05 - testRig.get("batteryV1")[0]! - testRig.get("batteryV2")[0]!,
      10,
    );
  });

  it("the open-circuit curve is linear between its knots", () => {
    const curve = pack({ ocvSoc: [0, 0.1, 0.5, 0.9, 1], ocvV: [9, 10.8, 11.4, 12.3, 12.6] });
    const testRig = rig("iris-reference", { batteries: [curve], contact: { enabled: false } });
    for (const [soc, volts] of [
      [0, 9],
      [0.05, 9.9],
      [0.1, 10.8],
      [0.3, 11.1],
      [0.7, 11.85],
      [0.95, 12.45],
      [1, 12.6],
    ] as const) {
      testRig.set({ batterySoc: [soc] });
      expect(testRig.outputs().batteryVoltage[0]).toBeCloseTo(volts, 12);
    }
  });

  it("an ideal pack holds its voltage under any load, and its charge still falls", () => {
    const testRig = withLoad(100, [pack({ model: "ideal" })]);
    const outputs = testRig.outputs();
    expect(outputs.batteryVoltage[0]).toBe(12);
    expect(outputs.batteryCurrent[0]).toBeCloseTo(100, 9);
    expect(testRig.rate("batterySoc")[0]).toBeCloseTo(-100 / 7200, 12);
    expect(testRig.rate("batteryV1")[0]).toBe(0);
  });

  it("warnings change at their thresholds, inclusively", () => {
    const testRig = rig("iris-reference");
    const warning = (soc: number) => testRig.set({ batterySoc: [soc] }).outputs().batteryWarning[0];
    const steps = [
      [1, 0],
      [0.1500001, 0],
      [0.15, 1],
      [0.1000001, 1],
      [0.1, 2],
      [0.0500001, 2],
      [0.05, 3],
      [0, 3],
    ] as const;
    for (const [soc, level] of steps) expect([soc, warning(soc)]).toEqual([soc, level]);
  });

  it("the voltage sags in the tick in which the duty steps", () => {
    const testRig = rig("iris-reference").input({ motorCommand: [0.6, 0.6, 0.6, 0.6] });
    expect(testRig.outputs().batteryVoltage[0]).toBe(12.6);
    testRig.plant.jump!(testRig.x, testRig.u);
    const outputs = testRig.outputs();
    expect(outputs.batteryVoltage[0]).toBeLessThan(12);
    expect(outputs.busCurrent[0]).toBeGreaterThan(20);
  });
});

describe("networks", () => {
  it("buses are independent", () => {
    const testRig = rig("iris-reference", {
      batteries: [pack({ resistanceOhm: 0.1 }), pack({ resistanceOhm: 0.1, bus: "aux" })],
      buses: [{ name: "main", avionicsW: 12 }, { name: "aux" }],
    });
    const { busVoltage, batteryVoltage } = testRig.outputs();
    // V² − 12V + 1.2 = 0; PX4Lockstep.jl linearises and gets 11.9.
    expect(busVoltage[0]).toBeCloseTo(6 + Math.sqrt(36 - 1.2), 12);
    expect(busVoltage[1]).toBe(12);
    expect(Array.from(batteryVoltage)).toEqual(Array.from(busVoltage));
  });

  it("initial charge and polarisation are those of each pack", () => {
    const testRig = rig("iris-reference", {
      batteries: [pack({ soc: 0.9, v1V: 0.12 }), pack({ soc: 0.8, v1V: 0.34 })],
    });
    expect(testRig.get("batterySoc")).toEqual([0.9, 0.8]);
    expect(testRig.get("batteryV1")).toEqual([0.12, 0.34]);
  });

  it("[D10] of two parallel packs, the fuller one charges the emptier one: current flows into it, and its charge rises", () => {
    const packs = [pack({ soc: 1 }), pack({ soc: 0.2 })].map((battery) => ({ ...battery, ocvV: [11, 12.6] }));
    const testRig = rig("iris-reference", { batteries: packs });
    const outputs = testRig.outputs();
    expect(outputs.batteryCurrent[0]! + outputs.batteryCurrent[1]!).toBeCloseTo(0, 10);
    expect(outputs.batteryCurrent[1]).toBeLessThan(-1);
    expect(testRig.rate("batterySoc")[1]).toBeGreaterThan(0);
  });

  it("[D10] an empty pack delivers nothing", () => {
    const testRig = withLoad(40, [pack({})]).set({ batterySoc: [0] });
    expect(testRig.outputs().batteryCurrent[0]).toBe(0);
    expect(Math.abs(testRig.rate("batterySoc")[0]!)).toBe(0);
    expect(testRig.outputs().busVoltage[0]).toBe(0);
  });

  it("the pack delivers the current that the bus draws, and outputs are pure", () => {
    const testRig = rig("iris-reference").set({ motorOutput: [0.6, 0.5, 0.6, 0.5], rotorSpeed: [200, 210, 190, 220] });
    const before = testRig.x.slice();
    const first = testRig.outputs();
    const charge = -testRig.rate("batterySoc")[0]! * 5 * 3600;
    expect(first.busCurrent[0]).toBeGreaterThan(10);
    expect(charge).toBeCloseTo(first.busCurrent[0]!, 11);
    expect(testRig.outputs()).toEqual(first);
    expect(testRig.x).toEqual(before);
  });

  it("a disconnected pack has no voltage and no current, keeps its charge, and its V1 decays", () => {
    const testRig = rig("iris-reference")
      .set({ motorOutput: [0.6, 0.6, 0.6, 0.6], rotorSpeed: [100, 100, 100, 100], batteryV1: [0.2] })
      .input({ batteryConnected: [0] });
    const outputs = testRig.outputs();
    expect([
      outputs.batteryVoltage[0],
      outputs.batteryCurrent[0],
      outputs.busVoltage[0],
      outputs.busCurrent[0],
    ]).toEqual([0, 0, 0, 0]);
    expect(Array.from(outputs.motorCurrent)).toEqual([0, 0, 0, 0]);
    expect(outputs.batteryRemaining[0]).toBe(1);
    expect(testRig.rate("batterySoc")[0]).toBeCloseTo(0, 15);
    expect(testRig.rate("batteryV1")[0]).toBeCloseTo(-0.2 / 20, 12);
    expect(testRig.input({ batteryConnected: [1] }).outputs().busVoltage[0]).toBeGreaterThan(9);
  });

  it("a charge that runs out in flight stays at 0; its seam is the negative of the charge", () => {
    const testRig = withLoad(200, [pack({ soc: 0.001, resistanceOhm: 0.005 })]);
    const g = new Float64Array(testRig.plant.seamCount!);
    testRig.plant.seamsInto!(g, testRig.timeS, testRig.x, testRig.u);
    expect(g[0]).toBe(-0.001);
    testRig.fly(integrator("rk4", testRig.plant, testRig.u), { us: 1000, steps: 60 });
    expect(testRig.get("batterySoc")[0]).toBe(0);
    expect(testRig.outputs().batteryWarning[0]).toBe(3);
  });
});
