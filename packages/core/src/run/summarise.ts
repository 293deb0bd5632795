/**
 * The summary of a recording: runs the flight's own summary observer over the recorded boundaries.
 *
 * Nothing is integrated.
 */
import type { BoundaryView } from "../engine/index.ts";
import { findStream, Playback, type Recording } from "../record/index.ts";
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

/** Outcome, events and extremes of a recording, without flying it again. */
export function summarise(recording: Recording): RecordingSummary {
  const definition = definitionOf(recording);
  const { timesUs, due } = recording.boundaries;
  const observer = new SummaryObserver(recording.dims, namedLayout(recording), definition);
  const playback = new Playback(recording);
  const { frame, bus } = playback;
  const stateSize = recording.initialState.length;
  const view = { clock: new FlightClock(), frame, stateSize, bus, due: 0, outputsRan: false, inputChanged: false };
  for (let i = 0; i < timesUs.length; i += 1) {
    if ((due[i]! & observer.dueMask) === 0) continue;
    playback.advanceTo(timesUs[i]!);
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
