/**
 * The two ways to fail.
 *
 * `SimError`: the input or the environment is wrong. It says what is wrong, where, and how to fix it, and has a stable
 * code that `escapement explain CODE` documents. `invariant`: our code is wrong; it throws with details that help to
 * find the defect. Every folder declares its own codes with `defineErrors`; the application combines the catalogues.
 */

/** Location of an error: in a file, or at a time in a flight. */
export interface Where {
  readonly file?: string;
  /** Dotted path of the key, e.g. `wind.sigmaNedMps`. */
  readonly key?: string;
  readonly line?: number;
  /** The part of a text that is wrong, e.g. of a requirement: its first column, from 1, and its length. */
  readonly mark?: { readonly text: string; readonly column: number; readonly length: number };
  /** Flight time. */
  readonly tUs?: number;
  readonly stage?: string;
}

export interface SimErrorParts {
  readonly what: string;
  readonly where?: Where;
  readonly fix: string;
  readonly cause?: unknown;
}

/** An error with a stable code that says what is wrong, where, and how to fix it. */
export class SimError extends Error {
  override readonly name = "SimError";
  readonly code: string;
  readonly what: string;
  readonly where: Where;
  readonly fix: string;

  constructor(code: string, parts: SimErrorParts) {
    const where = parts.where ?? {};
    const place = describeWhere(where);
    super(`${code}: ${parts.what}${place === "" ? "" : ` (${place})`}. ${parts.fix}`, { cause: parts.cause });
    this.code = code;
    this.what = parts.what;
    this.where = where;
    this.fix = parts.fix;
  }
}

/** Returns the location in one line: `gusty.toml › wind.kind, line 9, at 1.250000 s, in stage wind`. */
export function describeWhere(where: Where): string {
  const path = [where.file, where.key].filter((part) => part !== undefined).join(" › ");
  const parts: string[] = path === "" ? [] : [path];
  if (where.line !== undefined) parts.push(`line ${where.line}`);
  if (where.mark !== undefined) parts.push(`character ${where.mark.column} of "${where.mark.text}"`);
  if (where.tUs !== undefined) parts.push(`at ${(where.tUs / 1e6).toFixed(6)} s`);
  if (where.stage !== undefined) parts.push(`in stage ${where.stage}`);
  return parts.join(", ");
}

/** What `explain CODE` prints. */
export interface ErrorDoc {
  readonly code: string;
  readonly title: string;
  readonly explain: string;
}

interface ErrorEntry {
  readonly number: number;
  readonly title: string;
  readonly explain: string;
}

/** Makes the error; the caller throws it. */
export interface ErrorFactory extends ErrorDoc {
  (parts: SimErrorParts): SimError;
}

export type ErrorCatalogue = Readonly<Record<string, ErrorFactory>>;

/**
 * Declares the errors of one area: `defineErrors("TIME", { notExact: { number: 1, … } })` returns one factory per
 * name, with codes `TIME-001` onward. Numbers are explicit because a published code never changes its meaning.
 */
export function defineErrors<T extends Readonly<Record<string, ErrorEntry>>>(
  area: string,
  entries: T,
): { readonly [K in keyof T]: ErrorFactory } {
  const seen = new Set<number>();
  const factories: Record<string, ErrorFactory> = {};
  for (const key of Object.keys(entries)) {
    const entry = entries[key]!;
    invariant(!seen.has(entry.number), `error number ${entry.number} is used twice in area ${area}`);
    seen.add(entry.number);
    const code = `${area}-${String(entry.number).padStart(3, "0")}`;
    factories[key] = Object.assign((parts: SimErrorParts) => new SimError(code, parts), {
      code,
      title: entry.title,
      explain: entry.explain,
    });
  }
  return factories as { readonly [K in keyof T]: ErrorFactory };
}

/** Thrown by `invariant`: a defect of Escapement, not a user error. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** Asserts a condition that must hold by construction. `details` is evaluated only on failure. */
export function invariant(condition: boolean, message: string, details?: () => string): asserts condition {
  if (condition) return;
  throw new InvariantError(details === undefined ? message : `${message}\n${details()}`);
}

/** Returns all errors of these catalogues, sorted by code. */
export function allErrors(catalogues: readonly ErrorCatalogue[]): ErrorDoc[] {
  return catalogues
    .flatMap((catalogue) => Object.keys(catalogue).map((key) => catalogue[key]!))
    .map(({ code, title, explain }) => ({ code, title, explain }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}
