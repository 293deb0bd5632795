/**
 * Reads a file line by line, with the offset of every line. It reads in pieces, so that large files need little memory.
 */
import { readSync } from "node:fs";

const PIECE_BYTES = 1 << 20;
const LINE_BREAK = 10;

export interface PlacedLine {
  readonly text: string;
  /** Offset of its first byte. */
  readonly offset: number;
  /** Bytes without the line break. */
  readonly bytes: number;
  /** False for the rest of a file that does not end in a line break. */
  readonly isComplete: boolean;
}

export function* linesOf(fd: number): Generator<PlacedLine> {
  // Reuse one buffer for the whole file: a new one per piece would leave much memory for the garbage collector.
  let block = Buffer.allocUnsafe(2 * PIECE_BYTES);
  let filled = 0;
  let offset = 0;
  for (;;) {
    if (block.length - filled < PIECE_BYTES) block = Buffer.concat([block], 2 * block.length);
    const count = readSync(fd, block, filled, PIECE_BYTES, offset + filled);
    if (count === 0) break;
    filled += count;
    const lines = block.subarray(0, filled);
    let start = 0;
    for (let end = lines.indexOf(LINE_BREAK); end >= 0; end = lines.indexOf(LINE_BREAK, start)) {
      yield {
        text: lines.toString("utf8", start, end),
        offset: offset + start,
        bytes: end - start,
        isComplete: true,
      };
      start = end + 1;
    }
    block.copyWithin(0, start, filled);
    filled -= start;
    offset += start;
  }
  if (filled > 0) yield { text: block.toString("utf8", 0, filled), offset, bytes: filled, isComplete: false };
}

const LINE_BYTES = 4096;

/** Reads the line that begins at an offset, without its line break. */
export function lineAt(fd: number, offset: number): string {
  let block = Buffer.allocUnsafe(LINE_BYTES);
  for (let filled = 0; ;) {
    const count = readSync(fd, block, filled, block.length - filled, offset + filled);
    const end = block.subarray(0, filled + count).indexOf(LINE_BREAK);
    if (end >= 0 || count === 0) return block.toString("utf8", 0, end >= 0 ? end : filled);
    filled += count;
    if (filled === block.length) block = Buffer.concat([block], 2 * block.length);
  }
}
