/**
 * Writes an MCAP file as a stream: attachments, then chunks of messages, then the summary with the indices.
 *
 * A message costs one copy into the current chunk. A full chunk is compressed, on this thread or another, and written
 * in order with its checksum and index. Its memory is then reused. Chunks from another thread are written when a later
 * chunk ends, because a fast flight rarely returns to the event loop. Checksums cover every byte of a complete file. A
 * truncated file is readable up to its last complete chunk. Schemas and channels are in the first chunk, so its
 * checksum covers them. The first chunk is not compressed, so that it is written immediately, without waiting for a
 * thread.
 */
import { crc32 } from "../bytes/crc32.ts";
import { IS_LITTLE_ENDIAN } from "@escapement/core";
import { McapRecordBuilder } from "@mcap/core";
import { swapFileOrder } from "../bytes/byte-order.ts";
import type { ByteSink } from "../bytes/byte-sink.ts";
import { OrderedWrites } from "../bytes/ordered-writes.ts";
import { Chunk, chunkSize, indexSize, putChunk, putIndex, rangeOf, type StoredChunk } from "./chunk.ts";
import type { Compressor, PendingChunk } from "./compressor.ts";
import {
  CDR_HEADER,
  CDR_HEADER_SIZE,
  FOOTER_SIZE,
  MESSAGE_HEADER_SIZE,
  NS_PER_US,
  OP,
  putU64,
  RECORD_HEADER_SIZE,
} from "./wire.ts";

/** A write that must wait for a chunk that another thread compresses, or for the writes before it. */
interface WaitingWrite {
  readonly pending?: PendingChunk;
  readonly act: () => void | Promise<void>;
}

export interface ChannelSpec {
  readonly topic: string;
  readonly schemaName: string;
  /** Definition in the `ros2msg` language. */
  readonly definition: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

interface McapOptions {
  /** Names the program that wrote the file. */
  readonly library: string;
  readonly channels: readonly ChannelSpec[];
  readonly compress: Compressor;
  /** Uncompressed bytes after which a chunk is closed. */
  readonly chunkBytes?: number;
}

const CHUNK_BYTES = 1024 * 1024;
const CHUNK_US = 500_000;
/** Initial capacity of the first chunk in bytes; it grows if necessary. */
const FIRST_CAPACITY = 65_536;
/** Wall time after which the messages of an unfinished chunk are written provisionally. */
const MAX_AGE_MS = 500;
/**
 * The flight waits when this many bytes are being compressed. A fast flight produces fewer bytes than this before a new
 * thread has compressed its first chunk.
 */
const MAX_PENDING_BYTES = 8 * 1024 * 1024;

export class McapWriter {
  private readonly sink: ByteSink;
  private readonly options: McapOptions;
  private readonly builder = new McapRecordBuilder();
  private readonly chunkBytes: number;
  private chunk: Chunk;
  /** Chunks that have been written and can be reused. */
  private readonly spareChunks: Chunk[] = [];
  /** Messages so far, per channel. */
  private readonly counts: Uint32Array;
  private readonly chunkIndices: Parameters<McapRecordBuilder["writeChunkIndex"]>[0][] = [];
  private readonly attachmentIndices: Parameters<McapRecordBuilder["writeAttachmentIndex"]>[0][] = [];
  private readonly timeRangeUs = { first: Infinity, last: -Infinity };
  private dataCrc = 0;
  private offset = 0;
  private readonly writes: OrderedWrites;
  private output = new Uint8Array(0);
  /** Chunks that another thread compresses, and the writes that follow them in the file, oldest first. */
  private readonly waiting: WaitingWrite[] = [];
  private pendingBytes = 0;
  private isFirstChunk = true;
  /** Wall time at which a chunk was last ended or written provisionally. */
  private savedMs = performance.now();
  /** Flight time at which the chunk is due. In an array, because V8 boxes numbers above 2³¹ in fields. */
  private readonly chunkEndUs = Float64Array.of(-Infinity);

