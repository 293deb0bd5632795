/**
 * One step of any explicit Runge–Kutta method: the arithmetic, without any opinion on step sizes.
 *
 * A tableau is packed at construction: zero coefficients are left out, and what remains is multiplied by the step size
 * once, for as long as the size stays the same. Times are whole microseconds in cells; a stage stands at
 * (startUs + c · sizeUs) / 1e6 seconds, so the last one stands exactly on the end. Stage states are not normalised;
 * the end state is, and only then is the last stage of an FSAL method evaluated, so that it can be computed again.
 */
import type { Dynamics, IntegratorContext, IntegratorStats } from "./contracts.ts";
import { ExponentialMap, attitudeOffsets, normaliseAttitudes } from "./attitude.ts";
import { combineInto, type Row } from "./combine.ts";
import { isFirstSameAsLast, type Tableau } from "./tableau.ts";

// Cells of the clock; the nodes c of the tableau follow.
const SECONDS = 0;
const START_US = 1;
const SIZE_US = 2;
const NODES = 3;

export type AttitudeOption = "normalise" | "exponential";

export class RungeKutta {
  readonly order: number;
  /** The slope at the end is that of the last stage. */
  readonly fsal: boolean;
  /** Numbers in a state vector of ours: the layout's, and what the exponential map adds. */
  readonly size: number;
  readonly map: ExponentialMap | undefined;
  readonly stats: IntegratorStats = { evaluations: 0, accepted: 0, rejected: 0, seams: 0, forced: 0 };
  /** Start and size of the step, to be set before it. Cells, for a time above 2^31 µs would be boxed. */
  readonly stepUs: Float64Array;
  /** The slope at the start of the step, to be filled before it. */
  readonly slopeAtStart: Float64Array;
  /** The slope at its end: of the last stage, or filled by `endSlope` when asked for. */
  readonly slopeAtEnd: Float64Array;

  private readonly dynamics: Dynamics;
  private readonly u: Float64Array;
  private readonly attitudes: Int32Array;
  /** What the plant is given as its time, with all that the times of the stages follow from: one array to look up. */
  private readonly clock: Float64Array;
  /** The slopes of all stages, one behind the other. */
  private readonly slopes: Float64Array;
  private readonly slopeOfStage: readonly Float64Array[];
  /** Row s leads to stage s. */
  private readonly stageRows: readonly Row[];
  private readonly endRow: Row;
  private readonly errorRow: Row;
  private readonly denseRow: Row;
  private readonly rows: readonly Row[];
  /** Stages whose state is not the end state. */
  private readonly innerStages: number;
  private readonly weightsAreForUs = new Float64Array(1);
  private readonly stage: Float64Array;
  private readonly zero: Float64Array;
  // What the plant sees of our vectors: exactly its own components.
  private readonly stageState: Float64Array;
  private readonly slopeStates: readonly Float64Array[];
  private readonly slopeAtEndState: Float64Array;

  constructor(tableau: Tableau, { plant, u }: IntegratorContext, attitude: AttitudeOption) {
    const { layout } = plant;
    this.dynamics = plant;
    this.u = u;
    this.order = tableau.order;
    this.fsal = isFirstSameAsLast(tableau);
    this.attitudes = attitudeOffsets(layout);
    this.map = attitude === "exponential" && this.attitudes.length > 0 ? new ExponentialMap(layout) : undefined;
    this.size = layout.size + (this.map?.extra ?? 0);
    const vector = () => new Float64Array(this.size);
    const state = (values: Float64Array) => (this.map === undefined ? values : values.subarray(0, layout.size));
    this.stage = vector();
    this.zero = vector();
    this.slopes = new Float64Array(tableau.c.length * this.size);
    this.slopeOfStage = tableau.c.map((_, s) => this.slopes.subarray(s * this.size, (s + 1) * this.size));
    this.slopeAtStart = this.slopeOfStage[0]!;
    this.slopeAtEnd = this.fsal ? this.slopeOfStage[this.slopeOfStage.length - 1]! : vector();
    this.stageState = state(this.stage);
    this.slopeStates = this.slopeOfStage.map(state);
    this.slopeAtEndState = state(this.slopeAtEnd);
    this.clock = Float64Array.of(0, 0, 0, ...tableau.c);
    this.stepUs = this.clock.subarray(START_US, SIZE_US + 1);
    this.innerStages = tableau.c.length - (this.fsal ? 1 : 0);
    this.stageRows = tableau.a.map((row) => this.pack(row));
    this.endRow = this.pack(tableau.b);
    this.errorRow = this.pack(tableau.e ?? []);
    this.denseRow = this.pack(tableau.d ?? []);
    this.rows = [...this.stageRows, this.endRow, this.errorRow, this.denseRow];
  }

