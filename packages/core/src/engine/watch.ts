/**
 * Looks inside integration steps for crossings and seams (law 8).
 *
 * A crossing is a value below its threshold at the start of a step and not below it at the end; a seam is a change of
 * sign either way. The first whole microsecond at which it has happened is found on the dense output by bisection over
 * whole microseconds. What comes and goes inside one step is not seen.
 *
 * The values at the end of one step are those at the start of the next, unless something moved in between; and where the
 * plant says that its seams are far from both ends, they are not asked for at all.
 */
import type { DenseStep, Locates, Plant, Watch } from "./contracts.ts";

const nothingToLocate: Locates = { crossingCount: 0, crossingsInto: () => {}, armed: [] };

/** Values at one instant, with a standing window on those of the seams. */
class Values {
  readonly all: Float64Array;
  readonly seams: Float64Array;
  /** The seams were far, and their values not asked for. */
  isFar = false;

  constructor(count: number, crossingCount: number) {
    this.all = new Float64Array(count);
    this.seams = this.all.subarray(crossingCount);
  }
}

export class InsideWatch implements Watch {
  /** Whole microsecond at which the earliest instant was found. */
  readonly foundUs = new Float64Array(1);
  /** Seams that were stepped over because they were not to be looked for. */
  passedSeams = 0;

  private readonly locates: Locates;
  private readonly crossingCount: number;
  private readonly plant: Plant;
  private readonly seamCount: number;
  private readonly knowsFar: boolean;
  private readonly u: Float64Array;
  /** The instant that values are asked for, and the same in seconds. */
  private readonly tUs = new Float64Array(1);
  private readonly timeS = new Float64Array(1);
  private readonly xInside: Float64Array;
  private start: Values;
  private end: Values;
  private readonly inside: Values;
  /** 1 for each value found at `foundUs`. */
  private readonly found: Uint8Array;
  /** 1 for each crossing that is to be landed on. */
  private readonly awaited: Uint8Array;
  private looksForCrossings = true;
  private looksForSeams = true;
  /** The values at the start are those of the last end. */
  private isCarried = false;

  constructor(plant: Plant, u: Float64Array, locates: Locates | undefined) {
    this.locates = locates ?? nothingToLocate;
    this.crossingCount = this.locates.crossingCount;
    this.plant = plant;
    this.seamCount = plant.seamsInto === undefined ? 0 : (plant.seamCount ?? 0);
    this.knowsFar = plant.seamsAreFar !== undefined;
    this.u = u;
    this.xInside = new Float64Array(plant.layout.size);
    const count = this.crossingCount + this.seamCount;
    this.start = new Values(count, this.crossingCount);
    this.end = new Values(count, this.crossingCount);
    this.inside = new Values(count, this.crossingCount);
    this.found = new Uint8Array(count);
    this.awaited = new Uint8Array(this.crossingCount);
  }

  /** False when there is nothing to look for, ever. */
  get isNeeded(): boolean {
    return this.found.length > 0;
  }

  /** Seams are far at the start, and there are no crossings: only a step's end could bring something. */
  get isClearOfEvents(): boolean {
    return this.start.isFar && this.crossingCount === 0;
  }

  get hasSeams(): boolean {
    return this.seamCount > 0;
  }

  /** State or input are not those of the last end. */
  forget(): void {
    this.isCarried = false;
  }

  /** Takes the values at the start of an integration, and what is to be looked for. */
  begin(startUs: Float64Array, x: Float64Array, looksForCrossings: boolean, looksForSeams: boolean): void {
    this.looksForCrossings = looksForCrossings;
    this.looksForSeams = looksForSeams;
    if (this.isCarried) return;
    this.tUs[0] = startUs[0]!;
    this.valuesInto(this.start, x);
    this.isCarried = true;
  }

  look(step: DenseStep): boolean {
    const { start, end } = this;
    // Far at both ends: nothing to find, and the values at the start of the next step are as they were at this one's.
    if (this.isClearOfEvents && this.plant.seamsAreFar!(step.xEnd, this.u)) return false;
    this.tUs[0] = step.endUs;
    this.valuesInto(end, step.xEnd);
    if (this.find(step)) return true;
    this.start = end;
    this.end = start;
    return false;
  }

  get foundCrossing(): boolean {
    for (let i = 0; i < this.crossingCount; i += 1) if (this.found[i] === 1) return true;
    return false;
  }

  /** Remembers the crossings found, while the way to them is integrated again. */
  awaitFound(): void {
    for (let i = 0; i < this.crossingCount; i += 1) this.awaited[i] = this.found[i]!;
  }

  /** Whether every awaited crossing is true of this state. */
  awaitedHold(tUs: number, x: Float64Array): boolean {
    this.tUs[0] = tUs;
    this.valuesInto(this.inside, x);
    for (let i = 0; i < this.crossingCount; i += 1) {
      if (this.awaited[i] === 1 && !(this.inside.all[i]! >= 0)) return false;
    }
    return true;
  }

  /** Whether every seam found lies behind this state. */
  foundSeamsHold(tUs: number, x: Float64Array): boolean {
    this.tUs[0] = tUs;
    this.valuesInto(this.inside, x);
    for (let i = this.crossingCount; i < this.found.length; i += 1) {
      if (this.found[i] === 1 && !this.crosses(i, this.inside)) return false;
    }
    return true;
  }

  /** Fills `found` and `foundUs` with the earliest of what crosses in the step; false if nothing does. */
  private find(step: DenseStep): boolean {
    const { found, crossingCount } = this;
    let earliestUs = Infinity;
    for (let i = 0; i < found.length; i += 1) {
      found[i] = 0;
      if (!this.crosses(i, this.end)) continue;
      if (i >= crossingCount && !this.looksForSeams) {
        this.passedSeams += 1;
        continue;
      }
      const tUs = this.locate(i, step);
      if (tUs < earliestUs) found.fill(0, 0, i);
      if (tUs <= earliestUs) {
        found[i] = 1;
        earliestUs = tUs;
      }
    }
    if (earliestUs === Infinity) return false;
    this.foundUs[0] = earliestUs;
    return true;
  }

  /** Whether value i has crossed between the start of the step and here. */
  private crosses(i: number, here: Values): boolean {
    if (i >= this.crossingCount) {
      // What is far is negative.
      const startsBelow = this.start.isFar || this.start.all[i]! < 0;
      return startsBelow !== (here.isFar || here.all[i]! < 0);
    }
    return this.looksForCrossings && this.locates.armed[i] === 1 && this.start.all[i]! < 0 && here.all[i]! >= 0;
  }

  /** First whole microsecond of the step at which value i has crossed on the dense output. */
  private locate(i: number, step: DenseStep): number {
    const spanUs = step.endUs - step.startUs;
    let before = 0;
    let after = spanUs;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      step.interpolateInto(this.xInside, middle / spanUs);
      this.tUs[0] = step.startUs + middle;
      this.valuesInto(this.inside, this.xInside);
      if (this.crosses(i, this.inside)) after = middle;
      else before = middle;
    }
    return step.startUs + after;
  }

  /** Crossings first, then seams, at the time in `tUs`. */
  private valuesInto(values: Values, x: Float64Array): void {
    values.isFar = this.knowsFar && this.plant.seamsAreFar!(x, this.u);
    if (values.isFar && this.crossingCount === 0) return;
    this.timeS[0] = this.tUs[0]! / 1e6;
    if (this.crossingCount > 0) this.locates.crossingsInto(values.all, this.timeS, x);
    if (this.seamCount > 0 && !values.isFar) this.plant.seamsInto!(values.seams, this.timeS, x, this.u);
  }
}