  constructor(sink: ByteSink, options: McapOptions) {
    this.sink = sink;
    this.writes = new OrderedWrites(sink);
    this.options = options;
    this.chunkBytes = options.chunkBytes ?? CHUNK_BYTES;
    this.counts = new Uint32Array(options.channels.length);
    this.chunk = this.newChunk(FIRST_CAPACITY);
    this.builder.writeMagic();
    this.builder.writeHeader({ profile: "", library: options.library });
    this.putBuilder();
    options.channels.forEach(({ schemaName, topic, definition, metadata }, id) => {
      const data = new TextEncoder().encode(definition);
      this.builder.writeSchema({ id: id + 1, name: schemaName, encoding: "ros2msg", data });
      const entries = new Map(Object.entries(metadata ?? {}));
      this.builder.writeChannel({ id, schemaId: id + 1, topic, messageEncoding: "cdr", metadata: entries });
    });
    this.chunk.append(this.builder.buffer);
    this.builder.reset();
  }

  get isFull(): boolean {
    return this.pendingBytes >= MAX_PENDING_BYTES;
  }

  attach(name: string, mediaType: string, data: Uint8Array): void {
    const length = this.builder.writeAttachment({ name, mediaType, data, logTime: 0n, createTime: 0n });
    const dataSize = BigInt(data.length);
    this.enqueue(() => {
      this.attachmentIndices.push({
        name,
        mediaType,
        dataSize,
        length,
        logTime: 0n,
        createTime: 0n,
        offset: BigInt(this.offset),
      });
    });
    this.putBuilder();
  }

  /** Appends a message of float64 values, given as bytes in the byte order of this machine. */
  numbers(channel: number, tUs: number, values: Uint8Array): void {
    this.message(channel, tUs, values);
    if (IS_LITTLE_ENDIAN) return;
    const { bytes, used } = this.chunk;
    swapFileOrder(bytes.subarray(used - values.length, used));
  }

  /** Appends a message; `payload` is its CDR content without the CDR header. */
  message(channel: number, tUs: number, payload: Uint8Array): void {
    const { chunk } = this;
    const size = MESSAGE_HEADER_SIZE + CDR_HEADER_SIZE + payload.length;
    chunk.reserve(RECORD_HEADER_SIZE + size);
    const { bytes, view, used } = chunk;
    view.setUint8(used, OP.message);
    putU64(view, used + 1, size);
    view.setUint16(used + 9, channel, true);
    view.setUint32(used + 11, this.counts[channel]!, true);
    putU64(view, used + 15, tUs * NS_PER_US);
    putU64(view, used + 23, tUs * NS_PER_US);
    view.setUint32(used + 31, CDR_HEADER, true);
    bytes.set(payload, used + 35);
    chunk.indices[channel]!.push(tUs, used);
    chunk.used = used + RECORD_HEADER_SIZE + size;
    this.counts[channel]! += 1;
  }

  /**
   * Returns true if the chunk should be closed after a message at `tUs`: it is large enough, spans half a second of
   * flight, or is the first of the file. So little is lost if the process is killed, and the file is readable early.
   * The rule does not use the wall clock, so that identical flights give identical bytes.
   */
  isChunkDue(tUs: number): boolean {
    const isDue = this.chunk.used >= this.chunkBytes || tUs >= this.chunkEndUs[0]!;
    if (isDue) this.chunkEndUs[0] = tUs + CHUNK_US;
    return isDue;
  }

  /** Ends the chunk. A truncated file ends after a chunk, so call this only at a point that is a valid end. */
  endChunk(): void {
    const { chunk } = this;
    if (chunk.messages === 0) return;
    this.savedMs = performance.now();
    this.writeFinished();
    // The next chunk is probably about as large.
    this.chunk = this.spareChunks.pop() ?? this.newChunk(chunk.used + chunk.used / 4);
    if (this.isFirstChunk) {
      this.isFirstChunk = false;
      this.enqueue(() => this.writeChunk(chunk, storeUncompressed(chunk)));
      return;
    }
    const result = this.writes.now(() => this.options.compress(chunk.bytes.subarray(0, chunk.used)));
    if ("records" in result) this.enqueue(() => this.writeChunk(chunk, { ...result, compression: "zstd" }));
    else this.writeWhenCompressed(chunk, result);
  }

