/**
 * The CRC-32 of files, with the polynomial of zlib. Node computes it in native code, which is several times faster than
 * the JavaScript library that a web page uses.
 */
import { crc32Final, crc32Init, crc32Update } from "@foxglove/crc";

type Checksum = (bytes: ArrayBufferView, before: number) => number;

/** Node returns its own modules through this function. A web page could not resolve an `import` of such a module. */
interface NodeGlobal {
  readonly process?: { readonly getBuiltinModule?: (name: string) => { readonly crc32?: Checksum } };
}

let found: Checksum | undefined;

/** Returns the checksum of bytes. `before` is the checksum of the bytes that precede them. */
export function crc32(bytes: ArrayBufferView, before = 0): number {
  // Node loads zlib at the first call.
  found ??= (globalThis as NodeGlobal).process?.getBuiltinModule?.("node:zlib").crc32 ?? portableCrc32;
  return found(bytes, before);
}

/** Like `crc32`, but in plain JavaScript. */
export function portableCrc32(bytes: ArrayBufferView, before = 0): number {
  return crc32Final(crc32Update(before ^ crc32Init(), bytes));
}
