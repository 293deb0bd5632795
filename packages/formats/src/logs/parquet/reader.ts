/** Reads Parquet logs into typed arrays. A file without a footer is incomplete and is rejected. */
import { crc32 } from "../../bytes/crc32.ts";
import { parquetMetadataAsync, parquetRead, type AsyncBuffer, type FileMetaData } from "hyparquet";
import { type Column, SimError, type Where } from "@escapement/core";
import { swapFileOrder } from "../../bytes/byte-order.ts";
import { ReadBudget, type ReadLimits } from "../../bytes/read-budget.ts";
import { logErrors } from "../errors.ts";
import { bufferOf, dataOf, metadataBytes, PARQUET_CHECKSUMS, PARQUET_COLUMNS_KEY } from "../../parquet/parts.ts";
import { bytesOf, PARQUET_FORMAT_KEY, PARQUET_FORMAT_VERSION, PARQUET_KEYS } from "./sink.ts";
import type { Table } from "../rows.ts";

export async function readParquet(bytes: Uint8Array, file = "log.parquet", limits: ReadLimits = {}): Promise<Table> {
  const where = { file };
  try {
    return await readTable(bytes, where, new ReadBudget(bytes.length, file, limits));
  } catch (cause) {
    if (cause instanceof SimError) throw cause;
    throw logErrors.damaged({
      what: "the file is not a complete Parquet file",
      where,
      fix: "convert the recording again",
      cause,
    });
  }
}

async function readTable(bytes: Uint8Array, where: Where, budget: ReadBudget): Promise<Table> {
  const handle = bufferOf(bytes);
  const metadata = await parquetMetadataAsync(handle);
  const pairs = new Map((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? ""]));
  checkVersion(pairs.get(PARQUET_FORMAT_KEY), where);
  if (crc32(dataOf(bytes, metadata.metadata_length)) !== parseInt(pairs.get(PARQUET_CHECKSUMS.bytes) ?? "", 16)) {
    throw new RangeError("the checksum does not match");
  }
  const described = JSON.parse(pairs.get(PARQUET_COLUMNS_KEY) ?? "") as Column[];
  const names = described.map(({ name }) => name);
  checkLayout(metadata, names);
  budget.spendWhole(8 * names.length * Number(metadata.num_rows));
  const columns = await readColumns(handle, metadata, names);
  if (valuesChecksum(columns, metadata) !== parseInt(pairs.get(PARQUET_CHECKSUMS.values) ?? "", 16)) {
    throw new RangeError("the checksum of the values does not match");
  }
  for (const column of columns.values()) swapFileOrder(bytesOf(column));
  for (const key of PARQUET_KEYS) pairs.delete(key);
  return {
    columns,
    units: new Map(described.map(({ name, unit }) => [name, unit])),
    abouts: new Map(described.map(({ name, about }) => [name, about])),
    provenance: Object.fromEntries(pairs),
  };
}

function checkVersion(version: string | undefined, where: Where): void {
  if (version === undefined) {
    throw logErrors.notALog({
      what: "the file is Parquet, but not an Escapement log",
      where,
      fix: "give a log written by Escapement",
    });
  }
  if (version !== PARQUET_FORMAT_VERSION) {
    throw logErrors.wrongVersion({
      what: `the log has format version ${version}, but this program reads ${PARQUET_FORMAT_VERSION}`,
      where,
      fix: "read it with the version that wrote it",
    });
  }
}

/**
 * Checks the parts of the layout that are the same in every log. The library decodes all columns concurrently, so with
 * a wrong layout several decoders could fail, and only one failure would be handled.
 */
function checkLayout({ schema, row_groups: groups, num_rows: rows }: FileMetaData, names: readonly string[]): void {
  const isSchema =
    schema.length === names.length + 1 &&
    names.every((name, i) => {
      const { name: found, type, repetition_type: repetition, num_children: children } = schema[i + 1]!;
      return found === name && type === "DOUBLE" && repetition === "REQUIRED" && children === undefined;
    });
  const isGroup = ({ columns }: FileMetaData["row_groups"][0]): boolean =>
    columns.length === names.length &&
    columns.every(({ meta_data: meta }, i) => {
      const path = meta?.path_in_schema;
      return meta?.codec === "SNAPPY" && meta.type === "DOUBLE" && path?.length === 1 && path[0] === names[i];
    });
  const sum = groups.reduce((count, group) => count + Number(group.num_rows), 0);
  if (new Set(names).size < names.length || !isSchema || !groups.every(isGroup) || sum !== Number(rows)) {
    throw new RangeError("the layout is not that of a log");
  }
}

async function readColumns(
  handle: AsyncBuffer,
  metadata: FileMetaData,
  names: readonly string[],
): Promise<Map<string, Float64Array>> {
  const rows = Number(metadata.num_rows);
  const columns = new Map(names.map((name) => [name, new Float64Array(rows)]));
  const filled = new Map(names.map((name) => [name, 0]));
  let isConsistent = true;
  await parquetRead({
    file: handle,
    metadata,
    // Record inconsistencies instead of throwing, because the library ignores exceptions from this callback.
    onChunk: ({ columnName, columnData, rowStart }) => {
      const column = columns.get(columnName);
      if (column === undefined || rowStart + columnData.length > rows) {
        isConsistent = false;
        return;
      }
      try {
        column.set(columnData as ArrayLike<number>, rowStart);
      } catch {
        isConsistent = false;
        return;
      }
      filled.set(columnName, filled.get(columnName)! + columnData.length);
    },
  });
  if (!isConsistent || names.some((name) => filled.get(name) !== rows))
    throw new RangeError("a column has the wrong length");
  return columns;
}

/** Returns the checksum of the metadata and of the values, in the order in which they were written. */
function valuesChecksum(columns: ReadonlyMap<string, Float64Array>, metadata: FileMetaData): number {
  const { row_groups: groups, key_value_metadata: pairs } = metadata;
  let crc = crc32(metadataBytes(pairs ?? []));
  let start = 0;
  for (const { num_rows: count } of groups) {
    const end = start + Number(count);
    for (const column of columns.values()) crc = crc32(bytesOf(column.subarray(start, end)), crc);
    start = end;
  }
  return crc;
}
