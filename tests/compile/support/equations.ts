/** Small plants for tests of the compiler: a program and its constants, with the interpreter as reference. */
import type {
  ClearBounds,
  Dynamics,
  Equations,
  Integrator,
  IntegratorContext,
  OpaqueCall,
} from "../../../packages/core/src/integrate/contract.ts";
import { checkParams, type Kind, type PlainObject } from "../../../packages/core/src/params/index.ts";
import { type Binding, bindingOf, Kernel } from "../../../packages/core/src/compile/kernel.ts";
import { makeKernelCode } from "../../../packages/core/src/compile/kernel-printer.ts";
import { FlightMethod } from "../../../packages/core/src/compile/method.ts";
import type { Block, FunctionData, Program } from "../../../packages/core/src/compile/program.ts";
import { type Block as StateBlock, StateLayout } from "../../../packages/core/src/state/index.ts";
import { vectorBlock } from "../../support/dynamics.ts";
import { interpret } from "./interpreter.ts";

export const [DX, X, U, W, P, N, T] = [0, 1, 2, 3, 4, 5, 6] as const;
export const PARAMS = ["dx", "x", "u", "w", "p", "n", "timeS"] as const;

/** Makes a program whose right-hand side takes all arrays; its locals start at slot 7. */
export function programOf(body: Block, others: readonly FunctionData[] = [], slots = 40): Program {
  return { functions: [{ name: "entryInto", params: PARAMS, slots, body }, ...others] };
}

export interface PlantGiven {
  readonly program: Program | string;
  readonly size?: number;
  readonly inputs?: number;
  readonly p?: readonly number[];
  readonly n?: readonly number[];
  readonly constants?: Equations["constants"];
  readonly scratchSize?: number;
  readonly calls?: Readonly<Record<string, OpaqueCall>>;
  /** The examples: each is a state followed by an input. */
  readonly examples: readonly (readonly number[])[];
  readonly blocks?: readonly StateBlock[];
  readonly refusedAt?: number;
  readonly outputCells?: readonly number[];
  readonly clearBounds?: ClearBounds;
  readonly jumped?: Equations["jumped"];
  readonly into?: Equations["into"];
}

export interface TestPlant extends Dynamics {
  readonly equations: Equations;
}

export function plantOf(given: PlantGiven): TestPlant {
  const {
    size = 3,
    inputs = 2,
    p = [],
    n = [],
    scratchSize = 4,
    calls = {},
    examples,
    refusedAt,
    outputCells,
    clearBounds,
    jumped,
  } = given;
  const text = typeof given.program === "string" ? given.program : JSON.stringify(given.program);
  const program = JSON.parse(text) as Program;
  const constants = given.constants ?? { p: Float64Array.from(p), n: Int32Array.from(n) };
  const runs = Object.fromEntries(Object.entries(calls).map(([name, { run }]) => [name, run]));
  const scratch = new Float64Array(scratchSize);
  const into: Equations["into"] =
    given.into ?? ((dx, timeS, x, u, w) => interpret(program, { ...constants, dx, timeS, x, u, w }, runs));
  const { outputs } = program;
  const outputsInto: Equations["into"] = (dx, timeS, x, u, w) =>
    interpret(program, { ...constants, dx, timeS, x, u, w }, runs, outputs);
  return {
    layout: new StateLayout(given.blocks ?? [vectorBlock({ name: "y", size })]),
    derivativesInto: (dx, timeS, x, u) => into(dx, timeS, x, u, scratch),
    equations: {
      program: text,
      constants,
      scratchSize,
      inputSize: inputs,
      calls,
      into,
      ...(outputs === undefined ? {} : { outputsInto }),
      exampleCount: examples.length,
      exampleInto: (x, u, k) => {
        x.set(examples[k]!.slice(0, x.length));
        u.set(examples[k]!.slice(x.length, x.length + u.length));
      },
      ...(refusedAt === undefined ? {} : { refusedAt }),
      ...(outputCells === undefined ? {} : { outputCells }),
      ...(clearBounds === undefined ? {} : { clearBounds }),
      ...(jumped === undefined ? {} : { jumped }),
    },
  };
}

export interface Made {
  readonly kernel: Kernel;
  readonly binding: Binding;
}

/**
 * Makes the code for a plant, without checking it on its examples. The code for derivatives with outputs computes the
 * first `firstCalls` derivatives; the code for derivatives alone computes the later ones.
 */
export function kernelOf(plant: TestPlant, firstCalls = 0): Made {
  const code = makeKernelCode(plant.layout.size, plant.equations);
  const binding = bindingOf(code, plant)!;
  const kernel = new Kernel(code, binding, { firstCalls });
  kernel.bind(binding);
  return { kernel, binding };
}

export interface Compared {
  readonly isTrusted: boolean;
  /** The values in which code and reference differ. */
  readonly differing: readonly string[];
}

/** Compares one evaluation by the code with the reference. If a guard fails, compares the kernel's fallback instead. */
export function compare({ kernel, binding }: Made, plant: TestPlant, given: readonly number[], timeS = 0): Compared {
  const { size } = plant.layout;
  const { equations } = plant;
  const [x, u] = [Float64Array.from(given.slice(0, size)), Float64Array.from(given.slice(size))];
  const [dx, w] = [new Float64Array(size), new Float64Array(equations.scratchSize)];
  equations.into(dx, Float64Array.of(timeS), x, u, w);
  equations.outputsInto?.(dx, Float64Array.of(timeS), x, u, w);
  if (kernel.bound !== binding) kernel.bind(binding);
  kernel.clock[0] = timeS;
  kernel.scratch.fill(0);
  kernel.state.set(x);
  kernel.input.set(u);
  const isTrusted = kernel.functions.evaluate();
  if (!isTrusted) kernel.evaluateByReference(x, u);
  const differing: string[] = [];
  dx.forEach((value, i) => {
    if (!Object.is(value, kernel.outputSlope[i])) differing.push(`dx[${i}]: ${kernel.outputSlope[i]} for ${value}`);
  });
  for (const i of kernel.code.written) {
    if (!Object.is(w[i], kernel.scratch[i])) differing.push(`w[${i}]: ${kernel.scratch[i]} for ${w[i]}`);
  }
  return { isTrusted, differing };
}

/** Makes an integrator of a kind, with code if the context has any. */
export function integratorOf(
  kind: Kind<Integrator, IntegratorContext>,
  context: IntegratorContext,
  given: PlainObject = {},
): Integrator {
  return kind.make(checkParams(kind.params, given, []) as never, context);
}

/** Returns the part of an integrator's context that provides its code. */
export function codeOf({ kernel, binding }: Made): Pick<IntegratorContext, "code"> {
  return { code: (tableau) => new FlightMethod(kernel, binding, tableau) };
}
