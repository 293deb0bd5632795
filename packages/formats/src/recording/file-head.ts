/** Reads and checks the parts of a recording file that precede its rows: versions, dimensions, channels and flight. */
import {
  BusLayout,
  canonicalJson,
  checkDefinition,
  dimsOf,
  recordErrors,
  sha256Hex,
  type Dims,
  type FingerprintDigests,
  type ResolvedRequirement,
  type SimError,
} from "@escapement/core";
import type { ByteSource } from "../bytes/byte-source.ts";
import { recordingErrors } from "../mcap/errors.ts";
import type { McapContent, McapFile } from "../mcap/reader.ts";
import { firstAttachment } from "../mcap/wire.ts";
import * as channels from "./channels.ts";
import { checkDigests, checkHead, checkRequirements } from "./head.ts";

/** The attachment by which a log is recognised. */
const LOG_ATTACHMENT = "log.json";
const NO_DIGESTS: FingerprintDigests = { format: "fp1", plant: "", writers: {} };

export interface FileHead {
  readonly head: channels.RecordingHead;
  readonly layout: BusLayout;
  /** The resolved flight as plain JSON; `null` for flights assembled in code. */
  readonly resolved: unknown;
  /** The requirements of the flight; empty if the file contains none. */
  readonly requirements: readonly ResolvedRequirement[];
  readonly stateSize: number;
  readonly initialState: Float64Array;
}

/** Rejects other MCAP files, including logs of Escapement, before their messages are read. */
export function assertIsRecording(source: Uint8Array | ByteSource, file: string): void {
  const name = firstAttachment(source);
  if (name === undefined || name === channels.HEAD_ATTACHMENT) return;
  throw recordingErrors.notARecording({
    what:
      name === LOG_ATTACHMENT
        ? "the file is a log, not a recording"
        : "the file is MCAP, but not an Escapement recording",
    where: { file },
    fix: "give an .mcap file written by fly --record",
  });
}

/** Reads the attachments before the rows. With `isCut`, a missing part was lost because the file was cut short. */
export function readFileHead(mcap: McapContent, file: string, isCut: boolean): FileHead {
  const head = headOf(mcap, file, isCut);
  const layout = new BusLayout(head.dims);
  checkChannels(mcap, head, layout, file);
  const stateSize = head.stateBlocks.reduce((sum, block) => sum + block.size, 0);
  const resolved = resolvedOf(mcap, head, file);
  const initialState = floatsOf(attachment(mcap, channels.INITIAL_STATE_ATTACHMENT, file));
  if (initialState.length !== stateSize) throw new RangeError("the initial state has the wrong length");
  return { head, layout, resolved, requirements: requirementsOf(mcap, file), stateSize, initialState };
}

export function digestsOf({ attachments }: McapFile, file: string): FingerprintDigests {
  const bytes = attachments.get(channels.DIGESTS_ATTACHMENT);
  return bytes === undefined ? NO_DIGESTS : checkDigests(jsonOf(bytes), file);
}

export function nothingLeft(file: string): SimError {
  return recordingErrors.nothingLeft({
    what: "the file ends before its first complete chunk",
    where: { file },
    fix: "record the flight again",
  });
}

function headOf(mcap: McapContent, file: string, isCut: boolean): channels.RecordingHead {
  const bytes = mcap.attachments.get(channels.HEAD_ATTACHMENT);
  if (bytes === undefined && isCut) throw nothingLeft(file);
  if (bytes === undefined) {
    throw recordingErrors.notARecording({
      what: "the file is MCAP, but not an Escapement recording",
      where: { file },
      fix: "give a recording made with --record",
    });
  }
  return checkHead(jsonOf(bytes), file);
}

/**
 * Checks that the file's definitions equal those of this program, because they determine the position of every number.
 */
function checkChannels(mcap: McapContent, head: channels.RecordingHead, layout: BusLayout, file: string): void {
  if (mcap.channels.size === 0) throw nothingLeft(file);
  channels.channelsOf(layout, head.stateBlocks).forEach(({ topic, definition }, id) => {
    const found = mcap.channels.get(id);
    if (found?.topic === topic && fieldsOf(found.definition) === fieldsOf(definition)) return;
    throw recordErrors.invalid({
      what: `channel ${topic} is defined differently in this version of Escapement`,
      where: { file },
      fix: "read it with the version of Escapement that wrote it",
    });
  });
}

function resolvedOf(mcap: McapContent, head: channels.RecordingHead, file: string): unknown {
  const resolved = jsonOf(attachment(mcap, channels.FLIGHT_ATTACHMENT, file));
  if (resolved !== null) checkVehicle(resolved, head, file);
  if (head.resolvedHash !== "" && sha256Hex(canonicalJson(resolved)) !== head.resolvedHash) {
    throw recordingErrors.damaged({
      what: "the flight in the recording does not match its hash",
      where: { file },
      fix: "use another copy of the file",
    });
  }
  return resolved;
}

function requirementsOf({ attachments }: McapContent, file: string): readonly ResolvedRequirement[] {
  const bytes = attachments.get(channels.REQUIREMENTS_ATTACHMENT);
  return bytes === undefined ? [] : checkRequirements(jsonOf(bytes), file);
}

/** Checks that the definition is valid and describes a vehicle of the recorded dimensions. */
function checkVehicle(resolved: unknown, { dims }: channels.RecordingHead, file: string): void {
  const definition = checkDefinition(resolved, { file });
  const { rotors, batteries, buses } = definition.vehicle;
  const vehicle: Dims = { rotors: rotors.length, batteries: batteries.length, buses: buses.length };
  const ofFlight = dimsOf({ dims: vehicle }, definition);
  if (canonicalJson(ofFlight) === canonicalJson(dims)) return;
  throw recordErrors.otherDims({
    what: `the recording has the dimensions ${canonicalJson(dims)}, but its flight has ${canonicalJson(ofFlight)}`,
    where: { file },
    fix: "use another copy of the file",
  });
}

/** Larger than any flight or list of digests. Parsing a larger attachment would take a long time. */
const MAX_JSON_BYTES = 16_000_000;

function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_JSON_BYTES) throw new RangeError(`a JSON attachment of ${bytes.length} bytes is too large`);
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

function attachment({ attachments }: McapContent, name: string, file: string): Uint8Array {
  const bytes = attachments.get(name);
  if (bytes === undefined) throw nothingLeft(file);
  return bytes;
}

/** Returns a definition without its comments, which may differ between versions. */
function fieldsOf(definition: string): string {
  return definition
    .split("\n")
    .map((line) => line.split("#", 1)[0]!.trimEnd())
    .join("\n");
}

function floatsOf(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: Math.floor(bytes.length / 8) }, (_, i) => view.getFloat64(8 * i, true));
}
