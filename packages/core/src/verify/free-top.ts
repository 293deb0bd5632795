/**
 * The torque-free rigid body: Euler's equations Iω̇ = −ω × Iω with the attitude q̇ = ½ q ⊗ (0, ω).
 *
 * The rates have a closed form in Jacobi's functions (Landau & Lifshitz, Mechanics, §37). The attitude follows from the
 * angular momentum L, which is fixed in space. The rates give two angles of the attitude, because they determine the
 * direction of L in the body. The third angle is the rotation about L, with the rate
 *
 *   ψ̇ = L (2E − I₃ω₃²) / (L² − I₃²ω₃²),
 *
 * which is integrated by Gauss–Legendre quadrature, independently of the methods under test. Invariants are the kinetic
 * energy and the three components of L in space.
 */
import type { Plant } from "../engine/index.ts";
import { cos, sin } from "../math/index.ts";
import { StateLayout } from "../state/index.ts";
import { inverseJacobi, jacobi } from "./elliptic.ts";
import { block, type Invariant, type VerificationProblem } from "./problem.ts";
import { cross, type Matrix, quaternionOf, rotate, triadAround, type Vector } from "./rotation.ts";

interface FreeTopOptions {
  readonly name: string;
  readonly about: string;
  /** Principal moments about the body axes, all different. */
  readonly inertiaKgm2: Vector;
  readonly rateBody: Vector;
  readonly endUs: number;
  readonly stepUs: number;
}

/** The rates at a time, in closed form. */
class Rates {
  /** Body axes in the order of the formulas: last is the axis whose rate never changes sign. */
  readonly order: readonly [number, number, number];
  readonly moments: Vector;
  readonly twiceEnergy: number;
  readonly momentum: number;
  private readonly amplitude: Vector;
  private readonly m: number;
  private readonly argumentRate: number;
  private readonly startArgument: number;

  constructor(inertia: Vector, rate: Vector) {
    const weighted = inertia.map((moment, i) => moment * rate[i]!);
    this.twiceEnergy = weighted.reduce((sum, h, i) => sum + h * rate[i]!, 0);
    this.momentum = Math.sqrt(weighted.reduce((sum, h) => sum + h * h, 0));
    const square = this.momentum * this.momentum;
    const ascending = [0, 1, 2].sort((a, b) => inertia[a]! - inertia[b]!) as [number, number, number];
    const order =
      square > this.twiceEnergy * inertia[ascending[1]]! ? ascending : (ascending.reverse() as typeof ascending);
    this.order = order;
    const [a, b, c] = order.map((axis) => inertia[axis]!) as [number, number, number];
    this.moments = [a, b, c];
    const upper = this.twiceEnergy * c - square;
    const lower = square - this.twiceEnergy * a;
    // From I₁ω̇₁ = (I₂ − I₃) ω₂ω₃ the product of the three amplitudes has the sign of (I₃ − I₂), and the opposite sign
    // if the axes are an odd permutation.
    const isEven = (order[1] - order[0] + 3) % 3 === 1;
    const handSign = isEven === c > b ? 1 : -1;
    const spinSign = rate[order[2]]! < 0 ? -1 : 1;
    this.amplitude = [
      Math.sqrt(upper / (a * (c - a))),
      handSign * spinSign * Math.sqrt(upper / (b * (c - b))),
      spinSign * Math.sqrt(lower / (c * (c - a))),
    ];
    this.m = ((b - a) * upper) / ((c - b) * lower);
    this.argumentRate = Math.sqrt(((c - b) * lower) / (a * b * c));
    this.startArgument = inverseJacobi(
      rate[order[1]]! / this.amplitude[1],
      rate[order[0]]! / this.amplitude[0],
      this.m,
    );
  }

  at(seconds: number): Vector {
    const { sn, cn, dn } = jacobi(this.startArgument + this.argumentRate * seconds, this.m);
    const rate: [number, number, number] = [0, 0, 0];
    rate[this.order[0]] = this.amplitude[0] * cn;
    rate[this.order[1]] = this.amplitude[1] * sn;
    rate[this.order[2]] = this.amplitude[2] * dn;
    return rate;
  }
}

// Five-point Gauss–Legendre nodes on (−1, 1) and weights (Abramowitz & Stegun, table 25.4).
const NODES = [-0.906179845938664, -0.5384693101056831, 0, 0.5384693101056831, 0.906179845938664] as const;
const WEIGHTS = [
  0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665, 0.2369268850561891,
] as const;
const PANELS_PER_RADIAN = 8;

/** Returns the angle by which the last axis has turned about L since t = 0. */
function precession(rates: Rates, seconds: number): number {
  const { momentum, twiceEnergy, moments, order } = rates;
  const last = moments[2];
  const speed = (t: number): number => {
    const rate = rates.at(t)[order[2]]!;
    const h = last * rate;
    return (momentum * (twiceEnergy - h * rate)) / (momentum * momentum - h * h);
  };
  const panels = Math.max(1, Math.ceil(((seconds * momentum) / Math.min(...moments)) * PANELS_PER_RADIAN));
  const width = seconds / panels;
  let sum = 0;
  for (let panel = 0; panel < panels; panel += 1) {
    const middle = (panel + 0.5) * width;
    for (let i = 0; i < 5; i += 1) sum += WEIGHTS[i]! * speed(middle + (NODES[i]! * width) / 2);
  }
  return (sum * width) / 2;
}

