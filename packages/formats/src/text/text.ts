/**
 * Decodes bytes to text and turns offsets into lines, for every reader of text files.
 * Rejects bytes that are not UTF-8, and implausibly large files, before they are parsed.
 */
import { fileErrors } from "./file-errors.ts";

/** A flight file is about a page long, and even a mission with thousands of items is smaller than this. */
const MAX_TEXT_BYTES = 1024 * 1024;
export const MAX_DEPTH = 32;

const LF = 10;
const CR = 13;

/** Decodes the bytes of a file as UTF-8 and removes a byte order mark. */
export function decodeText(input: string | Uint8Array, file: string): string {
  if (input.length > MAX_TEXT_BYTES) {
    throw fileErrors.tooLarge({
      what: `${input.length} ${typeof input === "string" ? "characters" : "bytes"} are too many`,
      where: { file },
      fix: `check that this is the right file; at most ${MAX_TEXT_BYTES} are allowed`,
    });
  }
  const text = typeof input === "string" ? input : decodeUtf8(input, file);
  const nul = text.indexOf("\0");
  if (nul >= 0) {
    throw fileErrors.notText({
      what: "the text contains a zero byte",
      where: { file, line: new Lines(text).at(nul).line },
      fix: "save it as UTF-8 text",
    });
  }
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function decodeUtf8(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw fileErrors.notText({ what: "the bytes are not UTF-8", where: { file }, fix: "save it as UTF-8 text", cause });
  }
}

export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Turns offsets into lines and columns, both counted from 1. */
export class Lines {
  private readonly text: string;
  private readonly starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === LF || (code === CR && text.charCodeAt(i + 1) !== LF)) this.starts.push(i + 1);
    }
  }

  at(offset: number): { readonly line: number; readonly column: number } {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.starts[low]! + 1 };
  }

  /** Returns the text of a line, without its line end. */
  textOf(line: number): string {
    return this.text.slice(this.starts[line - 1], this.starts[line]).replace(/[\r\n]+$/, "");
  }
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Parses a decimal number; undefined if the word is not one. `nan` is accepted only if allowed, infinity never. */
export function parseNumber(word: string, allowNan = false): number | undefined {
  if (allowNan && /^[+-]?nan$/i.test(word)) return NaN;
  if (!NUMBER.test(word)) return undefined;
  const value = Number(word);
  return Number.isFinite(value) ? value : undefined;
}

/** Quotes a word of a file for an error message, and shortens it if it is long. */
export function quote(word: string): string {
  return `"${word.length > 40 ? `${word.slice(0, 37)}…` : word}"`;
}
