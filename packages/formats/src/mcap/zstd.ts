/** Loads Zstandard, a WebAssembly module, when it is first needed. */
import { crc32 } from "../bytes/crc32.ts";
import type { Compressor } from "./compressor.ts";

export interface Zstd {
  compress(bytes: Uint8Array): Uint8Array;
  /** Throws if the bytes are not a complete frame. The result may be shorter than `size`. */
  decompress(bytes: Uint8Array, size: number): Uint8Array;
}

/** The fastest level, because recordings are written during the flight, and higher levels gain little on floats. */
export const ZSTD_LEVEL = 1;

let loading: Promise<Zstd> | undefined;

export function loadZstd(): Promise<Zstd> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Zstd> {
  const zstd = await import("@foxglove/wasm-zstd");
  await zstd.isLoaded;
  return {
    compress: (bytes) => zstd.compress(bytes, ZSTD_LEVEL),
    decompress: (bytes, size) => zstd.decompress(bytes, size),
  };
}

/** Returns a compressor that runs on the calling thread: checksum, then Zstandard. */
export async function loadCompressor(): Promise<Compressor> {
  const { compress } = await loadZstd();
  return (bytes) => ({ crc: crc32(bytes), records: compress(bytes) });
}
