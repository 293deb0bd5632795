/**
 * Finds events inside integration steps (law 8): crossings of the scenario and seams of the plant.
 *
 * A crossing happens if a value is below its threshold at the start of a step and not below it at the end. A seam
 * happens if its value changes sign, in either direction. The event's time is the first whole microsecond at which it
 * has happened, found by bisection on the dense output. An event that starts and ends within one step is not found. The
 * values at the end of a step are reused at the start of the next, unless the state or the input changed in between. If
 * the plant reports a state as clear of events, its seams are not evaluated.
 */
import type { DenseStep, EventFinder, EventFunctions, Plant } from "./contracts.ts";

const NO_EVENT_FUNCTIONS: EventFunctions = { crossingCount: 0, crossingsInto: () => {}, armed: [] };

/** Event values at one instant: crossings, then seams. */
class EventValues {
  readonly all: Float64Array;
  readonly seams: Float64Array;
  /** True if the plant reported the state as clear of events: all seams are negative, and `seams` was not filled. */
  isClear = false;

  constructor(count: number, crossingCount: number) {
    this.all = new Float64Array(count);
    this.seams = this.all.subarray(crossingCount);
  }
}

export class EventLocator implements EventFinder {
  /** Time of the earliest event in the last inspected step, in whole microseconds. */
  readonly foundUs = new Float64Array(1);
  /** Seams that were stepped over because the search for seams was off. */
  passedSeams = 0;

  private readonly functions: EventFunctions;
  private readonly crossingCount: number;
  private readonly plant: Plant;
  private readonly seamCount: number;
  private readonly hasClearTest: boolean;
  private readonly u: Float64Array;
  /** Time at which values are evaluated, in µs and in seconds. */
  private readonly timeCell = new Float64Array(1);
  private readonly timeS = new Float64Array(1);
  private readonly xInside: Float64Array;
  private start: EventValues;
  private end: EventValues;
  private readonly inside: EventValues;
  /** 1 for each event at `foundUs`. */
  private readonly found: Uint8Array;
  /** 1 for each crossing at which the interval must end. */
  private readonly awaited: Uint8Array;
  private findsCrossings = true;
  private findsSeams = true;
  /** True if `start` holds the values at the start of the next step. */
  private isCarried = false;

  constructor(plant: Plant, u: Float64Array, functions: EventFunctions | undefined) {
    this.functions = functions ?? NO_EVENT_FUNCTIONS;
    this.crossingCount = this.functions.crossingCount;
    this.plant = plant;
    this.seamCount = plant.seamsInto === undefined ? 0 : (plant.seamCount ?? 0);
    this.hasClearTest = plant.isClearOfEvents !== undefined;
    this.u = u;
    this.xInside = new Float64Array(plant.layout.size);
    const count = this.crossingCount + this.seamCount;
    this.start = new EventValues(count, this.crossingCount);
    this.end = new EventValues(count, this.crossingCount);
    this.inside = new EventValues(count, this.crossingCount);
    this.found = new Uint8Array(count);
    this.awaited = new Uint8Array(this.crossingCount);
  }

  /** False if there are no crossings and no seams at all. */
  get isNeeded(): boolean {
    return this.found.length > 0;
  }

  /** True if there are no crossings and the step's start is clear. If its end is clear too, it contains no event. */
  get isClearOfEvents(): boolean {
    return this.start.isClear && this.crossingCount === 0;
  }

  get hasSeams(): boolean {
    return this.seamCount > 0;
  }

  /** Call this when the state or the input has changed since the end of the last step. */
  invalidate(): void {
    this.isCarried = false;
  }

  /** Evaluates the values at the start of an integration, and sets which events to find. */
  begin(startUs: Float64Array, x: Float64Array, findsCrossings: boolean, findsSeams: boolean): void {
    this.findsCrossings = findsCrossings;
    this.findsSeams = findsSeams;
    if (this.isCarried) return;
    this.timeCell[0] = startUs[0]!;
    this.valuesInto(this.start, x);
    this.isCarried = true;
  }

