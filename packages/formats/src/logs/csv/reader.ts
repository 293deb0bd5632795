/**
 * Reads CSV logs into typed arrays.
 *
 * A complete file is verified against its checksum. From a truncated file (without the last line), every complete row
 * is read, and `missing` describes the rest. Without a checksum, a number is accepted only in the exact form in which
 * the sink writes it.
 */
import { crc32 } from "../../bytes/crc32.ts";
import type { SimError } from "@escapement/core";
import { CSV_FORMAT_KEY, CSV_FORMAT_VERSION, CSV_UNITS_KEY, numberText } from "./sink.ts";
import { logErrors } from "../errors.ts";
import { TIME_COLUMN } from "../rows.ts";
import type { Table } from "../rows.ts";

const LF = 10;
const END_LINE = /^# rows = (\d+), crc32 = ([0-9a-f]{8})$/;

/** Reads the file line by line. A last line without a line feed is not returned. */
class LineCursor {
  readonly bytes: Uint8Array;
  private readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  at = 0;
  line = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  next(end: number): string | undefined {
    const stop = this.bytes.indexOf(LF, this.at);
    if (stop < 0 || stop >= end) return undefined;
    const text = this.decoder.decode(this.bytes.subarray(this.at, stop));
    this.at = stop + 1;
    this.line += 1;
    return text;
  }
}

export function readCsv(bytes: Uint8Array, file = "log.csv"): Table {
  const damagedError = (what: string, line?: number, cause?: unknown): SimError =>
    logErrors.damaged({
      what,
      where: line === undefined ? { file } : { file, line },
      fix: "use another copy of the file, or convert the recording again",
      cause,
    });
  const end = findEnd(bytes);
  if (end !== undefined && crc32(bytes.subarray(0, end.start)) !== end.crc)
    throw damagedError("the checksum does not match");
  const limit = end?.start ?? bytes.length;
  const cursor = new LineCursor(bytes);
  try {
    const head = readHead(cursor, limit, file, damagedError);
    const rows = readRows(cursor, limit, head.names.length, end === undefined, damagedError);
    if (end !== undefined && end.rows !== rows.count) throw damagedError(`${rows.count} rows instead of ${end.rows}`);
    const columns = new Map(head.names.map((name, i) => [name, rows.columns[i]!]));
    const units = new Map(head.names.map((name, i) => [name, head.units[i]!]));
    const missing = `the end: the file was cut short after ${rows.count} rows`;
    return { columns, units, provenance: head.provenance, ...(end === undefined ? { missing } : {}) };
  } catch (error) {
    // The decoder throws a TypeError for bytes that are not UTF-8.
    if (error instanceof TypeError) throw damagedError("the bytes are not UTF-8 text", cursor.line + 1, error);
    throw error;
  }
}

interface End {
  readonly start: number;
  readonly rows: number;
  readonly crc: number;
}

function findEnd(bytes: Uint8Array): End | undefined {
  if (bytes.length === 0 || bytes[bytes.length - 1] !== LF) return undefined;
  const start = bytes.lastIndexOf(LF, bytes.length - 2) + 1;
  const match = END_LINE.exec(String.fromCharCode(...bytes.subarray(start, Math.min(bytes.length - 1, start + 64))));
  return match === null ? undefined : { start, rows: Number(match[1]), crc: parseInt(match[2]!, 16) };
}

type Damaged = (what: string, line?: number) => SimError;

function readHead(cursor: LineCursor, limit: number, file: string, damagedError: Damaged) {
  const provenance: (readonly [key: string, value: string])[] = [];
  let units: string[] | undefined;
  for (;;) {
    const text = cursor.next(limit);
    if (text === undefined) {
      if (cursor.line > 0) throw damagedError("the file ends before its first row");
      throw logErrors.notALog({
        what: "the file contains no complete line",
        where: { file },
        fix: "give a log written by Escapement",
      });
    }
    if (cursor.line === 1) checkFirst(text, file);
    else if (text.startsWith(`# ${CSV_UNITS_KEY} = `)) units = text.slice(CSV_UNITS_KEY.length + 5).split(",");
    else if (text.startsWith("# ")) {
      provenance.push(provenanceOf(text, cursor.line, damagedError));
    } else {
      const names = text.split(",");
      if (names[0] !== TIME_COLUMN.name || units?.length !== names.length || new Set(names).size !== names.length) {
        throw damagedError("the line of column names does not match the units", cursor.line);
      }
      return { names, units, provenance: Object.fromEntries(provenance) };
    }
  }
}

function checkFirst(text: string, file: string): void {
  const match = /^# ([a-z-]+) = (.*)$/.exec(text);
  const where = { file, line: 1 };
  if (match?.[1] !== CSV_FORMAT_KEY) {
    throw logErrors.notALog({
      what: `the first line does not contain "${CSV_FORMAT_KEY}"`,
      where,
      fix: "give a log written by Escapement",
    });
  }
  if (match[2] !== CSV_FORMAT_VERSION) {
    throw logErrors.wrongVersion({
      what: `the log has format version ${match[2]}, but this program reads ${CSV_FORMAT_VERSION}`,
      where,
      fix: "read it with the version that wrote it",
    });
  }
}

function provenanceOf(text: string, line: number, damagedError: Damaged): readonly [string, string] {
  const match = /^# ([A-Za-z0-9_.-]+) = (.*)$/.exec(text);
  if (match === null) throw damagedError("a provenance line has no value", line);
  const value = match[2]!;
  if (!value.startsWith('"')) return [match[1]!, value];
  try {
    return [match[1]!, String(JSON.parse(value))];
  } catch {
    throw damagedError("a provenance line has invalid quotes", line);
  }
}

function readRows(cursor: LineCursor, limit: number, width: number, isCut: boolean, damagedError: Damaged) {
  const capacity = countLines(cursor.bytes, cursor.at, limit);
  const columns = Array.from({ length: width }, () => new Float64Array(capacity));
  let count = 0;
  for (let text = cursor.next(limit); text !== undefined; text = cursor.next(limit)) {
    const words = text.split(",");
    if (words.length !== width) throw damagedError(`${words.length} columns instead of ${width}`, cursor.line);
    for (let i = 0; i < width; i += 1) {
      const word = words[i]!;
      const value = Number(word);
      // Without a checksum, accept a number only in the exact form in which the sink writes it.
      if (word === "" || value - value !== 0 || (isCut && numberText(value) !== word)) {
        throw damagedError(`"${word.slice(0, 40)}" is not a valid number in a log`, cursor.line);
      }
      columns[i]![count] = value;
    }
    if (count > 0 && !(columns[0]![count]! > columns[0]![count - 1]!))
      throw damagedError("times do not increase", cursor.line);
    count += 1;
  }
  return { columns, count };
}

function countLines(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(LF, from); at >= 0 && at < to; at = bytes.indexOf(LF, at + 1)) count += 1;
  return count;
}
