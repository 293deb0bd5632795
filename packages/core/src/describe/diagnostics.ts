/**
 * Collects every diagnostic that is found while a description is resolved, each with its location.
 *
 * Sections report diagnostics by key. The file and the line follow from the layer that set the key. Diagnostics about a
 * file that the description names arrive complete, with their own file and line.
 */
import { type ErrorFactory, SimError } from "../errors/index.ts";
import {
  checkParams,
  type Diagnostic,
  isPlainObject,
  type ParamsOf,
  type ParamTable,
  type PlainObject,
  show,
} from "../params/index.ts";
import { flightErrors } from "./errors.ts";
import { placeOf, type SpecLayer } from "./spec/layers.ts";
import type { FileReading } from "./spec/spec-contents.ts";

export type FlightErrorName = keyof typeof flightErrors;

/**
 * A diagnostic about a key. Its code is the name of one of this folder's errors or an error factory of another folder.
 */
type FlightDiagnostic = Omit<Diagnostic, "code"> & { readonly code: FlightErrorName | ErrorFactory };

/** Finds the layer that set a key, and the name of the key in that layer. */
export type PlaceOf = (key: string) => { readonly layer: SpecLayer; readonly key: string };

export class Diagnostics {
  readonly errors: SimError[];
  readonly warnings: SimError[];
  private readonly placeOf: PlaceOf;

  constructor(place: PlaceOf, into: Pick<Diagnostics, "errors" | "warnings"> = { errors: [], warnings: [] }) {
    this.placeOf = place;
    this.errors = into.errors;
    this.warnings = into.warnings;
  }

  /**
   * Returns diagnostics that add to the same lists, but with other keys: `keyOf` maps a key of the section to the key
   * of the description that sets it.
   */
  withKeys(keyOf: (key: string) => string): Diagnostics {
    return new Diagnostics((key) => this.placeOf(keyOf(key)), this);
  }

  /** Returns diagnostics that add warnings to another list. */
  withWarnings(warnings: SimError[]): Diagnostics {
    return new Diagnostics(this.placeOf, { errors: this.errors, warnings });
  }

  get count(): number {
    return this.errors.length;
  }

  add(code: FlightDiagnostic["code"], key: string, what: string, fix: string): undefined {
    this.errors.push(this.toError({ code, key, what, fix }));
    return undefined;
  }

  warn(code: FlightDiagnostic["code"], key: string, what: string, fix: string): void {
    this.warnings.push(this.toError({ code, key, what, fix }));
  }

  /** Runs a check that appends diagnostics to a list, then adds the diagnostics in that list. */
  collectFrom<T>(check: (found: Diagnostic[]) => T): T {
    const found: Diagnostic[] = [];
    const result = check(found);
    for (const diagnostic of found) this.errors.push(this.toError(diagnostic));
    return result;
  }

  /** Returns a value that must be a table; undefined, with a diagnostic, if it is not. */
  table(value: unknown, key: string, fix = "use a table"): PlainObject | undefined {
    return isPlainObject(value) ? value : this.add("wrongType", key, `${show(value)} is not a table`, fix);
  }

  /** Checks the values at a key against a table. Keys in `also` are allowed but checked elsewhere. */
  params<T extends ParamTable>(table: T, given: PlainObject, key: string, also?: readonly string[]): ParamsOf<T> {
    return this.collectFrom((found) => checkParams(table, given, found, key, also)) as ParamsOf<T>;
  }

  /** Returns the value read, or undefined if reading it added a diagnostic. */
  unlessDiagnosed<T>(read: () => T): T | undefined {
    const before = this.count;
    const value = read();
    return this.count > before ? undefined : value;
  }

  /** Returns the value read from a file, if any, and adds the file's errors and warnings. */
  addReading<T>({ value, errors, warnings }: FileReading<T>): T | undefined {
    this.errors.push(...errors);
    this.warnings.push(...warnings);
    return value;
  }

  /** Returns a part's error with the place of the description's key `key`. */
  withPlaceOf(error: SimError, key: string): SimError {
    const { layer, key: ownKey } = this.placeOf(key);
    const where = { ...error.where, ...placeOf(layer, ownKey) };
    return new SimError(error.code, { what: error.what, where, fix: error.fix, cause: error });
  }

  private toError({ code, key, what, fix }: FlightDiagnostic): SimError {
    const { layer, key: ownKey } = this.placeOf(key);
    const make = typeof code === "string" ? flightErrors[code] : code;
    return make({ what, where: placeOf(layer, ownKey), fix });
  }
}
