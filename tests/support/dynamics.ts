/**
 * Small right-hand sides for tests of integrators: a layout in one line, a problem in a few.
 *
 * The platform's transcendental functions are allowed here, because a test's reference values need not be portable.
 */
import type {
  Dynamics,
  Integrator,
  IntegratorContext,
  IntegratorKind,
} from "../../packages/core/src/integrate/index.ts";
import { integratorKinds } from "../../packages/core/src/integrate/index.ts";
import { checkParams, type Diagnostic, type Kind } from "../../packages/core/src/params/index.ts";
import { type Block, StateLayout } from "../../packages/core/src/state/index.ts";

/** Makes a block of plain numbers. */
export function vectorBlock(options: {
  name: string;
  size: number;
  absolute?: number;
  relative?: number;
  group?: string;
}): Block {
  const { name, size, absolute = 1e-6, relative = 0, group = name } = options;
  return { name, size, unit: "1", kind: "vector", group, tolerance: { absolute, relative } };
}

export type Derivatives = (dx: Float64Array, tS: number, x: Float64Array, u: Float64Array) => void;

export function dynamics(blocks: readonly Block[], derivatives: Derivatives): Dynamics {
  return {
    layout: new StateLayout(blocks),
    derivativesInto: (dx, timeS, x, u) => derivatives(dx, timeS[0]!, x, u),
  };
}

/** Makes a system with one block `y`. */
export function plain(
  size: number,
  derivatives: Derivatives,
  tolerance: { absolute?: number; relative?: number } = {},
): Dynamics {
  return dynamics([vectorBlock({ name: "y", size, ...tolerance })], derivatives);
}

/** Makes a system of attitude and body rate; `rateDot` fills the body rate's derivative. */
export function rigidBody(rateDot: Derivatives, tolerance = 1e-9): Dynamics {
  const control = { absolute: tolerance, relative: 0 };
  const blocks: Block[] = [
    {
      name: "qBodyToNed",
      size: 4,
      unit: "1",
      kind: "attitude",
      group: "attitude",
      tolerance: control,
      rateBlock: "rateBody",
    },
    { name: "rateBody", size: 3, unit: "rad/s", kind: "vector", group: "rate", tolerance: control },
  ];
  return dynamics(blocks, (dx, tS, x, u) => {
    const [w, a, b, c, p, q, r] = x as unknown as [number, number, number, number, number, number, number];
    dx[0] = 0.5 * (-a * p - b * q - c * r);
    dx[1] = 0.5 * (w * p + b * r - c * q);
    dx[2] = 0.5 * (w * q + c * p - a * r);
    dx[3] = 0.5 * (w * r + a * q - b * p);
    rateDot(dx, tS, x, u);
  });
}

export type Given = { readonly [key: string]: unknown };

export function kindNamed(name: string): Kind<Integrator, IntegratorContext> {
  return integratorKinds.find((kind) => kind.name === name)!;
}

/** Makes an integrator from a user's parameters, checked and completed by the kind's parameter table. */
export function makeIntegrator(name: string, plant: Dynamics, given: Given = {}, u = new Float64Array(0)): Integrator {
  const kind = kindNamed(name);
  const diagnostics: Diagnostic[] = [];
  const params = checkParams(kind.params, given, diagnostics);
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return kind.make(params as never, { plant, u });
}

/** Returns true if a kind controls its step. */
export function isAdaptive(kind: IntegratorKind): boolean {
  return kind.stepping === "adaptive";
}

/** Returns parameters with which any kind makes steps of one size. */
export function stepsOf(name: string, sizeUs: number, more: Given = {}): Given {
  return isAdaptive(kindNamed(name))
    ? { toleranceScale: 1e12, firstStepUs: sizeUs, maxStepUs: sizeUs, ...more }
    : { substepUs: sizeUs, ...more };
}

export function spanUs(startUs: number, endUs: number): Float64Array {
  return Float64Array.of(startUs, endUs);
}

/** Returns the observed order of a method: the slope of log(error) over log(step) by least squares. */
export function regressedOrder(points: readonly (readonly [step: number, error: number])[]): number {
  const logs = points.map(([step, error]) => [Math.log(step), Math.log(error)] as const);
  const mean = (index: 0 | 1) => logs.reduce((total, log) => total + log[index], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const over = logs.reduce((total, [lx, ly]) => total + (lx - mx) * (ly - my), 0);
  return over / logs.reduce((total, [lx]) => total + (lx - mx) * (lx - mx), 0);
}

/** Returns the rotation angle between two unit quaternions, accurate even for tiny angles. */
export function angleBetween(p: ArrayLike<number>, q: ArrayLike<number>): number {
  let dot = 0;
  for (let i = 0; i < 4; i += 1) dot += p[i]! * q[i]!;
  let square = 0;
  for (let i = 0; i < 4; i += 1) square += (p[i]! - Math.sign(dot) * q[i]!) ** 2;
  return 4 * Math.asin(Math.sqrt(square) / 2);
}
