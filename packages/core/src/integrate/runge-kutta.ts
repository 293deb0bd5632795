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
import { combineInto } from "./combine.ts";
import { isFirstSameAsLast, type Tableau } from "./tableau.ts";

/** Weighted slopes to be summed: the non-zero coefficients of one row, times the step size. */
interface Row {
  readonly coefficients: Float64Array;
  readonly weights: Float64Array;
  readonly slopes: readonly Float64Array[];
}

export type AttitudeOption = "normalise" | "exponential";

export class RungeKutta {
  readonly order: number;
  /** The slope at the end is that of the last stage. */
  readonly fsal: boolean;
  /** Numbers in a state vector of ours: the layout's, and what the exponential map adds. */
  readonly size: number;
  readonly map: ExponentialMap | undefined;
  readonly stats: IntegratorStats = { evaluations: 0, accepted: 0, rejected: 0, seams: 0, forced: 0 };
  /** Set these before a step. Cells, for a time above 2^31 µs would be boxed. */
  readonly startUs = new Float64Array(1);
  readonly sizeUs = new Float64Array(1);
  /** The slopes of the stages; the first is to be filled before a step. */
  readonly slopes: readonly Float64Array[];
  /** Slope at the end of the step: of the last stage, or filled by `endSlope` when asked for. */
  readonly slopeAtEnd: Float64Array;

  private readonly dynamics: Dynamics;
  private readonly u: Float64Array;
  private readonly attitudes: Int32Array;
  private readonly timeS = new Float64Array(1);
  private readonly c: Float64Array;
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
    this.slopes = tableau.c.map(vector);
    this.slopeAtEnd = this.fsal ? this.slopes[this.slopes.length - 1]! : vector();
    this.stageState = state(this.stage);
    this.slopeStates = this.slopes.map(state);
    this.slopeAtEndState = state(this.slopeAtEnd);
    this.c = Float64Array.from(tableau.c);
    this.innerStages = this.c.length - (this.fsal ? 1 : 0);
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
      slopes: used.map((j) => this.slopes[j]!),
    };
  }

  /** Fills the first slope from the state at `startUs`. */
  startSlope(state: Float64Array): void {
    this.timeS[0] = this.startUs[0]! / 1e6;
    this.dynamics.derivativesInto(this.slopeStates[0]!, this.timeS, state, this.u);
    this.stats.evaluations += 1;
    this.startTurn(state);
  }

  /** For a first slope that was filled otherwise: what the exponential map adds to it. */
  startTurn(state: Float64Array): void {
    if (this.map !== undefined) this.map.startSlopeInto(this.slopes[0]!, state);
  }

  /**
   * From `base` and the first slope to `end`, of which `endState` is the plant's part. Without an exponential map all
   * three may be one array.
   */
  step(base: Float64Array, end: Float64Array, endState: Float64Array): void {
    if (this.weightsAreForUs[0] !== this.sizeUs[0]) this.scaleWeights();
    for (let s = 1; s < this.innerStages; s += 1) this.innerStage(s, base);
    combineInto(end, base, this.endRow.slopes, this.endRow.weights);
    if (this.map !== undefined) this.map.placeInto(end, base);
    normaliseAttitudes(end, this.attitudes);
    this.stats.evaluations += this.innerStages - 1;
    if (this.fsal) this.endSlope(end, endState);
  }

  private innerStage(s: number, base: Float64Array): void {
    const row = this.stageRows[s]!;
    combineInto(this.stage, base, row.slopes, row.weights);
    if (this.map !== undefined) this.map.placeInto(this.stage, base);
    this.timeS[0] = (this.startUs[0]! + this.c[s]! * this.sizeUs[0]!) / 1e6;
    this.dynamics.derivativesInto(this.slopeStates[s]!, this.timeS, this.stageState, this.u);
    if (this.map !== undefined) this.map.slopeInto(this.slopes[s]!, this.stage);
  }

  /** Fills `slopeAtEnd`. */
  endSlope(end: Float64Array, endState: Float64Array): void {
    this.timeS[0] = (this.startUs[0]! + this.sizeUs[0]!) / 1e6;
    this.dynamics.derivativesInto(this.slopeAtEndState, this.timeS, endState, this.u);
    if (this.map !== undefined) this.map.slopeInto(this.slopeAtEnd, end);
    this.stats.evaluations += 1;
  }

  /** The estimated error of the step just made. */
  errorInto(error: Float64Array): void {
    combineInto(error, this.zero, this.errorRow.slopes, this.errorRow.weights);
  }

  /** h Σ dᵢ kᵢ of the step just made, for its dense output. */
  denseTermInto(term: Float64Array): void {
    combineInto(term, this.zero, this.denseRow.slopes, this.denseRow.weights);
  }

  /** Makes the attitudes of an interpolated state rotations again; `base` is the start of the step. */
  settleAttitudes(state: Float64Array, base: Float64Array): void {
    if (this.map !== undefined) this.map.placeInto(state, base);
    normaliseAttitudes(state, this.attitudes);
  }

  private scaleWeights(): void {
    const sizeUs = this.sizeUs[0]!;
    const sizeS = sizeUs / 1e6;
    for (const { coefficients, weights } of this.rows) {
      for (let j = 0; j < weights.length; j += 1) weights[j] = coefficients[j]! * sizeS;
    }
    this.weightsAreForUs[0] = sizeUs;
  }
}
