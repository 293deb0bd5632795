/**
 * The DETEST problems of classes A, B, F1, F3 and F4, flown by the registered integrators with step control.
 *
 * Right-hand sides, initial values and true solutions are those of Hull, Enright, Fellen & Sedgwick (1972) and Enright
 * & Pryce (ACM Algorithm 648, 1987). A file in tests/fixtures contains the values of the classes A, B and F1. The
 * independent variable is time in seconds; tolerances are absolute, as in the original. The table in the docs and the
 * test that checks it both use this module.
 */
import { readFileSync } from "node:fs";
import { makeIntegrator, plain, spanUs, type Derivatives } from "./dynamics.ts";

interface Fixture {
  readonly xend: number;
  readonly truth: { readonly [problem: string]: readonly number[] };
  readonly y0: { readonly [problem: string]: readonly number[] };
}

const fixture = JSON.parse(
  readFileSync(new URL("../fixtures/detest-nonstiff.json", import.meta.url), "utf8"),
) as Fixture;

const rightHandSides: { readonly [problem: string]: Derivatives } = {
  A1: (dy, _t, y) => {
    dy[0] = -y[0]!;
  },
  A2: (dy, _t, y) => {
    dy[0] = (-y[0]! * y[0]! * y[0]!) / 2;
  },
  A3: (dy, t, y) => {
    dy[0] = y[0]! * Math.cos(t);
  },
  A4: (dy, _t, y) => {
    dy[0] = (y[0]! / 4) * (1 - y[0]! / 20);
  },
  A5: (dy, t, y) => {
    dy[0] = (y[0]! - t) / (y[0]! + t);
  },
  B1: (dy, _t, y) => {
    dy[0] = 2 * (y[0]! - y[0]! * y[1]!);
    dy[1] = -(y[1]! - y[0]! * y[1]!);
  },
  B2: (dy, _t, y) => {
    dy[0] = -y[0]! + y[1]!;
    dy[1] = y[0]! - 2 * y[1]! + y[2]!;
    dy[2] = y[1]! - y[2]!;
  },
  B3: (dy, _t, y) => {
    dy[0] = -y[0]!;
    dy[1] = y[0]! - y[1]! * y[1]!;
    dy[2] = y[1]! * y[1]!;
  },
  B4: (dy, _t, y) => {
    const d = Math.sqrt(y[0]! * y[0]! + y[1]! * y[1]!);
    dy[0] = -y[1]! - (y[0]! * y[2]!) / d;
    dy[1] = y[0]! - (y[1]! * y[2]!) / d;
    dy[2] = y[0]! / d;
  },
  B5: (dy, _t, y) => {
    dy[0] = y[1]! * y[2]!;
    dy[1] = -y[0]! * y[2]!;
    dy[2] = -0.51 * y[0]! * y[1]!;
  },
};

/**
 * Problems whose motion a long step can miss: F3, driven by |sin πx| from rest at the origin, and F4, which is flat
 * except for a bump at x = 5.
 */
const barelyVisible: {
  readonly [problem: string]: { y0: readonly number[]; f: Derivatives; truth: readonly number[] };
} = {
  F3: {
    y0: [0, 0],
    f: (dy, t, y) => {
      dy[0] = y[1]!;
      dy[1] = 0.01 * y[1]! * (1 - y[0]! * y[0]!) - y[0]! - Math.abs(Math.sin(Math.PI * t));
    },
    // scipy 1.17, solve_ivp with DOP853 at rtol 1e-13 and atol 1e-15, restarted at every whole second.
    truth: [-0.37269575530882326, -0.6230137949234128],
  },
  F4: {
    y0: [1],
    f: (dy, t) => {
      const far = 1 + 4 * (t - 5) * (t - 5);
      dy[0] = -2 / 21 - (120 * (t - 5)) / far ** 16;
    },
    truth: [1 - 40 / 21 + 901 ** -15 - 101 ** -15],
  },
};
export const barelyVisibleProblems: readonly string[] = Object.keys(barelyVisible);

/**
 * Returns the largest error at the end. If a step misses the motion, the error does not decrease with the tolerance.
 */
export function runBarelyVisible(integrator: string, problem: string, tolerance: number): number {
  const { y0, f, truth } = barelyVisible[problem]!;
  const y = Float64Array.from(y0);
  const method = makeIntegrator(integrator, plain(y.length, f, { absolute: tolerance }), { atMinimum: "accept" });
  method.advance(spanUs(0, END_US), y);
  return Math.max(...truth.map((value, i) => Math.abs(y[i]! - value)));
}

/** Computes problem F1 with a force that is +1 in even seconds and −1 in odd ones. */
function forcedOscillator(dy: Float64Array, y: Float64Array, force: number): void {
  dy[0] = y[1]!;
  dy[1] = 0.2 * y[1]! - (Math.PI * Math.PI + 0.01) * y[0]! + force;
}

const forceAt = (seconds: number) => (Math.floor(seconds) % 2 === 0 ? 1 : -1);

export const detestProblems: readonly string[] = Object.keys(rightHandSides);
export const detestTolerances: readonly number[] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];

export interface DetestResult {
  /** Largest error of a component at the end. */
  readonly error: number;
  readonly evaluations: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly forced: number;
}

const END_US = fixture.xend * 1e6;

export function runDetest(integrator: string, problem: string, tolerance: number): DetestResult {
  const y = Float64Array.from(fixture.y0[problem]!);
  const method = makeIntegrator(integrator, plain(y.length, rightHandSides[problem]!, { absolute: tolerance }));
  method.advance(spanUs(0, END_US), y);
  return { error: errorAtEnd(problem, y), ...method.stats };
}

/**
 * Solves F1, whose force jumps every second. If the jumps are inside the right-hand side, step control must find
 * them. If they are at boundaries, the force is an input that changes only between intervals.
 */
export function runF1(integrator: string, tolerance: number, jumps: "inside" | "atBoundaries"): DetestResult {
  const y = Float64Array.from(fixture.y0.F1!);
  const u = new Float64Array(1);
  const areInside = jumps === "inside";
  const plant = plain(2, (dy, t, x) => forcedOscillator(dy, x, areInside ? forceAt(t) : u[0]!), {
    absolute: tolerance,
  });
  // The same first step for both, a twentieth of the period, so that they differ only in how they treat the jumps.
  const given = { firstStepUs: 100_000, atMinimum: areInside ? "accept" : "error" };
  const method = makeIntegrator(integrator, plant, given, u);
  const intervalUs = areInside ? END_US : 1e6;
  for (let us = 0; us < END_US; us += intervalUs) {
    u[0] = forceAt(us / 1e6);
    method.advance(spanUs(us, us + intervalUs), y);
  }
  return { error: errorAtEnd("F1", y), ...method.stats };
}

function errorAtEnd(problem: string, y: Float64Array): number {
  return Math.max(...fixture.truth[problem]!.map((truth, i) => Math.abs(y[i]! - truth)));
}
