/**
 * Encodes and decodes a checkpoint: the memory of every part of a flight, with the flight and program that it belongs
 * to.
 *
 *     magic     8 bytes  "ESCKPT01"; the last two digits are the version
 *     program   text     name and version of the program that wrote it
 *     flight    text     hash of the flight's definition
 *     count     u32      number of sections
 *     sections           for each: name (text), number of values (u32)
 *     values             the values of all sections in order, float64
 *     checksum  u32      CRC-32 of everything before it
 *
 * A text is its length in bytes (u16) and UTF-8. All numbers are little-endian. A reader compares the lengths with the
 * number of bytes before it allocates anything.
 */
import { crc32 } from "../bytes/crc32.ts";
import { defineErrors, SimError, Snapshot } from "@escapement/core";
import { swapFileOrder } from "../bytes/byte-order.ts";

export const checkpointErrors = defineErrors("CHECKPOINT", {
  damaged: {
    number: 1,
    title: "the bytes of a checkpoint are damaged",
    explain:
      "A checkpoint has a checksum and states the length of each of its sections. These bytes were changed, or are not a checkpoint. The flight can be flown from its start instead.",
  },
  wrongVersion: {
    number: 2,
    title: "a checkpoint was written in a different version of the format",
    explain: "The layout of checkpoints is versioned. A reader rejects other versions, because it could misread them.",
  },
});

const MAGIC_PREFIX = "ESCKPT";
const VERSION = "01";
/** No flight has more sections or longer names. */
const MAX_SECTIONS = 256;
const MAX_TEXT_BYTES = 256;
const encoder = new TextEncoder();

/** A checkpoint that was read. */
interface CheckpointFile {
  /** Name and version of the program that wrote it. Parts of a different version may have different memory. */
  readonly program: string;
  readonly snapshot: Snapshot;
}

/** Writes a checkpoint as bytes, after `before` bytes that the caller fills in. */
export function encodeCheckpoint({ sections, flightHash }: Snapshot, program: string, before = 0): Uint8Array {
  let maxSize = before + 8 + maxTextSize(program) + maxTextSize(flightHash) + 4 + 4;
  for (const { name, values } of sections) maxSize += maxTextSize(name) + 4 + values.byteLength;
  const bytes = new Uint8Array(maxSize);
  const view = new DataView(bytes.buffer);
  let at = before + 8;
  const putText = (text: string) => {
    const { written } = encoder.encodeInto(text, bytes.subarray(at + 2));
    view.setUint16(at, written, true);
    at += 2 + written;
  };
  const putCount = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  encoder.encodeInto(MAGIC_PREFIX + VERSION, bytes.subarray(before));
  putText(program);
  putText(flightHash);
  putCount(sections.length);
  for (const { name, values } of sections) {
    putText(name);
    putCount(values.length);
  }
  const start = at;
  for (const { values } of sections) {
    bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += values.byteLength;
  }
  swapFileOrder(bytes.subarray(start, at));
  putCount(crc32(bytes.subarray(before, at)));
  return bytes.subarray(0, at);
}

/** Returns an upper bound on the bytes of a text: two for its length, and up to three per UTF-16 code unit. */
function maxTextSize(text: string): number {
  return 2 + 3 * text.length;
}

/** Reads a checkpoint from untrusted bytes. */
export function decodeCheckpoint(bytes: Uint8Array, file = "checkpoint"): CheckpointFile {
  const reader = new Reader(bytes, file);
  const magic = String.fromCharCode(...bytes.subarray(0, 8));
  if (!magic.startsWith(MAGIC_PREFIX)) throw reader.damagedError("these bytes are not a checkpoint");
  if (magic.length === 8 && magic !== MAGIC_PREFIX + VERSION) {
    throw checkpointErrors.wrongVersion({
      what: `the checkpoint has version ${JSON.stringify(magic.slice(6))}, but this program reads "${VERSION}"`,
      where: { file },
      fix: "fly the flight from its start",
    });
  }
  const [program, flightHash] = [reader.text(), reader.text()];
  const count = reader.count();
  if (count > MAX_SECTIONS) throw reader.damagedError(`it claims to have ${count} sections`);
  const heads = Array.from({ length: count }, () => ({ name: reader.text(), length: reader.count() }));
  const total = heads.reduce((sum, { length }) => sum + length, 0);
  if (reader.left !== 8 * total + 4)
    throw reader.damagedError(`${reader.left} bytes follow its sections, but ${8 * total + 4} are expected`);
  reader.verifyChecksum();
  const sections = heads.map(({ name, length }) => ({ name, values: reader.values(length) }));
  return { program, snapshot: new Snapshot(sections, flightHash) };
}

class Reader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly file: string;
  private at = 8;

  constructor(bytes: Uint8Array, file: string) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.file = file;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  text(): string {
    this.advance(2);
    const length = this.view.getUint16(this.at - 2, true);
    if (length > MAX_TEXT_BYTES) throw this.damagedError(`it has a name of ${length} bytes`);
    this.advance(length);
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }

  count(): number {
    this.advance(4);
    return this.view.getUint32(this.at - 4, true);
  }

  values(length: number): Float64Array {
    this.advance(8 * length);
    const copy = this.bytes.slice(this.at - 8 * length, this.at);
    return new Float64Array(swapFileOrder(copy).buffer);
  }

  verifyChecksum(): void {
    const end = this.bytes.length - 4;
    if (crc32(this.bytes.subarray(0, end)) === this.view.getUint32(end, true)) return;
    throw this.damagedError("its checksum does not match");
  }

  damagedError(what: string): SimError {
    return checkpointErrors.damaged({
      what: `the checkpoint is damaged: ${what}`,
      where: { file: this.file },
      fix: "fly the flight from its start",
    });
  }

  private advance(size: number): void {
    if (size > this.left) throw this.damagedError("it ends too early");
    this.at += size;
  }
}
