/**
 * Files contain little-endian float64 values. On a big-endian machine, the bytes of an array are reversed in groups of
 * eight when they are copied to or from a file.
 */
import { IS_LITTLE_ENDIAN } from "@escapement/core";

/** Converts doubles between this machine's byte order and that of files, in place. Does nothing if `isSame`. */
export function swapFileOrder(bytes: Uint8Array, isSame = IS_LITTLE_ENDIAN): Uint8Array {
  if (isSame) return bytes;
  for (let at = 0; at + 8 <= bytes.length; at += 8) bytes.subarray(at, at + 8).reverse();
  return bytes;
}
