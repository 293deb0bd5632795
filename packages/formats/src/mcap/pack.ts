/** Packing a chunk on the thread that asks: checksum, then Zstandard. */
import { crc32 } from "@foxglove/crc";
import type { Packer } from "./writer.ts";
import { loadZstd } from "./zstd.ts";

export async function loadPacker(): Promise<Packer> {
  const { compress } = await loadZstd();
  return (bytes) => ({ crc: crc32(bytes), packed: compress(bytes) });
}
