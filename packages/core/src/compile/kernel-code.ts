/**
 * A right-hand side in code, for all plants of one structure: made at assembly from its equations, or ready-made when the
 * package was built.
 */
import type { Equations } from "../integrate/contract.ts";
import type { Structure } from "./constants.ts";
import { vouch } from "./finite.ts";
import { refuseLong } from "./length.ts";
import { type FunctionText, type Maker, makerOf } from "./make-function.ts";
import type { MethodMakers } from "./method-code.ts";
import { printBody } from "./printer.ts";
import { NotCompilable } from "./not-compilable.ts";
import { printVerdict } from "./step-printer.ts";
import { runOnSymbols } from "./symbolic-run.ts";

/** What has to be known about a right-hand side to use its code. */
export interface KernelFacts {
  /** The equations that it was made from. */
  readonly program: string;
  readonly structure: Structure;
  /** Numbers in a state. */
  readonly size: number;
  readonly usesTime: boolean;
  readonly inputsRead: readonly number[];
  /** States whose slope is always +0. */
  readonly still: readonly number[];
  /** States and inputs that must not be huge. */
  readonly watchedStates: readonly number[];
  readonly watchedInputs: readonly number[];
  /** States that tell whether the plant is calm. */
  readonly calm: readonly number[];
  /** The cells of scratch that outputs were said to read, and the one that refuses a result: other ones need other code. */
  readonly outputCells: Equations["outputCells"];
  readonly refusedAt: Equations["refusedAt"];
  /** Cells of scratch that are filled where outputs are to read them. */
  readonly written: readonly number[];
  /** Numbers that stay the same over an interval. */
  readonly handed: number;
}

/** What stays the same over an interval, and the rest of the slopes; all of it for others' state and input, with outputs. */
export const KERNEL_FUNCTIONS = ["prepare", "slopes", "evaluate"] as const;
export type KernelFunction = (typeof KERNEL_FUNCTIONS)[number];

export interface KernelText extends KernelFacts {
  readonly functions: Readonly<Record<KernelFunction, FunctionText>>;
}

export interface KernelCode extends KernelFacts {
  readonly functions: Readonly<Record<KernelFunction, Maker>>;
  /** Methods that are ready-made, by `methodKey`. */
  readonly methods: Readonly<Record<string, MethodMakers>>;
}

export function makeKernelCode(size: number, equations: Equations): KernelCode {
  const { functions, ...facts } = printKernel(size, equations);
  const makers = Object.fromEntries(KERNEL_FUNCTIONS.map((name) => [name, makerOf(functions[name])]));
  return { ...facts, functions: makers as KernelCode["functions"], methods: {} };
}

export function printKernel(size: number, equations: Equations): KernelText {
  const { slope, afterSlopes, afterOutputs, recipes, usesTime, inputsRead } = runOnSymbols(size, equations);
  const still = [...slope].filter(([, value]) => Object.is(value, 0)).map(([i]) => i);
  if (still.length === size) throw new NotCompilable("no example moves the state");
  const { outputCells, refusedAt } = equations;
  const { scratch } = afterOutputs;
  const kept = outputCells === undefined ? scratch : new Map([...scratch].filter(([i]) => outputCells.includes(i)));
  const tables = Object.keys(equations.constants);
  const calls = Object.keys(equations.calls);
  const vouching = vouch(afterSlopes.relied, slope.values());
  const vouchingForOutputs = vouch(afterOutputs.relied, slope.values());
  const common = {
    slopes: new Map([...slope].filter(([i]) => !still.includes(i))),
    mustBeZero: afterSlopes.scratch.get(refusedAt ?? -1) ?? 0,
    tables,
    functions: calls,
  };
  const slopes = printBody({ ...common, ...afterSlopes, checked: vouching.others, still: new Set(still) });
  const outputs = printBody({
    ...common,
    root: afterOutputs.root,
    scratch: kept,
    keepsScratch: true,
    checked: vouchingForOutputs.others,
    isOfParameters: true,
  });
  const verdict = printVerdict({
    size,
    watchedStates: vouchingForOutputs.states,
    watchedInputs: vouchingForOutputs.inputs,
  });
  const evaluate = `${outputs.body}\n${verdict}`;
  [slopes.prepare, slopes.body, evaluate].forEach(refuseLong);
  const arrays = ["S", "U", "T", "K", "W", "C", "V", "bail"];
  const given = [...arrays, ...tables.map((_, i) => `A${i}`), ...calls.map((_, i) => `F${i}`)];
  const text = (head: string, body: string): FunctionText => ({ head, body, given });
  return {
    program: equations.program,
    structure: { steps: recipes.steps, decisions: recipes.decisions },
    size,
    usesTime,
    inputsRead,
    still,
    watchedStates: vouching.states,
    watchedInputs: vouching.inputs,
    calm: equations.calm?.states ?? [],
    outputCells,
    refusedAt,
    written: [...kept.keys()],
    handed: slopes.handed,
    functions: {
      prepare: text("prepare()", slopes.prepare),
      slopes: text("slopes()", slopes.body),
      evaluate: text("evaluate(x, u)", evaluate),
    },
  };
}
