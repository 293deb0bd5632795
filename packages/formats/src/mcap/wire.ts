/** MCAP (version 0) constants and helpers for writer and reader. A record is an opcode, a length (u64) and content. */
import { type ByteSource, sourceOf } from "../bytes/byte-source.ts";

export const MAGIC = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a);
/** Size of opcode and length. */
export const RECORD_HEADER_SIZE = 9;

export const OP = {
  header: 0x01,
  footer: 0x02,
  schema: 0x03,
  channel: 0x04,
  message: 0x05,
  chunk: 0x06,
  messageIndex: 0x07,
  chunkIndex: 0x08,
  attachment: 0x09,
  attachmentIndex: 0x0a,
  statistics: 0x0b,
  summaryOffset: 0x0e,
  dataEnd: 0x0f,
} as const;

/** Size of the fields before a message's payload: channel (u16), sequence (u32), log and publish time (u64 each). */
export const MESSAGE_HEADER_SIZE = 22;
/** Size of a chunk's fields without the name of its compression and its records: five u64, two u32. */
export const CHUNK_FIELDS_SIZE = 40;
/** Size of summary start and summary offset start (u64 each), and checksum (u32). */
export const FOOTER_SIZE = 20;

/** The header of plain little-endian CDR, the bytes 0, 1, 0, 0, as a little-endian word. */
export const CDR_HEADER = 0x100;
export const CDR_HEADER_SIZE = 4;

/** Times in MCAP are in nanoseconds. */
export const NS_PER_US = 1000;

/** Bytes that are sufficient for the file header and the beginning of the first attachment. */
const FIRST_RECORDS_BYTES = 4096;

const TWO_32 = 4294967296;

/** Writes whole numbers below 2^53 as two halves, because a BigInt would need an allocation. */
export function putU64(view: DataView, at: number, value: number): void {
  // Avoid the remainder operator, which is a function call for numbers above 2³¹. The subtraction is exact.
  const high = Math.floor(value / TWO_32);
  view.setUint32(at, value - high * TWO_32, true);
  view.setUint32(at + 4, high, true);
}

export function getU64(view: DataView, at: number): number {
  return view.getUint32(at + 4, true) * TWO_32 + view.getUint32(at, true);
}

/**
 * Returns the name of the attachment after the file header, which identifies our kinds of MCAP file before anything
 * else is read. Returns undefined if a different record follows the header.
 */
export function firstAttachment(source: Uint8Array | ByteSource): string | undefined {
  const bytes = sourceOf(source).read(0, FIRST_RECORDS_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerAt = MAGIC.length;
  if (bytes.length < headerAt + RECORD_HEADER_SIZE) return undefined;
  const attachmentAt = headerAt + RECORD_HEADER_SIZE + getU64(view, headerAt + 1);
  // The content starts with two times and the length of the name.
  const nameLengthAt = attachmentAt + RECORD_HEADER_SIZE + 16;
  const nameAt = nameLengthAt + 4;
  if (bytes[attachmentAt] !== OP.attachment || bytes.length < nameAt) return undefined;
  return new TextDecoder().decode(bytes.subarray(nameAt, nameAt + view.getUint32(nameLengthAt, true)));
}
