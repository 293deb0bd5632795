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

const projectNothing = (_x: Float64Array): number => 0;

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

  takeBack(x: Float64Array, integrator: Integrator): void {
    x.set(this.x);
    integrator.takeBack(this.memory);
  }
}

export class Interval implements Saveable {
  /** Slots that `project` returned to their physical set. */
  correctedSlots = 0;
  count = 0;

  private readonly integrator: Integrator;
  private readonly schedule: Schedule;
  private readonly x: Float64Array;
  private readonly project: NonNullable<Plant["project"]>;
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
    this.project = plant.project?.bind(plant) ?? projectNothing;
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
    const { schedule, watch, integrator, x } = this;
    if ((schedule.due & DUE_BITS.inserted) === 0) {
      this.located = 0;
      this.seams = 0;
    }
    if (isMoved) watch.forget();
    if (this.isWatched) this.runWatched(schedule.cells[0]!, schedule.peekUs());
    else this.travel(schedule.cells[0]!, schedule.peekUs(), false);
    const corrected = this.project(x);
    if (corrected > 0) {
      this.correctedSlots += corrected;
      integrator.restart();
      watch.forget();
    }
    this.count += 1;
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
    this.integrator.load(reader);
  }

  /** To the end; or to the first crossing on the way and on by 1, 2, 4 … µs until it is true there. */
  private runWatched(startUs: number, endUs: number): void {
    const { watch, integrator, x } = this;
    const { seams } = this;
    const countedSeams = integrator.stats.seams;
    const { passedSeams } = watch;
    if (this.travel(startUs, endUs, true)) return;
    watch.awaitFound();
    let tUs = watch.foundUs[0]!;
    for (let strideUs = 1; ; strideUs *= 2) {
      this.atStart.takeBack(x, integrator);
      this.seams = seams;
      integrator.stats.seams = countedSeams;
      watch.passedSeams = passedSeams;
      watch.forget();
      this.travel(startUs, tUs, false);
      if (watch.awaitedHold(tUs, x)) {
        this.insertLocated(tUs);
        return;
      }
      if (tUs >= endUs) return;
      tUs = Math.min(tUs + strideUs, endUs);
    }
  }

  /** From seam to seam. False where a crossing ended it: x and the memory are then to be taken back to the start. */
  private travel(startUs: number, endUs: number, looksForCrossings: boolean): boolean {
    const { span, watch, integrator, x, atStart, atSeam } = this;
    span[0] = startUs;
    span[1] = endUs;
    if (!looksForCrossings && !watch.hasSeams) return integrator.advance(span, x);
    for (let isFirst = true; span[0]! < endUs; isFirst = false) {
      span[1] = endUs;
      if (this.hasMemory) integrator.keepInto(atSeam.memory);
      if (this.hasMemory && isFirst && looksForCrossings) atStart.memory.set(atSeam.memory);
      watch.begin(span, x, looksForCrossings, this.seams < MOST_LOCATED);
      if (integrator.advance(span, x, watch)) return true;
      // The integrator leaves x as it was where the watch ended it.
      if (isFirst && looksForCrossings) atStart.keepState(x);
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
      this.atSeam.takeBack(x, integrator);
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
