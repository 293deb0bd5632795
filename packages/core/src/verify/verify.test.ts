/** Checks the verification problems against published numbers and their invariants, and flies them with the engine. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Flight, flyNow } from "../engine/index.ts";
import { integratorKinds } from "../integrate/index.ts";
import { jacobi, inverseJacobi, quarterPeriod } from "./elliptic.ts";
import { torqueFreeBody, tumblingBrick } from "./free-top.ts";
import { verdictOf, verificationProblems, verificationTable, verify, type VerificationProblem } from "./index.ts";
import { circularOrbit } from "./kepler.ts";
import { harmonicOscillator } from "./oscillator.ts";
import { smallPendulum } from "./pendulum.ts";
import { oscillatorRotorBattery } from "./powertrain.ts";
import { angleBetween, rotate } from "./rotation.ts";

const kindNamed = (name: string) => integratorKinds.find((kind) => kind.name === name)!;

function solutionAt(problem: VerificationProblem, tUs: number): Float64Array {
  const x = new Float64Array(problem.plant.layout.size);
  problem.solutionInto(x, tUs);
  return x;
}

/** Returns the problem over a shorter time, compared only at its end. */
function until(problem: VerificationProblem, endUs: number): VerificationProblem {
  return { ...problem, endUs, sampleUs: endUs };
}

describe.each(verificationProblems.map((problem) => [problem.name, problem] as const))("%s", (_name, problem) => {
  it("starts at the initial value of its solution", () => {
    const x = new Float64Array(problem.plant.layout.size);
    problem.plant.initialInto(x);
    solutionAt(problem, 0).forEach((value, i) => expect(value).toBeCloseTo(x[i]!, 14));
  });

  it("has a solution that solves its own equation: central differences against the right-hand side", () => {
    const { plant, endUs } = problem;
    const dx = new Float64Array(plant.layout.size);
    for (const tUs of [0.07, 0.31, 0.83].map((part) => Math.round(part * endUs))) {
      const stepUs = 20;
      plant.derivativesInto(dx, Float64Array.of(tUs / 1e6), solutionAt(problem, tUs), new Float64Array(64));
      const before = solutionAt(problem, tUs - stepUs);
      const after = solutionAt(problem, tUs + stepUs);
      // q and −q are the same attitude.
      const sameSide = (x: Float64Array) =>
        x[0]! * before[0]! < 0 && plant.layout.blocks[0]!.kind === "attitude" ? -1 : 1;
      const middleSide = sameSide(solutionAt(problem, tUs));
      dx.forEach((slope, i) => {
        const flip = plant.layout.blocks[0]!.kind === "attitude" && i < 4;
        const difference = ((flip ? sameSide(after) : 1) * after[i]! - before[i]!) / (2 * stepUs * 1e-6);
        const scale = Math.max(1, Math.abs(slope));
        expect(Math.abs(difference - (flip ? middleSide : 1) * slope) / scale).toBeLessThan(2e-5);
      });
    }
  });

  it("has constant invariants along its solution", () => {
    for (const { valueOf, scale } of problem.invariants) {
      const first = valueOf(solutionAt(problem, 0), 0);
      for (let part = 1; part <= 10; part += 1) {
        const tUs = Math.round((part / 10) * problem.endUs);
        expect(Math.abs(valueOf(solutionAt(problem, tUs), tUs) - first) / scale).toBeLessThan(1e-13);
      }
    }
  });

  it("[D21] has an end, a sampling period and a step in whole microseconds, each a multiple of the next", () => {
    const { endUs, sampleUs, stepUs } = problem;
    expect([endUs, sampleUs, stepUs].every((timeUs) => Number.isSafeInteger(timeUs) && timeUs > 0)).toBe(true);
    expect(endUs % sampleUs).toBe(0);
    expect(sampleUs % stepUs).toBe(0);
  });

  it("has less than a fiftieth of Euler's error with RK4, and an error below 3e-8 with RK45", () => {
    const errors = ["euler", "rk4", "rk45"].map((name) => verify(problem, kindNamed(name)).error);
    expect(errors[1]).toBeLessThan(errors[0]! / 50);
    expect(errors[2]).toBeLessThan(3e-8);
    expect(errors.every(Number.isFinite)).toBe(true);
  });
});

