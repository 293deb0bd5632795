/**
 * What a reader found: a value, and everything that is wrong with the file, all at once.
 *
 * Readers of files that people write do not stop at the first mistake. They collect errors (the value is then absent)
 * and warnings (it is there, and something about it should be known), each with file and line.
 */
import type { ErrorFactory, SimError, Where } from "@escapement/core";

export interface Reading<T> {
  /** Absent if there are errors. */
  readonly value: T | undefined;
  readonly errors: readonly SimError[];
  readonly warnings: readonly SimError[];
}

export class Findings {
  readonly errors: SimError[] = [];
  readonly warnings: SimError[] = [];
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  error(make: ErrorFactory, what: string, fix: string, where: Omit<Where, "file"> = {}): void {
    this.errors.push(make({ what, fix, where: { file: this.file, ...where } }));
  }

  warn(make: ErrorFactory, what: string, fix: string, where: Omit<Where, "file"> = {}): void {
    this.warnings.push(make({ what, fix, where: { file: this.file, ...where } }));
  }

  /** The outcome; `value` is asked for only where nothing is wrong. */
  reading<T>(value: () => T): Reading<T> {
    return {
      value: this.errors.length === 0 ? value() : undefined,
      errors: this.errors,
      warnings: this.warnings,
    };
  }
}

/** The value, or the first of the errors thrown; for callers that can use one error only. */
export function valueOf<T>(reading: Reading<T>): T {
  if (reading.value === undefined) throw reading.errors[0];
  return reading.value;
}
