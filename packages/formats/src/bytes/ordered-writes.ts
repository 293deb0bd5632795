/**
 * Writes to a byte sink, one after another, and what became of them.
 *
 * Nothing is written after a failure, so that a file ends where the failure said it ends. Whoever writes is told of it
 * once: where it happens under their hands, where they wait, or at the end.
 */
import type { ByteSink } from "./byte-sink.ts";

export class OrderedWrites {
  private readonly sink: ByteSink;
  private pending: Promise<void> | undefined;
  /** What went wrong first. */
  private failure: { readonly error: unknown } | undefined;
  private isTold = false;

  constructor(sink: ByteSink) {
    this.sink = sink;
  }

  get areWaiting(): boolean {
    return this.pending !== undefined;
  }

  get haveFailed(): boolean {
    return this.failure !== undefined;
  }

  /** At once where nothing is waiting, otherwise after what waits. */
  inOrder(act: () => void | Promise<void>): void {
    if (this.pending !== undefined) {
      this.later(async () => act());
      return;
    }
    const result = this.now(act);
    if (result !== undefined) this.later(() => result);
  }

  /** After what waits; a failure is noted when it happens. */
  later(act: () => Promise<void>): void {
    const next = (this.pending ?? Promise.resolve()).then(act);
    next.catch((error: unknown) => this.fail(error));
    this.pending = next;
  }

  /** Acts unless something failed before; either failure is thrown here. */
  now<T>(act: () => T): T {
    try {
      if (this.failure !== undefined) throw this.failure.error;
      return act();
    } catch (error) {
      this.fail(error);
      this.isTold = true;
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
        this.isTold = true;
        throw error;
      }
      if (this.pending === pending) this.pending = undefined;
    }
  }

  /**
   * Lets the last be said and closes the sink. After a failure it is only let go of, and the failure thrown unless it has
   * been before.
   */
  async close(sayLast: () => void | Promise<void>): Promise<void> {
    if (this.failure === undefined) {
      try {
        await sayLast();
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
    this.fail(new Error("the log was let go of"));
    this.isTold = true;
    await this.sink.discard?.();
  }
}
