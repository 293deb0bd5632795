/**
 * Named random streams: the only source of randomness in a flight (law 6).
 *
 * A stream depends only on the flight's seed and its own name, so the order in which sources are built does not matter,
 * and no two streams share numbers. One draw is one gaussian or one uniform. Parts that share a stream make the same
 * number of draws for any parameters, so that switching one noise off does not change the numbers of another.
 */
import { invariant } from "../errors/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { normalQuantilesInto } from "./normal-quantile.ts";
import { philox4x32 } from "./philox.ts";

const TWO_32 = 4294967296;

/** A stream of random numbers that depends on its seed and its name only. */
export class RandomStream implements Saveable {
  private readonly key0: number;
  private readonly key1: number;
  /** A 64-bit hash of the name. It is the upper half of the counter, so streams with different hashes never overlap. */
  private readonly name0: number;
  private readonly name1: number;
  private readonly block = new Uint32Array(4);
  /** Index of the next block, 64 bits in two words. */
  private readonly next = new Uint32Array(2);
  /** Whether only the first of the two numbers of the current block has been drawn. */
  private isHalfDrawn = false;
  private readonly single = new Float64Array(1);

  /** @param seed a non-negative safe integer */
  constructor(seed: number, name: string) {
    invariant(
      Number.isSafeInteger(seed) && seed >= 0,
      `a seed must be an integer from 0 to 2^53 − 1, but it is ${seed}`,
    );
    this.key0 = seed >>> 0;
    this.key1 = Math.floor(seed / TWO_32) >>> 0;
    this.name0 = hashName(name, 0x811c9dc5);
    this.name1 = hashName(name, 0x01000193);
  }

  /** Draws a number that is uniform in (0, 1), excluding both ends. */
  uniform(): number {
    this.uniformsInto(this.single);
    return this.single[0]!;
  }

  uniformsInto(out: Float64Array): void {
    const { block } = this;
    for (let i = 0; i < out.length; i += 1) {
      if (!this.isHalfDrawn) this.fill();
      out[i] = this.isHalfDrawn ? fraction(block[2]!, block[3]!) : fraction(block[0]!, block[1]!);
      this.isHalfDrawn = !this.isHalfDrawn;
    }
  }

  /** Draws a standard normal number. */
  gaussian(): number {
    this.gaussiansInto(this.single);
    return this.single[0]!;
  }

  gaussiansInto(out: Float64Array): void {
    this.uniformsInto(out);
    normalQuantilesInto(out);
  }

  /** Saves the number of draws so far. */
  save(writer: SnapshotWriter): void {
    const blocks = this.next[1]! * TWO_32 + this.next[0]!;
    writer.number(2 * blocks - (this.isHalfDrawn ? 1 : 0));
  }

  load(reader: SnapshotReader): void {
    this.seek(reader.number());
  }

  /**
   * Continues after the given number of draws from the start, so that draw n can be computed without the draws before
   * it.
   */
  seek(drawn: number): void {
    const blocks = Math.floor(drawn / 2);
    this.next[0] = blocks % TWO_32;
    this.next[1] = Math.floor(blocks / TWO_32);
    this.isHalfDrawn = drawn % 2 === 1;
    if (this.isHalfDrawn) this.fill();
  }

  /** Computes the next block. */
  private fill(): void {
    const { block, next } = this;
    block[0] = next[0]!;
    block[1] = next[1]!;
    block[2] = this.name0;
    block[3] = this.name1;
    philox4x32(block, this.key0, this.key1);
    next[0] = next[0]! + 1;
    if (next[0] === 0) next[1] = next[1]! + 1;
  }
}

/** Returns a fraction of 52 random bits plus half a unit of the last bit, so that the result is never 0 or 1. */
function fraction(high: number, low: number): number {
  return (high * 1048576 + (low >>> 12) + 0.5) / 4503599627370496;
}

/**
 * Hashes a name by FNV-1a over UTF-16 code units, with a final multiply-shift so that similar short names differ in all
 * bits.
 */
function hashName(name: string, basis: number): number {
  let h = basis;
  for (let i = 0; i < name.length; i += 1) {
    h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  }
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