  private pack(row: readonly number[]): Row {
    const used = row.flatMap((value, j) => (value === 0 ? [] : [j]));
    return {
      coefficients: Float64Array.from(used, (j) => row[j]!),
      weights: new Float64Array(used.length),
      at: Int32Array.from(used, (j) => j * this.size),
    };
  }

  /** Fills the first slope from the state at `startUs`. */
  startSlope(state: Float64Array): void {
    const { clock } = this;
    clock[SECONDS] = clock[START_US]! / 1e6;
    this.dynamics.derivativesInto(this.slopeStates[0]!, clock, state, this.u);
    this.stats.evaluations += 1;
    this.startTurn(state);
  }

  /** For a first slope that was filled otherwise: what the exponential map adds to it. */
  startTurn(state: Float64Array): void {
    if (this.map !== undefined) this.map.startSlopeInto(this.slopeAtStart, state);
  }

  /**
   * From `base` and the first slope to `end`, of which `endState` is the plant's part. Without an exponential map all
   * three may be one array.
   */
  step(base: Float64Array, end: Float64Array, endState: Float64Array): void {
    if (this.weightsAreForUs[0] !== this.clock[SIZE_US]) this.scaleWeights();
    for (let s = 1; s < this.innerStages; s += 1) this.innerStage(s, base);
    combineInto(end, base, this.slopes, this.endRow);
    if (this.map !== undefined) this.map.placeInto(end, base);
    normaliseAttitudes(end, this.attitudes);
    this.stats.evaluations += this.innerStages - 1;
    if (this.fsal) this.endSlope(end, endState);
  }

  private innerStage(s: number, base: Float64Array): void {
    const { clock } = this;
    combineInto(this.stage, base, this.slopes, this.stageRows[s]!);
    if (this.map !== undefined) this.map.placeInto(this.stage, base);
    clock[SECONDS] = (clock[START_US]! + clock[NODES + s]! * clock[SIZE_US]!) / 1e6;
    this.dynamics.derivativesInto(this.slopeStates[s]!, clock, this.stageState, this.u);
    if (this.map !== undefined) this.map.slopeInto(this.slopeOfStage[s]!, this.stage);
  }

  /** Fills `slopeAtEnd`. */
  endSlope(end: Float64Array, endState: Float64Array): void {
    const { clock } = this;
    clock[SECONDS] = (clock[START_US]! + clock[SIZE_US]!) / 1e6;
    this.dynamics.derivativesInto(this.slopeAtEndState, clock, endState, this.u);
    if (this.map !== undefined) this.map.slopeInto(this.slopeAtEnd, end);
    this.stats.evaluations += 1;
  }

  /** The estimated error of the step just made. */
  errorInto(error: Float64Array): void {
    combineInto(error, this.zero, this.slopes, this.errorRow);
  }

  /** h Σ dᵢ kᵢ of the step just made, for its dense output. */
  denseTermInto(term: Float64Array): void {
    combineInto(term, this.zero, this.slopes, this.denseRow);
  }

  /** Makes the attitudes of an interpolated state rotations again; `base` is the start of the step. */
  settleAttitudes(state: Float64Array, base: Float64Array): void {
    if (this.map !== undefined) this.map.placeInto(state, base);
    normaliseAttitudes(state, this.attitudes);
  }

  private scaleWeights(): void {
    const sizeUs = this.clock[SIZE_US]!;
    const sizeS = sizeUs / 1e6;
    for (const { coefficients, weights } of this.rows) {
      for (let j = 0; j < weights.length; j += 1) weights[j] = coefficients[j]! * sizeS;
    }
    this.weightsAreForUs[0] = sizeUs;
  }
}
