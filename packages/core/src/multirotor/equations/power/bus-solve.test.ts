/**
 * Tests the exact bus solve: numbers of PX4Lockstep.jl, random circuits against bisection, and circuits without a
 * solution.
 */
import { describe, expect, it } from "vitest";
import { bisect, type Circuit, demand, solve, supply } from "../../../../../../tests/support/circuit.ts";
import { rig } from "../../../../../../tests/support/plant.ts";
import { volume } from "../../../../../../tests/support/volume.ts";

const four = (speed: number, duty: number, max = 60) => Array.from({ length: 4 }, () => ({ speed, duty, max }));
const near = (actual: number, expected: number, relative = 1e-12) =>
  expect(Math.abs(actual - expected), `${actual} against ${expected}`).toBeLessThanOrEqual(
    relative * Math.abs(expected),
  );

describe("golden circuits", () => {
  it("all motors within their limits", () => {
    const circuit: Circuit = { motors: four(100, 0.5), packs: [{ volts: 12.6, ohm: 0.05, cutoff: 8 }] };
    near(solve(circuit).volts, 10.8162600068354);
    near(demand(circuit, solve(circuit).volts), 35.6747998632913);
  });

  it.each([
    [0.2, 15.4940711462451, 10.1185770751],
    [0.4, 14.1516245487365, 36.9675090253],
  ])("stalled at duty %f", (duty, volts, amps) => {
    const circuit: Circuit = { motors: four(0, duty), packs: [{ volts: 16, ohm: 0.05 }] };
    near(solve(circuit).volts, volts);
    near(demand(circuit, solve(circuit).volts), amps, 1e-11);
  });

  it("back-EMF above the duty's voltage draws nothing", () => {
    const { volts, currents } = solve({ motors: four(400, 0.2), packs: [{ volts: 12.6, ohm: 0.05, cutoff: 8 }] });
    expect(volts).toBe(12.6);
    expect(currents[0]).toBe(0);
  });

  it("saturated motors, and motors in different regimes", () => {
    const saturated: Circuit = { motors: four(0, 1, 5), packs: [{ volts: 12.6, ohm: 0.02 }] };
    near(solve(saturated).volts, 12.1918367346939);
    near(demand(saturated, solve(saturated).volts), 20.4081632653061);
    const mixed: Circuit = {
      motors: [0.9, 0.5, 0.3, 0.8].map((duty, i) => ({ duty, speed: 200 * i })),
      packs: [{ volts: 16, ohm: 0.05 }],
    };
    near(solve(mixed).volts, 12.79094071469);
    near(demand(mixed, solve(mixed).volts), 64.1811857061991);
  });

  it("a circuit for which the iteration of PX4Lockstep.jl alternates between two regions is solved exactly", () => {
    const circuit: Circuit = {
      motors: [
        { speed: 750, duty: 1, ohm: 0.09, max: 24 },
        { speed: 1400, duty: 0.6, ohm: 0.1, max: 24 },
      ],
      packs: [{ volts: 16, ohm: 0.44 }],
    };
    near(solve(circuit).volts, 9.156552757559568, 1e-14);
    near(demand(circuit, solve(circuit).volts), 15.55328918736461, 1e-13);
  });

  it("[D10] the cut-off is not a stiff source: current is limited and the bus browns out", () => {
    // PX4Lockstep.jl holds 8 V here and draws 130.6 A, 1.93 V more than the circuit allows.
    const circuit: Circuit = { motors: four(0, 1), packs: [{ volts: 12.6, ohm: 0.05, cutoff: 8 }] };
    const { volts, currents } = solve(circuit);
    near(currents[0]!, (12.6 - 8) / 0.05);
    near(volts, 92 / (4 / 0.25 / 0.98));
    const free = solve({ ...circuit, packs: [{ volts: 12.6, ohm: 0.05 }] });
    near(free.volts, 12.6 / (1 + 0.05 * (4 / 0.25 / 0.98)));
  });

  it("[D10] packs of equal voltage share the current according to their resistances; constant power is exact", () => {
    const circuit: Circuit = {
      packs: [
        { volts: 12, ohm: 0.05 },
        { volts: 12, ohm: 0.1 },
      ],
      power: 12,
    };
    const { volts, currents } = solve(circuit);
    // PX4Lockstep.jl linearises P/V at 12 V: 11.9666666667. Exact: V² − 12V + P/30 = 0.
    near(volts, 6 + Math.sqrt(36 - 12 / 30), 1e-14);
    near(currents[0]! + currents[1]!, 12 / volts);
    near(currents[0]! / currents[1]!, 2, 1e-9);
  });

  it("[D10] packs of different voltage share the current by Kirchhoff's law: one charges the other", () => {
    // Four saturated motors draw 40 A in all.
    const motors = Array.from({ length: 4 }, () => ({ speed: 0, duty: 1, max: 9.8 }));
    const { volts, currents } = solve({
      motors,
      packs: [
        { volts: 12.6, ohm: 0.02 },
        { volts: 11.4, ohm: 0.02 },
      ],
    });
    near(volts, 11.6);
    near(currents[0]!, 50);
    near(currents[1]!, -10, 1e-11);
  });
});

