/**
 * Code for one Runge–Kutta method over one kernel.
 *
 * Made once for a kernel and a tableau, and kept with the kernel: the next flight of the same structure finds it already
 * optimised by the engine.
 */
import { attitudeOffsets } from "../integrate/attitude.ts";
import type { MethodCode, MethodMemory } from "../integrate/contracts.ts";
import { packTableau } from "../integrate/packed-tableau.ts";
import { methodMemory } from "../integrate/runge-kutta.ts";
import type { Tableau } from "../integrate/tableau.ts";
import type { StateLayout } from "../state/index.ts";
import type { Binding, Kernel } from "./kernel.ts";
import { makeFunction } from "./make-function.ts";
import { keepsStill, printStep } from "./step-printer.ts";

/** The functions of a method, over the memory they share. */
interface Steps {
  readonly memory: MethodMemory;
  readonly take: (x: Float64Array, u: Float64Array) => void;
  readonly start: () => void;
  readonly step: () => boolean;
}

const made = new WeakMap<Kernel, Map<string, Steps>>();

/** A method's code for one flight. */
export function methodCode(kernel: Kernel, binding: Binding, tableau: Tableau): MethodCode {
  const { memory, take, start, step } = stepsOf(kernel, binding.plant.layout, tableau);
  let generation = -1;
  return {
    memory,
    claim: () => {
      if (kernel.bound !== binding) kernel.bind(binding);
      const isOurs = kernel.generation === generation;
      generation = kernel.generation;
      return isOurs;
    },
    take: (x, u) => {
      kernel.given = u;
      take(x, u);
    },
    start,
    step,
  };
}

function stepsOf(kernel: Kernel, layout: StateLayout, tableau: Tableau): Steps {
  const attitudes = [...attitudeOffsets(layout)];
  const key = JSON.stringify([tableau, attitudes]);
  const known = made.get(kernel) ?? new Map<string, Steps>();
  made.set(kernel, known);
  const before = known.get(key);
  if (before !== undefined) return before;
  const steps = makeSteps(kernel, attitudes, tableau);
  known.set(key, steps);
  return steps;
}

function makeSteps(kernel: Kernel, attitudes: readonly number[], tableau: Tableau): Steps {
  const { size, vouching } = kernel;
  const packed = packTableau(tableau);
  const own = methodMemory(tableau, packed, size);
  const memory = { ...own, stage: kernel.state.subarray(0, size) };
  const text = printStep({
    packed,
    nodes: tableau.c,
    size,
    attitudes,
    still: keepsStill(packed) ? kernel.still : new Set(),
    watched: vouching.states,
    inputs: kernel.inputsRead,
    watchedInputs: vouching.inputs,
    usesTime: kernel.usesTime,
  });
  const given = {
    B: own.base,
    S: kernel.state,
    E: own.end,
    L: own.slopes,
    H: own.weights,
    T: kernel.clock,
    D: own.clock,
    K: kernel.slope,
    U: kernel.input,
    Q: new Float64Array(16),
    rhs: kernel.rhs,
  };
  return {
    memory,
    take: makeFunction(given, "take(x, u)", text.take) as Steps["take"],
    start: makeFunction(given, "start()", text.start) as Steps["start"],
    step: makeFunction(given, "step()", text.step) as Steps["step"],
  };
}
