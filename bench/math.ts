// Speed of the portable elementary functions against the engine's own Math.*: `npx tsx bench/math.ts` prints a table.
// Each variant has code of its own, slices of about a millisecond run in random order, and the minima are compared, so
// that a busy machine costs rounds and not truth. Targets: every ratio ≤ 1.5, pow < 1.

import { pathToFileURL } from "node:url";
import * as portable from "../packages/core/src/math/index.ts";

export interface MathRow {
  readonly name: string;
  readonly oursNs: number;
  readonly builtInNs: number;
  readonly ratio: number;
}

interface Subject {
  readonly name: keyof typeof portable;
  readonly label: string;
  readonly x: () => number;
  readonly y?: () => number;
  /** How each side is called, where it is not f(x) against Math.f(x). */
  readonly calls?: { readonly ours: string; readonly builtIn: string };
}

const INPUTS = 4096;
const ROUNDS = 200;
const PASSES = 16; // over the inputs in one slice

const between = (low: number, high: number) => () => low + (high - low) * Math.random();
const logBetween = (low: number, high: number) => () => low * Math.pow(high / low, Math.random());

const subjects: readonly Subject[] = [
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

type Slice = (f: unknown, xs: Float64Array, ys: Float64Array) => number;

/** A summing loop with its own source text, so that no two variants share optimisation feedback. */
function makeSlice(call: string, id: string): Slice {
  const body = `/* ${id} */ let sum = 0;
    for (let pass = 0; pass < ${PASSES}; pass++) for (let i = 0; i < ${INPUTS}; i++) sum += ${call};
    return sum;`;
  return new Function("f", "xs", "ys", body) as Slice;
}

function measure(subject: Subject): MathRow {
  const xs = Float64Array.from({ length: INPUTS }, subject.x);
  const ys = Float64Array.from({ length: INPUTS }, subject.y ?? (() => 0));
  const args = subject.y === undefined ? "xs[i]" : "xs[i], ys[i]";
  const { calls } = subject;
  const ours = makeSlice(calls?.ours ?? `f(${args})`, `portable ${subject.label}`);
  const builtIn = makeSlice(calls?.builtIn ?? `Math.${subject.name}(${args})`, `engine ${subject.label}`);
  const f = portable[subject.name];

  let oursNs = Infinity;
  let builtInNs = Infinity;
  let sum = 0;
  const time = (slice: Slice): number => {
    const start = process.hrtime.bigint();
    sum += slice(f, xs, ys);
    return Number(process.hrtime.bigint() - start) / (PASSES * INPUTS);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const oursFirst = Math.random() < 0.5;
    if (oursFirst) oursNs = Math.min(oursNs, time(ours));
    builtInNs = Math.min(builtInNs, time(builtIn));
    if (!oursFirst) oursNs = Math.min(oursNs, time(ours));
  }
  if (Number.isNaN(sum)) throw new Error(`${subject.label}: the inputs leave the domain`);
  return { name: subject.label, oursNs, builtInNs, ratio: oursNs / builtInNs };
}

/** Measures every function once. Takes a few seconds. */
export function mathRows(): MathRow[] {
  return subjects.map(measure);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log("function                    ours ns   Math ns   ratio");
  for (const row of mathRows()) {
    const cells = [
      row.oursNs.toFixed(2).padStart(9),
      row.builtInNs.toFixed(2).padStart(9),
      row.ratio.toFixed(2).padStart(7),
    ];
    console.log(row.name.padEnd(25), ...cells);
  }
}
