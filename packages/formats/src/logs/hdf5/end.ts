/**
 * Makes and checks the last line of an HDF5 log: a checksum of everything before it.
 *
 * The HDF5 library does not check its files: one changed byte can make it loop forever. So our reader passes it only
 * files whose checksum matches. HDF5 programs never read past the end of their own data, so they ignore the line.
 */
import { crc32 } from "../../bytes/crc32.ts";

const WORD = "\nescapement-crc32 ";
const HDF5_END_SIZE = WORD.length + 9;

export function hdf5End(checksum: number): Uint8Array {
  return new TextEncoder().encode(`${WORD}${checksum.toString(16).padStart(8, "0")}\n`);
}

/** Returns true if the file ends with its own checksum. */
export function isWholeHdf5(bytes: Uint8Array): boolean {
  const start = bytes.length - HDF5_END_SIZE;
  if (start < 0) return false;
  const end = hdf5End(crc32(bytes.subarray(0, start)));
  return end.every((byte, i) => bytes[start + i] === byte);
}
