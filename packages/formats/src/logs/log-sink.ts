/** What all logs share: each ends once, kept or let go of, whoever asks first. */
import type { Column, Readable, Sink } from "@escapement/core";

/** A sink that writes a log of some kind. */
export abstract class LogSink implements Sink {
  abstract readonly neverFull: boolean;
  abstract readonly isFull: boolean;
  private ending: Promise<void> | undefined;

  abstract open(columns: readonly Column[]): void;
  abstract row(tUs: number, row: Readable): void;
  abstract drain(): Promise<void>;

  /** Drivers close sinks, and so may whoever opened them: the second call waits for the first. */
  close(): Promise<void> {
    this.ending ??= this.finish();
    return this.ending;
  }

  /** What was begun is not to be kept: a file that shows itself only when it is complete never does. */
  discard(): Promise<void> {
    this.ending ??= this.letGo();
    return this.ending;
  }

  protected abstract finish(): Promise<void>;
  protected abstract letGo(): Promise<void>;
}
