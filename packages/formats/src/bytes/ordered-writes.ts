/**
 * Runs writes to a byte sink one after another and keeps the first failure.
 *
 * Nothing is written after a failure, so the file ends at the position that the error reports. The failure is thrown
 * once: from the write itself if it is synchronous, otherwise from `drain` or `close`.
 */
import type { ByteSink } from "./byte-sink.ts";

export class OrderedWrites {
  private readonly sink: ByteSink;
  private pending: Promise<void> | undefined;
  /** The first failure. */
  private failure: { readonly error: unknown } | undefined;
  private wasThrown = false;

  constructor(sink: ByteSink) {
    this.sink = sink;
  }

  get arePending(): boolean {
    return this.pending !== undefined;
  }

  get haveFailed(): boolean {
    return this.failure !== undefined;
  }

  /** Runs the write now if nothing is pending, otherwise after the pending writes. */
  enqueue(act: () => void | Promise<void>): void {
    if (this.pending !== undefined) {
      this.later(async () => act());
      return;
    }
    const result = this.now(act);
    if (result !== undefined) this.later(() => result);
  }

  /** Runs the write after the pending ones; a failure is kept for `drain` or `close`. */
  later(act: () => Promise<void>): void {
    const next = (this.pending ?? Promise.resolve()).then(act);
    next.catch((error: unknown) => this.fail(error));
    this.pending = next;
  }

  /** Runs the write now. Throws its failure. If an earlier write failed, throws that failure without running. */
  now<T>(act: () => T): T {
    try {
      if (this.failure !== undefined) throw this.failure.error;
      return act();
    } catch (error) {
      this.fail(error);
      this.wasThrown = true;
      throw error;
    }
  }

  fail(error: unknown): void {
    this.failure ??= { error };
  }

  async drain(): Promise<void> {
    while (this.pending !== undefined) {
      const { pending } = this;
      try {
        await pending;
      } catch (error) {
        this.wasThrown = true;
        throw error;
      }
      if (this.pending === pending) this.pending = undefined;
    }
  }

  /**
   * Calls `writeLast` and closes the sink. After a failure the sink is discarded instead, and the failure is thrown
   * unless it has been thrown before.
   */
  async close(writeLast: () => void | Promise<void>): Promise<void> {
    if (this.failure === undefined) {
      try {
        await writeLast();
        await this.drain();
      } catch (error) {
        this.fail(error);
        this.wasThrown = false;
      }
    }
    if (this.failure === undefined) return void (await this.sink.close());
    await this.sink.discard?.();
    if (!this.wasThrown) throw this.failure.error;
  }

  /** Ends the output without keeping it. */
  async discard(): Promise<void> {
    this.fail(new Error("the log was discarded"));
    this.wasThrown = true;
    await this.sink.discard?.();
  }
}
