/**
 * Finds boundaries between log rows: the exact row at an instant, and every boundary of a span.
 *
 * The flight itself is not interrupted. A second session of the same flight starts at the nearest checkpoint, flies to
 * the span and copies the values there.
 */
import { type BoundaryView, type FlightSession, type Observer } from "@escapement/core";
import type { FlightId, TimeSpan } from "../protocol.ts";
import type { FlownFlight } from "./flown-flight.ts";
import { registry } from "./texts.ts";

/** A span ends early once it has this many boundaries, because a screen cannot show more. */
const MAX_BOUNDARIES = 20_000;
/** Time flown between two checks of the number of boundaries. */
const STRIDE_US = 100_000;
/** How far the search goes back: longer than the interval between two boundaries, unless periods are unusually long. */
const LOOK_BACK_US = 40_000;

/** Copies columns of every boundary while `isOn` is set. */
class BoundaryCopies implements Observer {
  isOn = false;
  times: number[] = [];
  values: number[] = [];
  columns: readonly number[] = [];

  readonly observe = ({ frame, stateSize, bus }: BoundaryView): void => {
    if (!this.isOn) return;
    this.times.push(frame[0]!);
    for (const column of this.columns) {
      this.values.push((column < stateSize ? frame[1 + column] : bus[column - stateSize]) ?? Number.NaN);
    }
  };

  start(columns: readonly number[]): void {
    this.columns = columns;
    this.times = [];
    this.values = [];
    this.isOn = true;
  }
}

/** Holds one additional session, for the flight of the last request. */
export class Scout {
  private readonly copies = new BoundaryCopies();
  private session: FlightSession | undefined;
  private sessionFlight: FlownFlight | undefined;

  /** Returns the first boundary at or after a time, with its number and the times of its neighbours. */
  exact(flight: FlownFlight, tUs: number) {
    const session = this.sessionOf(flight);
    const columns = session.flight.columns.map((_, i) => i);
    session.rewindTo(Math.max(0, tUs - LOOK_BACK_US));
    this.copies.start(columns);
    session.advance(tUs);
    if (!session.isOver) session.advance(session.nowUs + 1);
    this.copies.isOn = false;
    const { times, values } = this.copies;
    const at = times.length - 1;
    const previousUs = times[at - 1];
    return {
      tUs: times[at]!,
      boundary: session.boundary - 1,
      ...(previousUs === undefined ? {} : { previousUs }),
      ...(session.isOver ? {} : { nextUs: session.nowUs }),
      values: Float64Array.from(values.slice(at * columns.length)),
    };
  }

  /** Returns every boundary of a span, column by column; about the first MAX_BOUNDARIES if there are more. */
  span(flight: FlownFlight, { fromUs, toUs }: TimeSpan, columns: readonly number[]) {
    const session = this.sessionOf(flight);
    session.rewindTo(Math.max(0, fromUs));
    this.copies.start(columns);
    while (!session.isOver && session.nowUs <= toUs && this.copies.times.length < MAX_BOUNDARIES) {
      session.advance(Math.min(toUs + 1, session.nowUs + STRIDE_US));
    }
    this.copies.isOn = false;
    const { times, values } = this.copies;
    const byColumn = new Float64Array(values.length);
    for (let row = 0; row < times.length; row += 1) {
      for (let i = 0; i < columns.length; i += 1) byColumn[i * times.length + row] = values[row * columns.length + i]!;
    }
    return { timesUs: Float64Array.from(times), values: byColumn };
  }

  /** Frees the session of a flight that is dropped. */
  forget(id: FlightId): void {
    if (this.sessionFlight?.id !== id) return;
    this.sessionFlight = undefined;
    this.session = undefined;
  }

  private sessionOf(flight: FlownFlight): FlightSession {
    this.copies.isOn = false;
    if (this.sessionFlight !== flight || this.session === undefined) {
      this.session = flight.session.scout({
        registry,
        observers: [this.copies],
        checkpointEveryUs: Infinity,
        fingerprint: "none",
      });
      this.sessionFlight = flight;
    }
    return this.session;
  }
}