  private writeWhenCompressed(chunk: Chunk, pending: PendingChunk): void {
    const { used } = chunk;
    this.pendingBytes += used;
    this.waiting.push({
      pending,
      act: () => {
        const written = this.writeChunk(chunk, { ...pending.result()!, compression: "zstd" });
        pending.release();
        if (written !== undefined) return written.then(() => void (this.pendingBytes -= used));
        this.pendingBytes -= used;
        return undefined;
      },
    });
  }

  /** Writes now, or after the chunks that are being compressed. */
  private enqueue(act: () => void | Promise<void>): void {
    if (this.waiting.length === 0) this.writes.enqueue(act);
    else this.waiting.push({ act });
  }

  /** Writes the compressed chunks, up to the first chunk that is not compressed yet. */
  private writeFinished(): void {
    const { waiting, writes } = this;
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const { pending, act } = next;
      if (pending !== undefined && writes.now(() => pending.result()) === undefined) return;
      waiting.shift();
      writes.enqueue(act);
    }
  }

  /**
   * Writes the unfinished chunk if it has been in memory for a long time, because the flight is slow. The complete
   * chunk later replaces it, so the bytes of a complete file do not depend on the wall clock. `writeLast` appends the
   * messages that make this point a valid end; they are only in the provisional chunk.
   */
  saveIfOld(writeLast: () => void = () => {}, nowMs = performance.now()): void {
    if (nowMs - this.savedMs < MAX_AGE_MS) return;
    const { chunk, sink, writes } = this;
    if (sink.writeProvisionally === undefined || writes.haveFailed) return;
    this.writeFinished();
    // Do not write yet if an earlier chunk is still being compressed or written, because it comes first in the file.
    if (this.waiting.length > 0 || writes.pending > 0) return;
    this.savedMs = nowMs;
    const end = chunk.end;
    const counts = this.counts.slice();
    writeLast();
    if (chunk.messages > 0) {
      const stored = storeUncompressed(chunk);
      const bytes = this.outputOf(chunkSize(stored));
      putChunk(chunk, stored, new DataView(bytes.buffer));
      writes.now(() => sink.writeProvisionally!(bytes));
    }
    chunk.truncateTo(end);
    this.counts.set(counts);
  }

  /** Waits until half of the pending chunks are written, so that the compressing thread does not run out of work. */
  async drain(rest = Math.floor(this.waiting.length / 2)): Promise<void> {
    while (this.waiting.length > rest) {
      await this.waiting[0]!.pending?.wait();
      this.writeFinished();
    }
    await this.writes.drain();
  }

  /** Calls `writeLast`, ends the last chunk, writes the summary and closes the sink. */
  close(writeLast: () => void = () => {}): Promise<void> {
    return this.writes.close(async () => {
      writeLast();
      this.endChunk();
      await this.drain(0);
      this.writeEnd();
    });
  }

  private newChunk(capacity: number): Chunk {
    return new Chunk(Math.ceil(capacity), this.options.channels.length);
  }

  private writeChunk(chunk: Chunk, stored: StoredChunk): void | Promise<void> {
    const [firstUs, lastUs] = rangeOf(chunk);
    const chunkStart = this.offset;
    const chunkLength = chunkSize(stored);
    const bytes = this.outputOf(chunkLength + indexSize(chunk));
    const view = new DataView(bytes.buffer);
    putChunk(chunk, stored, view);
    const offsets = putIndex(chunk, view, chunkLength, chunkStart);
    this.chunkIndices.push({
      messageStartTime: BigInt(firstUs) * 1000n,
      messageEndTime: BigInt(lastUs) * 1000n,
      compression: stored.compression,
      uncompressedSize: BigInt(chunk.used),
      chunkLength: BigInt(chunkLength),
      chunkStartOffset: BigInt(chunkStart),
      compressedSize: BigInt(stored.records.length),
      messageIndexOffsets: offsets,
      messageIndexLength: BigInt(bytes.length - chunkLength),
    });
    this.timeRangeUs.first = Math.min(this.timeRangeUs.first, firstUs);
    this.timeRangeUs.last = Math.max(this.timeRangeUs.last, lastUs);
    chunk.clear();
    this.spareChunks.push(chunk);
    return this.write(bytes);
  }

