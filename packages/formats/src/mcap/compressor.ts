/** The contract between the writer of an MCAP file and the compressor of its chunks. */

/** A chunk after compression. */
export interface CompressedChunk {
  /** Checksum of the uncompressed bytes. */
  readonly crc: number;
  /** The records of the chunk, compressed with Zstandard. */
  readonly records: Uint8Array;
}

/** A chunk that another thread compresses. */
export interface PendingChunk {
  /** Returns the result; undefined if there is none yet. Throws the failure of the thread. */
  result(): CompressedChunk | undefined;
  /** Resolves when there is a result or a failure. */
  wait(): Promise<void>;
  /** Reuses the memory of the result, which the caller no longer reads. */
  release(): void;
}

/** Compresses a chunk, on this thread or another. It reads the bytes only during the call. */
export type Compressor = (bytes: Uint8Array) => CompressedChunk | PendingChunk;
