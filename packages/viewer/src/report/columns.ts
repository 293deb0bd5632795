/**
 * The columns of a flight that a report plots: time, position and every named quantity at every log tick.
 *
 * They are computed from rows. Here the rows come from a recording; a `RowSource` can also read other rows.
 */
import { asFed, type Dims, DUE_BITS, type FedRecording, type Recording } from "@escapement/core";
import { namedQuantities, type NamedQuantity, type Read } from "../shared/quantities.ts";
import type { FullColumn } from "./downsample.ts";
import { Stretch } from "./stretch.ts";

/** Consecutive rows of a flight. */
export interface RowSource {
  readonly rows: number;
  timeUs(row: number): number;
  /** Returns a function that reads one row. */
  reader(row: number): Read;
}

/** Returns the columns of a whole flight, which must be short. */
export function flightColumns(recording: Recording | FedRecording): Generator<FullColumn> {
  const fed = asFed(recording);
  const feed = fed.openFeed();
  const { timesUs, due } = fed.boundaries;
  const stretch = new Stretch(fed, feed, logTicks(fed));
  for (let i = 0; i < timesUs.length; i += 1) {
    if ((due[i]! & DUE_BITS.log) === 0) continue;
    feed.advanceTo(timesUs[i]!);
    stretch.take();
  }
  return new FlightColumns(fed.dims).of(stretch);
}

export function logTicks({ boundaries }: Pick<FedRecording, "boundaries">): number {
  return boundaries.due.reduce((count, due) => count + ((due & DUE_BITS.log) === 0 ? 0 : 1), 0);
}

/** Makes the columns of consecutive stretches of one flight. */
export class FlightColumns {
  private readonly quantities: readonly NamedQuantity[];
  /** The last value of each quantity in the previous stretch, from which angles continue. */
  private readonly last = new Map<string, number>();

  constructor({ rotors, batteries }: Dims) {
    this.quantities = [...namedQuantities(rotors, batteries)];
  }

  /** Yields the columns one by one, so that few exist at the same time. */
  *of(source: RowSource): Generator<FullColumn> {
    const column = (compute: (read: Read, row: number) => number) =>
      Float64Array.from({ length: source.rows }, (_, row) => compute(source.reader(row), row));
    yield { name: "t", values: column((_read, row) => source.timeUs(row) * 1e-6), sample: true };
    for (const i of [0, 1, 2]) yield { name: `pos${i}`, values: column((read) => read("posNed", i)), sample: true };
    let actual: Float64Array | undefined;
    for (const { name, unit, isCode, compute } of this.quantities) {
      let previous = this.last.get(name) ?? Number.NaN;
      const values = column((read) => (previous = compute(read, previous)));
      this.last.set(name, previous);
      if (/^att[02]$/.test(name)) actual = values;
      if (/^setAtt[02]$/.test(name)) turnTowards(values, actual!);
      yield isCode ? { name, values, sample: true } : { name, unit, values };
    }
  }
}

/** Adds whole turns so that each angle is as near as possible to the actual angle. */
function turnTowards(degrees: Float64Array, actual: Float64Array): void {
  degrees.forEach((angle, i) => {
    degrees[i] = angle + 360 * Math.round((actual[i]! - angle) / 360);
  });
}
