/**
 * One interval: the plant moves from this boundary to the next under the frozen input.
 *
 * Without crossings and seams this is one call of the integrator. With them the interval is first tried; a crossing
 * found inside is landed on by integrating again from the interval's start, seams included, so that the result is what
 * any interval of that length gives, and a replay, which looks for no crossing, has the same bits. A crossing becomes a
 * boundary. A seam only restarts the integrator: no stage runs, nothing is recorded.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import type { Integrator, Locates, Plant } from "./contracts.ts";
import { engineErrors } from "./errors.ts";
import type { Schedule } from "./schedule.ts";
import { DUE_BITS } from "./stages.ts";
import { InsideWatch } from "./watch.ts";

/** Located instants allowed between two scheduled boundaries: of crossings, and apart from them of seams. */
const MOST_LOCATED = 16;

export interface IntervalParts {
  readonly plant: Plant;
  readonly integrator: Integrator;
  readonly schedule: Schedule;
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly locates: Locates | undefined;
}

/** x and the integrator's memory at one instant, for going back there. */
class Kept {
  readonly memory: Float64Array;
  private readonly x: Float64Array;

  constructor(stateSize: number, memorySize: number) {
    this.x = new Float64Array(stateSize);
    this.memory = new Float64Array(memorySize);
  }

  keepState(x: Float64Array): void {
    this.x.set(x);
  }

  restoreFrom(x: Float64Array, integrator: Integrator): void {
    x.set(this.x);
    integrator.restoreFrom(this.memory);
  }
}

export class Interval implements Saveable {
  /** Slots that `project` returned to their physical set. */
  correctedSlots = 0;
  count = 0;
  /** The state it left is known to be finite, with attitudes of unit length. */
  isValid = false;

  private readonly integrator: Integrator;
  private readonly schedule: Schedule;
  private readonly x: Float64Array;
  private readonly plant: Plant;
  private readonly hasProject: boolean;
  private readonly watch: InsideWatch;
  private readonly isWatched: boolean;
  private readonly hasMemory: boolean;
  private readonly span = new Float64Array(2);
  /** At the start of the interval, and at its start or the last seam. */
  private readonly atStart: Kept;
  private readonly atSeam: Kept;
  /** Crossings and seams located since the last scheduled boundary. */
  private located = 0;
  private seams = 0;

  constructor(parts: IntervalParts) {
    const { plant, integrator } = parts;
    this.integrator = integrator;
    this.schedule = parts.schedule;
    this.x = parts.x;
    this.plant = plant;
    this.hasProject = plant.project !== undefined;
    this.watch = new InsideWatch(plant, parts.u, parts.locates);
    this.isWatched = this.watch.isNeeded;
    this.hasMemory = integrator.memorySize > 0;
    this.atStart = new Kept(parts.x.length, integrator.memorySize);
    this.atSeam = new Kept(parts.x.length, integrator.memorySize);
  }

  /** Seams stepped over plainly, because too many had been located before them. */
  get passedSeams(): number {
    return this.watch.passedSeams;
  }

  /**
   * Integrates to the next boundary, which a located crossing may bring nearer. `isMoved`: the state or the input are not
   * those that the last interval ended with.
   */
  run(isMoved: boolean): void {
    const { watch, integrator, span, x } = this;
    this.begin(isMoved);
    if (!this.isWatched) {
      integrator.advance(span, x);
    } else {
      const { passedSeams } = watch;
      if (!this.leg(true)) this.runFound(span[0], span[1], passedSeams);
    }
    this.isValid = integrator.isValid === true;
    if (this.hasProject && integrator.isClearOfEvents !== true) this.project();
    this.count += 1;
  }

  /**
   * Integrates over up to `count` intervals as long as the next one, between boundaries at which nothing happens, while
   * nothing can be found in them and nothing is to be corrected after them; returns how many.
   */
  glide(count: number, isMoved: boolean): number {
    const { watch, integrator, span, x } = this;
    this.begin(isMoved);
    if (this.isWatched) {
      watch.begin(span, x, true, true);
      if (!watch.isClearOfEvents) return 0;
    }
    const made = integrator.glide?.(span, x, count) ?? 0;
    if (made > 0) this.isValid = true;
    this.count += made;
    return made;
  }

