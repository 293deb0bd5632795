/**
 * The schedule: which boundary is next, and what is due there. No other file decides what is due.
 *
 * Axes are merged lazily with integer cursors, so no error accumulates and no list of ticks is built. Boundaries may be
 * inserted during the flight, strictly in the future (law 8). The start and the end of the flight are boundaries, and
 * the last boundary is always logged (law 7). Times are kept in Float64Array cells, because V8 boxes numbers above 2³¹
 * µs (36 minutes) in fields and calls.
 */
import { firstTickAtOrAfter, partsOf, type Axis, type ListedAxis, type PeriodicAxis } from "../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { snapshotErrors } from "../snapshot/errors.ts";
import { engineErrors } from "./errors.ts";
import { DUE_BITS } from "./stages.ts";

/** An axis and the bits that are due at its ticks. */
export interface AxisEntry {
  readonly axis: Axis;
  readonly due: number;
}

/** The boundaries of a recorded flight, each with its due set. */
export interface RecordedBoundaries {
  readonly timesUs: Float64Array;
  readonly due: Uint16Array;
}

export interface ScheduleOptions {
  readonly startUs: number;
  readonly endUs: number;
  readonly axes: readonly AxisEntry[];
  readonly recorded?: RecordedBoundaries;
}

const NOW = 0;
const END = 1;
/** Time of the earliest future tick or recorded boundary; infinite if there is none. */
const NEXT = 2;
/**
 * Like `NEXT`, but without the ticks of the fastest axis. Most boundaries are before this time, so they are ticks of
 * the fastest axis only.
 */
const NEXT_OF_OTHERS = 3;
/**
 * The earliest future inserted time; infinite if there is none. The loop compares with this cell even before anything
 * is inserted, because a statement that runs for the first time late in a flight makes V8 discard the optimised code
 * of the whole loop.
 */
const INSERTED = 4;

/** The present boundary with its due set, and the times of the boundaries that follow. */
export class Schedule implements Saveable {
  /** Indexed by `NOW` … `INSERTED`: times in whole microseconds. */
  readonly cells = Float64Array.of(0, 0, 0, 0, Infinity);
  /** The due set of the present boundary. */
  due = 0;

  private readonly startUs: number;
  private readonly plannedEndUs: number;
  private readonly axes: readonly (PeriodicAxis | ListedAxis)[];
  private readonly bits: Int32Array;
  private readonly alwaysDue: number;
  /** Next tick of each axis. */
  private readonly next: Float64Array;
  private readonly period: Float64Array;
  private readonly recorded: RecordedBoundaries | undefined;
  private recordedCursor = 0;
  /** Future inserted times, ascending. */
  private inserted: number[] = [];
  /** Whether the present boundary was inserted. It may also be a tick. */
  private isInserted = false;

  constructor(options: ScheduleOptions) {
    const { startUs, endUs, axes, recorded } = options;
    if (!Number.isSafeInteger(startUs) || !Number.isSafeInteger(endUs) || startUs < 0 || endUs < startUs) {
      throw engineErrors.badTimeline({
        what: `a flight cannot last from ${startUs} µs to ${endUs} µs`,
        fix: "use whole microseconds with 0 ≤ start ≤ end",
      });
    }
    this.startUs = startUs;
    this.plannedEndUs = endUs;
    this.recorded = recorded;
    const single = axes.flatMap(({ axis, due }) => partsOf(axis).map((part) => ({ axis: part, due })));
    this.alwaysDue = single.reduce((bits, { axis, due }) => (axis.kind === "every-boundary" ? bits | due : bits), 0);
    const ticking = sortByPeriod(mergeAxes(single.filter(({ axis }) => axis.kind !== "every-boundary")));
    this.axes = ticking.map(({ axis }) => axis as PeriodicAxis | ListedAxis);
    this.bits = Int32Array.from(ticking, ({ due }) => due);
    this.next = new Float64Array(ticking.length);
    this.period = Float64Array.from(this.axes, (axis) => (axis.kind === "periodic" ? axis.periodUs : 0));
    this.rewindTo(startUs);
    this.collectDue();
  }

  get nowUs(): number {
    return this.cells[NOW]!;
  }

  get endUs(): number {
    return this.cells[END]!;
  }

  get isLast(): boolean {
    return this.cells[NOW]! >= this.cells[END]!;
  }

  /** Writes the time of the next boundary (or of the end) to a cell. V8 would box a returned time above 2³¹. */
  peekInto(out: Float64Array, at: number): void {
    const { cells } = this;
    out[at] = Math.min(cells[END]!, cells[NEXT]!, cells[INSERTED]!);
  }

  /** Moves to the next boundary. The caller must check `isLast` first. */
  advance(): void {
    const { cells, next } = this;
    this.peekInto(cells, NOW);
    if (!this.isTickOfFastestOnly()) {
      this.collectDue();
      return;
    }
    next[0] = cells[NOW]! + this.period[0]!;
    cells[NEXT] = Math.min(next[0], cells[NEXT_OF_OTHERS]!);
    this.due = this.alwaysDue | this.bits[0]!;
    this.isInserted = false;
  }

  /** Whether this boundary is a tick of the fastest axis and nothing else. */
  private isTickOfFastestOnly(): boolean {
    const { cells } = this;
    const nowUs = cells[NOW]!;
    if (nowUs !== this.next[0] || this.period[0] === 0) return false;
    return nowUs !== cells[INSERTED] && nowUs < cells[NEXT_OF_OTHERS]! && nowUs < cells[END]!;
  }

