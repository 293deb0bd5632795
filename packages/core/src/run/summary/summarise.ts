/**
 * The summary of a recording. The summary observer of flights is called at the recorded boundaries; nothing is
 * integrated.
 */
import { type BoundaryView, BusLayout } from "../../engine/index.ts";
import { asFed, type FedRecording, type Recording } from "../../record/index.ts";
import type { FlightDefinition } from "../../describe/definition/definition.ts";
import { StateLayout } from "../../state/index.ts";
import { FlightClock } from "../../time/index.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { definitionOf } from "../replay/replay-flight.ts";
import type { FlightEvent } from "../events/events.ts";
import { type FlightExtremes, SummaryObserver } from "./summary.ts";

interface RecordingSummary extends Outcome {
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
}

/** Returns outcome, events and extremes of a recording, without flying it again. */
export function summarise(recording: Recording | FedRecording): RecordingSummary {
  const { timesUs, due } = recording.boundaries;
  const summariser = new Summariser(recording);
  const feed = asFed(recording).openFeed();
  const { frame, bus } = feed;
  const stateSize = recording.initialState.length;
  const view = { clock: new FlightClock(), frame, stateSize, bus, due: 0, outputsRan: false, inputChanged: false };
  for (let i = 0; i < timesUs.length; i += 1) {
    if ((due[i]! & summariser.dueMask) === 0) continue;
    feed.advanceTo(timesUs[i]!);
    summariser.observe({ ...view, due: due[i]! } satisfies BoundaryView);
  }
  return summariser.result();
}

/** Summarises a flight from its boundaries, e.g. those of a recording file that is read piece by piece. */
export class Summariser {
  readonly dueMask: number;
  private readonly definition: FlightDefinition;
  private readonly observer: SummaryObserver;
  private readonly stopOffset: number;
  private stop = 0;

  constructor(recording: Pick<Recording, "resolved" | "dims" | "stateBlocks">) {
    this.definition = definitionOf(recording);
    this.observer = new SummaryObserver(recording.dims, namedLayout(recording), this.definition);
    this.dueMask = this.observer.dueMask;
    this.stopOffset = new BusLayout(recording.dims).find("stop").offset;
  }

  observe(view: BoundaryView): void {
    this.stop = view.bus[this.stopOffset]!;
    if ((view.due & this.dueMask) !== 0) this.observer.observe(view);
  }

  result(): RecordingSummary {
    const { definition, observer, stop } = this;
    return {
      ...outcomeOf(definition, { stop }, observer),
      events: observer.events,
      extremes: observer.extremes(),
    };
  }
}

/** Returns a layout that can only find blocks by name. */
function namedLayout({ stateBlocks }: Pick<Recording, "stateBlocks">): StateLayout {
  return new StateLayout(
    stateBlocks.map(({ name, size }) => ({
      name,
      size,
      unit: "",
      kind: "vector",
      group: "",
      tolerance: { absolute: 1, relative: 0 },
    })),
  );
}
