/**
 * The movements of the pilot's sticks after a `sticks` event: a flight by hand in one event.
 *
 * Each movement sets the sticks at its own time and requests no mode, so a mode requested later ends manual flight.
 * The current movement follows from the time, so checkpoints do not contain it.
 */
import { STICKS } from "../../engine/index.ts";
import { type ParamsOf, type ParamTable, defineParams } from "../../params/index.ts";
import { section } from "../../params/rows.ts";
import { secondsToUs } from "../../time/index.ts";

/** Maximum number of movements that one event may list: about half an hour at ten movements per second. */
const MAX_MOVEMENTS = 20_000;

const axis = (about: string) =>
  ({ type: "list", unit: "1", min: -1, max: 1, maxLength: MAX_MOVEMENTS, default: [], about }) as const;

/** The parameter `series` of the action `sticks`. */
export const SERIES = section(
  defineParams({
    timesS: {
      type: "list",
      unit: "s",
      min: 0,
      increasing: true,
      maxLength: MAX_MOVEMENTS,
      default: [],
      about: "Times of the movements after the event, above 0 and ascending.",
    },
    roll: axis("Roll stick from each time on; 0 if the list is absent."),
    pitch: axis("Pitch stick from each time on; 0 if the list is absent."),
    yaw: axis("Yaw stick from each time on; 0 if the list is absent."),
    throttle: axis("Throttle stick from each time on; 0 if the list is absent."),
  }),
  "Later movements of the sticks, as lists of the same length.",
  {},
);

type SeriesParams = ParamsOf<typeof SERIES.table>;

export class StickSeries {
  private readonly timesUs: number[];
  private readonly positions: (readonly number[])[];
  /** Whether every movement is a tick of the scenario's axis. If not, each movement inserts a boundary for the next. */
  readonly isScheduled: boolean;

  constructor(params: ParamsOf<ParamTable>, isScheduled: boolean) {
    const series = params["series"] as unknown as SeriesParams;
    this.timesUs = movementTimesUs(params);
    this.positions = this.timesUs.map((_, i) => STICKS.map((name) => series[name][i] ?? 0));
    this.isScheduled = isScheduled;
  }

  /** Returns the positions that begin this long after the event; undefined if none begin then. */
  at(elapsedUs: number): readonly number[] | undefined {
    const i = this.firstFrom(elapsedUs);
    return this.timesUs[i] === elapsedUs ? this.positions[i] : undefined;
  }

  /** Returns the time of the first movement later than `elapsedUs`; undefined if there is none. */
  nextUs(elapsedUs: number): number | undefined {
    return this.timesUs[this.firstFrom(elapsedUs + 1)];
  }

  /** Adds a movement after all others, in a flight that is being flown by hand. */
  add(elapsedUs: number, positions: readonly number[]): void {
    this.timesUs.push(elapsedUs);
    this.positions.push(positions);
  }

  /** Returns the index of the first movement at or after a time. */
  private firstFrom(elapsedUs: number): number {
    let [low, high] = [0, this.timesUs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timesUs[middle]! < elapsedUs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Returns the times of an event's stick movements after the event. */
export function movementTimesUs(params: ParamsOf<ParamTable>): number[] {
  const series = params["series"] as unknown as SeriesParams | undefined;
  return (series?.timesS ?? []).map((timeS) => secondsToUs(timeS));
}