  inspect(step: DenseStep): boolean {
    const { start, end } = this;
    // If both ends are clear, the step contains no event, and `start` is valid for the next step too.
    if (this.isClearOfEvents && this.plant.isClearOfEvents!(step.xEnd, this.u)) return false;
    this.timeCell[0] = step.endUs;
    this.valuesInto(end, step.xEnd);
    if (this.findEarliest(step)) return true;
    this.start = end;
    this.end = start;
    return false;
  }

  get foundCrossing(): boolean {
    for (let i = 0; i < this.crossingCount; i += 1) if (this.found[i] === 1) return true;
    return false;
  }

  /** Copies the crossings in `found` to `awaited`, because integrating up to them overwrites `found`. */
  awaitFound(): void {
    for (let i = 0; i < this.crossingCount; i += 1) this.awaited[i] = this.found[i]!;
  }

  /** Whether every awaited crossing has happened in this state. */
  hasReachedCrossings(tUs: number, x: Float64Array): boolean {
    this.timeCell[0] = tUs;
    this.valuesInto(this.inside, x);
    for (let i = 0; i < this.crossingCount; i += 1) {
      if (this.awaited[i] === 1 && !(this.inside.all[i]! >= 0)) return false;
    }
    return true;
  }

  /** Whether this state is past every seam in `found`. */
  hasPassedSeams(tUs: number, x: Float64Array): boolean {
    this.timeCell[0] = tUs;
    this.valuesInto(this.inside, x);
    for (let i = this.crossingCount; i < this.found.length; i += 1) {
      if (this.found[i] === 1 && !this.hasHappened(i, this.inside)) return false;
    }
    return true;
  }

  /** Whether a seam lies between the instant of `start` and the end of the step. */
  readonly hasSeam = (step: DenseStep): boolean => {
    this.timeCell[0] = step.endUs;
    this.valuesInto(this.inside, step.xEnd);
    for (let i = this.crossingCount; i < this.found.length; i += 1) if (this.hasHappened(i, this.inside)) return true;
    return false;
  };

  /** Fills `found` and `foundUs` with the earliest events in the step; false if there is none. */
  private findEarliest(step: DenseStep): boolean {
    const { found, crossingCount } = this;
    let earliestUs = Infinity;
    for (let i = 0; i < found.length; i += 1) {
      found[i] = 0;
      if (!this.hasHappened(i, this.end)) continue;
      if (i >= crossingCount && !this.findsSeams) {
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

  /** Whether event i happens between the start of the step and the instant of `here`. */
  private hasHappened(i: number, here: EventValues): boolean {
    if (i >= this.crossingCount) {
      // In a state that is clear of events, every seam is negative.
      const startsNegative = this.start.isClear || this.start.all[i]! < 0;
      return startsNegative !== (here.isClear || here.all[i]! < 0);
    }
    return this.findsCrossings && this.functions.armed[i] === 1 && this.start.all[i]! < 0 && here.all[i]! >= 0;
  }

  /** Returns the first whole microsecond of the step at which event i has happened on the dense output. */
  private locate(i: number, step: DenseStep): number {
    const spanUs = step.endUs - step.startUs;
    let before = 0;
    let after = spanUs;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      step.interpolateInto(this.xInside, middle / spanUs);
      this.timeCell[0] = step.startUs + middle;
      this.valuesInto(this.inside, this.xInside);
      if (this.hasHappened(i, this.inside)) after = middle;
      else before = middle;
    }
    return step.startUs + after;
  }

  /** Evaluates crossings and seams at the time in `timeCell`. */
  private valuesInto(values: EventValues, x: Float64Array): void {
    values.isClear = this.hasClearTest && this.plant.isClearOfEvents!(x, this.u);
    if (values.isClear && this.crossingCount === 0) return;
    this.timeS[0] = this.timeCell[0]! / 1e6;
    if (this.crossingCount > 0) this.functions.crossingsInto(values.all, this.timeS, x);
    if (this.seamCount > 0 && !values.isClear) this.plant.seamsInto!(values.seams, this.timeS, x, this.u);
  }
}
