/**
 * The layout of a recording in an MCAP file: its channels, schemas and attachments, shared by writer and reader.
 *
 * Each writer of signals has one channel. A message contains all of the writer's signals. It is written at a boundary
 * at which the writer ran, if any bit of the signals changed. `/state` and `/outputs` are written at log ticks.
 * `/boundaries` lists the boundaries since the previous message of this channel. `/digest` has the running plant digest
 * once per second. Numbers are raw float64.
 */
import { BusLayout, DUE_BITS, signalSpec, WRITERS, type Dims, type RecordedBlock, type Writer } from "@escapement/core";
import type { ChannelSpec } from "../mcap/writer.ts";
import { numberMessage, type NumberField } from "../mcap/ros2msg.ts";

/** Version of this layout. */
export const FILE_VERSION = 1;

/** Distinguishes our messages from those of other programs. */
export const SCHEMA_PREFIX = "escapement/msg/";

export const BOUNDARIES = 0;
export const DIGEST = 1;
export const STATE = 2;
export const OUTPUTS = 3;
/** The first writer's channel. */
export const FIRST_WRITER = 4;

/** Checkpoints have the last channel. Files of earlier versions do not have this channel. */
export const CHECKPOINT_SCHEMA = `${SCHEMA_PREFIX}Checkpoint`;
export const CHECKPOINT_CHANNEL: ChannelSpec = {
  topic: "/checkpoints",
  schemaName: CHECKPOINT_SCHEMA,
  definition: "uint8[] data\n",
};

/** Attachments at the start: the flight definition, and the data needed to read the rest. */
export const FLIGHT_ATTACHMENT = "flight.json";
export const HEAD_ATTACHMENT = "recording.json";
/** Attachment with the requirements of the flight, before the initial state. Flights without requirements lack it. */
export const REQUIREMENTS_ATTACHMENT = "requirements.json";
/** Attachment with the state x⁺ at the first boundary, as raw little-endian float64. */
export const INITIAL_STATE_ATTACHMENT = "initial-state.f64";
/** Attachment at the end: the final digests and those of every second. */
export const DIGESTS_ATTACHMENT = "digests.json";

/** Content of the head attachment. */
export interface RecordingHead {
  readonly fileVersion: number;
  readonly recordingVersion: number;
  readonly signalTableVersion: number;
  readonly dims: Dims;
  readonly stateBlocks: readonly RecordedBlock[];
  readonly resolvedHash: string;
  /** Hash of the flight from which this one was branched. */
  readonly parentHash?: string;
  /** Name of the vehicle in the description, which the definition does not contain. */
  readonly vehicle?: string;
  /** Names and versions of the programs that wrote it. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Returns the writers whose signals are recorded and replayed. The sum of base wind and gust is recomputed. */
export function recordedWriters(layout: BusLayout): Writer[] {
  return WRITERS.filter((writer) => writer !== "windSum" && writer !== "outputs" && layout.ranges[writer][1] > 0);
}

export function dueBitOf(writer: Writer): number {
  return DUE_BITS[writer as keyof typeof DUE_BITS];
}

export function channelsOf(layout: BusLayout, stateBlocks: readonly RecordedBlock[]): ChannelSpec[] {
  const channel = (topic: string, schema: string, definition: string): ChannelSpec => ({
    topic: `/${topic}`,
    schemaName: `${SCHEMA_PREFIX}${schema}`,
    definition,
  });
  const ofWriter = (writer: Writer) => numberMessage(fieldsOf(layout, writer));
  return [
    channel("boundaries", "Boundaries", "int64[] time_us\nuint16[] due\n"),
    channel("digest", "Digest", "string plant\n"),
    channel(
      "state",
      "State",
      numberMessage(stateBlocks.map(({ name, size, unit }) => ({ name, size, comment: unit }))),
    ),
    channel("outputs", "Outputs", ofWriter("outputs")),
    ...recordedWriters(layout).map((writer) =>
      channel(writer, writer[0]!.toUpperCase() + writer.slice(1), ofWriter(writer)),
    ),
  ];
}

function fieldsOf(layout: BusLayout, writer: Writer): NumberField[] {
  return layout.signals
    .filter(({ name }) => signalSpec(name).writer === writer)
    .map(({ name, size }) => ({ name, size, comment: signalSpec(name).unit }));
}
