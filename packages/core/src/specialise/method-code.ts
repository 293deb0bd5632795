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
  readonly leap: (x: Float64Array, u: Float64Array) => boolean;
  readonly give: (x: Float64Array) => void;
  readonly carry: () => void;
  readonly measure: MethodCode["measure"];
}

const made = new WeakMap<Kernel, Map<string, Steps>>();

/** A method's code for one flight. */
export function methodCode(kernel: Kernel, binding: Binding, tableau: Tableau): MethodCode {
  return new FlightMethod(kernel, binding, stepsOf(kernel, binding.plant.layout, tableau));
}

class FlightMethod implements MethodCode {
  readonly memory: MethodMemory;
  readonly start: Steps["start"];
  readonly step: Steps["step"];
  readonly give: Steps["give"];
  readonly carry: Steps["carry"];
  readonly measure: Steps["measure"];
  private readonly kernel: Kernel;
  private readonly binding: Binding;
  private readonly takeCode: Steps["take"];
  private readonly leapCode: Steps["leap"];
  /** Of the kernel when we last had it. */
  private generation = -1;

  constructor(kernel: Kernel, binding: Binding, { memory, take, start, step, leap, give, carry, measure }: Steps) {
    this.kernel = kernel;
    this.binding = binding;
    this.memory = memory;
    this.start = start;
    this.step = step;
    this.give = give;
    this.carry = carry;
    this.measure = measure;
    this.takeCode = take;
    this.leapCode = leap;
  }

  claim(): boolean {
    const { kernel, binding } = this;
    if (kernel.generation === this.generation) return true;
    if (kernel.bound !== binding) kernel.bind(binding);
    this.generation = kernel.generation;
    return false;
  }

  take(x: Float64Array, u: Float64Array): void {
    if (this.kernel.given !== u) this.kernel.given = u;
    this.takeCode(x, u);
  }

  leap(x: Float64Array, u: Float64Array): boolean {
    if (this.kernel.given !== u) this.kernel.given = u;
    return this.leapCode(x, u);
  }
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
  const own = methodMemory(tableau, packed, size, (length) => kernel.arena.reserve(length));
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
    Q: kernel.arena.reserve(8),
    prepare: kernel.prepare,
    rhs: kernel.rhs,
  };
  return {
    memory,
    take: makeFunction(given, "take(x, u)", text.take) as Steps["take"],
    start: makeFunction(given, "start()", text.start) as Steps["start"],
    step: makeFunction(given, "step()", text.step) as Steps["step"],
    leap: makeFunction(given, "leap(x, u)", text.leap) as Steps["leap"],
    give: makeFunction(given, "give(x)", text.give) as Steps["give"],
    carry: makeFunction(given, "carry()", text.carry) as Steps["carry"],
    measure: makeFunction(given, "measure(absolute, relative, angle, value)", text.measure) as Steps["measure"],
  };
}
