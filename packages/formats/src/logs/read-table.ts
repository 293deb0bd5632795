/**
 * Reads a log of any kind into typed arrays by column name. The kind is given or recognised from the first bytes.
 * The readers of the larger formats are loaded only when needed.
 */
import type { ReadLimits } from "../bytes/read-budget.ts";
import { logErrors } from "./errors.ts";
import { readCsv } from "./csv/reader.ts";
import type { Table } from "./rows.ts";

/** The kinds of logs. */
export const LOG_KINDS = ["csv", "ulog", "mcap", "hdf5", "parquet"] as const;
/** Kind of a log. */
export type LogKind = (typeof LOG_KINDS)[number];

const FIRST_BYTES: { readonly [K in LogKind]: readonly number[] } = {
  csv: [0x23, 0x20],
  ulog: [0x55, 0x4c, 0x6f, 0x67],
  mcap: [0x89, 0x4d, 0x43, 0x41],
  hdf5: [0x89, 0x48, 0x44, 0x46],
  parquet: [0x50, 0x41, 0x52, 0x31],
};

function kindOfLog(bytes: Uint8Array): LogKind | undefined {
  return LOG_KINDS.find((kind) => FIRST_BYTES[kind].every((byte, i) => bytes[i] === byte));
}

/** Returns true if a file that begins with these bytes is a log. An MCAP file may be a recording instead. */
export async function isLog(bytes: Uint8Array): Promise<boolean> {
  const kind = kindOfLog(bytes);
  return kind === "mcap" ? (await import("./mcap/reader.ts")).isMcapLog(bytes) : kind !== undefined;
}

/** Reads a log of any kind as a table. */
export async function readTable(
  bytes: Uint8Array,
  kind = kindOfLog(bytes),
  file?: string,
  limits: ReadLimits = {},
): Promise<Table> {
  switch (kind) {
    case "csv":
      return readCsv(bytes, file);
    case "ulog":
      return (await import("./ulog/reader.ts")).readUlog(bytes, file);
    case "mcap":
      return (await import("./mcap/reader.ts")).readMcapTable(bytes, file, limits);
    case "hdf5":
      return (await import("./hdf5/reader.ts")).readHdf5(bytes, file, limits);
    case "parquet":
      return (await import("./parquet/reader.ts")).readParquet(bytes, file, limits);
    case undefined:
      throw logErrors.notALog({
        what: "the first bytes do not match any kind of log",
        where: file === undefined ? {} : { file },
        fix: `give one of: ${LOG_KINDS.join(", ")}`,
      });
  }
}
