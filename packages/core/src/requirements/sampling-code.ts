/**
 * Code for one list of requirements: copies the values, decides the plain comparisons and finds the monitors that the
 * sample may change, all in one straight function. A loop over tables takes several times as long, because every
 * element is reached through a table and every function through one call.
 *
 * The text depends on positions and comparators only, so flights with the same requirements share it.
 */
import { type Maker, makerOf, requireOptimisable } from "../compile/function-text.ts";
import { NotCompilable } from "../compile/program.ts";
import { LESSER, PREDICATE } from "./bound.ts";
import type { Exclusion } from "./exclusion.ts";
import { FACT } from "./comparison.ts";
import type { Sample } from "./sample.ts";

/** Takes a sample. Returns how many monitors it may change; `due` and `isBetter` say which. */
export type SampleFunction = () => number;

const MAKERS = new Map<string, Maker>();
/** Texts that are kept; a process that judges many different lists compiles again. */
const MAX_KEPT = 64;

/** Returns the function of a sample and its monitors; undefined if code cannot be made here, or not for this list. */
export function sampleFunction(sample: Sample, exclusion: Exclusion): SampleFunction | undefined {
  // Logs have values that are not known, and are read once.
  if (sample.unknown !== undefined) return undefined;
  try {
    const { values, functions } = givenOf(sample, exclusion);
    const names = [...Object.keys(values), ...functions.map((_, i) => `f${i}`)];
    const maker = makerFor(bodyOf(sample, exclusion), names);
    return maker({ ...values, ...Object.fromEntries(functions.map((f, i) => [`f${i}`, f])) }) as SampleFunction;
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}

function makerFor(body: string, given: readonly string[]): Maker {
  const known = MAKERS.get(body);
  if (known !== undefined) return known;
  requireOptimisable(body);
  const maker = makerOf({ head: "takeSample()", body, given });
  if (MAKERS.size >= MAX_KEPT) MAKERS.clear();
  MAKERS.set(body, maker);
  return maker;
}

function givenOf(sample: Sample, { due, isBetter, bests, awaitedUs, signs, scales }: Exclusion) {
  const { cells, margins, values, time, previousUs, beforeUs, fired, plainNumbers, arrays, functions } = sample.parts;
  const held = { signals: arrays[0], state: arrays[1] };
  const all = {
    cells,
    margins,
    values,
    time,
    previousUs,
    beforeUs,
    fired,
    plainNumbers,
    due,
    isBetter,
    bests,
    awaitedUs,
  };
  return { values: { ...all, signs, scales, ...held }, functions };
}

function bodyOf(sample: Sample, exclusion: Exclusion): string {
  const { copies, readers, steps } = sample.parts;
  let calls = 0;
  const lines = [
    "const t = time[0];",
    ...copies.map(({ cell, array, offset, sign }) => {
      const from = `${array === 0 ? "signals" : "state"}[${offset}]`;
      return `cells[${cell}] = ${sign === 1 ? from : `-${from}`};`;
    }),
    ...readers.map((cell) => `f${calls++}(cells, ${cell});`),
    ...steps.map((step) => (step === "call" ? `f${calls++}();` : comparisonText(step))),
    "beforeUs[0] = previousUs[0];",
    "previousUs[0] = t;",
    "let count = 0;",
    ...exclusion.monitors.map((_, i) => exclusionText(exclusion, i)),
    "return count;",
  ];
  return lines.join("\n");
}

function comparisonText({ index, cell, code, number }: { index: number; cell: number; code: number; number: number }) {
  const found = [
    "left - right + 0",
    "-(right - left)",
    "right - left + 0",
    "-(left - right)",
    "left === right ? Infinity : -Infinity",
    "left === right ? -Infinity : Infinity",
  ][code % FACT]!;
  const margin =
    code < FACT
      ? "found === found ? found : -Infinity"
      : "found > 0 || (found === 0 && 1 / found > 0) ? Infinity : -Infinity";
  return (
    `{ const left = cells[${cell}]; const right = plainNumbers[${number}]; const found = ${found}; ` +
    `values[${index}] = left; margins[${index}] = ${margin}; }`
  );
}

/** Adds a monitor to `due` unless the sample cannot change it. */
function exclusionText({ events, starts, ops, indices, isMin }: Exclusion, i: number): string {
  const add = (isBetter: 0 | 1) => `{ due[count] = ${i}; isBetter[count] = ${isBetter}; count += 1; }`;
  const event = events[i]!;
  if (event >= 0) return `if (fired[${event}] === 1 || t <= awaitedUs[${i}]) ${add(1)}`;
  const [from, to] = [starts[i]!, starts[i + 1]!];
  if (from === to) return add(1);
  const stack: string[] = [];
  for (let k = from; k < to; k += 1) {
    if (ops[k] === PREDICATE) {
      stack.push(`signs[${k}] * margins[${indices[k]}] / scales[${k}]`);
      continue;
    }
    const right = stack.pop()!;
    const left = stack.pop()!;
    stack.push(`Math.${ops[k] === LESSER ? "min" : "max"}(${left}, ${right})`);
  }
  const [worse, zeros] = isMin[i] === 1 ? [">", ">="] : ["<", "<="];
  const isNoBetter = `found ${worse} best || (found === best && (found !== 0 || 1 / found ${zeros} 1 / best))`;
  return (
    `{ const found = ${stack[0]}; const best = bests[${i}]; ` +
    `if (${isNoBetter}) { if (t <= awaitedUs[${i}]) ${add(0)} } else ${add(1)} }`
  );
}
