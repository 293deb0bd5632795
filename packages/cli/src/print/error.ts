/**
 * Formats errors for people: code, problem, location with the source line, fix, and where to read more.
 *
 * All diagnostics are printed together. For an error that the user made, no stack trace is printed; for a defect in
 * Escapement, it is.
 */
import { diagnosticsOf, describeWhere, SimError } from "@escapement/core";
import { excerptOf, fileErrors } from "@escapement/formats";
import { COMMAND_LINE, PART_ERRORS, USAGE_ERRORS } from "../errors.ts";
import { columnsOf, type Style, styleFor, wrap } from "./style.ts";

const MAX_SHOWN = 12;
/** Errors of modules and missing files are not usage errors, even if the command line names the module or the file. */
const NOT_USAGE: readonly string[] = [...PART_ERRORS, fileErrors.notFound.code];

interface ErrorContext {
  readonly columns: number;
  /** True on a terminal: long output is shortened. */
  readonly isShort?: boolean;
  /** `error`, or `warning` if the flight can still be flown. */
  readonly severity?: "error" | "warning";
}

export function renderError(
  error: unknown,
  style: Style,
  { columns, isShort = false, severity = "error" }: ErrorContext = { columns: 80 },
): string {
  if (!(error instanceof SimError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `${style.trouble("defect in Escapement")}  please report this, with the flight that causes it\n${text}`;
  }
  const errors = diagnosticsOf(error);
  const shown = isShort ? errors.slice(0, MAX_SHOWN) : errors;
  const blocks = shown.map((one) => renderOne(one, style, { columns, isShort, severity }));
  if (errors.length > shown.length) blocks.push(`… and ${errors.length - shown.length} more; --json lists them all`);
  if (errors.length > 1) blocks.push(`${errors.length} errors${inFile(errors)}; nothing was flown.`);
  return blocks.join("\n\n");
}

function inFile(errors: readonly SimError[]): string {
  const files = [...new Set(errors.map(({ where }) => where.file))];
  return files.length === 1 && files[0] !== undefined ? ` in ${files[0]}` : "";
}

function renderOne(error: SimError, style: Style, { columns, isShort, severity }: Required<ErrorContext>): string {
  const indent = "         ";
  const field = (name: string, text: string) => `  ${style.quiet(name.padEnd(5))}  ${wrap(text, columns, indent)}`;
  const paint = severity === "error" ? style.trouble : style.accent;
  const usedColumns = severity.length + error.code.length + 3;
  const lines = [`${paint(severity)} ${style.strong(error.code)}  ${wrap(error.what, columns, indent, usedColumns)}`];
  // Leave out the marked text here, because it is drawn below.
  const { mark, ...where } = error.where;
  const place = describeWhere(where);
  if (place !== "") lines.push(field("where", place));
  const hint = /^(did you mean "[^"]*"\?)\s*(.*)$/s.exec(error.fix);
  const excerpt = mark === undefined ? excerptOf(error) : { text: mark.text, mark };
  const drawn =
    excerpt === undefined ? [] : excerptLines(excerpt, hint?.[1] ?? "", style, isShort ? columns - 16 : Infinity);
  lines.push(...drawn);
  const fix = drawn.length > 1 && hint !== null ? hint[2]! : error.fix;
  if (fix !== "") lines.push(field("fix", fix));
  lines.push(field("more", `escapement explain ${error.code}`));
  return lines.join("\n");
}

/** A line of a file, or a text from the command line, which has no number. */
interface Excerpt {
  readonly line?: number;
  readonly text: string;
  readonly mark?: { readonly column: number; readonly length: number };
}

/** Returns the source line, and below it carets under the wrong part with the nearest known name beside them. */
function excerptLines({ line, text: whole, mark }: Excerpt, hint: string, style: Style, maxWidth: number): string[] {
  const text = whole.replace(/\s/g, " ");
  const shown = text.length > maxWidth ? `${text.slice(0, maxWidth - 1)}…` : text;
  const first = `  ${style.quiet(`${String(line ?? "").padStart(9)} │`)} ${shown}`;
  if (mark === undefined || mark.column > maxWidth) return [first];
  const carets = "^".repeat(Math.max(1, Math.min(mark.length, maxWidth - mark.column + 1)));
  return [
    first,
    `  ${style.quiet(`${" ".repeat(9)} │`)} ${" ".repeat(mark.column - 1)}${style.trouble(carets)}${hint === "" ? "" : ` ${hint}`}`,
  ];
}

/** Returns true if every error is in the command line: flags, names and values of `--set`. */
export function isUsageError(error: unknown): boolean {
  if (!(error instanceof SimError)) return false;
  return diagnosticsOf(error).every(
    ({ code, where }) => USAGE_ERRORS.includes(code) || (where.file === COMMAND_LINE && !NOT_USAGE.includes(code)),
  );
}

export function errorJson(error: unknown): string {
  return JSON.stringify({ outcome: "failed", errors: errorFacts(error) }, null, 2);
}

export function errorFacts(error: unknown): readonly object[] {
  if (!(error instanceof SimError)) {
    return [{ code: "DEFECT", what: error instanceof Error ? error.message : String(error) }];
  }
  return diagnosticsOf(error).map(({ code, what, where, fix }) => ({ code, what, where, fix }));
}

/** Prints an error or a warning to standard error. */
export function printError(error: unknown, severity: "error" | "warning" = "error"): void {
  const { stderr, env } = process;
  const context = { columns: columnsOf(stderr), isShort: stderr.isTTY === true, severity };
  stderr.write(`${renderError(error, styleFor(stderr, env), context)}\n`);
}
