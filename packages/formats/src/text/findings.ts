/**
 * The result of reading a file written by a person: a value, or all errors.
 *
 * Readers do not stop at the first error. They collect errors (then there is no value) and warnings (the value is
 * usable), each with file and line.
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

  /** Returns the result. Calls `value` only if there are no errors. */
  reading<T>(value: () => T): Reading<T> {
    return {
      value: this.errors.length === 0 ? value() : undefined,
      errors: this.errors,
      warnings: this.warnings,
    };
  }
}
