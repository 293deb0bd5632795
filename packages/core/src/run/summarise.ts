/**
 * The summary of a recording: runs the flight's own summary observer over the recorded boundaries.
 *
 * Nothing is integrated. Held signals come from their streams; the state and the outputs come from the log axis.
 */
import { type BoundaryView, BusLayout, DUE_BITS, type SignalName } from "../engine/index.ts";
import { findStream, type Recording, type Stream } from "../record/index.ts";
import { StateLayout } from "../state/index.ts";
import { FlightClock } from "../time/index.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { definitionOf } from "./replay-flight.ts";
import type { FlightEvent } from "./events.ts";
import { type FlightExtremes, SummaryObserver } from "./summary.ts";

interface RecordingSummary extends Outcome {
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
}

/** A stream that is read forward into its place in the bus or the frame. */
class Walk {
  private readonly stream: Stream;
  private readonly target: Float64Array;
  private readonly offset: number;
  private row = 0;

  constructor(stream: Stream, target: Float64Array, offset: number) {
    this.stream = stream;
    this.target = target;
    this.offset = offset;
  }

  to(tUs: number): void {
    const { timesUs, values, size } = this.stream;
    const before = this.row;
    while (this.row < timesUs.length && timesUs[this.row]! <= tUs) this.row += 1;
    if (this.row > before) this.target.set(values.subarray((this.row - 1) * size, this.row * size), this.offset);
  }
}

/** Outcome, events and extremes of a recording, without flying it again. */
export function summarise(recording: Recording): RecordingSummary {
  const definition = definitionOf(recording);
  const layout = new BusLayout(recording.dims);
  const bus = new Float64Array(layout.size);
  const stateSize = recording.initialState.length;
  const frame = new Float64Array(1 + stateSize);
  frame.set(recording.initialState, 1);
  const observer = new SummaryObserver(recording.dims, namedLayout(recording), definition);
  const walks = [...recording.streams, ...recording.logged].map((stream) =>
    stream.name === "state"
      ? new Walk(stream, frame, 1)
      : new Walk(stream, bus, layout.find(stream.name as SignalName).offset),
  );
  const base = layout.find("windBaseNed").offset;
  const gust = layout.find("windGustNed").offset;
  const sum = layout.find("windNed").offset;
  const { timesUs, due } = recording.boundaries;
  const view = { clock: new FlightClock(), frame, stateSize, bus, due: 0, outputsRan: false, inputChanged: false };
  for (let i = 0; i < timesUs.length; i += 1) {
    if ((due[i]! & (DUE_BITS.scenario | DUE_BITS.autopilot | DUE_BITS.log)) === 0) continue;
    for (const walk of walks) walk.to(timesUs[i]!);
    frame[0] = timesUs[i]!;
    for (let k = 0; k < 3; k += 1) bus[sum + k] = bus[base + k]! + bus[gust + k]!;
    observer.observe({ ...view, due: due[i]! } satisfies BoundaryView);
  }
  const stop = findStream(recording, "stop").values.at(-1) ?? 0;
  return {
    ...outcomeOf(definition, { stop }, observer),
    events: observer.events,
    extremes: observer.extremes(),
  };
}

/** A layout that can only find blocks by name. */
function namedLayout(recording: Recording): StateLayout {
  return new StateLayout(
    recording.stateBlocks.map(({ name, size }) => ({
      name,
      size,
      unit: "",
      kind: "vector",
      group: "",
      tolerance: { absolute: 1, relative: 0 },
    })),
  );
}
