/**
 * Makes a complete ULog from a ULog that was cut short: its complete records, a note about the missing part, and a
 * checksum.
 */
import { crc32 } from "../../bytes/crc32.ts";

import * as wire from "./wire.ts";

/** The note becomes part of the provenance. */
const NOTE_KEY = `${wire.PROVENANCE_PREFIX}incomplete`;

/**
 * Returns the bytes of the complete log, or the same bytes if nothing is missing. Throws a typed error for other files.
 * The reader is loaded only when it is needed, like the readers of all large formats.
 */
export async function recoverUlog(bytes: Uint8Array, file = "log.ulg"): Promise<Uint8Array> {
  const { readUlog } = await import("./reader.ts");
  const { missing } = readUlog(bytes, file);
  if (missing === undefined) return bytes;
  const note = new TextEncoder().encode(missing);
  const records = bytes.subarray(0, endOfRecords(bytes));
  const body = concat(records, infoMessage(`char[${note.length}] ${NOTE_KEY}`, note));
  const checksum = new Uint8Array(4);
  new DataView(checksum.buffer).setUint32(0, crc32(body), true);
  return concat(body, infoMessage(wire.CHECKSUM_KEY, checksum));
}

/** Returns the end of the last complete record. */
function endOfRecords(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = wire.HEADER_SIZE;
  for (;;) {
    const content = at + wire.MESSAGE_HEADER_SIZE;
    const next = content <= bytes.length ? content + view.getUint16(at, true) : Infinity;
    if (next > bytes.length) return at;
    at = next;
  }
}

function infoMessage(key: string, value: Uint8Array): Uint8Array {
  const size = 1 + key.length + value.length;
  const message = new Uint8Array(wire.MESSAGE_HEADER_SIZE + size);
  new DataView(message.buffer).setUint16(0, size, true);
  message[2] = wire.TYPE.info;
  message[wire.MESSAGE_HEADER_SIZE] = key.length;
  message.set(new TextEncoder().encode(key), wire.MESSAGE_HEADER_SIZE + 1);
  message.set(value, wire.MESSAGE_HEADER_SIZE + 1 + key.length);
  return message;
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const both = new Uint8Array(head.length + tail.length);
  both.set(head);
  both.set(tail, head.length);
  return both;
}