describe("published and computed numbers", () => {
  it("oscillator: RK4 with 10 ms is off by 4.2708e-8 after a second and loses 8.5415e-7 of its energy in ten", () => {
    const row = verify(until(harmonicOscillator, 1_000_000), kindNamed("rk4"));
    expect(row.blocks.displacement).toBeCloseTo(4.2708e-8, 11);
    expect(verify(harmonicOscillator, kindNamed("rk4")).drift).toBeCloseTo(8.5415e-7, 10);
  });

  it("oscillator: Euler with 10 ms is off by 0.2177 and gains 48.29 % of energy in a second", () => {
    const row = verify(until(harmonicOscillator, 1_000_000), kindNamed("euler"));
    expect(row.blocks.displacement).toBeCloseTo(0.2177, 4);
    expect(row.drift).toBeCloseTo(0.4829, 4);
  });

  it("oscillator: rounding the steps to whole microseconds causes no drift in intervals of 0.4 ms", () => {
    const row = verify({ ...harmonicOscillator, endUs: 500_000, sampleUs: 400, stepUs: 400 }, kindNamed("rk45"));
    expect(row.blocks.displacement).toBeLessThan(1e-12);
    expect(row.blocks.speed).toBeLessThan(1e-12);
  });

  it("[D22] orbit: RK4 is off by 1.5223e-9 at 6.28 s, and the solution is compared at 6.28 s too, not at 2π s", () => {
    const row = verify(until(circularOrbit, 6_280_000), kindNamed("rk4"));
    expect(row.blocks.position).toBeCloseTo(1.5223e-9, 12);
    expect(row.blocks.velocity).toBeCloseTo(1.5217e-9, 12);
    expect(row.drift).toBeCloseTo(1.745e-11, 13);
  });

  it("pendulum: at an amplitude of 0.1 rad the small-angle cosine differs from the solution by 3.65e-6 rad", () => {
    const omega = Math.sqrt(9.80665);
    const angle = solutionAt(smallPendulum, 2_010_000)[0]!;
    expect(Math.abs(angle - 0.1 * Math.cos(omega * 2.01))).toBeCloseTo(3.6506e-6, 9);
  });

  it("torque-free body: rates and attitude after 2 s, energy 5.25, angular momentum (2, 2, 1.5)", () => {
    const x = solutionAt(torqueFreeBody, 2_000_000);
    const rates = [-0.46385490814, -2.9511068678, 1.64963359763];
    rates.forEach((rate, i) => expect(x[4 + i]).toBeCloseTo(rate, 10));
    const q = [-0.36595363856, 0.39453004569, -0.11951474404, -0.83435016835];
    expect(angleBetween(x, q)).toBeLessThan(1e-10);
    const values = torqueFreeBody.invariants.map(({ valueOf }) => valueOf(x, 2_000_000));
    [5.25, 2, 2, 1.5].forEach((value, i) => expect(values[i]).toBeCloseTo(value, 12));
  });

  it("rotors: the error of RK4 with 4 ms is largest after the first step, 1.996 rad/s, and decays to zero", () => {
    const errorOf = (problem: VerificationProblem) => verify(problem, kindNamed("rk4")).blocks.rotorSpeed!;
    const [first, second, fourth, last] = [4_000, 8_000, 16_000, 2_000_000].map((tUs) =>
      errorOf(until(oscillatorRotorBattery, tUs)),
    );
    expect(first).toBeCloseTo(1.996, 3);
    expect(errorOf(oscillatorRotorBattery)).toBe(first);
    expect(second).toBeLessThan(first!);
    expect(fourth).toBeLessThan(second!);
    expect(last).toBe(0);
  });

  it("rotors: a 20 ms interval is stable, because the error of the rotors controls the step", () => {
    const row = verify({ ...oscillatorRotorBattery, sampleUs: 20_000, stepUs: 20_000 }, kindNamed("rk45"));
    expect(row.blocks.rotorSpeed).toBeLessThan(1e-4);
  });
});

