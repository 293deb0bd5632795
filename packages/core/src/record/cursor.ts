/**
 * Reads a stream forward in time. A row is active until the time of the next row (zero-order hold).
 *
 * Rows, columns, summaries, replay, comparison and the report all read recorded signals with this class.
 */
import type { Stream } from "./recording.ts";

export class StreamCursor {
  readonly stream: Stream;
  /** Number of rows reached so far, which is the index of the next row. A checkpoint of a replay holds this number. */
  passed = 0;

  constructor(stream: Stream) {
    this.stream = stream;
  }

  /** Whether a row is active: the first row has been reached. */
  get hasRow(): boolean {
    return this.passed > 0;
  }

  /** Time of the next row; infinite after the last. */
  get nextUs(): number {
    const { timesUs } = this.stream;
    return this.passed < timesUs.length ? timesUs[this.passed]! : Infinity;
  }

  /**
   * Advances to a time, which must not be earlier than the previous one. Returns true if a different row is now active.
   */
  advanceTo(tUs: number): boolean {
    const { timesUs } = this.stream;
    const before = this.passed;
    while (this.passed < timesUs.length && timesUs[this.passed]! <= tUs) this.passed += 1;
    return this.passed > before;
  }

  /** Returns a component of the active row. */
  value(component: number): number {
    return this.stream.values[(this.passed - 1) * this.stream.size + component]!;
  }

  /** Copies the active row. */
  copyInto(target: Float64Array, offset = 0): void {
    const { values, size } = this.stream;
    const row = (this.passed - 1) * size;
    for (let i = 0; i < size; i += 1) target[offset + i] = values[row + i]!;
  }
}

/** Returns one component of a stream at each of these increasing times; `initial` before the first row. */
export function heldValues(stream: Stream, component: number, timesUs: Float64Array, initial = 0): Float64Array {
  const cursor = new StreamCursor(stream);
  return timesUs.map((tUs) => {
    cursor.advanceTo(tUs);
    return cursor.hasRow ? cursor.value(component) : initial;
  });
}
