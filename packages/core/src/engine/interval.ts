/**
 * One interval: integrates the plant from this boundary to the next under the frozen input.
 *
 * Without events this is one call of the integrator. The first integration is a trial: if it finds a crossing, the
 * interval is integrated again from its start, its seams are located again, and it ends at the crossing, which becomes
 * a boundary. So the result has the bits of an interval that was scheduled to end there. A replay knows the boundary,
 * does not search for crossings, and gets the same bits. A seam only restarts the integrator: no stage runs, and
 * nothing is recorded.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import type { EventFinder, EventFunctions, Integrator, Plant } from "./contracts.ts";
import { engineErrors } from "./errors.ts";
import { EventLocator } from "./events.ts";
import type { Schedule } from "./schedule.ts";
import { DUE_BITS } from "./stages.ts";

/** How many crossings, and separately how many seams, may be located between two scheduled boundaries. */
const MAX_LOCATED = 16;

interface IntervalParts {
  readonly plant: Plant;
  readonly integrator: Integrator;
  readonly schedule: Schedule;
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly eventFunctions: EventFunctions | undefined;
}

/** The state and the integrator's memory at one instant, to return to later. */
class SavedPoint {
  private readonly memory: Float64Array;
  private readonly x: Float64Array;

  constructor(stateSize: number, memorySize: number) {
    this.x = new Float64Array(stateSize);
    this.memory = new Float64Array(memorySize);
  }

  save(x: Float64Array, integrator: Integrator): void {
    this.x.set(x);
    integrator.saveInto(this.memory);
  }

  restore(x: Float64Array, integrator: Integrator): void {
    x.set(this.x);
    integrator.restoreFrom(this.memory);
  }
}

export class Interval implements Saveable {
  /** How many state slots `project` has moved back into their physically valid set so far. */
  correctedSlots = 0;
  count = 0;
  /** True if the state at the end is known to be finite, with attitudes of unit length. */
  isValid = false;

  private readonly integrator: Integrator;
  private readonly schedule: Schedule;
  private readonly x: Float64Array;
  private readonly plant: Plant;
  private readonly hasProject: boolean;
  private readonly events: EventLocator;
  private readonly mayHaveEvents: boolean;
  private readonly span = new Float64Array(2);
  /** The start of the interval. */
  private readonly atStart: SavedPoint;
  /** The last seam, or the start if there was none. */
  private readonly atSeam: SavedPoint;
  /**
   * An event finder that never ends the integration, so that it continues up to a located seam. It still reports
   * whether a step contains a seam.
   */
  private readonly seamChecker: EventFinder;
  /** Crossings and seams located since the last scheduled boundary. */
  private locatedCrossings = 0;
  private locatedSeams = 0;

  constructor(parts: IntervalParts) {
    const { plant, integrator } = parts;
    this.integrator = integrator;
    this.schedule = parts.schedule;
    this.x = parts.x;
    this.plant = plant;
    this.hasProject = plant.project !== undefined;
    this.events = new EventLocator(plant, parts.u, parts.eventFunctions);
    this.mayHaveEvents = this.events.isNeeded;
    this.seamChecker = { inspect: () => false, hasSeam: this.events.hasSeam };
    this.atStart = new SavedPoint(parts.x.length, integrator.memorySize);
    this.atSeam = new SavedPoint(parts.x.length, integrator.memorySize);
  }

  /** Seams that were not located, because too many had been located before them. */
  get passedSeams(): number {
    return this.events.passedSeams;
  }

  /**
   * Integrates to the next boundary, or to a crossing before it. `hasChanged`: the state or the input has changed since
   * the end of the last interval.
   */
  run(hasChanged: boolean): void {
    const { events, integrator, schedule, span, x } = this;
    if ((schedule.due & DUE_BITS.inserted) === 0) {
      this.locatedCrossings = 0;
      this.locatedSeams = 0;
    }
    if (hasChanged) events.invalidate();
    span[0] = schedule.cells[0]!;
    schedule.peekInto(span, 1);
    if (!this.mayHaveEvents) {
      integrator.advance(span, x);
    } else {
      const { passedSeams } = events;
      if (!this.integrateLeg(true)) this.runToEvents(span[0], span[1]!, passedSeams);
    }
    this.isValid = integrator.isValid === true;
    if (this.hasProject && integrator.isClearOfEvents !== true) this.project();
    this.count += 1;
  }

