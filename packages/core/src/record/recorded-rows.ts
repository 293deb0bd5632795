/**
 * The rows of a recording: the rows that sinks received at every log tick, rebuilt without flying. Logs written from
 * these rows equal those of the flight.
 */
import { type Column, type Readable, rowColumns } from "../engine/index.ts";
import { Playback } from "./playback.ts";
import { findStream, type Recording } from "./recording.ts";

export class RecordedRows {
  readonly columns: readonly Column[];
  readonly timesUs: Float64Array;
  /** The row that the last call of `next` filled; reused. */
  readonly row: Readable;
  private readonly playback: Playback;
  private index = -1;

  constructor(recording: Recording) {
    this.playback = new Playback(recording);
    this.row = this.playback.row;
    this.columns = rowColumns({ blocks: recording.stateBlocks }, this.playback.layout);
    this.timesUs = findStream(recording, "state").timesUs;
  }

  /** Time of the row now in `row`. */
  get tUs(): number {
    return this.timesUs[this.index]!;
  }

  /** Advances to the next row; false after the last. */
  next(): boolean {
    if (this.index + 1 >= this.timesUs.length) return false;
    this.index += 1;
    this.playback.advanceTo(this.tUs);
    return true;
  }
}
