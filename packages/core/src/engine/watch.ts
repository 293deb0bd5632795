/**
 * Looks inside integration steps for crossings and seams (law 8).
 *
 * A crossing is a value below its threshold at the start of a step and not below it at the end; a seam is a change of
 * sign either way. The earliest instant is found on the dense output by bisection and rounded up to a whole
 * microsecond. What comes and goes inside one step is not seen.
 */
import type { DenseStep, Locates, Plant, Watch } from "./contracts.ts";

/** Halvings of θ: a step of a whole second is resolved far below a microsecond. */
const BISECTIONS = 48;

const nothingToLocate: Locates = { crossingCount: 0, crossingsInto: () => {}, armed: [] };

/** Values at one instant, with a standing window on those of the seams. */
class Values {
  readonly all: Float64Array;
  readonly seams: Float64Array;

  constructor(count: number, crossingCount: number) {
    this.all = new Float64Array(count);
    this.seams = this.all.subarray(crossingCount);
  }
}

export class InsideWatch implements Watch {
  /** Whole microsecond at which the earliest instant was found. */
  readonly foundUs = new Float64Array(1);

  private readonly locates: Locates;
  private readonly seamsInto: NonNullable<Plant["seamsInto"]>;
  private readonly seamCount: number;
  private readonly u: Float64Array;
  private readonly timeS = new Float64Array(1);
  private readonly xInside: Float64Array;
  private start: Values;
  private end: Values;
  private readonly inside: Values;
  /** 1 for each value found at `foundUs`. */
  private readonly found: Uint8Array;
  private lookForSeams = true;

  constructor(plant: Plant, u: Float64Array, locates: Locates | undefined) {
    this.locates = locates ?? nothingToLocate;
    this.seamsInto = plant.seamsInto ?? (() => {});
    this.seamCount = plant.seamsInto === undefined ? 0 : (plant.seamCount ?? 0);
    this.u = u;
    this.xInside = new Float64Array(plant.layout.size);
    const count = this.locates.crossingCount + this.seamCount;
    this.start = new Values(count, this.locates.crossingCount);
    this.end = new Values(count, this.locates.crossingCount);
    this.inside = new Values(count, this.locates.crossingCount);
    this.found = new Uint8Array(count);
  }

  /** False when there is nothing to look for, ever. */
  get isNeeded(): boolean {
    return this.found.length > 0;
  }

  /** Takes the values at the start of an integration. */
  begin(tUs: number, x: Float64Array, lookForSeams: boolean): void {
    this.lookForSeams = lookForSeams;
    this.timeS[0] = tUs / 1e6;
    this.valuesInto(this.start, x);
  }

  readonly look = (step: DenseStep): boolean => {
    this.timeS[0] = step.endUs / 1e6;
    this.valuesInto(this.end, step.xEnd);
    this.found.fill(0);
    let earliestUs = Infinity;
    for (let i = 0; i < this.found.length; i += 1) {
      if (!this.crosses(i, this.end)) continue;
      const tUs = this.locate(i, step);
      if (tUs < earliestUs) this.found.fill(0, 0, i);
      if (tUs <= earliestUs) {
        this.found[i] = 1;
        earliestUs = tUs;
      }
    }
    if (earliestUs < Infinity) {
      this.foundUs[0] = earliestUs;
      return true;
    }
    const { start } = this;
    this.start = this.end;
    this.end = start;
    return false;
  };

  get foundCrossing(): boolean {
    return this.anyFound(0, this.locates.crossingCount);
  }

  get foundSeam(): boolean {
    return this.anyFound(this.locates.crossingCount, this.found.length);
  }

  /** Whether everything that was found is true of this state. */
  holds(tUs: number, x: Float64Array): boolean {
    this.timeS[0] = tUs / 1e6;
    this.valuesInto(this.inside, x);
    for (let i = 0; i < this.found.length; i += 1) {
      if (this.found[i] === 1 && !this.crosses(i, this.inside)) return false;
    }
    return true;
  }

  private anyFound(from: number, to: number): boolean {
    for (let i = from; i < to; i += 1) if (this.found[i] === 1) return true;
    return false;
  }

  /** Whether value i has crossed between the start of the step and here. */
  private crosses(i: number, here: Values): boolean {
    const start = this.start.all[i]!;
    const value = here.all[i]!;
    if (i < this.locates.crossingCount) return this.locates.armed[i] === 1 && start < 0 && value >= 0;
    return this.lookForSeams && start < 0 !== value < 0;
  }

  /** First whole microsecond at which value i has crossed on the dense output. */
  private locate(i: number, step: DenseStep): number {
    const spanUs = step.endUs - step.startUs;
    let before = 0;
    let after = 1;
    for (let halving = 0; halving < BISECTIONS; halving += 1) {
      const theta = (before + after) / 2;
      step.interpolateInto(this.xInside, theta);
      this.timeS[0] = (step.startUs + theta * spanUs) / 1e6;
      this.valuesInto(this.inside, this.xInside);
      if (this.crosses(i, this.inside)) after = theta;
      else before = theta;
    }
    return step.startUs + Math.max(1, Math.ceil(after * spanUs));
  }

  /** Crossings first, then seams, at the time in `timeS`. */
  private valuesInto(values: Values, x: Float64Array): void {
    this.locates.crossingsInto(values.all, this.timeS, x);
    if (this.seamCount > 0) this.seamsInto(values.seams, this.timeS, x, this.u);
  }
}
