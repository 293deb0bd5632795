/**
 * Compares the portable elementary functions with the JavaScript engine's `Math.*`.
 *
 * Each variant is a summing loop with its own source text, so that no two share optimisation feedback.
 */
import * as portable from "../../packages/core/src/math/index.ts";
import { measure, type Variant } from "../measure.ts";
import type { Group, Row } from "./row.ts";

interface Subject {
  readonly name: keyof typeof portable;
  readonly label: string;
  readonly x: () => number;
  readonly y?: () => number;
  /** How each side is called, if not f(x) and Math.f(x). */
  readonly calls?: { readonly ours: string; readonly builtIn: string };
}

const INPUTS = 1024;
const MAX_RATIO = 1.5;

const between = (low: number, high: number) => () => low + (high - low) * Math.random();
const logBetween = (low: number, high: number) => () => low * Math.pow(high / low, Math.random());

const SUBJECTS: readonly Subject[] = [
  { name: "sin", label: "sin, |x| < π/4", x: between(-0.78, 0.78) },
  { name: "sin", label: "sin, |x| < 10", x: between(-10, 10) },
  { name: "cos", label: "cos, |x| < π/4", x: between(-0.78, 0.78) },
  { name: "cos", label: "cos, |x| < 10", x: between(-10, 10) },
  {
    name: "sinCosInto",
    label: "sinCosInto, |x| < 10",
    x: between(-10, 10),
    calls: { ours: "(f(ys, xs[i]), ys[0] + ys[1])", builtIn: "Math.sin(xs[i]) + Math.cos(xs[i])" },
  },
  { name: "tan", label: "tan, |x| < 10", x: between(-10, 10) },
  { name: "asin", label: "asin", x: between(-1, 1) },
  { name: "acos", label: "acos", x: between(-1, 1) },
  { name: "atan", label: "atan, |x| < 5", x: between(-5, 5) },
  { name: "atan2", label: "atan2", x: between(-1, 1), y: between(-1, 1) },
  { name: "exp", label: "exp, |x| < 20", x: between(-20, 20) },
  { name: "expm1", label: "expm1, |x| < 2", x: between(-2, 2) },
  { name: "log", label: "log, 1e-6 … 1e6", x: logBetween(1e-6, 1e6) },
  { name: "pow", label: "pow, 0.1 … 10 to ±5", x: logBetween(0.1, 10), y: between(-5, 5) },
];

function rowOf({ name, label }: Subject): Row {
  return {
    name: `portable ${label.replaceAll("|x|", "x")}`,
    about: "One call to a function that gives the same bits on every platform.",
    unit: "ns",
    base: "the JavaScript engine's Math",
    limit: { of: "base", max: name === "pow" ? 1 : MAX_RATIO },
  };
}

type Loop = (f: unknown, xs: Float64Array, ys: Float64Array, passes: number) => number;

function variants(subject: Subject): [ours: Variant, builtIn: Variant] {
  const { name, label, x, y, calls } = subject;
  const xs = Float64Array.from({ length: INPUTS }, x);
  const ys = Float64Array.from({ length: INPUTS }, y ?? (() => 0));
  const args = y === undefined ? "xs[i]" : "xs[i], ys[i]";
  const variant = (side: string, call: string): Variant => {
    const body = `/* ${side} ${label} */ let sum = 0;
      for (let pass = 0; pass < passes; pass++) for (let i = 0; i < ${INPUTS}; i++) sum += ${call};
      return sum;`;
    const loop = new Function("f", "xs", "ys", "passes", body) as Loop;
    const run = (units: number) => {
      const passes = Math.ceil(units / INPUTS);
      if (Number.isNaN(loop(portable[name], xs, ys, passes)))
        throw new Error(`${label}: some inputs are outside the domain`);
      return passes * INPUTS;
    };
    return { name: `${side} ${label}`, guessNs: 10, run };
  };
  return [variant("ours", calls?.ours ?? `f(${args})`), variant("Math", calls?.builtIn ?? `Math.${name}(${args})`)];
}

export const math: Group = {
  name: "math",
  rows: SUBJECTS.map(rowOf),
  measure: (effort) =>
    SUBJECTS.map((subject) => {
      const [ours, builtIn] = measure(variants(subject), effort);
      return { row: rowOf(subject).name, value: ours!, ratios: { base: ours! / builtIn! } };
    }),
};
