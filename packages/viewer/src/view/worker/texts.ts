/** Resolves descriptions in a page from texts and a map of files, and converts errors to plain data. */
import {
  coreRegistry,
  diagnosticsOf,
  mustResolve,
  type Registry,
  type Resolution,
  type ResolvedFlight,
  SimError,
} from "@escapement/core";
import {
  excerptOf,
  fileErrors,
  flightFileName,
  FlightLayers,
  readFlightText,
  type TextFiles,
} from "@escapement/formats";
import type { TextDiagnostic, FileMap, PlainError } from "../protocol.ts";

/** The registry of kinds that a flight in a page can use. */
export const registry: Registry = coreRegistry;

/** Files by path. Paths are relative to the folder of the file that names them, as on disk. */
class PageFiles implements TextFiles {
  private readonly files: FileMap;

  constructor(files: FileMap) {
    this.files = files;
  }

  read(path: string, _fix: string, namedBy: PlainError["where"]): Uint8Array {
    const bytes = Object.hasOwn(this.files, path) ? this.files[path] : undefined;
    if (bytes !== undefined) return bytes;
    throw fileErrors.notFound({
      what: `the page does not have the file ${path}`,
      where: namedBy,
      fix: "drop it onto the page together with the flight",
    });
  }

  exists(path: string): boolean {
    return Object.hasOwn(this.files, path);
  }

  pathFrom(name: string, file: string | undefined): string {
    const parts = file === undefined ? [] : file.split("/").slice(0, -1);
    for (const part of name.split(/[/\\]/)) {
      if (part === "." || part === "") continue;
      if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
      else parts.push(part);
    }
    return parts.join("/");
  }

  textOf(path: string): string | undefined {
    const bytes = this.files[path];
    return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
  }
}

/** Resolves a text. Errors in the text are returned, not thrown. */
export function resolveText(text: string, files: FileMap, kinds = registry): Resolution {
  const file = flightFileName(text);
  const all = { ...files, [file]: new TextEncoder().encode(text) };
  const layers = new FlightLayers(kinds, new PageFiles(all));
  try {
    return layers.resolveLayer(layers.layerOf(readFlightText(text, file), file));
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    return { errors: [error], warnings: [], originOf: () => ({ file, spec: {} }) };
  }
}

/** Resolves a text. All errors are thrown as one typed error. */
export function mustResolveText(text: string, files: FileMap, kinds = registry): ResolvedFlight {
  return mustResolve(resolveText(text, files, kinds));
}

/** Converts an error to plain data, one entry per diagnostic. Errors of other types are defects. */
export function plainErrors(error: unknown): PlainError[] {
  if (!(error instanceof SimError)) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return [{ code: "", what, fix: "this is a defect of Escapement; please report it", where: {} }];
  }
  return diagnosticsOf(error).map((each) => {
    const { code, what, fix, where } = each;
    const excerpt = excerptOf(each);
    return { code, what, fix, where, ...(excerpt === undefined ? {} : { excerpt }) };
  });
}

/** Returns the errors and warnings of a text with their positions as offsets. */
export function textDiagnostics(text: string, { errors, warnings }: Resolution): TextDiagnostic[] {
  const starts = lineStarts(text);
  const toDiagnostic = (error: SimError, severity: TextDiagnostic["severity"]): TextDiagnostic => {
    const { code, what, fix, where } = error;
    const file = where.file ?? "";
    const { line, mark, text: lineText = "" } = excerptOf(error) ?? { line: where.line ?? 1 };
    const isOwn = file === flightFileName(text) || where.file === undefined;
    const start = isOwn ? (starts[line - 1] ?? 0) : 0;
    const indent = lineText.length - lineText.trimStart().length;
    const from = mark === undefined ? start + indent : start + mark.column - 1;
    const length = mark?.length ?? Math.max(1, lineText.trim().length);
    const to = Math.min(text.length, from + length);
    const suggested = /^did you mean "([^"]*)"\?/.exec(fix)?.[1];
    const isQuoted = text[from] === '"' || text[from] === "'";
    const replacement = suggested === undefined ? {} : { replacement: isQuoted ? `"${suggested}"` : suggested };
    return { file, from: Math.min(from, to), to, line, what, fix, code, severity, ...(isOwn ? replacement : {}) };
  };
  return [
    ...errors.map((error) => toDiagnostic(error, "error")),
    ...warnings.map((each) => toDiagnostic(each, "warning")),
  ];
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
