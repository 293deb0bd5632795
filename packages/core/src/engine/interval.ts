/**
 * One interval: the plant moves from this boundary to the next under the frozen input.
 *
 * Without crossings and seams this is one call of the integrator. With them the interval is first tried; what is found
 * inside is landed on by integrating again from the start, so that the result is what any interval of that length
 * gives. A crossing becomes a boundary. A seam only restarts the integrator: no stage runs, nothing is recorded.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import type { Integrator, Locates, Plant } from "./contracts.ts";
import { engineErrors } from "./errors.ts";
import type { Schedule } from "./schedule.ts";
import { DUE_BITS } from "./stages.ts";
import { InsideWatch } from "./watch.ts";

/** Located instants allowed between two scheduled boundaries. */
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
  private readonly xKept: Float64Array;
  private readonly memoryKept: Float64Array;
  /** Crossings located since the last scheduled boundary. */
  private located = 0;

  constructor(parts: IntervalParts) {
    this.integrator = parts.integrator;
    this.schedule = parts.schedule;
    this.x = parts.x;
    this.project = parts.plant.project ?? projectNothing;
    this.watch = new InsideWatch(parts.plant, parts.u, parts.locates);
    this.isWatched = this.watch.isNeeded;
    this.xKept = new Float64Array(parts.x.length);
    this.memoryKept = new Float64Array(parts.integrator.memorySize);
  }

  /** Integrates to the next boundary, which a located crossing may bring nearer. */
  run(): void {
    const { span, schedule } = this;
    if ((schedule.due & DUE_BITS.inserted) === 0) this.located = 0;
    span[0] = schedule.cells[0]!;
    span[1] = schedule.peekUs();
    if (this.isWatched) this.runWatched(span[1]);
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
    this.integrator.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.section("interval");
    this.correctedSlots = reader.number();
    this.count = reader.number();
    this.located = reader.number();
    this.integrator.load(reader);
  }

  private runWatched(endUs: number): void {
    const { span, watch, integrator } = this;
    let seams = 0;
    while (span[0]! < endUs) {
      span[1] = endUs;
      this.xKept.set(this.x);
      integrator.keepInto(this.memoryKept);
      watch.begin(span[0]!, this.x, seams < MOST_LOCATED);
      if (integrator.advance(span, this.x, watch)) return;
      const isTrue = this.landInside(endUs);
      if (watch.foundSeam) {
        seams += 1;
        integrator.stats.seams += 1;
        integrator.restart();
      }
      if (watch.foundCrossing && isTrue) {
        this.insertLocated(span[1]!);
        return;
      }
      span[0] = span[1]!;
    }
  }

  /** Integrates again to the instant found, and on by 1, 2, 4 … µs until what was found there is true. */
  private landInside(endUs: number): boolean {
    const { span, watch } = this;
    let tUs = watch.foundUs[0]!;
    for (let strideUs = 1; ; strideUs *= 2) {
      this.x.set(this.xKept);
      this.integrator.takeBack(this.memoryKept);
      span[1] = tUs;
      this.integrator.advance(span, this.x);
      if (watch.holds(tUs, this.x)) return true;
      if (tUs >= endUs) return false;
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
