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
  private readonly x: Float64Array;
  private readonly memory: Float64Array;

  constructor(stateSize: number, memorySize: number) {
    this.x = new Float64Array(stateSize);
    this.memory = new Float64Array(memorySize);
  }

  keep(x: Float64Array, integrator: Integrator): void {
    this.x.set(x);
    integrator.keepInto(this.memory);
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
    this.atStart = new Kept(parts.x.length, integrator.memorySize);
    this.atSeam = new Kept(parts.x.length, integrator.memorySize);
  }

  /** Seams stepped over plainly, because too many had been located before them. */
  get passedSeams(): number {
    return this.watch.passedSeams;
  }

  /** Integrates to the next boundary, which a located crossing may bring nearer. */
  run(): void {
    const { span, schedule } = this;
    if ((schedule.due & DUE_BITS.inserted) === 0) {
      this.located = 0;
      this.seams = 0;
    }
    span[0] = schedule.cells[0]!;
    span[1] = schedule.peekUs();
    if (this.isWatched) this.runWatched(span[0], span[1]);
    else this.integrator.advance(span, this.x);
    const corrected = this.project(this.x);
    if (corrected > 0) {
      this.correctedSlots += corrected;
      this.integrator.restart();
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
    this.integrator.load(reader);
  }

  /** To the end; or to the first crossing on the way and on by 1, 2, 4 … µs until it is true there. */
  private runWatched(startUs: number, endUs: number): void {
    const { watch, integrator, x } = this;
    const { seams } = this;
    const countedSeams = integrator.stats.seams;
    const { passedSeams } = watch;
    this.atStart.keep(x, integrator);
    if (this.travel(startUs, endUs, true)) return;
    watch.awaitFound();
    let tUs = watch.foundUs[0]!;
    for (let strideUs = 1; ; strideUs *= 2) {
      this.atStart.takeBack(x, integrator);
      this.seams = seams;
      integrator.stats.seams = countedSeams;
      watch.passedSeams = passedSeams;
      this.travel(startUs, tUs, false);
      if (watch.awaitedHold(tUs, x)) {
        this.insertLocated(tUs);
        return;
      }
      if (tUs >= endUs) return;
      tUs = Math.min(tUs + strideUs, endUs);
    }
  }

  /** From seam to seam. False where a crossing ended it: x and the memory are then to be taken back. */
  private travel(startUs: number, endUs: number, looksForCrossings: boolean): boolean {
    const { span, watch, integrator, x } = this;
    span[0] = startUs;
    span[1] = endUs;
    if (!looksForCrossings && !watch.hasSeams) return integrator.advance(span, x);
    while (span[0]! < endUs) {
      span[1] = endUs;
      this.atSeam.keep(x, integrator);
      watch.begin(span, x, looksForCrossings, this.seams < MOST_LOCATED);
      if (integrator.advance(span, x, watch)) return true;
      if (watch.foundCrossing) return false;
      this.landOnSeam(endUs);
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
