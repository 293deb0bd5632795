/** Reads a file line by line with the place of every line, in pieces, so that a file of any size needs little memory. */
import { readSync } from "node:fs";

const PIECE_BYTES = 1 << 20;
const LINE_BREAK = 10;

interface PlacedLine {
  readonly text: string;
  /** Offset of its first byte. */
  readonly offset: number;
  /** Bytes without the line break. */
  readonly bytes: number;
  /** False for the rest of a file that does not end in a line break. */
  readonly isComplete: boolean;
}

export function* linesOf(fd: number): Generator<PlacedLine> {
  let rest = Buffer.alloc(0);
  let offset = 0;
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const count = readSync(fd, piece, 0, PIECE_BYTES, offset + rest.length);
    if (count === 0) break;
    const block = Buffer.concat([rest, piece.subarray(0, count)]);
    let start = 0;
    for (let end = block.indexOf(LINE_BREAK); end >= 0; end = block.indexOf(LINE_BREAK, start)) {
      yield {
        text: block.toString("utf8", start, end),
        offset: offset + start,
        bytes: end - start,
        isComplete: true,
      };
      start = end + 1;
    }
    rest = block.subarray(start);
    offset += start;
  }
  if (rest.length > 0) yield { text: rest.toString("utf8"), offset, bytes: rest.length, isComplete: false };
}
