/**
 * Collects small writes into blocks, with a running checksum, and hands the blocks to a byte sink in order.
 *
 * The flying thread pays a copy into the block; the sink is called once every 64 KiB.
 */
import { crc32Final, crc32Init, crc32Update } from "@foxglove/crc";
import type { ByteSink } from "./byte-sink.ts";
import { OrderedWrites } from "./ordered-writes.ts";

const BLOCK_SIZE = 64 * 1024;

export class BlockWriter {
  /** The block under construction; write at `at` after asking for room. */
  block = new Uint8Array(BLOCK_SIZE);
  view = new DataView(this.block.buffer);
  at = 0;
  private readonly sink: ByteSink;
  private readonly writes: OrderedWrites;
  private crc = crc32Init();

  constructor(sink: ByteSink) {
    this.sink = sink;
    this.writes = new OrderedWrites(sink);
  }

  get isSync(): boolean {
    return this.sink.sync === true;
  }

  get isFull(): boolean {
    return this.writes.areWaiting;
  }

  /** Makes room for `size` bytes in the block. */
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

  /** Checksum of everything written so far. */
  checksum(): number {
    return crc32Final(crc32Update(this.crc, this.block.subarray(0, this.at)));
  }

  flush(): void {
    if (this.at === 0) return;
    const bytes = this.block.subarray(0, this.at);
    this.at = 0;
    const { writes } = this;
    if (writes.haveFailed) return;
    this.crc = crc32Update(this.crc, bytes);
    writes.inOrder(() => this.sink.write(bytes));
    // The sink may still read this block.
    if (writes.areWaiting) this.renew(BLOCK_SIZE);
  }

  drain(): Promise<void> {
    return this.writes.drain();
  }

  /** Lets the last be said, writes what is left and closes the sink. */
  close(sayLast: () => void | Promise<void> = () => {}): Promise<void> {
    return this.writes.close(async () => {
      await sayLast();
      this.flush();
    });
  }

  /** Nothing is to be kept. */
  discard(): Promise<void> {
    return this.writes.discard();
  }

  private renew(size: number): void {
    this.block = new Uint8Array(size);
    this.view = new DataView(this.block.buffer);
  }
}
