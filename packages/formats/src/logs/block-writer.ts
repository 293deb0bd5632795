/**
 * Collects small writes into blocks, with a running checksum, and hands the blocks to a byte sink in order.
 *
 * The flying thread pays a copy into the block; the sink is called once every 64 KiB. After a sink has failed nothing
 * more is written, so that the file ends where the failure said it ends.
 */
import { crc32Final, crc32Init, crc32Update } from "@foxglove/crc";
import type { ByteSink } from "./byte-sink.ts";

const BLOCK_SIZE = 64 * 1024;

export class BlockWriter {
  /** The block under construction; write at `at` after asking for room. */
  block = new Uint8Array(BLOCK_SIZE);
  view = new DataView(this.block.buffer);
  at = 0;
  private readonly sink: ByteSink;
  private pending: Promise<void> | undefined;
  /** What went wrong first; nothing is written after it. */
  private failure: { readonly error: unknown } | undefined;
  /** Whether whoever writes has been told. */
  private isTold = false;
  private crc = crc32Init();

  constructor(sink: ByteSink) {
    this.sink = sink;
  }

  get isSync(): boolean {
    return this.sink.sync === true;
  }

  get isFull(): boolean {
    return this.pending !== undefined;
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
    if (this.failure !== undefined) return;
    this.crc = crc32Update(this.crc, bytes);
    if (this.pending === undefined) {
      const result = this.guard(() => this.sink.write(bytes));
      if (result === undefined) return;
      this.pending = this.watch(result);
    } else {
      this.pending = this.watch(this.pending.then(() => this.sink.write(bytes)));
    }
    // The sink still reads this block.
    this.renew(BLOCK_SIZE);
  }

  async drain(): Promise<void> {
    while (this.pending !== undefined) {
      const { pending } = this;
      try {
        await pending;
      } catch (error) {
        this.isTold = true;
        throw error;
      }
      if (this.pending === pending) this.pending = undefined;
    }
  }

  /**
   * Lets the last be said, writes what is left and closes the sink. After a failure it is only let go of, and the failure
   * thrown unless it has been before.
   */
  async close(sayLast: () => void | Promise<void> = () => {}): Promise<void> {
    if (this.failure === undefined) {
      try {
        await sayLast();
        this.flush();
        await this.drain();
      } catch (error) {
        this.fail(error);
        this.isTold = false;
      }
    }
    if (this.failure === undefined) return void (await this.sink.close());
    await this.sink.discard?.();
    if (!this.isTold) throw this.failure.error;
  }

  /** Nothing is to be kept. */
  async discard(): Promise<void> {
    this.fail(undefined);
    await this.sink.discard?.();
  }

  private guard<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      this.fail(error);
      this.isTold = true;
      throw error;
    }
  }

  /** Notes a failure when it happens; whoever drains is told. */
  private watch(write: Promise<void>): Promise<void> {
    write.catch((error: unknown) => this.fail(error));
    return write;
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
  }

  private renew(size: number): void {
    this.block = new Uint8Array(size);
    this.view = new DataView(this.block.buffer);
  }
}
