/**
 * Collects small writes into blocks of 64 KiB, keeps a running checksum, and passes the blocks to a byte sink in order.
 * A small write then costs the simulation thread only one copy.
 */
import { crc32 } from "./crc32.ts";
import type { ByteSink } from "./byte-sink.ts";
import { OrderedWrites } from "./ordered-writes.ts";

const BLOCK_SIZE = 64 * 1024;
const MAX_AGE_MS = 500;

export class BlockWriter {
  /** The block being filled; call `reserve`, then write at `at`. */
  block = new Uint8Array(BLOCK_SIZE);
  view = new DataView(this.block.buffer);
  at = 0;
  private readonly sink: ByteSink;
  private readonly writes: OrderedWrites;
  private crc = 0;
  private flushedMs = -Infinity;

  constructor(sink: ByteSink) {
    this.sink = sink;
    this.writes = new OrderedWrites(sink);
  }

  get isSync(): boolean {
    return this.sink.sync === true;
  }

  get isFull(): boolean {
    return this.writes.pending > 0;
  }

  /** Makes sure that the block has space for `size` bytes. */
  reserve(size: number): void {
    if (this.at + size <= this.block.length) return;
    this.flush();
    if (size > this.block.length) this.renew(size);
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.block.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** Returns the checksum of everything written so far. */
  checksum(): number {
    return crc32(this.block.subarray(0, this.at), this.crc);
  }

  /**
   * Writes the block if at least half a second of wall time has passed since this method last wrote, so that little is
   * lost if the process is killed. The size of the blocks does not affect the file.
   */
  flushIfOld(nowMs = performance.now()): void {
    if (nowMs - this.flushedMs < MAX_AGE_MS) return;
    this.flushedMs = nowMs;
    this.flush();
  }

  flush(): void {
    if (this.at === 0) return;
    const bytes = this.block.subarray(0, this.at);
    this.at = 0;
    const { writes } = this;
    if (writes.haveFailed) return;
    this.crc = crc32(bytes, this.crc);
    writes.enqueue(() => this.sink.write(bytes));
    // Take a new block if the sink has not finished, because it still reads the old one.
    if (writes.pending > 0) this.renew(BLOCK_SIZE);
  }

  drain(): Promise<void> {
    return this.writes.drain();
  }

  /** Calls `writeLast`, flushes the block and closes the sink. */
  close(writeLast: () => void | Promise<void> = () => {}): Promise<void> {
    return this.writes.close(async () => {
      await writeLast();
      this.flush();
    });
  }

  /** Ends the output without keeping it. */
  discard(): Promise<void> {
    return this.writes.discard();
  }

  private renew(size: number): void {
    this.block = new Uint8Array(size);
    this.view = new DataView(this.block.buffer);
  }
}
