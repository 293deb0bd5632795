/**
 * Writes Parquet logs, with columns of float64, for data frames and databases.
 *
 * Rows are collected into groups. Each column of a group is split into its bytes (BYTE_STREAM_SPLIT) and compressed
 * with Snappy, which suits slowly changing floats. Units, descriptions, provenance and checksums are in the key–value
 * metadata. The footer is written last, and a file without it is unreadable, so the caller should write to a temporary
 * file and rename it.
 */
import { crc32 } from "../../bytes/crc32.ts";
import { ParquetWriter } from "hyparquet-writer";
import type { Column, Readable } from "@escapement/core";
import { BlockWriter } from "../../bytes/block-writer.ts";
import { swapFileOrder } from "../../bytes/byte-order.ts";
import type { ByteSink } from "../../bytes/byte-sink.ts";
import { GroupWriter, hexOf, metadataBytes, PARQUET_CHECKSUMS, PARQUET_COLUMNS_KEY } from "../../parquet/parts.ts";
import { RowBuffer } from "../row-buffer.ts";
import { LogSink } from "../log-sink.ts";
import { checkProvenance, RowGuard, TIME_COLUMN, type Provenance } from "../rows.ts";

export const PARQUET_FORMAT_KEY = "escapement-log";
export const PARQUET_FORMAT_VERSION = "1";
export const PARQUET_KEYS: readonly string[] = [
  PARQUET_FORMAT_KEY,
  PARQUET_COLUMNS_KEY,
  ...Object.values(PARQUET_CHECKSUMS),
];

const GROUP_ROWS = 16384;

export class ParquetSink extends LogSink {
  readonly neverFull: boolean;
  private readonly out: BlockWriter;
  private readonly provenance: Provenance;
  private readonly groupRows: number;
  private guard: RowGuard | undefined;
  private buffer: RowBuffer | undefined;
  private readonly group: GroupWriter;
  private writer: ParquetWriter | undefined;
  private names: readonly string[] = [];
  private valuesCrc = 0;

  constructor(bytes: ByteSink, provenance: Provenance = {}, groupRows = GROUP_ROWS) {
    super();
    checkProvenance(provenance, PARQUET_KEYS);
    this.out = new BlockWriter(bytes);
    this.group = new GroupWriter(this.out);
    this.neverFull = this.out.isSync;
    this.provenance = provenance;
    this.groupRows = groupRows;
  }

  get isFull(): boolean {
    return this.out.isFull;
  }

  open(columns: readonly Column[]): void {
    this.guard = new RowGuard(columns);
    this.buffer = new RowBuffer(columns.length, this.groupRows);
    const all = [TIME_COLUMN, ...columns];
    this.names = all.map((column) => column.name);
    const metadata = [
      { key: PARQUET_FORMAT_KEY, value: PARQUET_FORMAT_VERSION },
      { key: PARQUET_COLUMNS_KEY, value: JSON.stringify(all.map(({ name, unit, about }) => ({ name, unit, about }))) },
      ...Object.entries(this.provenance).map(([key, value]) => ({ key, value })),
    ];
    this.valuesCrc = crc32(metadataBytes(metadata), this.valuesCrc);
    this.writer = new ParquetWriter({
      writer: this.group,
      schema: [
        { name: "log", num_children: all.length },
        ...all.map(({ name }) => ({ name, type: "DOUBLE" as const, repetition_type: "REQUIRED" as const })),
      ],
      statistics: false,
      kvMetadata: metadata,
    });
  }

  row(tUs: number, row: Readable): void {
    this.guard!.check(tUs, row);
    this.buffer!.push(tUs, row);
    if (this.buffer!.isFull) this.writeGroup();
  }

  drain(): Promise<void> {
    return this.out.drain();
  }

  protected override async abandon(): Promise<void> {
    await this.out.discard();
  }

  protected override async finish(): Promise<void> {
    const { writer } = this;
    if (writer === undefined) return this.abandon();
    await this.out.close(async () => {
      this.writeGroup();
      this.group.flush();
      writer.kvMetadata!.push(
        { key: PARQUET_CHECKSUMS.bytes, value: hexOf(this.out.checksum()) },
        { key: PARQUET_CHECKSUMS.values, value: hexOf(this.valuesCrc) },
      );
      await writer.finish();
    });
  }

  private writeGroup(): void {
    const { rows, columns } = this.buffer!;
    if (rows === 0) return;
    // The library writes arrays in the byte order of this machine, but files are little-endian.
    for (const column of columns) swapFileOrder(bytesOf(column.subarray(0, rows)));
    for (const column of columns) this.valuesCrc = crc32(bytesOf(column.subarray(0, rows)), this.valuesCrc);
    const columnData = this.names.map((name, i) => ({
      name,
      data: columns[i]!.subarray(0, rows),
      encoding: "BYTE_STREAM_SPLIT" as const,
      offsetIndex: false,
    }));
    void this.writer!.write({ columnData, rowGroupSize: rows });
    this.buffer!.clear();
  }
}

/** Returns a view of the array as bytes. */
export function bytesOf(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
