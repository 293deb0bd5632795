/**
 * What is wrong with a description, gathered while it is resolved: every complaint with its place, never only the first.
 *
 * Sections complain by key; the file and the line follow from who said the key. Errors of files that a description names
 * arrive complete, with file and line of their own.
 */
import { type ErrorFactory, SimError } from "../errors/index.ts";
import type { Diagnostic } from "../params/index.ts";
import { flightErrors } from "./errors.ts";
import { placeOf, type SpecLayer } from "./layers.ts";

export type FlightErrorName = keyof typeof flightErrors;

/** A complaint about a key: of the tables, of this folder, or of another catalogue. */
type FlightDiagnostic = Omit<Diagnostic, "code"> & { readonly code: FlightErrorName | ErrorFactory };

/** Finds the layer that said a key, and the key as that layer knows it. */
export type PlaceOf = (key: string) => { readonly layer: SpecLayer; readonly key: string };

export class Diagnostics {
  readonly errors: SimError[] = [];
  readonly warnings: SimError[] = [];
  private readonly placeOf: PlaceOf;

  constructor(place: PlaceOf) {
    this.placeOf = place;
  }

  get count(): number {
    return this.errors.length;
  }

  add(code: FlightDiagnostic["code"], key: string, what: string, fix: string): undefined {
    this.errors.push(this.placed({ code, key, what, fix }));
    return undefined;
  }

  warn(code: FlightDiagnostic["code"], key: string, what: string, fix: string): void {
    this.warnings.push(this.placed({ code, key, what, fix }));
  }

  /** Runs a check of parameter tables, which append to a list, and takes over what it found. */
  collectFrom<T>(check: (found: Diagnostic[]) => T): T {
    const found: Diagnostic[] = [];
    const result = check(found);
    for (const complaint of found) this.errors.push(this.placed(complaint));
    return result;
  }

  /** The value of a file, or nothing and everything that is wrong with it. */
  reading<T>({
    value,
    errors,
    warnings,
  }: {
    value: T | undefined;
    errors: readonly SimError[];
    warnings: readonly SimError[];
  }): T | undefined {
    this.errors.push(...errors);
    this.warnings.push(...warnings);
    return value;
  }

  /** An error of a part, with the file and line of the key that it is about. */
  replaced(error: SimError, key: string): SimError {
    const { layer, key: ownKey } = this.placeOf(key);
    const where = { ...error.where, ...placeOf(layer, ownKey) };
    return new SimError(error.code, { what: error.what, where, fix: error.fix, cause: error });
  }

  private placed({ code, key, what, fix }: FlightDiagnostic): SimError {
    const { layer, key: ownKey } = this.placeOf(key);
    const make = typeof code === "string" ? flightErrors[code] : code;
    return make({ what, where: placeOf(layer, ownKey), fix });
  }
}
