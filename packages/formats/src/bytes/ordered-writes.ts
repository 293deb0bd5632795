/**
 * Runs writes to a byte sink one after another and keeps the first failure.
 *
 * Nothing is written after a failure, so the file ends at the position that the error reports. The failure is thrown
 * once: from the write itself if it is synchronous, otherwise from `drain` or `close`.
 */
import type { ByteSink } from "./byte-sink.ts";

export class OrderedWrites {
  private readonly sink: ByteSink;
  /**
   * The writes that have not finished, oldest first. After a failure, it also contains the writes that will never run.
   */
  private readonly queue: Promise<void>[] = [];
  /** The first failure. */
  private failure: { readonly error: unknown } | undefined;
  private wasThrown = false;

  constructor(sink: ByteSink) {
    this.sink = sink;
  }

  /** The number of writes that have not finished. */
  get pending(): number {
    return this.queue.length;
  }

  get haveFailed(): boolean {
    return this.failure !== undefined;
  }

  /** Runs the write now if nothing is pending, otherwise after the pending writes. */
  enqueue(act: () => void | Promise<void>): void {
    if (this.pending > 0) {
      this.later(async () => act());
      return;
    }
    const result = this.now(act);
    if (result !== undefined) this.later(() => result);
  }

  /** Runs the write after the pending writes. A failure is kept for `drain` or `close`. */
  later(act: () => Promise<void>): void {
    const next = (this.queue.at(-1) ?? Promise.resolve()).then(act);
    this.queue.push(next);
    next.then(
      () => this.queue.shift(),
      (error: unknown) => this.fail(error),
    );
  }

  /** Runs the write now, and throws its failure. If an earlier write failed, throws that failure instead of running. */
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

  /** Waits until at most `rest` writes are pending. */
  async drain(rest = 0): Promise<void> {
    try {
      while (this.queue.length > rest) await this.queue[this.queue.length - 1 - rest];
    } catch (error) {
      this.wasThrown = true;
      throw error;
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