  /** Returns memory for bytes to be written. The memory is reused, because a write ends before the next begins. */
  private outputOf(size: number): Uint8Array {
    if (this.output.length < size) this.output = new Uint8Array(size + size / 4);
    return this.output.subarray(0, size);
  }

  private writeEnd(): void {
    const { builder } = this;
    builder.writeDataEnd({ dataSectionCrc: this.dataCrc });
    const dataEnd = builder.length;
    const summaryStart = this.offset + dataEnd;
    const groups: { groupOpcode: number; groupStart: bigint; groupLength: bigint }[] = [];
    const group = (groupOpcode: number, write: () => void) => {
      const start = builder.length;
      write();
      if (builder.length === start) return;
      groups.push({
        groupOpcode,
        groupStart: BigInt(this.offset + start),
        groupLength: BigInt(builder.length - start),
      });
    };
    const { channels } = this.options;
    group(OP.schema, () => {
      channels.forEach(({ schemaName, definition }, id) => {
        builder.writeSchema({
          id: id + 1,
          name: schemaName,
          encoding: "ros2msg",
          data: new TextEncoder().encode(definition),
        });
      });
    });
    group(OP.channel, () => {
      channels.forEach(({ topic, metadata }, id) => {
        const entries = new Map(Object.entries(metadata ?? {}));
        builder.writeChannel({ id, schemaId: id + 1, topic, messageEncoding: "cdr", metadata: entries });
      });
    });
    group(OP.statistics, () => this.writeStatistics());
    group(OP.attachmentIndex, () => this.attachmentIndices.forEach((index) => builder.writeAttachmentIndex(index)));
    group(OP.chunkIndex, () => this.chunkIndices.forEach((index) => builder.writeChunkIndex(index)));
    const summaryOffsetStart = this.offset + builder.length;
    for (const entry of groups) builder.writeSummaryOffset(entry);
    const fields = new DataView(new ArrayBuffer(RECORD_HEADER_SIZE + 16));
    fields.setUint8(0, OP.footer);
    putU64(fields, 1, FOOTER_SIZE);
    putU64(fields, RECORD_HEADER_SIZE, summaryStart);
    putU64(fields, RECORD_HEADER_SIZE + 8, summaryOffsetStart);
    const crc = crc32(fields, crc32(builder.buffer.subarray(dataEnd)));
    builder.writeFooter({
      summaryStart: BigInt(summaryStart),
      summaryOffsetStart: BigInt(summaryOffsetStart),
      summaryCrc: crc,
    });
    builder.writeMagic();
    this.putBuilder();
  }

  private writeStatistics(): void {
    const { first, last } = this.timeRangeUs;
    const counts = [...this.counts.entries()].filter(([, count]) => count > 0);
    this.builder.writeStatistics({
      messageCount: BigInt(counts.reduce((sum, [, count]) => sum + count, 0)),
      schemaCount: this.options.channels.length,
      channelCount: this.options.channels.length,
      attachmentCount: this.attachmentIndices.length,
      metadataCount: 0,
      chunkCount: this.chunkIndices.length,
      messageStartTime: first <= last ? BigInt(first) * 1000n : 0n,
      messageEndTime: first <= last ? BigInt(last) * 1000n : 0n,
      channelMessageCounts: new Map(counts.map(([channel, count]) => [channel, BigInt(count)])),
    });
  }

  private putBuilder(): void {
    const bytes = this.builder.buffer.slice();
    this.builder.reset();
    this.enqueue(() => this.write(bytes));
  }

  private write(bytes: Uint8Array): void | Promise<void> {
    this.dataCrc = crc32(bytes, this.dataCrc);
    this.offset += bytes.length;
    return this.sink.write(bytes);
  }
}

function storeUncompressed(chunk: Chunk): StoredChunk {
  const records = chunk.bytes.subarray(0, chunk.used);
  return { crc: crc32(records), records, compression: "" };
}
