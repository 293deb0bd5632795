/**
 * The CRC-32 of files, with the polynomial of zlib. Node computes it in native code, several times as fast as
 * JavaScript; a web page uses the library.
 */
import { crc32Final, crc32Init, crc32Update } from "@foxglove/crc";

type Checksum = (bytes: ArrayBufferView, before: number) => number;

/** Node finds its own modules by this function, without an import that a web page could not resolve. */
interface NodeGlobal {
  readonly process?: { readonly getBuiltinModule?: (name: string) => { readonly crc32?: Checksum } };
}

let found: Checksum | undefined;

/** Returns the checksum of some bytes, or of bytes that follow others whose checksum is `before`. */
export function crc32(bytes: ArrayBufferView, before = 0): number {
  // Node loads zlib only if somebody needs it.
  found ??= (globalThis as NodeGlobal).process?.getBuiltinModule?.("node:zlib").crc32 ?? portableCrc32;
  return found(bytes, before);
}

/** The same in plain JavaScript. */
export function portableCrc32(bytes: ArrayBufferView, before = 0): number {
  return crc32Final(crc32Update(before ^ crc32Init(), bytes));
}
