/**
 * The byte order of float64 in files is little-endian. On the other machines, the bytes of an array are reversed in
 * groups of eight when they are copied to or from a file.
 */
import { IS_LITTLE_ENDIAN } from "@escapement/core";

/** Turns doubles between the order of this machine and that of files, in place; does nothing if both are the same. */
export function toFileOrder(bytes: Uint8Array, isSame = IS_LITTLE_ENDIAN): Uint8Array {
  if (isSame) return bytes;
  for (let at = 0; at + 8 <= bytes.length; at += 8) bytes.subarray(at, at + 8).reverse();
  return bytes;
}