describe("NASA/TM-2015-218675, check case 2", () => {
  const rows = readFileSync(new URL("../../../../tests/fixtures/nasa-6dof-check-cases.csv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const column = (row: readonly string[], name: string) => Number(row[rows[0]!.indexOf(name)]);
  const simulators = rows.filter((row) => row[0] === "Atmos_02_TumblingBrickNoDamping");
  const [sim04] = simulators.filter((row) => row[1] === "04");
  const DEG = Math.PI / 180;

  it("rates agree to 1e-9 deg/s with simulator 04 of the report", () => {
    const x = solutionAt(tumblingBrick, 30_000_000);
    ["Roll", "Pitch", "Yaw"].forEach((name, i) => {
      const published = column(sim04!, `bodyAngularRateWrtEi_deg_s_${name}`);
      expect(Math.abs(x[4 + i]! / DEG - published)).toBeLessThan(1e-9);
    });
  });

  it("attitude agrees to 1e-7 deg after removing the rotation of the local horizon with the Earth", () => {
    const x = solutionAt(tumblingBrick, 30_000_000);
    // At the equator the local frame turns about its north axis, by the Earth's rotation and the drift in longitude.
    const turn = 7.292115e-5 * 30 + column(sim04!, "longitude_deg") * DEG;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const local = ([n, e, d]: readonly number[]) => [n!, c * e! + s * d!, -s * e! + c * d!];
    const forward = local(rotate(x, [1, 0, 0]));
    const right = local(rotate(x, [0, 1, 0]));
    const down = local(rotate(x, [0, 0, 1]));
    const angles = [Math.atan2(forward[1]!, forward[0]!), Math.asin(-forward[2]!), Math.atan2(right[2]!, down[2]!)];
    ["Yaw", "Pitch", "Roll"].forEach((name, i) => {
      expect(Math.abs(angles[i]! / DEG - column(sim04!, `eulerAngle_deg_${name}`))).toBeLessThan(1e-7);
    });
  });
});

describe("elliptic functions", () => {
  it("agree with tabulated values (Abramowitz & Stegun, tables 17.1 and 16.4)", () => {
    expect(quarterPeriod(0)).toBeCloseTo(Math.PI / 2, 15);
    expect(quarterPeriod(0.5)).toBeCloseTo(1.854074677301372, 14);
    expect(quarterPeriod(0.9)).toBeCloseTo(2.578092113348173, 14);
    const { sn, cn, dn } = jacobi(0.2, 0.81);
    expect([sn, cn, dn].map((value) => value.toFixed(5))).toEqual(["0.19762", "0.98028", "0.98406"]);
  });

  it("are inverse to each other over the whole circle", () => {
    for (let u = -3.6; u <= 3.6; u += 0.37) {
      const { sn, cn } = jacobi(u, 0.5);
      expect(inverseJacobi(sn, cn, 0.5)).toBeCloseTo(u, 12);
    }
  });
});

describe("verdicts", () => {
  it("fail if the error or the drift is above its limit", () => {
    const row = verify(harmonicOscillator, kindNamed("rk4"));
    expect(verdictOf(row)).toEqual({ verdict: "pass", errorLimit: 8.6e-6, driftLimit: 8.6e-7 });
    expect(verdictOf({ ...row, error: 9e-6 }).verdict).toBe("fail");
    expect(verdictOf({ ...row, drift: 9e-7 }).verdict).toBe("fail");
    expect(verdictOf({ ...row, error: NaN }).verdict).toBe("fail");
    expect(verdictOf({ ...row, integrator: "mine" })).toEqual({ verdict: "no limit" });
  });

  it("exist for every built-in integrator on every problem", () => {
    const pairs = verificationProblems.flatMap(({ name: problem }) =>
      integratorKinds.map(({ name: integrator }) => ({ problem, integrator })),
    );
    for (const pair of pairs)
      expect({ ...pair, ...verdictOf({ ...pair, error: 0, drift: 0 }) }).toMatchObject({ verdict: "pass" });
  });
});

describe("the runner", () => {
  it("gives the same rows and the same text twice", () => {
    const rows = () => integratorKinds.map((kind) => verify(until(harmonicOscillator, 200_000), kind));
    expect(rows()).toEqual(rows());
    const lines = verificationTable(rows()).split("\n");
    expect(lines[0]).toMatch(/^problem +integrator +error +invariant drift +evaluations$/);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });

  it("[D4] measures attitude errors far below the resolution of an arc cosine", () => {
    const half = 0.5e-13;
    const error = angleBetween([1, 0, 0, 0], [1, half, 0, 0]);
    expect(error).toBeCloseTo(1e-13, 20);
    expect(angleBetween([1, 0, 0, 0], [-1, -half, 0, 0])).toBeCloseTo(1e-13, 20);
  });

  it("flies problems with the engine, including its boundaries, intervals and end", () => {
    const flight = new Flight({
      endUs: 1_000_000,
      plant: harmonicOscillator.plant,
      integrator: (context) => kindNamed("rk4").make({ attitude: "normalise", substepUs: 0 } as never, context),
      physicsPeriodUs: 2_000,
    });
    expect(flyNow(flight)).toMatchObject({ endUs: 1_000_000, boundaries: 501, intervals: 500 });
  });
});
