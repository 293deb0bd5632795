/**
 * One step of any explicit Runge–Kutta method. Step sizes are chosen elsewhere.
 *
 * The packed tableau omits zero coefficients; the rest are multiplied by the step size whenever it changes. Times are
 * whole microseconds in array cells. A stage is at (startUs + c · sizeUs) / 1e6 seconds, so the last one is exactly at
 * the end. Only the end state is normalised, not the stage states. An FSAL method evaluates its last stage on the
 * normalised end state. So the slope at the end can be recomputed from a saved state. Code that is compiled for the
 * plant uses the same memory and gives the same bits. The functions here are the reference: they redo a step if a guard
 * of the compiled code fails.
 */
import {
  CLEAR,
  type CompiledMethod,
  type Dynamics,
  type IntegratorContext,
  type IntegratorStats,
  type MethodMemory,
  REDO,
  type StepStatus,
  VALID,
} from "./contract.ts";
import { ExponentialMap, attitudeOffsets, normaliseAttitudes } from "./attitude.ts";
import { combineInto, type Row } from "./combine.ts";
import type { ErrorNorm } from "./error-norm.ts";
import { type PackedRow, packTableau } from "./tableau.ts";
import type { Tableau } from "./tableau.ts";

// Cells of the clock. The nodes c of the tableau follow them.
const SECONDS = 0;
const START_US = 1;
const SIZE_US = 2;
const NODES = 3;

/** Minimum array length. V8 stores shorter typed arrays on its heap, and access to them is slower. */
const MIN_LENGTH = 16;

type AttitudeOption = "normalise" | "exponential";

export class RungeKutta {
  readonly order: number;
  /** Whether the last stage gives the slope at the end (first same as last). */
  readonly fsal: boolean;
  /** Length of the state vectors in this class: the layout's size plus the numbers that the exponential map appends. */
  readonly size: number;
  readonly map: ExponentialMap | undefined;
  readonly stats: IntegratorStats = { evaluations: 0, accepted: 0, rejected: 0, seams: 0, forced: 0 };
  /** Start and size of the step, set by the caller. Array cells, because V8 would box a time above 2^31 µs. */
  readonly stepUs: Float64Array;
  /** States at both ends of the step, including the numbers that the map appends. */
  readonly base: Float64Array;
  readonly end: Float64Array;
  /** The plant's components of these states. */
  readonly xStart: Float64Array;
  readonly xEnd: Float64Array;
  /** The slope at the start of the step. `startSlope` or `carrySlope` fills it before the step. */
  readonly slopeAtStart: Float64Array;
  /** The slope at the end of the step. If the method is not FSAL, `endSlope` fills it on request. */
  readonly slopeAtEnd: Float64Array;

  /** True if the end of the last step is known to be finite, with attitudes of unit length. */
  isValid = false;
  /** True if that end state is also known to be inside the `ClearBounds`. */
  isClearOfEvents = false;

  private readonly dynamics: Dynamics;
  private readonly u: Float64Array;
  private readonly code: CompiledMethod | undefined;
  private readonly attitudes: Int32Array;
  /** The time that is passed to the plant, and the values from which it is computed. One array, to save lookups. */
  private readonly clock: Float64Array;
  private readonly slopes: Float64Array;
  private readonly slopeOfStage: readonly Float64Array[];
  /** Row s gives the state of stage s. */
  private readonly stageRows: readonly Row[];
  private readonly endRow: Row;
  private readonly errorRow: Row;
  private readonly denseRow: Row;
  private readonly rows: readonly Row[];
  /** Number of stages whose state is not the end state. */
  private readonly innerStages: number;
  /** Step size by which the weights are multiplied at present. */
  private readonly weightsStepUs = new Float64Array(1);
  private readonly stage: Float64Array;
  private readonly zero: Float64Array;
  // Views of the vectors above that contain only the plant's components.
  private readonly stageState: Float64Array;
  private readonly slopeStates: readonly Float64Array[];
  private readonly slopeAtEndState: Float64Array;

