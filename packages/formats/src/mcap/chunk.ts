/** A chunk being filled: its records one after another, and the offsets of each channel's messages. */
import { NS_PER_US, OP, putU64, RECORD_HEADER_SIZE } from "./wire.ts";

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

/** Returns one message index record per channel that has messages in the chunk, and the file offset of each record. */
export function indexRecords(chunk: Chunk, start: number): { bytes: Uint8Array; offsets: Map<number, bigint> } {
  const sizes = chunk.indices.map(({ count }) => (count === 0 ? 0 : RECORD_HEADER_SIZE + 6 + 16 * count));
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  const offsets = new Map<number, bigint>();
  let at = 0;
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
  return { bytes, offsets };
}
