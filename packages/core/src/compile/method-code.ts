/**
 * Code for one Runge–Kutta method over one kernel.
 *
 * Made once for a kernel and a tableau, and kept with the kernel: the next flight of the same structure finds it already
 * optimised by the engine.
 */
import { InvariantError } from "../errors/index.ts";
import { attitudeOffsets } from "../integrate/attitude.ts";
import { type MethodCode, type MethodMemory, UNTRUSTED, type Verdict } from "../integrate/contract.ts";
import { packTableau } from "../integrate/tableau.ts";
import { methodMemory } from "../integrate/runge-kutta.ts";
import type { Tableau } from "../integrate/tableau.ts";
import type { StateLayout } from "../state/index.ts";
import type { KernelFacts } from "./kernel-code.ts";
import type { Binding, Kernel } from "./kernel.ts";
import { refuseLong } from "./length.ts";
import { type FunctionText, type Maker, makerOf } from "./make-function.ts";
import { keepsStill, METHOD_FUNCTIONS, type MethodFunction, printStep } from "./step-printer.ts";

type OfMethod<T> = Readonly<Partial<Record<MethodFunction, T>>>;
export type MethodMakers = OfMethod<Maker>;

/** The functions of a method, over the memory they share. */
interface Steps extends Pick<MethodCode, "memory" | "take" | "start" | "step" | "carry" | "measure" | "give"> {
  /** Takes over state and input; false: not to be trusted. */
  readonly enter: (x: Float64Array, u: Float64Array) => boolean;
  /** A step from there. */
  readonly go: () => Verdict;
}

const GIVEN = ["Z", "B", "S", "E", "L", "H", "T", "D", "K", "U", "Q", "prepare", "rhs"];
const made = new WeakMap<Kernel, Map<string, Steps>>();

/** A method over states with attitudes at these places. */
export function methodKey(tableau: Tableau, layout: StateLayout): string {
  return JSON.stringify([tableau, [...attitudeOffsets(layout)]]);
}

export function printMethod(facts: KernelFacts, tableau: Tableau, layout: StateLayout): OfMethod<FunctionText> {
  const packed = packTableau(tableau);
  const bodies = printStep({
    ...facts,
    packed,
    nodes: tableau.c,
    attitudes: [...attitudeOffsets(layout)],
    still: new Set(keepsStill(packed) ? facts.still : []),
  });
  return mapped(bodies, (body, name) => {
    refuseLong(body);
    return { head: `${name}${METHOD_FUNCTIONS[name]}`, body, given: GIVEN };
  });
}

function mapped<A, B>(given: OfMethod<A>, change: (value: A, name: MethodFunction) => B): OfMethod<B> {
  const entries = Object.entries(given) as [MethodFunction, A][];
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value, name)]));
}

/** In the place of a function that this method's integrator has no use for. */
const unused = (): never => {
  throw new InvariantError("code is asked for a step that it was not made for");
};

/** A method's code for one flight. */
export function methodCode(kernel: Kernel, binding: Binding, tableau: Tableau): MethodCode {
  return new FlightMethod(kernel, binding, stepsOf(kernel, binding.plant.layout, tableau));
}

class FlightMethod implements MethodCode {
  readonly memory: MethodMemory;
  readonly start: Steps["start"];
  readonly give: Steps["give"];
  readonly measure: Steps["measure"];
  private readonly kernel: Kernel;
  private readonly binding: Binding;
  private readonly takeCode: Steps["take"];
  private readonly enter: Steps["enter"];
  private readonly go: Steps["go"];
  private readonly stepCode: Steps["step"];
  private readonly carryCode: Steps["carry"];
  /** The reference made the last step, and may have moved what code takes for still. */
  private isStirred = false;
  /** Where that stood when `prepare` last looked at it. */
  private readonly stillAt: Float64Array;

  constructor(kernel: Kernel, binding: Binding, steps: Steps) {
    this.kernel = kernel;
    this.binding = binding;
    this.stillAt = new Float64Array(kernel.code.still.length);
    this.memory = steps.memory;
    this.start = steps.start;
    this.give = steps.give;
    this.measure = steps.measure;
    this.enter = steps.enter;
    this.go = steps.go;
    this.takeCode = steps.take;
    this.stepCode = steps.step;
    this.carryCode = steps.carry;
  }

  claim(): boolean {
    const { kernel, binding } = this;
    if (kernel.user === this) return true;
    if (kernel.bound !== binding) kernel.bind(binding);
    kernel.settle();
    kernel.user = this;
    this.settle(0);
    return false;
  }

  take(x: Float64Array, u: Float64Array): void {
    if (this.kernel.given !== u) this.kernel.given = u;
    this.takeCode(x, u);
    if (this.isStirred) this.keepStill();
  }

  leap(x: Float64Array, u: Float64Array): Verdict {
    this.expect(u);
    const verdict = this.enter(x, u) ? this.go() : UNTRUSTED;
    if (verdict === UNTRUSTED) this.isStirred = true;
    return verdict;
  }

  private expect(u: Float64Array): void {
    if (this.kernel.given !== u) this.kernel.given = u;
    if (this.isStirred) this.settle(0);
  }

  step(): Verdict {
    if (this.isStirred) {
      if (!this.isStill()) return UNTRUSTED;
      this.settle(1);
    }
    const verdict = this.stepCode();
    if (verdict === UNTRUSTED) {
      this.isStirred = true;
      this.keepStill();
    }
    return verdict;
  }

  /** Whether what code takes for still has no slope at the start, and is where it was. */
  private isStill(): boolean {
    const { base, slopes } = this.memory;
    return this.kernel.code.still.every((i, k) => slopes[i] === 0 && Object.is(base[i], this.stillAt[k]));
  }

  private keepStill(): void {
    this.kernel.code.still.forEach((i, k) => (this.stillAt[k] = this.memory.base[i]!));
  }

  carry(): void {
    this.carryCode();
    if (!this.isStirred) return;
    const { slopes } = this.memory;
    const { still, size } = this.kernel.code;
    for (const i of still) slopes[i] = slopes[slopes.length - size + i]!;
  }

  /** From a stage on, what stands still has a slope of +0 again: code does not write it. */
  private settle(stage: number): void {
    const { slopes } = this.memory;
    const { still, size } = this.kernel.code;
    for (let from = stage * size; from < slopes.length; from += size) for (const i of still) slopes[from + i] = 0;
    this.isStirred = false;
  }
}

function stepsOf(kernel: Kernel, layout: StateLayout, tableau: Tableau): Steps {
  const key = methodKey(tableau, layout);
  const known = made.get(kernel) ?? new Map<string, Steps>();
  made.set(kernel, known);
  const before = known.get(key);
  if (before !== undefined) return before;
  const makers = kernel.code.methods[key] ?? mapped(printMethod(kernel.code, tableau, layout), makerOf);
  const steps = makeSteps(kernel, makers, tableau);
  known.set(key, steps);
  return steps;
}

function makeSteps(kernel: Kernel, makers: MethodMakers, tableau: Tableau): Steps {
  const { size } = kernel.code;
  const own = methodMemory(tableau, packTableau(tableau), size, (length) => kernel.arena.reserve(length));
  const given = {
    Z: kernel.calmBounds,
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
  const all = mapped(METHOD_FUNCTIONS, () => unused);
  const steps = mapped(makers, (make) => make(given));
  return { ...all, ...steps, memory: { ...own, stage: kernel.state.subarray(0, size) } } as Steps;
}
