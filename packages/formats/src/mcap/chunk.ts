/** A chunk being filled: its records one after another, and the offsets of each channel's messages. */
import { CHUNK_FIELDS_SIZE, NS_PER_US, OP, putU64, RECORD_HEADER_SIZE } from "./wire.ts";

/** Times and offsets of one channel's messages in a chunk. */
class ChannelIndex {
  timesUs = new Float64Array(64);
  offsets = new Uint32Array(64);
  count = 0;

  push(tUs: number, offset: number): void {
    if (this.count === this.offsets.length) this.grow();
    this.timesUs[this.count] = tUs;
    this.offsets[this.count] = offset;
    this.count += 1;
  }

  private grow(): void {
    const { timesUs, offsets } = this;
    this.timesUs = new Float64Array(2 * timesUs.length);
    this.timesUs.set(timesUs);
    this.offsets = new Uint32Array(2 * offsets.length);
    this.offsets.set(offsets);
  }
}

interface ChunkEnd {
  readonly used: number;
  readonly counts: readonly number[];
}

export class Chunk {
  bytes: Uint8Array;
  view: DataView;
  used = 0;
  readonly indices: readonly ChannelIndex[];

  constructor(capacity: number, channels: number) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
    this.indices = Array.from({ length: channels }, () => new ChannelIndex());
  }

  reserve(size: number): void {
    if (this.used + size <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.used + size));
    larger.set(this.bytes.subarray(0, this.used));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.used);
    this.used += bytes.length;
  }

  /** Empties the chunk. Its memory is reused. */
  clear(): void {
    this.used = 0;
    for (const index of this.indices) index.count = 0;
  }

  get messages(): number {
    return this.indices.reduce((sum, index) => sum + index.count, 0);
  }

  /** The end of the content, as an argument for `truncateTo`. */
  get end(): ChunkEnd {
    return { used: this.used, counts: this.indices.map(({ count }) => count) };
  }

  truncateTo({ used, counts }: ChunkEnd): void {
    this.used = used;
    this.indices.forEach((index, i) => (index.count = counts[i]!));
  }
}

/** Returns the first and last time of a chunk's messages. */
export function rangeOf(chunk: Chunk): readonly [number, number] {
  let first = Infinity;
  let last = -Infinity;
  for (const { timesUs, count } of chunk.indices) {
    if (count === 0) continue;
    first = Math.min(first, timesUs[0]!);
    last = Math.max(last, timesUs[count - 1]!);
  }
  return [first, last];
}

/** A chunk as it is stored; the records are not compressed if `compression` is empty. */
export interface StoredChunk {
  /** Checksum of the uncompressed records. */
  readonly crc: number;
  readonly records: Uint8Array;
  readonly compression: "" | "zstd";
}

/** Returns the size of a chunk record. */
export function chunkSize({ records, compression }: StoredChunk): number {
  return RECORD_HEADER_SIZE + CHUNK_FIELDS_SIZE + compression.length + records.length;
}

/**
 * Writes a chunk record at the start of the view: times, size and checksum of the uncompressed records, the kind of
 * compression, and the records as they are stored.
 */
export function putChunk(chunk: Chunk, stored: StoredChunk, view: DataView): void {
  const { crc, records, compression } = stored;
  const [firstUs, lastUs] = rangeOf(chunk);
  view.setUint8(0, OP.chunk);
  putU64(view, 1, chunkSize(stored) - RECORD_HEADER_SIZE);
  putU64(view, 9, firstUs * NS_PER_US);
  putU64(view, 17, lastUs * NS_PER_US);
  putU64(view, 25, chunk.used);
  view.setUint32(33, crc, true);
  view.setUint32(37, compression.length, true);
  let at = 41;
  for (let i = 0; i < compression.length; i += 1, at += 1) view.setUint8(at, compression.charCodeAt(i));
  putU64(view, at, records.length);
  new Uint8Array(view.buffer, view.byteOffset).set(records, at + 8);
}

/** Returns the size of all message index records of a chunk. */
export function indexSize({ indices }: Chunk): number {
  return indices.reduce((sum, { count }) => sum + (count === 0 ? 0 : RECORD_HEADER_SIZE + 6 + 16 * count), 0);
}

/**
 * Writes one message index record per channel that has messages in the chunk. Returns their offsets in the file, in
 * which the view starts at `start`.
 */
export function putIndex(chunk: Chunk, view: DataView, at: number, start: number): Map<number, bigint> {
  const offsets = new Map<number, bigint>();
  chunk.indices.forEach(({ count, timesUs, offsets: places }, channel) => {
    if (count === 0) return;
    offsets.set(channel, BigInt(start + at));
    view.setUint8(at, OP.messageIndex);
    putU64(view, at + 1, 6 + 16 * count);
    view.setUint16(at + 9, channel, true);
    view.setUint32(at + 11, 16 * count, true);
    at += RECORD_HEADER_SIZE + 6;
    for (let i = 0; i < count; i += 1) {
      putU64(view, at, timesUs[i]! * NS_PER_US);
      putU64(view, at + 8, places[i]!);
      at += 16;
    }
  });
  return offsets;
}
