/**
 * Reads MCAP logs and recordings as columns.
 *
 * In a recording each signal has its own times: those of `est_pos_ned_n_m` are in `est_pos_ned.time_us`. From a
 * truncated file, the complete chunks are read.
 */
import {
  type Column,
  columnName,
  isPlainObject,
  signalSpec,
  SimError,
  type Recording,
  type SignalName,
  type Stream,
} from "@escapement/core";
import type { ReadLimits } from "../../bytes/read-budget.ts";
import { recordingErrors } from "../../mcap/errors.ts";
import { firstAttachment } from "../../mcap/wire.ts";
import { readMcap } from "../../mcap/reader.ts";
import { RowStore } from "../../mcap/row-store.ts";
import { snakeCase } from "../../mcap/ros2msg.ts";
import { loadZstd } from "../../mcap/zstd.ts";
import { readRecording } from "../../recording/reader.ts";
import { logErrors } from "../errors.ts";
import { MCAP_LOG_ATTACHMENT, MCAP_LOG_TOPIC, MCAP_LOG_VERSION, type McapLogHead } from "./sink.ts";
import { TIME_COLUMN } from "../rows.ts";
import type { Table } from "../rows.ts";

const MAX_COLUMNS = 100_000;

/** Returns true if an MCAP file is a log rather than a recording. */
export function isMcapLog(bytes: Uint8Array): boolean {
  return firstAttachment(bytes) === MCAP_LOG_ATTACHMENT;
}

export async function readMcapTable(bytes: Uint8Array, file = "log.mcap", limits: ReadLimits = {}): Promise<Table> {
  const { decompress } = await loadZstd();
  let rows: RowStore | undefined;
  const mcap = readMcap(
    bytes,
    decompress,
    ({ topic }, tUs, payload) => {
      if (topic !== MCAP_LOG_TOPIC) return;
      rows ??= new RowStore(payload.length / 8);
      rows.push(tUs, payload);
    },
    file,
    limits,
  );
  const head = mcap.attachments.get(MCAP_LOG_ATTACHMENT);
  if (head === undefined) {
    const { recording, versions, missing } = await readRecording(bytes, { file, ...limits });
    return recordingTable(recording, versions, missing);
  }
  try {
    return logTable(headOf(head), rows, file, mcap.missing);
  } catch (cause) {
    if (cause instanceof SimError) throw cause;
    throw recordingErrors.damaged({
      what: "the log is inconsistent",
      where: { file },
      fix: "use another copy of the file",
      cause,
    });
  }
}

/** Reads and checks the head of a log, which is untrusted input. */
function headOf(bytes: Uint8Array): McapLogHead {
  const head = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  if (!isPlainObject(head) || typeof head["logVersion"] !== "number") throw new RangeError("the head is not a table");
  const { logVersion, columns, provenance } = head;
  if (logVersion !== MCAP_LOG_VERSION) return { logVersion, columns: [], provenance: {} };
  const isText = (value: unknown) => typeof value === "string";
  const isColumn = (column: unknown) =>
    isPlainObject(column) && [column["name"], column["unit"], column["about"]].every(isText);
  const isWhole = Array.isArray(columns) && columns.length <= MAX_COLUMNS && columns.every(isColumn);
  if (!isWhole || !isPlainObject(provenance) || !Object.values(provenance).every(isText)) {
    throw new RangeError("the columns or the provenance of the head are not strings");
  }
  const names = new Set(columns.map(({ name }: Column) => name));
  if (names.size < columns.length || names.has(TIME_COLUMN.name)) throw new RangeError("a column is listed twice");
  return { logVersion, columns: columns as Column[], provenance: provenance as McapLogHead["provenance"] };
}

function logTable(head: McapLogHead, rows: RowStore | undefined, file: string, missing: string | undefined): Table {
  if (head.logVersion !== MCAP_LOG_VERSION) {
    throw logErrors.wrongVersion({
      what: `the log has format version ${head.logVersion}, but this program reads ${MCAP_LOG_VERSION}`,
      where: { file },
      fix: "read it with the version that wrote it",
    });
  }
  const width = head.columns.length;
  if (rows !== undefined && rows.width !== width) throw new RangeError("a row does not have one value per column");
  const columns = new Map<string, Float64Array>([[TIME_COLUMN.name, rows?.timesUs.slice() ?? new Float64Array(0)]]);
  const units = new Map([[TIME_COLUMN.name, TIME_COLUMN.unit]]);
  const abouts = new Map<string, string>();
  head.columns.forEach(({ name, unit, about }, i) => {
    columns.set(name, rows === undefined ? new Float64Array(0) : column(rows.values, width, i));
    units.set(name, unit);
    abouts.set(name, about);
  });
  return { columns, units, abouts, provenance: head.provenance, ...(missing === undefined ? {} : { missing }) };
}

function recordingTable(
  recording: Recording,
  versions: Readonly<Record<string, string>>,
  missing: string | undefined,
): Table {
  const columns = new Map<string, Float64Array>();
  const units = new Map<string, string>();
  const add = (
    { name, timesUs, values, size }: Stream,
    offset: number,
    width: number,
    unit: string,
    parts?: readonly string[],
  ) => {
    columns.set(`${snakeCase(name)}.time_us`, timesUs);
    units.set(`${snakeCase(name)}.time_us`, "us");
    for (let i = 0; i < width; i += 1) {
      const title = columnName(name, width === 1 ? undefined : (parts?.[i] ?? String(i + 1)), unit);
      columns.set(title, column(values, size, offset + i));
      units.set(title, unit);
    }
  };
  for (const stream of [...recording.streams, ...recording.logged]) {
    if (stream.name !== "state") {
      const { unit, components } = signalSpec(stream.name as SignalName);
      add(stream, 0, stream.size, unit, components);
      continue;
    }
    let offset = 0;
    for (const { name, size, unit, components } of recording.stateBlocks) {
      add({ ...stream, name }, offset, size, unit, components);
      offset += size;
    }
  }
  const provenance = { flight: recording.resolvedHash, fingerprint: recording.digests.plant, ...versions };
  return { columns, units, provenance, ...(missing === undefined ? {} : { missing }) };
}

function column(values: Float64Array, width: number, index: number): Float64Array {
  return Float64Array.from({ length: values.length / width }, (_, row) => values[row * width + index]!);
}
