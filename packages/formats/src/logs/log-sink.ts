/** Base class of all log sinks. A log ends once, at the first call to `close` or `discard`. */
import type { Column, Readable, Sink } from "@escapement/core";

/** A sink that writes a log of some kind. */
export abstract class LogSink implements Sink {
  abstract readonly neverFull: boolean;
  abstract readonly isFull: boolean;
  readonly holdsParameters: boolean = false;
  private ending: Promise<void> | undefined;

  abstract open(columns: readonly Column[]): void;
  abstract row(tUs: number, row: Readable): void;
  abstract drain(): Promise<void>;

  /**
   * Closes the log. The run and the code that opened the sink may both call it; the second call waits for the first.
   */
  close(): Promise<void> {
    this.ending ??= this.finish();
    return this.ending;
  }

  /** Ends the log without keeping it. A file that appears only when complete then never appears. */
  discard(): Promise<void> {
    this.ending ??= this.abandon();
    return this.ending;
  }

  protected abstract finish(): Promise<void>;
  protected abstract abandon(): Promise<void>;
}
