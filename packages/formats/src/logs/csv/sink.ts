/**
 * Writes CSV logs, for people, spreadsheets and diffs.
 *
 * `# key = value` lines describe the file; then come one line of names with `time_us` first, and one line per row.
 * Numbers have the fewest digits that read back to the same bits, so identical flights give identical bytes. The last
 * line contains the number of rows and a checksum of everything before it; if it is missing, the file was cut short.
 */
import type { Column, Readable } from "@escapement/core";
import { BlockWriter } from "../../bytes/block-writer.ts";
import type { ByteSink } from "../../bytes/byte-sink.ts";
import { LogSink } from "../log-sink.ts";
import { checkProvenance, RowGuard, TIME_COLUMN, type Provenance } from "../rows.ts";

export const CSV_FORMAT_KEY = "escapement-log";
export const CSV_FORMAT_VERSION = "1";
export const CSV_UNITS_KEY = "units";
const RESERVED = [CSV_FORMAT_KEY, CSV_UNITS_KEY, "rows"];

/** Control characters, and characters that some readers treat as the end of a line. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/u;

const encoder = new TextEncoder();

export class CsvSink extends LogSink {
  readonly neverFull: boolean;
  private readonly out: BlockWriter;
  private readonly provenance: Provenance;
  private guard: RowGuard | undefined;
  private rows = 0;
  /** Each column's last value and its text, kept because held signals repeat. */
  private lastValues = new Float64Array(0);
  private lastTexts: string[] = [];

  constructor(bytes: ByteSink, provenance: Provenance = {}) {
    super();
    checkProvenance(provenance, RESERVED);
    this.out = new BlockWriter(bytes);
    this.neverFull = this.out.isSync;
    this.provenance = provenance;
  }

  get isFull(): boolean {
    return this.out.isFull;
  }

  open(columns: readonly Column[]): void {
    this.guard = new RowGuard(columns);
    const all = [TIME_COLUMN, ...columns];
    const lines = [
      `# ${CSV_FORMAT_KEY} = ${CSV_FORMAT_VERSION}`,
      ...Object.entries(this.provenance).map(([key, value]) => `# ${key} = ${provenanceText(value)}`),
      `# ${CSV_UNITS_KEY} = ${all.map((column) => column.unit).join(",")}`,
      all.map((column) => column.name).join(","),
    ];
    this.out.bytes(encoder.encode(`${lines.join("\n")}\n`));
    this.lastValues = new Float64Array(columns.length).fill(NaN);
    this.lastTexts = columns.map(() => "");
  }

  row(tUs: number, row: Readable): void {
    this.guard!.check(tUs, row);
    const { lastValues, lastTexts, out } = this;
    let line = String(tUs);
    for (let i = 0; i < lastTexts.length; i += 1) {
      const value = row[i]!;
      if (value !== lastValues[i] || value === 0) {
        lastValues[i] = value;
        lastTexts[i] = numberText(value);
      }
      line += `,${lastTexts[i]!}`;
    }
    line += "\n";
    // The line is ASCII, so it has one byte per character.
    out.reserve(line.length);
    out.at += encoder.encodeInto(line, out.block.subarray(out.at)).written;
    this.rows += 1;
    out.flushIfOld();
  }

  drain(): Promise<void> {
    return this.out.drain();
  }

  protected override async abandon(): Promise<void> {
    await this.out.discard();
  }

  protected override async finish(): Promise<void> {
    if (this.guard === undefined) return this.abandon();
    await this.out.close(() => this.out.bytes(encoder.encode(endLine(this.rows, this.out.checksum()))));
  }
}

function endLine(rows: number, checksum: number): string {
  return `# rows = ${rows}, crc32 = ${checksum.toString(16).padStart(8, "0")}\n`;
}

export function numberText(value: number): string {
  return value === 0 && Object.is(value, -0) ? "-0" : String(value);
}

/** Returns the text, quoted as JSON if the reader could not read it without quotes. */
function provenanceText(value: string): string {
  const isPlain = value.trim() === value && !value.startsWith('"') && !UNPRINTABLE.test(value);
  return isPlain ? value : JSON.stringify(value);
}
