/**
 * One running digest of the fingerprint format `fp1`: four 32-bit lanes fed with the halves of float64 values.
 *
 * Words go to the lanes in turn, low half first: `h = rotl(imul(h ^ w, m), 13)`. After each call the lanes are mixed
 * into each other once, so that the lengths of the calls matter. The digest is not cryptographic: it finds differences,
 * but does not resist forgery. −0 and +0 differ; NaN cannot occur (law 10). Known answers: docs/determinism.md.
 */
import { IS_LITTLE_ENDIAN } from "../math/arithmetic.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";

/** Odd multipliers with well-mixed bits, one per lane. */
const M0 = 0x9e3779b1 | 0;
const M1 = 0x85ebca77 | 0;
const M2 = 0xc2b2ae3d | 0;
const M3 = 0x27d4eb2f | 0;
const ROTATION = 13;

/** A running digest of numbers, bit by bit. */
export class Digest implements Saveable {
  private h0 = 0x243f6a88 | 0;
  private h1 = 0x85a308d3 | 0;
  private h2 = 0x13198a2e | 0;
  private h3 = 0x03707344 | 0;
  /** Whether the low half of a value comes first in the words that are fed. */
  private readonly isLowFirst: boolean;

  constructor(isLowFirst = IS_LITTLE_ENDIAN) {
    this.isLowFirst = isLowFirst;
  }

  /** Feeds `count` 32-bit words from `start`. Both are even, because a value is two words. */
  feed(words: Int32Array, start: number, count: number): void {
    if (this.isLowFirst) this.feedLowFirst(words, start, count);
    else this.feedLowFirst(withHalvesSwapped(words, start, count), 0, count);
  }

  private feedLowFirst(words: Int32Array, start: number, count: number): void {
    let h0 = this.h0;
    let h1 = this.h1;
    let h2 = this.h2;
    let h3 = this.h3;
    const fullEnd = start + (count & ~3);
    let i = start;
    for (; i < fullEnd; i += 4) {
      h0 = mix(h0, words[i]!, M0);
      h1 = mix(h1, words[i + 1]!, M1);
      h2 = mix(h2, words[i + 2]!, M2);
      h3 = mix(h3, words[i + 3]!, M3);
    }
    if (i < start + count) {
      h0 = mix(h0, words[i]!, M0);
      h1 = mix(h1, words[i + 1]!, M1);
    }
    // Each lane is combined with the new value of the lane before it. This is invertible, so no information is lost.
    h0 = (h0 + h3) | 0;
    h1 ^= h0;
    h2 = (h2 + h1 + count) | 0;
    h3 ^= h2;
    this.h0 = h0;
    this.h1 = h1;
    this.h2 = h2;
    this.h3 = h3;
  }

  /** Returns sixteen hexadecimal digits in four groups, e.g. `9c41-7be2-03da-58f0`. */
  text(): string {
    const high = finish(this.h0 ^ rotateLeft(this.h2, 16), M1);
    const low = finish(this.h1 ^ rotateLeft(this.h3, 16), M2);
    const hex = [high, low].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
    return hex.replace(/(.{4})(?=.)/g, "$1-");
  }

  save(writer: SnapshotWriter): void {
    writer.numbers([this.h0, this.h1, this.h2, this.h3]);
  }

  load(reader: SnapshotReader): void {
    this.h0 = reader.number();
    this.h1 = reader.number();
    this.h2 = reader.number();
    this.h3 = reader.number();
  }
}

function withHalvesSwapped(words: Int32Array, start: number, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => words[start + (i ^ 1)]!);
}

function mix(h: number, word: number, multiplier: number): number {
  const product = Math.imul(h ^ word, multiplier);
  return (product << ROTATION) | (product >>> (32 - ROTATION));
}

function rotateLeft(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/** Spreads every bit of a lane over the whole word. */
function finish(word: number, multiplier: number): number {
  let h = Math.imul(word ^ (word >>> 16), multiplier);
  h = Math.imul(h ^ (h >>> 13), M3);
  return h ^ (h >>> 16);
}
