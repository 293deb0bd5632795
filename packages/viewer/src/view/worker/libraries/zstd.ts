/**
 * Zstandard in pages. It replaces the WebAssembly library, which the page's content security policy forbids.
 *
 * It reads every frame. It writes frames with uncompressed blocks, which every reader accepts.
 */
import { decompress as decompressFrame } from "fzstd";

const MAGIC = 0xfd2fb528;
/** Frame descriptor: single segment, with the content size in four bytes. */
const DESCRIPTOR = 0xa0;
const HEAD_BYTES = 9;
const BLOCK_HEAD_BYTES = 3;
const MAX_BLOCK_BYTES = 131_072;

export const isLoaded = Promise.resolve();

export function decompress(bytes: Uint8Array, size: number): Uint8Array {
  return decompressFrame(bytes, new Uint8Array(size));
}

export function compress(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MAX_BLOCK_BYTES));
  const frame = new Uint8Array(HEAD_BYTES + blocks * BLOCK_HEAD_BYTES + bytes.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint8(4, DESCRIPTOR);
  view.setUint32(5, bytes.length, true);
  let at = HEAD_BYTES;
  for (let block = 0; block < blocks; block += 1) {
    const part = bytes.subarray(block * MAX_BLOCK_BYTES, (block + 1) * MAX_BLOCK_BYTES);
    const head = (block === blocks - 1 ? 1 : 0) | (part.length << 3);
    frame.set([head & 0xff, (head >> 8) & 0xff, head >> 16], at);
    frame.set(part, at + BLOCK_HEAD_BYTES);
    at += BLOCK_HEAD_BYTES + part.length;
  }
  return frame;
}
