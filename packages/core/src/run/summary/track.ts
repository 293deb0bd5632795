/**
 * The track of a flight for pictures: positions at log ticks, downsampled as it grows.
 *
 * Its memory is bounded: when it is full, every second point is dropped and the sampling interval doubles. A flight of
 * a minute and a flight of a day both give between one and two thousand points, evenly spaced.
 */
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import type { StateLayout } from "../../state/index.ts";
import { type BoundaryView, DUE_BITS, type Observer } from "../../engine/index.ts";

const MAX_POINTS = 2048;

/** The path of a flight, downsampled for drawing. */
export interface Track {
  readonly timesUs: Float64Array;
  readonly north: Float64Array;
  readonly east: Float64Array;
  readonly altitude: Float64Array;
}

export class TrackObserver implements Observer {
  readonly dueMask = DUE_BITS.log;
  private readonly points = {
    timesUs: new Float64Array(MAX_POINTS),
    north: new Float64Array(MAX_POINTS),
    east: new Float64Array(MAX_POINTS),
    altitude: new Float64Array(MAX_POINTS),
  };
  /** Points stored, stride, rows observed. */
  private readonly counts = new Float64Array([0, 1, 0]);
  private readonly pos: number;

  constructor(state: StateLayout) {
    // The offset in the frame, whose first cell is the time; 0 if the plant has no position.
    this.pos = 1 + (state.find("posNed")?.offset ?? -1);
  }

  readonly observe = ({ due, frame }: BoundaryView): void => {
    if ((due & DUE_BITS.log) === 0 || this.pos === 0) return;
    const { counts, points, pos } = this;
    const isSampled = counts[2]! % counts[1]! === 0;
    counts[2]! += 1;
    if (!isSampled) return;
    if (counts[0] === MAX_POINTS) this.thin();
    const at = counts[0]!;
    points.timesUs[at] = frame[0]!;
    points.north[at] = frame[pos]!;
    points.east[at] = frame[pos + 1]!;
    points.altitude[at] = -frame[pos + 2]!;
    counts[0]! += 1;
  };

  track(): Track {
    const count = this.counts[0]!;
    const { timesUs, north, east, altitude } = this.points;
    return {
      timesUs: timesUs.slice(0, count),
      north: north.slice(0, count),
      east: east.slice(0, count),
      altitude: altitude.slice(0, count),
    };
  }

  /** Saves the number of rows observed, which decides which rows become points; `rewindTo` drops later points. */
  save(writer: SnapshotWriter): void {
    writer.section("track");
    writer.number(this.counts[2]!);
  }

  load(reader: SnapshotReader): void {
    reader.section("track");
    this.counts[2] = reader.number();
  }

  /** Drops the points at and after a time. Points that downsampling has removed before are not restored. */
  readonly rewindTo = (_boundary: number, tUs: number): void => {
    const { counts, points } = this;
    while (counts[0]! > 0 && points.timesUs[counts[0]! - 1]! >= tUs) counts[0]! -= 1;
  };

  /** Continues the track of another flight, e.g. of the parent of a branch. */
  continueFrom(other: TrackObserver): void {
    this.counts.set(other.counts);
    this.columns().forEach((column, i) => column.set(other.columns()[i]!));
  }

  private columns(): readonly Float64Array[] {
    const { timesUs, north, east, altitude } = this.points;
    return [timesUs, north, east, altitude];
  }

  private thin(): void {
    for (const column of this.columns()) for (let i = 0; i < MAX_POINTS / 2; i += 1) column[i] = column[2 * i]!;
    this.counts[0] = MAX_POINTS / 2;
    this.counts[1]! *= 2;
  }
}