  /** Over the span to the next boundary. */
  private begin(isMoved: boolean): void {
    const { schedule, span } = this;
    if ((schedule.due & DUE_BITS.inserted) === 0) {
      this.located = 0;
      this.seams = 0;
    }
    if (isMoved) this.watch.forget();
    span[0] = schedule.cells[0]!;
    schedule.peekInto(span, 1);
  }

  private project(): void {
    const corrected = this.plant.project!(this.x);
    if (corrected === 0) return;
    this.correctedSlots += corrected;
    this.isValid = false;
    this.integrator.restart();
    this.watch.forget();
  }

  save(writer: SnapshotWriter): void {
    writer.section("interval");
    writer.number(this.correctedSlots);
    writer.number(this.count);
    writer.number(this.located);
    writer.number(this.seams);
    writer.number(this.watch.passedSeams);
    this.integrator.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.section("interval");
    this.correctedSlots = reader.number();
    this.count = reader.number();
    this.located = reader.number();
    this.seams = reader.number();
    this.watch.passedSeams = reader.number();
    this.watch.forget();
    this.isValid = false;
    this.integrator.load(reader);
  }

  /** One integration over the span, looked into. False: something was found, x is as it was, the memory is not. */
  private leg(looksForCrossings: boolean): boolean {
    const { span, watch, integrator, x } = this;
    if (this.hasMemory) integrator.saveInto(this.atSeam.memory);
    watch.begin(span, x, looksForCrossings, this.seams < MOST_LOCATED);
    return integrator.advance(span, x, watch);
  }

  /**
   * After something was found on the way: past the seams to the end, or to the first crossing and on by 1, 2, 4 … µs
   * until it is true there.
   */
  private runFound(startUs: number, endUs: number, passedSeams: number): void {
    const { watch, integrator, x, atStart, atSeam } = this;
    const { seams } = this;
    const countedSeams = integrator.stats.seams;
    atStart.keepState(x);
    atStart.memory.set(atSeam.memory);
    if (this.travel(startUs, endUs, true, true)) return;
    watch.awaitFound();
    let tUs = watch.foundUs[0]!;
    for (let strideUs = 1; ; strideUs *= 2) {
      this.atStart.restoreFrom(x, integrator);
      this.seams = seams;
      integrator.stats.seams = countedSeams;
      watch.passedSeams = passedSeams;
      watch.forget();
      this.travel(startUs, tUs, false, false);
      if (watch.awaitedHold(tUs, x)) {
        this.insertLocated(tUs);
        return;
      }
      if (tUs >= endUs) return;
      tUs = Math.min(tUs + strideUs, endUs);
    }
  }

  /**
   * From seam to seam; `isTried`: the first leg found something already. False where a crossing ended it: x and the
   * memory are then to be taken back to the start.
   */
  private travel(startUs: number, endUs: number, looksForCrossings: boolean, isTried: boolean): boolean {
    const { span, watch, integrator, x, atSeam } = this;
    span[0] = startUs;
    span[1] = endUs;
    if (!looksForCrossings && !watch.hasSeams) return integrator.advance(span, x);
    for (let isFirst = true; span[0]! < endUs; isFirst = false) {
      span[1] = endUs;
      if (!(isFirst && isTried) && this.leg(looksForCrossings)) return true;
      if (watch.foundCrossing) return false;
      atSeam.keepState(x);
      this.landOnSeam(endUs);
      watch.forget();
      this.seams += 1;
      integrator.stats.seams += 1;
      integrator.restart();
      span[0] = span[1]!;
    }
    return true;
  }

  /** Integrates again to the seam found, and on by 1, 2, 4 … µs until it lies behind. */
  private landOnSeam(endUs: number): void {
    const { span, watch, integrator, x } = this;
    let tUs = watch.foundUs[0]!;
    for (let strideUs = 1; ; strideUs *= 2) {
      this.atSeam.restoreFrom(x, integrator);
      span[1] = tUs;
      integrator.advance(span, x);
      if (tUs >= endUs || watch.foundSeamsHold(tUs, x)) return;
      tUs = Math.min(tUs + strideUs, endUs);
    }
  }

  private insertLocated(tUs: number): void {
    this.located += 1;
    if (this.located > MOST_LOCATED) {
      throw engineErrors.tooManyCrossings({
        what: `the ${this.located}th crossing since the last scheduled boundary was located`,
        where: { tUs },
        fix: "give the condition a larger hysteresis, or let it fire once",
      });
    }
    this.schedule.insert(tUs);
  }
}