  constructor(tableau: Tableau, context: IntegratorContext, attitude: AttitudeOption) {
    const { layout } = context.plant;
    const packed = packTableau(tableau);
    this.dynamics = context.plant;
    this.u = context.u;
    this.order = tableau.order;
    this.fsal = packed.fsal;
    this.attitudes = attitudeOffsets(layout);
    this.map = attitude === "exponential" && this.attitudes.length > 0 ? new ExponentialMap(layout) : undefined;
    this.size = layout.size + (this.map?.extra ?? 0);
    this.code = this.map === undefined ? context.code?.(tableau) : undefined;
    const memory = this.code?.memory ?? methodMemory(tableau, this.size);
    const state = (values: Float64Array) => (this.map === undefined ? values : values.subarray(0, layout.size));
    this.base = memory.base;
    this.end = memory.end;
    this.xStart = state(memory.base);
    this.xEnd = state(memory.end);
    this.stage = memory.stage;
    this.zero = new Float64Array(this.size);
    this.slopes = memory.slopes;
    this.slopeOfStage = tableau.c.map((_, s) => this.slopes.subarray(s * this.size, (s + 1) * this.size));
    this.slopeAtStart = this.slopeOfStage[0]!;
    this.slopeAtEnd = this.fsal ? this.slopeOfStage[this.slopeOfStage.length - 1]! : new Float64Array(this.size);
    this.stageState = state(this.stage);
    this.slopeStates = this.slopeOfStage.map(state);
    this.slopeAtEndState = state(this.slopeAtEnd);
    this.clock = memory.clock;
    this.stepUs = this.clock.subarray(START_US, SIZE_US + 1);
    this.innerStages = tableau.c.length - (this.fsal ? 1 : 0);
    const row = (given: PackedRow) => this.row(given, memory.weights);
    this.stageRows = packed.stages.map(row);
    this.endRow = row(packed.end);
    this.errorRow = row(packed.error);
    this.denseRow = row(packed.dense);
    this.rows = [...this.stageRows, this.endRow, this.errorRow, this.denseRow];
  }

  private row({ coefficients, stages, first }: PackedRow, weights: Float64Array): Row {
    return {
      coefficients: Float64Array.from(coefficients),
      weights: weights.subarray(first, first + stages.length),
      at: Int32Array.from(stages, (j) => j * this.size),
    };
  }

  /** Copies x into the start of the step. Returns false if another flight has overwritten the shared memory. */
  loadStart(x: Float64Array): boolean {
    const { code, xStart } = this;
    if (code === undefined) {
      for (let i = 0; i < xStart.length; i += 1) xStart[i] = x[i]!;
      return true;
    }
    const isIntact = code.claim();
    if (!isIntact) this.weightsStepUs[0] = 0;
    code.loadStart(x, this.u);
    return isIntact;
  }

  /** Copies the end state of the last step into x. */
  copyEndInto(x: Float64Array): void {
    const { xEnd, code } = this;
    if (code !== undefined) {
      code.copyEndInto(x);
      return;
    }
    for (let i = 0; i < xEnd.length; i += 1) x[i] = xEnd[i]!;
  }

  /** Makes the end of the last step the start of the next. */
  moveStartToEnd(): void {
    const { xStart, xEnd } = this;
    for (let i = 0; i < xEnd.length; i += 1) xStart[i] = xEnd[i]!;
  }

  /** Computes the first slope from the state at the start. */
  startSlope(): void {
    const { clock, code } = this;
    this.stats.evaluations += 1;
    if (code !== undefined && code.startSlope()) return;
    clock[SECONDS] = clock[START_US]! / 1e6;
    this.dynamics.derivativesInto(this.slopeStates[0]!, clock, this.xStart, this.u);
    this.addMapToStartSlope();
  }

  /** Adds the exponential map's components to the first slope. */
  private addMapToStartSlope(): void {
    if (this.map !== undefined) this.map.startSlopeInto(this.slopeAtStart, this.xStart);
  }

  /** Computes the end state from the state and the slope at the start. `isLast`: the interval ends there. */
  step(isLast: boolean): void {
    if (this.weightsStepUs[0] !== this.clock[SIZE_US]) this.scaleWeights();
    this.stats.evaluations += this.innerStages - (this.fsal ? 0 : 1);
    this.acceptOrRedo(this.code === undefined ? REDO : this.code.step(isLast));
  }

  private acceptOrRedo(status: StepStatus): void {
    this.isValid = status >= VALID;
    this.isClearOfEvents = status === CLEAR;
    if (status === REDO) this.stepByReference();
  }