/** Returns a deterministic generator for the large loop, because fast-check would take a minute for as many numbers. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function randomCircuit(next: () => number, power: boolean): Circuit {
  const between = (low: number, high: number) => low + (high - low) * next();
  const volts = between(6, 26);
  return {
    motors: Array.from({ length: Math.floor(between(0, 9)) }, () => ({
      speed: next() < 0.2 ? 0 : between(0, 1800),
      duty: next() < 0.1 ? 0 : between(0.02, 1),
      ohm: between(0.02, 0.5),
      max: between(3, 80),
      kv: between(300, 2000),
      efficiency: between(0.7, 1),
    })),
    packs: Array.from({ length: 1 + Math.floor(between(0, 3)) }, () => ({
      volts: volts + between(-1, 1),
      ohm: between(0.004, 0.6),
      cutoff: next() < 0.5 ? 0 : between(0.3, 1.02) * volts,
    })),
    power: power ? between(0, 60) : 0,
  };
}

describe("random circuits", () => {
  it("without constant power agree with bisection", () => {
    const next = generator(7);
    for (let k = 0; k < volume(10_000, 70_000); k += 1) {
      const circuit = randomCircuit(next, false);
      const { volts, status, currents } = solve(circuit);
      const expected = bisect(circuit)!;
      // If the balance is flat (all packs at their limit, no motor drawing), a range of voltages solves it; take the
      // highest.
      const total = currents.reduce((sum, current) => sum + current, 0);
      const unbalanced = Math.abs(total - demand(circuit, volts)) > 1e-9 * (1 + Math.abs(total));
      if (status !== 0 || unbalanced || !(Math.abs(volts - expected) <= 1e-9)) {
        throw new Error(`${volts} V, bisection ${expected} V: ${JSON.stringify(circuit)}`);
      }
    }
  });

  it("with constant power have a root that balances, and none above it", () => {
    const next = generator(11);
    let without = 0;
    for (let k = 0; k < volume(8000, 40_000); k += 1) {
      const circuit = randomCircuit(next, true);
      const { volts, status } = solve(circuit);
      const expected = k % 10 === 0 || status !== 0 ? bisect(circuit) : undefined;
      if (status !== 0) {
        without += 1;
        expect(expected).toBeUndefined();
        continue;
      }
      const slack = 1e-9 * (1 + demand(circuit, volts)) + 1e-10;
      const residual = Math.abs(supply(circuit, volts) - demand(circuit, volts));
      if (!(residual < slack)) throw new Error(`${volts} V leaves ${residual} A: ${JSON.stringify(circuit)}`);
      if (expected !== undefined && Math.abs(volts - expected) > 1e-8) {
        // The coarse scan of `bisect` may miss a pair of roots between two of its points; the solver must find it.
        expect(volts).toBeGreaterThan(expected);
      }
    }
    expect(without).toBeGreaterThan(100);
  });
});

describe("limits of a circuit", () => {
  it("constant power can be drawn up to V0²/4R", () => {
    const limit = (12 * 12) / (4 * 0.5);
    const at = (power: number) => solve({ packs: [{ volts: 12, ohm: 0.5 }], power });
    expect(at(limit * (1 - 1e-9)).volts).toBeGreaterThanOrEqual(6);
    expect(at(limit * (1 - 1e-9)).status).toBe(0);
    expect(at(limit * (1 + 1e-9)).status).toBe(1);
  });

  it("with a brown-out voltage the constant power is shed instead", () => {
    const { volts, status, served } = solve({ packs: [{ volts: 12, ohm: 0.5 }], power: 100, brownOut: 4.5 });
    expect([volts, status, served]).toEqual([12, 0, 0]);
    expect(solve({ packs: [{ volts: 12, ohm: 0.5 }], power: 40, brownOut: 4.5 }).served).toBe(40);
  });

  it("an impossible circuit in a flight is a typed error with the whole circuit in it", () => {
    const testRig = rig("iris-reference", { buses: [{ name: "main", avionicsW: 5000, brownOutV: 0 }] });
    expect(() => testRig.outputs()).toThrow(/PLANT-002.*5000 W; battery 1: source 12.6 V.*motor 4: duty 0/);
  });

  it("a value that is not finite is a typed error, not a NaN in the state", () => {
    const testRig = rig("iris-reference").set({ rotorSpeed: [Number.NaN, 0, 0, 0], motorOutput: [0.5, 0.5, 0.5, 0.5] });
    expect(() => testRig.outputs()).toThrow(/PLANT-002.*NaN/);
    // In a trial step, the same state makes the step fail.
    expect(testRig.rate("velNed")).toEqual([NaN, NaN, NaN]);
  });
});
