/**
 * A linear model of a multirotor about a steady flight: ξ̇ = Aξ + Bu, y = Cξ + Du for small deviations, with the
 * stability derivatives and the modes.
 *
 * The matrices are central differences of fourth order of the plant's equations. The batteries' states are held at the
 * operating point.
 */
import { type Complex, eigenvalues, participation } from "../math/eigenvalues.ts";
import type { Multirotor } from "../multirotor/plant.ts";
import type { Coordinate } from "./body-axes.ts";
import { type OperatingPoint, operatingPoint, type SteadyFlight, type SteadyOptions } from "./steady-flight.ts";

type Matrix = readonly (readonly number[])[];

/** One natural motion of the vehicle under constant inputs: an eigenvalue or a conjugate pair. */
interface Mode {
  /** The eigenvalue with the non-negative imaginary part. */
  readonly eigenvalue: Complex;
  /** Number of modes with this eigenvalue: pitch and roll of a symmetric vehicle have equal eigenvalues. */
  readonly count: number;
  /** Magnitude of the eigenvalue. */
  readonly frequencyRadS: number;
  /**
   * Damping ratio: 1 for a mode that decays without oscillating, −1 for a mode that grows without oscillating, in between
   * for a mode that oscillates; 0 for an integrator.
   */
  readonly damping: number;
  /** Time in which the mode decays to 1/e; negative if the mode grows, infinite if it neither decays nor grows. */
  readonly timeConstantS: number;
  /** The states with the largest participation, in descending order. */
  readonly states: readonly { readonly name: string; readonly share: number }[];
}

/** Derivatives of the accelerations at constant rotor speeds. Body axes: x forward, y right, z down. */
interface StabilityDerivatives {
  /** Forces: 1/s. */
  readonly Xu: number;
  readonly Yv: number;
  readonly Zw: number;
  /** Moments with respect to velocity: rad/(m·s). */
  readonly Lv: number;
  readonly Mu: number;
  /** Moments with respect to rate: 1/s. */
  readonly Lp: number;
  readonly Mq: number;
  readonly Nr: number;
}

export interface LinearModel {
  readonly flight: SteadyFlight;
  readonly states: readonly Coordinate[];
  readonly inputs: readonly Coordinate[];
  readonly outputs: readonly Coordinate[];
  /** Values of the states and inputs at the operating point. */
  readonly state: readonly number[];
  readonly input: readonly number[];
  readonly A: Matrix;
  readonly B: Matrix;
  readonly C: Matrix;
  readonly D: Matrix;
  readonly derivatives: StabilityDerivatives;
  readonly modes: readonly Mode[];
}

/** Computes the linear model of a vehicle about a steady flight. */
export function linearise(plant: Multirotor, options: SteadyOptions = {}): LinearModel {
  return linearModel(operatingPoint(plant, options));
}

function linearModel({ axes, xi, inputs, flight }: OperatingPoint): LinearModel {
  const derivatives = (x: readonly number[], u: readonly number[]) => axes.derivatives(x, u);
  const output = (x: readonly number[], u: readonly number[]) => axes.output(x, u);
  const byState = (f: typeof derivatives) => differences((x) => f(x, inputs), xi, axes.states);
  const byInput = (f: typeof derivatives) => differences((u) => f(xi, u), inputs, axes.inputs);
  const A = byState(derivatives);
  const named = ({ name, unit }: Coordinate): Coordinate => ({ name, unit });
  return {
    flight,
    states: axes.states.map(named),
    inputs: axes.inputs.map(named),
    outputs: axes.outputs.map(named),
    state: xi,
    input: inputs,
    A,
    B: byInput(derivatives),
    C: byState(output),
    D: byInput(output),
    derivatives: derivativesIn(A, axes.states),
    modes: modesOf(A, axes.states),
  };
}

/** Relative rounding error of an evaluation of the plant. */
const ROUNDING = 1e-13;

/** Returns the Jacobian of f, by central differences of fourth order. */
function differences(
  f: (at: readonly number[]) => readonly number[],
  at: readonly number[],
  variables: readonly { readonly step: number }[],
): number[][] {
  const columns = variables.map(({ step }, i) => {
    const moved = (steps: number) => f(at.map((value, k) => (k === i ? value + steps * step : value)));
    const [far, near, back, farBack] = [moved(2), moved(1), moved(-1), moved(-2)];
    return near.map((value, row) => {
      const slope = (8 * (value - back[row]) - (far[row] - farBack[row])) / (12 * step);
      const largest = Math.max(Math.abs(far[row]), Math.abs(value), Math.abs(back[row]), Math.abs(farBack[row]));
      // Treat a difference below the rounding error as zero.
      return Math.abs(slope) * step <= ROUNDING * largest ? 0 : slope;
    });
  });
  const size = columns[0].length;
  return Array.from({ length: size }, (_, row) => columns.map((column) => column[row]));
}

function derivativesIn(A: Matrix, states: readonly Coordinate[]): StabilityDerivatives {
  const at = (name: string) => states.findIndex((state) => state.name === name);
  const entry = (row: string, column: string) => A[at(row)][at(column)];
  return {
    Xu: entry("u", "u"),
    Yv: entry("v", "v"),
    Zw: entry("w", "w"),
    Lv: entry("p", "v"),
    Mu: entry("q", "u"),
    Lp: entry("p", "p"),
    Mq: entry("q", "q"),
    Nr: entry("r", "r"),
  };
}

/** The description of a mode lists states with at least this participation. */
const MIN_SHARE = 0.1;

function modesOf(A: Matrix, states: readonly Coordinate[]): Mode[] {
  const modes: Mode[] = [];
  for (const eigenvalue of eigenvalues(A).filter(({ im }) => im >= 0)) {
    const last = modes.at(-1);
    if (last !== undefined && isSame(last.eigenvalue, eigenvalue))
      modes[modes.length - 1] = { ...last, count: last.count + 1 };
    else modes.push(modeOf(A, eigenvalue, states));
  }
  return modes;
}

/**
 * Whether two eigenvalues are equal up to rounding. Rounding separates a double eigenvalue by about the square root of
 * the relative rounding error.
 */
function isSame(a: Complex, b: Complex): boolean {
  const size = Math.sqrt(a.re * a.re + a.im * a.im);
  return Math.abs(a.re - b.re) + Math.abs(a.im - b.im) <= 1e-6 * size;
}

function modeOf(A: Matrix, eigenvalue: Complex, states: readonly Coordinate[]): Mode {
  const { re, im } = eigenvalue;
  const frequencyRadS = Math.sqrt(re * re + im * im);
  const shares = participation(A, eigenvalue)
    .map((share, i) => ({ name: states[i].name, share }))
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((a, b) => b.share - a.share);
  return {
    eigenvalue,
    count: 1,
    frequencyRadS,
    damping: frequencyRadS === 0 ? 0 : -re / frequencyRadS,
    timeConstantS: re === 0 ? Infinity : -1 / re,
    states: shares,
  };
}
