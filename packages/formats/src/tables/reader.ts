/**
 * Reads a results table group by group, so that a long table need not fit into memory.
 *
 * The checksum of the bytes is verified when the file is opened. The checksum of the values, which also protects the
 * footer, is verified after the last group. If a caller stops earlier, the footer is not verified.
 */
import { crc32 } from "../bytes/crc32.ts";
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead } from "hyparquet";
import { SimError } from "@escapement/core";
import { ReadBudget, type ReadLimits } from "../bytes/read-budget.ts";
import { bufferOf, dataOf, metadataBytes, PARQUET_CHECKSUMS, PARQUET_COLUMNS_KEY } from "../parquet/parts.ts";
import { type Cell, cellBytes, checkCell, checkColumns, type ResultColumn, tableErrors } from "./columns.ts";
import { hasLayout, RESULTS_FORMAT } from "./layout.ts";

/** The cells of consecutive rows, by column. */
type ResultGroup = readonly (readonly Cell[])[];

interface ResultsTable {
  readonly columns: readonly ResultColumn[];
  readonly rows: number;
  readonly metadata: Readonly<Record<string, string>>;
  groups(): AsyncGenerator<ResultGroup, void, void>;
}

export async function openResults(
  bytes: Uint8Array,
  file = "results.parquet",
  limits: ReadLimits = {},
): Promise<ResultsTable> {
  return withTypedErrors(file, () => open(bytes, file, new ReadBudget(bytes.length, file, limits)));
}

async function open(bytes: Uint8Array, file: string, budget: ReadBudget): Promise<ResultsTable> {
  const handle = bufferOf(bytes);
  const metadata = await parquetMetadataAsync(handle);
  const pairs = new Map((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? ""]));
  checkVersion(pairs.get(RESULTS_FORMAT.key), file);
  if (crc32(dataOf(bytes, metadata.metadata_length)) !== parseInt(pairs.get(PARQUET_CHECKSUMS.bytes) ?? "", 16)) {
    throw new RangeError("the checksum does not match");
  }
  const valuesCrc = parseInt(pairs.get(PARQUET_CHECKSUMS.values) ?? "", 16);
  const columns = JSON.parse(pairs.get(PARQUET_COLUMNS_KEY) ?? "") as ResultColumn[];
  checkColumns(columns);
  if (!hasLayout(metadata, columns)) throw new RangeError("the layout is not that of a results table");
  const rows = Number(metadata.num_rows);
  for (const key of [RESULTS_FORMAT.key, PARQUET_COLUMNS_KEY, ...Object.values(PARQUET_CHECKSUMS)]) pairs.delete(key);
  return {
    columns,
    rows,
    metadata: Object.fromEntries(pairs),
    async *groups() {
      let crc = crc32(metadataBytes(metadata.key_value_metadata ?? []));
      let start = 0;
      for (const { num_rows: count } of metadata.row_groups) {
        const end = start + Number(count);
        budget.spend(8 * columns.length * (end - start));
        const cells = await withTypedErrors(file, () => readGroup(handle, metadata, columns, start, end));
        columns.forEach(({ type }, i) => {
          crc = crc32(cellBytes(type, cells[i]!), crc);
        });
        yield cells;
        start = end;
      }
      if (crc !== valuesCrc) throw damagedError(file, new RangeError("the values do not match"));
    },
  };
}

async function readGroup(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: readonly ResultColumn[],
  rowStart: number,
  rowEnd: number,
): Promise<ResultGroup> {
  const byName = new Map<string, Cell[]>(columns.map(({ name }) => [name, []]));
  await parquetRead({
    file,
    metadata,
    rowStart,
    rowEnd,
    onChunk: ({ columnName, columnData }) => {
      const cells = byName.get(columnName);
      for (const cell of columnData as Iterable<Cell | undefined>) cells?.push(cell ?? null);
    },
  });
  return columns.map((column) => {
    const cells = byName.get(column.name)!;
    if (cells.length !== rowEnd - rowStart) throw new RangeError("a column has the wrong length");
    cells.forEach((cell, i) => checkCell(column, cell, rowStart + i));
    return cells;
  });
}

/** Reads all rows, for tables that fit into memory. */
export async function readResults(table: ResultsTable): Promise<ReadonlyMap<string, readonly Cell[]>> {
  const all = table.columns.map((): Cell[] => []);
  for await (const group of table.groups()) {
    group.forEach((cells, i) => {
      for (const cell of cells) all[i]!.push(cell);
    });
  }
  return new Map(table.columns.map(({ name }, i) => [name, all[i]!]));
}

function checkVersion(version: string | undefined, file: string): void {
  if (version === undefined) {
    throw tableErrors.notResults({
      what: "the file is Parquet, but not an Escapement results table",
      where: { file },
      fix: "give the results.parquet of a campaign",
    });
  }
  if (version !== RESULTS_FORMAT.version) {
    throw tableErrors.wrongVersion({
      what: `the table has format version ${version}, but this program reads ${RESULTS_FORMAT.version}`,
      where: { file },
      fix: "read it with the version that wrote it",
    });
  }
}

/** Runs `work`, and turns the library's errors into typed errors. */
async function withTypedErrors<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof SimError) throw cause;
    throw damagedError(file, cause);
  }
}

function damagedError(file: string, cause: unknown): SimError {
  return tableErrors.damaged({
    what: "the file is not a complete results table",
    where: { file },
    fix: "write it again from the campaign's folder",
    cause,
  });
}
