/**
 * Replays a recording: the same loop runs with sources that write the recorded values.
 *
 * Any stage may be replayed while the others run live. A replayed stage runs at exactly the boundaries at which it ran
 * in the recorded flight. If the scenario runs live, the boundaries that were inserted for it in the recorded flight
 * are omitted, because they are inserted again. Replaying every stage with the recorded configuration reproduces the
 * plant digest; any change shows in the digest.
 */
import type { Clock, ListedAxis } from "../time/index.ts";
import type { SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import type { StateLayout } from "../state/index.ts";
import {
  BusLayout,
  type Dims,
  DUE_BITS,
  type DueName,
  type FlightParts,
  type RecordedBoundaries,
  SENSOR_WRITERS,
  type SensorWriter,
  hasSignal,
  SIGNAL_NAMES,
  type SignalName,
  signalSpec,
  type Source,
  type View,
} from "../engine/index.ts";
import { StreamCursor } from "./cursor.ts";
import { recordErrors } from "./errors.ts";
import { type FedRecording, FedSource } from "./feed.ts";
import { checkRecording, findStream, type Recording, startText, type Stream } from "./recording.ts";

/** Writers that a recording can replace. */
type ReplayedWriter = "scenario" | "wind" | SensorWriter | "estimator" | "autopilot";
const REPLAYABLE: readonly ReplayedWriter[] = ["scenario", "wind", ...SENSOR_WRITERS, "estimator", "autopilot"];

/** Plays the recorded streams of one writer back; each value is held until the next. */
export class ReplaySource<W extends ReplayedWriter> implements Source<W> {
  readonly writer: W;
  /** Adds no boundaries, because the recorded boundaries have the writer's due bit. */
  readonly axis: ListedAxis;
  private readonly names: readonly SignalName[];
  private readonly cursors: readonly StreamCursor[];

  constructor(writer: W, recording: Recording) {
    this.writer = writer;
    this.axis = { kind: "listed", timesUs: new Float64Array(0) };
    this.names = SIGNAL_NAMES.filter((name) => {
      const spec = signalSpec(name);
      return spec.writer === writer && hasSignal(spec, recording.dims);
    });
    this.cursors = this.names.map((name) => new StreamCursor(findStream(recording, name)));
  }

  readonly update = (clock: Clock, bus: View<W>): void => {
    const own = bus as unknown as Record<SignalName, Float64Array>;
    for (let i = 0; i < this.cursors.length; i += 1) {
      const cursor = this.cursors[i]!;
      cursor.advanceTo(clock.us);
      if (!cursor.hasRow) this.rejectEarly(cursor.stream, clock.us);
      cursor.copyInto(own[this.names[i]!]!);
    }
  };

  save(writer: SnapshotWriter): void {
    for (const { passed } of this.cursors) writer.number(passed);
  }

  load(reader: SnapshotReader): void {
    for (const cursor of this.cursors) cursor.passed = reader.number();
  }

  private rejectEarly(stream: Stream, tUs: number): never {
    throw recordErrors.dueAtOtherTime({
      what: `the ${this.writer} is due at ${tUs} µs, but its stream "${stream.name}" ${startText(stream)}`,
      where: { tUs },
      fix: "replay with the boundaries of the same recording",
    });
  }
}

interface ReplayOptions {
  /** Stages that run live instead of being replayed, with their sources. */
  readonly live?: Pick<FlightParts, "scenario" | "wind" | "sensors" | "estimator" | "autopilot">;
  /** Dimensions of the replaying plant. If given, they must equal the recording's. */
  readonly dims?: Dims;
}

/**
 * Returns the parts of a flight that come from a recording: sources, boundaries, start and end. The caller adds the
 * plant, the integrator and the observers.
 */
export function replayParts(
  recording: Recording | FedRecording,
  plantLayout: StateLayout,
  options: ReplayOptions = {},
): Pick<
  FlightParts,
  "startUs" | "endUs" | "dims" | "scenario" | "wind" | "sensors" | "estimator" | "autopilot" | "recorded"
> {
  // A `FedRecording` is checked row by row when it is read.
  if ("streams" in recording) checkRecording(recording);
  checkSameState(recording, plantLayout);
  checkSameDims(recording, options.dims ?? recording.dims);
  const live = options.live ?? {};
  const liveWriters = new Set<string>(
    [live.scenario, live.wind, ...(live.sensors ?? []), live.estimator, live.autopilot].flatMap((source) =>
      source === undefined ? [] : [source.writer],
    ),
  );
  const ranWriters = REPLAYABLE.filter((writer) =>
    recording.boundaries.due.some((due) => (due & DUE_BITS[writer]) !== 0),
  );
  const replayed = ranWriters.filter((writer) => !liveWriters.has(writer));
  const newSource = sourcesOf(recording);
  const source = <W extends ReplayedWriter>(writer: W) => (replayed.includes(writer) ? newSource(writer) : undefined);
  const sensors = [...(live.sensors ?? []), ...SENSOR_WRITERS.flatMap((writer) => source(writer) ?? [])];
  return {
    startUs: recording.startUs,
    endUs: recording.endUs,
    dims: recording.dims,
    recorded: boundariesFor(recording.boundaries, replayed),
    ...optional("scenario", live.scenario ?? source("scenario")),
    ...optional("wind", live.wind ?? source("wind")),
    ...(sensors.length === 0 ? {} : { sensors }),
    ...optional("estimator", live.estimator ?? source("estimator")),
    ...optional("autopilot", live.autopilot ?? source("autopilot")),
  };
}

/** Returns a function that makes the sources of a replay. The sources of a `FedRecording` share one feed. */
function sourcesOf(recording: Recording | FedRecording): <W extends ReplayedWriter>(writer: W) => Source<W> {
  if ("streams" in recording) return (writer) => new ReplaySource(writer, recording);
  const feed = recording.openFeed();
  const layout = new BusLayout(recording.dims);
  return (writer) => new FedSource(writer, feed, layout);
}

/**
 * Returns the recorded boundaries with the due bits of the replayed stages, of log and physics ticks, and of insertion.
 * An inserted boundary is dropped if none of the other bits is due there, because a live scenario inserts it again.
 */
function boundariesFor(boundaries: RecordedBoundaries, replayed: readonly ReplayedWriter[]): RecordedBoundaries {
  const kept: DueName[] = [...replayed, "log", "physics"];
  const mask = kept.reduce((bits, name) => bits | DUE_BITS[name], 0);
  const indices = Array.from(boundaries.timesUs.keys()).filter((i) => {
    const due = boundaries.due[i]!;
    return (due & DUE_BITS.inserted) === 0 || (due & mask) !== 0;
  });
  return {
    timesUs: Float64Array.from(indices, (i) => boundaries.timesUs[i]!),
    due: Uint16Array.from(indices, (i) => boundaries.due[i]! & (mask | DUE_BITS.inserted)),
  };
}

function checkSameState(recording: Pick<Recording, "stateBlocks">, layout: StateLayout): void {
  const describeBlocks = (blocks: readonly { name: string; size: number }[]) =>
    blocks.map(({ name, size }) => `${name}[${size}]`).join(", ");
  const recorded = describeBlocks(recording.stateBlocks);
  const present = describeBlocks(layout.blocks);
  if (recorded === present) return;
  throw recordErrors.otherState({
    what: `the recording belongs to a plant with the state ${recorded}, but the replaying plant has ${present}`,
    fix: "replay with the vehicle and models of the recording",
  });
}

function checkSameDims({ dims: recorded }: Pick<Recording, "dims">, present: Dims): void {
  const describe = ({ rotors, batteries, buses, sticks = 0 }: Dims) =>
    `${rotors} rotors, ${batteries} batteries and ${buses} electrical buses${sticks === 0 ? "" : " and a pilot's sticks"}`;
  if (describe(recorded) === describe(present)) return;
  throw recordErrors.otherDims({
    what: `the recording belongs to a vehicle with ${describe(recorded)}, but the replaying vehicle has ${describe(present)}`,
    fix: "replay with the vehicle of the recording, or with one that has the same numbers of rotors, batteries and buses",
  });
}

function optional<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: T };
}