  private project(): void {
    const corrected = this.plant.project!(this.x);
    if (corrected === 0) return;
    this.correctedSlots += corrected;
    this.isValid = false;
    this.integrator.restart();
    this.events.invalidate();
  }

  save(writer: SnapshotWriter): void {
    writer.section("interval");
    writer.number(this.correctedSlots);
    writer.number(this.count);
    writer.number(this.locatedCrossings);
    writer.number(this.locatedSeams);
    writer.number(this.events.passedSeams);
    this.integrator.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.section("interval");
    this.correctedSlots = reader.number();
    this.count = reader.number();
    this.locatedCrossings = reader.number();
    this.locatedSeams = reader.number();
    this.events.passedSeams = reader.number();
    this.events.invalidate();
    this.isValid = false;
    this.integrator.load(reader);
  }

  /**
   * Integrates over the span in one call of the integrator, called a leg. Returns false if an event was found; then x
   * and the integrator's memory are unchanged.
   */
  private integrateLeg(findsCrossings: boolean): boolean {
    const { span, events, integrator, x } = this;
    events.begin(span, x, findsCrossings, this.locatedSeams < MAX_LOCATED);
    return integrator.advance(span, x, events);
  }

  /**
   * Called when the first leg found an event. Integrates from seam to seam up to the end. If there is a crossing on the
   * way, goes back to the start and integrates up to the crossing. If, because of rounding, the condition is still
   * false at that time, tries 1, 2, 4 … µs later, but not past the interval's end.
   */
  private runToEvents(startUs: number, endUs: number, passedSeams: number): void {
    const { events, integrator, x, atStart, locatedSeams } = this;
    const countedSeams = integrator.stats.seams;
    atStart.save(x, integrator);
    if (this.integrateSeams(startUs, endUs, true, true)) return;
    events.awaitFound();
    let tUs = events.foundUs[0]!;
    for (let strideUs = 1; ; strideUs *= 2) {
      atStart.restore(x, integrator);
      this.locatedSeams = locatedSeams;
      integrator.stats.seams = countedSeams;
      events.passedSeams = passedSeams;
      events.invalidate();
      this.integrateSeams(startUs, tUs, false, false);
      if (events.hasReachedCrossings(tUs, x)) {
        this.insertCrossing(tUs);
        return;
      }
      if (tUs >= endUs) return;
      tUs = Math.min(tUs + strideUs, endUs);
    }
  }

  /**
   * Integrates from seam to seam. `isFirstLegDone`: the first leg has already been integrated and found an event.
   * Returns false if a crossing ended the integration; the caller then restores x and the integrator's memory to the
   * start.
   */
  private integrateSeams(startUs: number, endUs: number, findsCrossings: boolean, isFirstLegDone: boolean): boolean {
    const { span, events, integrator, x, atSeam } = this;
    span[0] = startUs;
    span[1] = endUs;
    if (!findsCrossings && !events.hasSeams) return integrator.advance(span, x);
    for (let isFirst = true; span[0]! < endUs; isFirst = false) {
      span[1] = endUs;
      if (!(isFirst && isFirstLegDone) && this.integrateLeg(findsCrossings)) return true;
      if (events.foundCrossing) return false;
      atSeam.save(x, integrator);
      this.integrateToSeam(endUs);
      events.invalidate();
      this.locatedSeams += 1;
      integrator.stats.seams += 1;
      integrator.restart();
      span[0] = span[1]!;
    }
    return true;
  }

  /**
   * Integrates again, up to the located seam. If, because of rounding, the state there is still before the seam, tries
   * 1, 2, 4 … µs later.
   */
  private integrateToSeam(endUs: number): void {
    const { span, events, integrator, x } = this;
    let tUs = events.foundUs[0]!;
    for (let strideUs = 1; ; strideUs *= 2) {
      this.atSeam.restore(x, integrator);
      span[1] = tUs;
      integrator.advance(span, x, this.seamChecker);
      if (tUs >= endUs || events.hasPassedSeams(tUs, x)) return;
      tUs = Math.min(tUs + strideUs, endUs);
    }
  }

  private insertCrossing(tUs: number): void {
    this.locatedCrossings += 1;
    if (this.locatedCrossings > MAX_LOCATED) {
      throw engineErrors.tooManyCrossings({
        what: `${this.locatedCrossings} crossings were located since the last scheduled boundary`,
        where: { tUs },
        fix: "give the condition a larger hysteresis, or let it fire once",
      });
    }
    this.schedule.insert(tUs);
  }
}
