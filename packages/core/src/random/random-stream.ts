/**
 * Named random streams: the only dice of a flight (law 6).
 *
 * A stream is keyed by the flight's seed and its own name, so it does not matter in which order sources are built, and
 * no two streams share numbers. One draw is one gaussian or one uniform; callers draw the same count whatever their
 * parameters, so that switching one noise off never shifts another.
 */
import { invariant } from "../errors/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { normalQuantile } from "./normal-quantile.ts";
import { philox4x32 } from "./philox.ts";

const TWO_32 = 4294967296;

export class RandomStream implements Saveable {
  private readonly key0: number;
  private readonly key1: number;
  /** The name, 64 bits of it, is the upper half of the counter: streams of one seed never meet. */
  private readonly name0: number;
  private readonly name1: number;
  private readonly block = new Uint32Array(4);
  /** Count of numbers drawn. A cell, because it outgrows small integers. */
  private readonly drawn = new Float64Array(1);

  /** @param seed any safe integer from 0 */
  constructor(seed: number, name: string) {
    invariant(Number.isSafeInteger(seed) && seed >= 0, `a seed is a whole number from 0 to 2^53 − 1, not ${seed}`);
    this.key0 = seed >>> 0;
    this.key1 = Math.floor(seed / TWO_32) >>> 0;
    this.name0 = hashName(name, 0x811c9dc5);
    this.name1 = hashName(name, 0x01000193);
  }

  /** Uniform in (0, 1), never an end point: 52 random bits and a half. */
  uniform(): number {
    const n = this.drawn[0]!;
    // Two numbers a block: even draws take words 0 and 1, odd ones words 2 and 3.
    const half = n % 2;
    if (half === 0) this.fill(n);
    const high = this.block[2 * half]!;
    const low = this.block[2 * half + 1]!;
    this.drawn[0] = n + 1;
    return ((high >>> 0) * 1048576 + (low >>> 12) + 0.5) / 4503599627370496;
  }

  /** Standard normal. */
  gaussian(): number {
    return normalQuantile(this.uniform());
  }

  gaussiansInto(out: Float64Array): void {
    for (let i = 0; i < out.length; i += 1) out[i] = this.gaussian();
  }

  save(writer: SnapshotWriter): void {
    writer.number(this.drawn[0]!);
  }

  load(reader: SnapshotReader): void {
    const n = reader.number();
    this.drawn[0] = n;
    if (n % 2 === 1) this.fill(n - 1);
  }

  /** Computes the block of draw n (even). */
  private fill(n: number): void {
    const index = n / 2;
    this.block[0] = index >>> 0;
    this.block[1] = Math.floor(index / TWO_32) >>> 0;
    this.block[2] = this.name0;
    this.block[3] = this.name1;
    philox4x32(this.block, this.key0, this.key1);
  }
}

/** FNV-1a over UTF-16 code units, finished by a multiply-shift so that short names differ in every bit. */
function hashName(name: string, basis: number): number {
  let h = basis;
  for (let i = 0; i < name.length; i += 1) {
    h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  }
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
