/** Reads the columns of any Parquet file with plain columns, e.g. a file from pandas or DuckDB. */
import { parquetMetadataAsync, parquetRead } from "hyparquet";
import { SimError } from "@escapement/core";
import { ReadBudget, type ReadLimits } from "../bytes/read-budget.ts";
import { fileErrors } from "../text/file-errors.ts";
import { bufferOf } from "./parts.ts";

/**
 * Returns the cells of each column, in the order of the file. Whole numbers of 64 bits are bigint, absent cells null.
 */
export async function readPlainParquet(
  bytes: Uint8Array,
  file: string,
  limits: ReadLimits = {},
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const budget = new ReadBudget(bytes.length, file, limits);
  try {
    const handle = bufferOf(bytes);
    const metadata = await parquetMetadataAsync(handle);
    const names = metadata.schema.slice(1).map(({ name }) => name);
    budget.spendWhole(8 * names.length * Number(metadata.num_rows));
    const columns = new Map<string, unknown[]>(names.map((name) => [name, []]));
    await parquetRead({
      file: handle,
      metadata,
      onChunk: ({ columnName, columnData }) => {
        const cells = columns.get(columnName);
        for (const cell of columnData as Iterable<unknown>) cells?.push(cell ?? null);
      },
    });
    return columns;
  } catch (cause) {
    if (cause instanceof SimError) throw cause;
    throw fileErrors.syntax({
      what: "the file is not a Parquet table with plain columns",
      where: { file },
      fix: "write one column per key, e.g. with pandas, DuckDB or as a campaign's results.parquet",
      cause,
    });
  }
}