function freeTopSolution(inertia: Vector, initial: Vector): (x: Float64Array, tUs: number) => void {
  const rates = new Rates(inertia, initial);
  const lastAxis: Vector = [0, 1, 2].map((axis) => (axis === rates.order[2] ? 1 : 0)) as unknown as Vector;
  const momentumOf = (rate: Vector): Vector => rate.map((value, i) => inertia[i]! * value) as unknown as Vector;
  /** Columns, in body axes: the part of the last axis normal to L, the vector that completes the triad, and L. */
  const triadAt = (rate: Vector): Matrix => triadAround(momentumOf(rate), lastAxis);
  // At the start the body and space axes coincide, so the initial triad in the body is the triad in space.
  const inSpace = triadAt(initial);
  return (x, tUs) => {
    const seconds = tUs / 1e6;
    const rate = rates.at(seconds);
    const psi = precession(rates, seconds);
    const [first, second, third] = inSpace;
    const turned: Matrix = [
      first.map((value, i) => cos(psi) * value + sin(psi) * second[i]!) as unknown as Vector,
      first.map((value, i) => -sin(psi) * value + cos(psi) * second[i]!) as unknown as Vector,
      third,
    ];
    quaternionOf(x, turned, triadAt(rate));
    for (let i = 0; i < 3; i += 1) x[4 + i] = rate[i]!;
  };
}

function freeTopInvariants(inertia: Vector, initial: Vector): Invariant[] {
  const momentumIn = (x: Float64Array): Vector =>
    rotate(x, [inertia[0] * x[4]!, inertia[1] * x[5]!, inertia[2] * x[6]!]);
  const { momentum, twiceEnergy } = new Rates(inertia, initial);
  const energy = (x: Float64Array): number =>
    0.5 * (inertia[0] * x[4]! * x[4]! + inertia[1] * x[5]! * x[5]! + inertia[2] * x[6]! * x[6]!);
  return [
    { name: "energy", unit: "J", scale: twiceEnergy / 2, valueOf: energy },
    ...["n", "e", "d"].map((axis, i) => ({
      name: `angular momentum ${axis}`,
      unit: "kg.m2/s",
      scale: momentum,
      valueOf: (x: Float64Array) => momentumIn(x)[i]!,
    })),
  ];
}

function freeTop(options: FreeTopOptions): VerificationProblem {
  const { name, about, inertiaKgm2: inertia, rateBody, endUs, stepUs } = options;
  const plant: Plant = {
    layout: new StateLayout([
      {
        ...block({ name: "qBodyToNed", size: 4, unit: "1", group: "attitude" }),
        kind: "attitude",
        components: ["w", "x", "y", "z"],
        rateBlock: "rateBody",
      },
      { ...block({ name: "rateBody", size: 3, unit: "rad/s", group: "rate" }), components: ["x", "y", "z"] },
    ]),
    initialInto(x) {
      x.fill(0);
      x[0] = 1;
      for (let i = 0; i < 3; i += 1) x[4 + i] = rateBody[i]!;
    },
    derivativesInto(dx, _timeS, x) {
      const [w, a, b, c, p, q, r] = [x[0]!, x[1]!, x[2]!, x[3]!, x[4]!, x[5]!, x[6]!];
      dx[0] = 0.5 * (-a * p - b * q - c * r);
      dx[1] = 0.5 * (w * p + b * r - c * q);
      dx[2] = 0.5 * (w * q + c * p - a * r);
      dx[3] = 0.5 * (w * r + a * q - b * p);
      const torque = cross([inertia[0] * p, inertia[1] * q, inertia[2] * r], [p, q, r]);
      for (let i = 0; i < 3; i += 1) dx[4 + i] = torque[i]! / inertia[i]!;
    },
  };
  const solutionInto = freeTopSolution(inertia, rateBody);
  return {
    name,
    about,
    plant,
    endUs,
    stepUs,
    sampleUs: 100_000,
    solutionInto,
    invariants: freeTopInvariants(inertia, rateBody),
  };
}

/** Radians per degree. */
const DEG = 0.017453292519943295;
/** Slug square feet to kilogram square metres. */
const SLUG_FT2 = 1.3558179483314;

export const torqueFreeBody = freeTop({
  name: "torque-free body",
  about: "Euler's equations with moments (2, 1, 0.5) from rates (1, 2, 3)",
  inertiaKgm2: [2, 1, 0.5],
  rateBody: [1, 2, 3],
  endUs: 2_000_000,
  stepUs: 1_000,
});

export const tumblingBrick = freeTop({
  name: "tumbling brick",
  about: "Check case 2 of NASA/TM-2015-218675: a brick that tumbles for 30 s without damping",
  inertiaKgm2: [0.00189422 * SLUG_FT2, 0.006211019 * SLUG_FT2, 0.007194665 * SLUG_FT2],
  rateBody: [10 * DEG, 20 * DEG, 30 * DEG],
  endUs: 30_000_000,
  stepUs: 10_000,
});
