/**
 * Reads an overview of a recording file without reading all of it: the flight, its end and its fingerprint.
 *
 * Only the attachments and the first and last chunk are read, and their checksums are verified. The chunks between them
 * are skipped, so an overview of a folder is fast even for long flights. Damage in the skipped chunks is not detected.
 */
import { definitionOf, findStream, type FlightDefinition } from "@escapement/core";
import { type ByteSource, sourceOf } from "../bytes/byte-source.ts";
import { getU64, MAGIC, OP, RECORD_HEADER_SIZE } from "../mcap/wire.ts";
import * as channels from "./channels.ts";
import { assertIsRecording } from "./file-head.ts";
import { readRecording, type ReadRecordingOptions } from "./reader.ts";

/** Facts about a recording, from the start and the end of the file. */
export interface RecordingOverview {
  readonly definition: FlightDefinition;
  readonly hash: string;
  /** Hash of the flight from which this one was branched, if the file contains it. */
  readonly parentHash?: string;
  /** The plant digest; empty if the file was cut short or has none. */
  readonly plant: string;
  readonly endUs: number;
  /** The stop signal at the end: 1 + the index of the event that ended the flight, 0 if the timeline ended. */
  readonly stop: number;
  /** True if the file was written to its end. */
  readonly isComplete: boolean;
}

const NEEDED: readonly string[] = [
  channels.HEAD_ATTACHMENT,
  channels.FLIGHT_ATTACHMENT,
  channels.INITIAL_STATE_ATTACHMENT,
  channels.DIGESTS_ATTACHMENT,
];
/** An attachment begins with two times (u64) and the length of its name (u32). */
const NAME_LENGTH_AT = 16;
const MAX_NAME_BYTES = 256;

/**
 * Reads facts about a recording from the two ends of its file. Rejects flights assembled in code, because they have no
 * definition.
 */
export async function readRecordingOverview(
  bytes: Uint8Array | ByteSource,
  options: ReadRecordingOptions = {},
): Promise<RecordingOverview> {
  assertIsRecording(bytes, options.file ?? "recording.mcap");
  const { ends, isComplete } = endsOf(sourceOf(bytes));
  const { recording, parentHash } = await readRecording(ends, options);
  const { resolvedHash: hash, endUs, digests } = recording;
  const definition = definitionOf(recording);
  const stop = findStream(recording, "stop").values.at(-1) ?? 0;
  return {
    definition,
    hash,
    ...(parentHash === undefined ? {} : { parentHash }),
    plant: isComplete ? digests.plant : "",
    endUs,
    stop,
    isComplete,
  };
}

interface RecordPlace {
  readonly at: number;
  readonly length: number;
}

/**
 * Makes a file with only the needed attachments, the first and the last chunk, as if it had been cut short after them.
 */
function endsOf(source: ByteSource): { readonly ends: Uint8Array; readonly isComplete: boolean } {
  const kept: RecordPlace[] = [{ at: 0, length: MAGIC.length }];
  const chunks: RecordPlace[] = [];
  let hasDataEnd = false;
  for (let at = MAGIC.length; at < source.size && !hasDataEnd;) {
    const head = source.read(at, RECORD_HEADER_SIZE);
    if (head.length < RECORD_HEADER_SIZE) break;
    const record = { at, length: RECORD_HEADER_SIZE + getU64(viewOf(head), 1) };
    if (at + record.length > source.size) break;
    const [opcode] = head;
    hasDataEnd = opcode === OP.dataEnd;
    if (opcode === OP.header || (opcode === OP.attachment && isNeeded(source, record))) kept.push(record);
    if (opcode === OP.chunk) {
      if (chunks.length > 1) chunks.pop();
      chunks.push(record);
    }
    at += record.length;
  }
  const end = source.read(Math.max(0, source.size - MAGIC.length), MAGIC.length);
  return {
    ends: join(
      source,
      [...kept, ...chunks].sort((a, b) => a.at - b.at),
    ),
    isComplete: hasDataEnd && MAGIC.every((byte, i) => end[i] === byte),
  };
}

function isNeeded(source: ByteSource, { at }: RecordPlace): boolean {
  const start = source.read(at + RECORD_HEADER_SIZE + NAME_LENGTH_AT, 4 + MAX_NAME_BYTES);
  const length = start.length < 4 ? 0 : viewOf(start).getUint32(0, true);
  return NEEDED.includes(new TextDecoder().decode(start.subarray(4, 4 + length)));
}

function join(source: ByteSource, places: readonly RecordPlace[]): Uint8Array {
  const bytes = new Uint8Array(places.reduce((size, { length }) => size + length, 0));
  let used = 0;
  for (const { at, length } of places) {
    bytes.set(source.read(at, length), used);
    used += length;
  }
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
