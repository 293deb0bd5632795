/**
 * Writes a results table as Parquet: one row per flight of a campaign, for data frames and databases.
 *
 * Rows are written in groups, so memory does not grow with their number. The bytes depend on the rows and the metadata
 * only. The footer is written last, and an incomplete file is unreadable, so the file should get its name only on
 * close.
 */
import { crc32 } from "../bytes/crc32.ts";
import type { Encoding } from "hyparquet";
import { ParquetWriter } from "hyparquet-writer";
import { BlockWriter } from "../bytes/block-writer.ts";
import type { ByteSink } from "../bytes/byte-sink.ts";
import { GroupWriter, hexOf, metadataBytes, PARQUET_CHECKSUMS, PARQUET_COLUMNS_KEY } from "../parquet/parts.ts";
import { CellBuffer } from "./cell-buffer.ts";
import { type Cell, cellBytes, type CellType, checkCell, checkColumns, type ResultColumn } from "./columns.ts";
import { RESULTS_FORMAT, schemaOf } from "./layout.ts";

const GROUP_ROWS = 16384;

/**
 * Delta encoding makes consecutive integers very small. Doubles are written plainly, because a dictionary would merge
 * +0 and −0. For `undefined`, the library uses a dictionary if that halves the size.
 */
const ENCODINGS: Readonly<Record<CellType, Encoding | undefined>> = {
  int32: "DELTA_BINARY_PACKED",
  double: "PLAIN",
  string: undefined,
};

export class ResultsWriter {
  private readonly columns: readonly ResultColumn[];
  private readonly out: BlockWriter;
  private readonly group: GroupWriter;
  private readonly writer: ParquetWriter;
  private readonly groupRows: number;
  private readonly cells: readonly CellBuffer[];
  private rows = 0;
  private valuesCrc = 0;
  private ending: Promise<void> | undefined;

  constructor(
    bytes: ByteSink,
    columns: readonly ResultColumn[],
    metadata: Readonly<Record<string, string>> = {},
    groupRows = GROUP_ROWS,
  ) {
    checkColumns(columns);
    this.columns = columns;
    this.groupRows = groupRows;
    this.cells = columns.map(({ type }) => new CellBuffer(type, groupRows));
    this.out = new BlockWriter(bytes);
    this.group = new GroupWriter(this.out);
    const pairs = [
      { key: RESULTS_FORMAT.key, value: RESULTS_FORMAT.version },
      { key: PARQUET_COLUMNS_KEY, value: JSON.stringify(columns) },
      ...Object.entries(metadata).map(([key, value]) => ({ key, value })),
    ];
    this.valuesCrc = crc32(metadataBytes(pairs), this.valuesCrc);
    this.writer = new ParquetWriter({
      writer: this.group,
      schema: schemaOf(columns),
      statistics: false,
      kvMetadata: pairs,
    });
  }

  /** Adds a row: one cell per column, in their order. */
  row(cells: readonly Cell[]): void {
    this.columns.forEach((column, i) => {
      const cell = cells[i] ?? null;
      checkCell(column, cell, this.rows);
      this.cells[i]!.push(cell);
    });
    this.rows += 1;
    if (this.rows % this.groupRows === 0) this.writeGroup();
  }

  /** True while the sink's queue is full; await `drain` before writing more. */
  get isFull(): boolean {
    return this.out.isFull;
  }

  drain(): Promise<void> {
    return this.out.drain();
  }

  close(): Promise<void> {
    this.ending ??= this.out.close(async () => {
      this.writeGroup();
      this.group.flush();
      this.writer.kvMetadata!.push(
        { key: PARQUET_CHECKSUMS.bytes, value: hexOf(this.out.checksum()) },
        { key: PARQUET_CHECKSUMS.values, value: hexOf(this.valuesCrc) },
      );
      await this.writer.finish();
    });
    return this.ending;
  }

  /** Ends the table without keeping it. */
  discard(): Promise<void> {
    this.ending ??= this.out.discard();
    return this.ending;
  }

  private writeGroup(): void {
    const size = this.cells[0]?.length ?? 0;
    if (size === 0) return;
    const columnData = this.columns.map(({ name, type }, i) => {
      const encoding = ENCODINGS[type];
      const cells = this.cells[i]!;
      return {
        name,
        // The library reads one column after the other, so only one column at a time is a list of objects.
        get data() {
          return cells.cells();
        },
        offsetIndex: false,
        ...(encoding === undefined ? {} : { encoding }),
      };
    });
    this.columns.forEach(({ type }, i) => {
      this.valuesCrc = crc32(cellBytes(type, this.cells[i]!.cells()), this.valuesCrc);
    });
    void this.writer.write({ columnData, rowGroupSize: size });
    for (const cells of this.cells) cells.clear();
  }
}
