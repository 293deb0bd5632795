/** The input of readers that read piece by piece: a file on Node, or an array in memory. */
export interface ByteSource {
  readonly size: number;
  /** Returns `length` bytes from `offset`, which must be inside the source. */
  read(offset: number, length: number): Uint8Array;
}

export function sourceOf(bytes: Uint8Array | ByteSource): ByteSource {
  if (!(bytes instanceof Uint8Array)) return bytes;
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}
