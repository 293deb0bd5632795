/** Code shared by all our Parquet files: writing by row groups, reading from memory, and checksums in the metadata. */
import { ByteWriter } from "hyparquet-writer";
import type { AsyncBuffer } from "hyparquet";
import type { BlockWriter } from "../bytes/block-writer.ts";

/** Metadata keys of the checksums, both in hexadecimal. */
export const PARQUET_CHECKSUMS = {
  /** Checksum of everything before the footer. */
  bytes: "crc32",
  /** Checksum of the other metadata and then of the values, by group and column. It is the only check of the footer. */
  values: "values-crc32",
} as const;

/** Metadata key of a JSON list with name, unit and description of every column, in order. */
export const PARQUET_COLUMNS_KEY = "columns";

interface Pair {
  readonly key: string;
  readonly value?: string;
}

/** Collects the encoded bytes of a group; `flush` passes them on. */
export class GroupWriter extends ByteWriter {
  private readonly out: BlockWriter;

  constructor(out: BlockWriter) {
    super(1 << 16);
    this.out = out;
  }

  flush(): void {
    this.out.bytes(this.getBytes());
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}

export function bufferOf(bytes: Uint8Array): AsyncBuffer {
  return {
    byteLength: bytes.length,
    // Copy explicitly, because `slice` of a Node Buffer does not copy.
    slice: (start, end) => new Uint8Array(bytes.subarray(start, end)).buffer,
  };
}

/** Number of bytes after the metadata: its length and the magic. */
const FOOTER_TAIL = 8;

/** Returns everything before the footer. */
export function dataOf(bytes: Uint8Array, metadataLength: number): Uint8Array {
  return bytes.subarray(0, Math.max(0, bytes.length - metadataLength - FOOTER_TAIL));
}

export function hexOf(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}

/** Returns the metadata without its checksums, as bytes from which a checksum is computed. */
export function metadataBytes(pairs: readonly Pair[]): Uint8Array {
  const checksums: readonly string[] = Object.values(PARQUET_CHECKSUMS);
  const checked = pairs.filter(({ key }) => !checksums.includes(key));
  return new TextEncoder().encode(JSON.stringify(checked.map(({ key, value }) => [key, value])));
}