  private stepByReference(): void {
    const { base, end } = this;
    for (let s = 1; s < this.innerStages; s += 1) this.innerStage(s);
    combineInto(end, base, this.slopes, this.endRow);
    if (this.map !== undefined) this.map.composeInto(end, base);
    normaliseAttitudes(end, this.attitudes);
    if (this.fsal) this.fillEndSlope();
  }

  private innerStage(s: number): void {
    const { base } = this;
    combineInto(this.stage, base, this.slopes, this.stageRows[s]!);
    if (this.map !== undefined) this.map.composeInto(this.stage, base);
    this.evaluate(this.slopeStates[s]!, this.stageState, this.clock[NODES + s]!);
    if (this.map !== undefined) this.map.slopeInto(this.slopeOfStage[s]!, this.stage);
  }

  private evaluate(slope: Float64Array, state: Float64Array, node: number): void {
    const { clock } = this;
    clock[SECONDS] = (clock[START_US]! + node * clock[SIZE_US]!) / 1e6;
    this.dynamics.derivativesInto(slope, clock, state, this.u);
  }

  /** Returns the slope after an Euler step of this length from the start. It overwrites the second stage's slope. */
  probeSlope(sizeUs: number): Float64Array {
    const { stageState, xStart, clock } = this;
    const sizeS = sizeUs / 1e6;
    const [slope, probed] = [this.slopeStates[0]!, this.slopeStates[1]!];
    for (let i = 0; i < xStart.length; i += 1) stageState[i] = xStart[i]! + sizeS * slope[i]!;
    normaliseAttitudes(stageState, this.attitudes);
    clock[SECONDS] = (clock[START_US]! + sizeUs) / 1e6;
    this.dynamics.derivativesInto(probed, clock, stageState, this.u);
    this.stats.evaluations += 1;
    return probed;
  }

  /** Fills `slopeAtEnd`. */
  endSlope(): void {
    this.fillEndSlope();
    this.stats.evaluations += 1;
  }

  private fillEndSlope(): void {
    this.evaluate(this.slopeAtEndState, this.xEnd, 1);
    if (this.map !== undefined) this.map.slopeInto(this.slopeAtEnd, this.end);
  }

  /** Makes the slope at the end of the last step the slope at the start of the next. Only for an FSAL method. */
  carrySlope(): void {
    if (this.code !== undefined) {
      this.code.carrySlope();
      return;
    }
    this.slopeAtStart.set(this.slopeAtEnd);
    this.addMapToStartSlope();
  }

  /** Fills `norm.value` with the size of the last step's error; `error` is a buffer for the error estimate. */
  measureError(norm: ErrorNorm, error: Float64Array): void {
    const { absolute, relative, angleTolerance, value } = norm;
    if (this.isValid && this.code !== undefined && this.code.measureError(absolute, relative, angleTolerance, value))
      return;
    this.errorInto(error);
    norm.measure(this.base, this.end, error);
  }

  /** Computes the estimated error of the last step. */
  errorInto(error: Float64Array): void {
    combineInto(error, this.zero, this.slopes, this.errorRow);
  }

  /** Computes h Σ dᵢ kᵢ of the last step, for its dense output. */
  denseTermInto(term: Float64Array): void {
    combineInto(term, this.zero, this.slopes, this.denseRow);
  }

  /** Restores the unit quaternions in an interpolated state. */
  restoreAttitudes(state: Float64Array): void {
    if (this.map !== undefined) this.map.composeInto(state, this.base);
    normaliseAttitudes(state, this.attitudes);
  }

  private scaleWeights(): void {
    const sizeUs = this.clock[SIZE_US]!;
    const sizeS = sizeUs / 1e6;
    for (const { coefficients, weights } of this.rows) {
      for (let j = 0; j < weights.length; j += 1) weights[j] = coefficients[j]! * sizeS;
    }
    this.weightsStepUs[0] = sizeUs;
  }
}

/** Allocates memory for a method with state vectors of the given size. */
export function methodMemory(
  tableau: Tableau,
  size: number,
  reserve = (length: number): Float64Array => new Float64Array(Math.max(length, MIN_LENGTH)).subarray(0, length),
): MethodMemory {
  const { c } = tableau;
  const clock = reserve(NODES + c.length);
  clock.set(c, NODES);
  return {
    base: reserve(size),
    stage: reserve(size),
    end: reserve(size),
    slopes: reserve(c.length * size),
    weights: reserve(packTableau(tableau).weightCount),
    clock,
  };
}