  /** Inserts a boundary strictly in the future. A boundary after the end is stored but never reached. */
  readonly insert = (tUs: number): void => {
    if (!Number.isSafeInteger(tUs) || tUs <= this.nowUs) {
      throw engineErrors.insertedInPast({
        what: `a boundary was requested at ${tUs} µs, but the flight is already at ${this.nowUs} µs`,
        where: { tUs: this.nowUs },
        fix: "request a whole microsecond after the present one",
      });
    }
    const at = this.inserted.findIndex((other) => other >= tUs);
    if (at < 0) this.inserted.push(tUs);
    else if (this.inserted[at] !== tUs) this.inserted.splice(at, 0, tUs);
    this.cells[INSERTED] = this.inserted[0]!;
  };

  /** Makes the present boundary the last one: it is logged, and nothing is integrated after it. */
  endHere(): void {
    this.cells[END] = this.cells[NOW]!;
    this.due |= DUE_BITS.log;
  }

  /**
   * Saves the time and the inserted boundaries, including the present one if it was inserted. The due set follows from
   * these; the end comes from the description.
   */
  save(writer: SnapshotWriter): void {
    writer.section("schedule");
    writer.number(this.nowUs);
    if (this.isInserted) writer.number(this.nowUs);
    writer.numbers(this.inserted);
  }

  load(reader: SnapshotReader): void {
    reader.section("schedule");
    const nowUs = reader.number();
    const inserted: number[] = [];
    while (reader.remaining() > 0) inserted.push(reader.number());
    this.checkTimes(nowUs, inserted);
    this.rewindTo(nowUs);
    this.inserted = inserted;
    this.cells[INSERTED] = inserted[0] ?? Infinity;
    this.collectDue();
  }

  private checkTimes(nowUs: number, inserted: readonly number[]): void {
    const { startUs, plannedEndUs } = this;
    const isWithinFlight = Number.isSafeInteger(nowUs) && nowUs >= startUs && nowUs <= plannedEndUs;
    const isAscending = inserted.every(
      (tUs, i) => Number.isSafeInteger(tUs) && tUs >= (i === 0 ? nowUs : inserted[i - 1]! + 1),
    );
    if (isWithinFlight && isAscending) return;
    throw snapshotErrors.mismatch({
      what: isWithinFlight
        ? "the inserted boundaries of a checkpoint are not in order"
        : `a checkpoint taken at ${nowUs} µs was loaded into a flight from ${startUs} µs to ${plannedEndUs} µs`,
      fix: "load it into the flight that it was taken from, or into one that ends later",
    });
  }

  /** Sets the time and recomputes all cursors from it. */
  private rewindTo(nowUs: number): void {
    this.cells[NOW] = nowUs;
    this.cells[END] = this.plannedEndUs;
    this.axes.forEach((axis, i) => {
      this.next[i] = firstTickAtOrAfter(axis, Math.max(nowUs, this.startUs));
    });
    const times = this.recorded?.timesUs;
    this.recordedCursor = 0;
    while (times !== undefined && this.recordedCursor < times.length && times[this.recordedCursor]! < nowUs) {
      this.recordedCursor += 1;
    }
  }

  /** Computes the due set and advances the cursors of the axes that are due. */
  private collectDue(): void {
    const { cells, next } = this;
    const nowUs = cells[NOW]!;
    let due = this.alwaysDue;
    let isScheduled = nowUs === this.startUs || nowUs === cells[END];
    let nextUs = Infinity;
    if (this.recorded !== undefined) {
      const { timesUs, due: dueAt } = this.recorded;
      if (timesUs[this.recordedCursor] === nowUs) {
        due |= dueAt[this.recordedCursor]!;
        isScheduled = true;
        this.recordedCursor += 1;
      }
      nextUs = timesUs[this.recordedCursor] ?? Infinity;
    }
    for (let i = next.length - 1; i >= 0; i -= 1) {
      if (i === 0) cells[NEXT_OF_OTHERS] = nextUs;
      if (next[i] === nowUs) {
        due |= this.bits[i]!;
        isScheduled = true;
        const periodUs = this.period[i]!;
        next[i] = periodUs > 0 ? nowUs + periodUs : firstTickAtOrAfter(this.axes[i]!, nowUs + 1);
      }
      if (next[i]! < nextUs) nextUs = next[i]!;
    }
    cells[NEXT] = nextUs;
    this.isInserted = cells[INSERTED] === nowUs;
    if (this.isInserted) {
      this.inserted.shift();
      cells[INSERTED] = this.inserted[0] ?? Infinity;
      due |= isScheduled ? DUE_BITS.scenario : DUE_BITS.scenario | DUE_BITS.inserted;
    }
    if (nowUs === cells[END]) due |= DUE_BITS.log;
    this.due = due;
  }
}

/** Joins periodic axes with the same ticks. */
function mergeAxes(entries: readonly AxisEntry[]): AxisEntry[] {
  const merged: AxisEntry[] = [];
  for (const entry of entries) {
    const at = merged.findIndex(({ axis }) => hasSameTicks(axis, entry.axis));
    if (at < 0) merged.push(entry);
    else merged[at] = { axis: entry.axis, due: merged[at]!.due | entry.due };
  }
  return merged;
}

/** Sorts the axes by period, so that the fastest axis, whose ticks are most of the boundaries, is the first. */
function sortByPeriod(entries: readonly AxisEntry[]): AxisEntry[] {
  const periodUs = ({ axis }: AxisEntry) => (axis.kind === "periodic" ? axis.periodUs : Infinity);
  // Infinity − Infinity is NaN; `|| 0` treats the two as equal.
  return [...entries].sort((a, b) => periodUs(a) - periodUs(b) || 0);
}

function hasSameTicks(a: Axis, b: Axis): boolean {
  return a.kind === "periodic" && b.kind === "periodic" && a.startUs === b.startUs && a.periodUs === b.periodUs;
}
