/**
 * Sobol indices: the fraction of the variance of a result that each key causes.
 *
 * First-order index S1 by Saltelli et al. (Variance based sensitivity analysis of model output, 2010), total index ST
 * by Jansen (Analysis of variance designs for model output, 1999), intervals by resampling the base points.
 */
import { RandomStream } from "@escapement/core";
import type { Interval } from "../statistics/binomial.ts";
import { percentileIntervals } from "./resampling.ts";

interface SobolIndex {
  readonly key: string;
  /** Fraction of the variance that the key causes alone. */
  readonly first: number;
  readonly firstInterval: Interval;
  /** Fraction of the variance that the key causes alone or together with others. */
  readonly total: number;
  readonly totalInterval: Interval;
}

interface SobolIndices {
  readonly keys: readonly SobolIndex[];
  readonly mean: number;
  readonly variance: number;
  /** Number of base points of which all flights have a result. */
  readonly base: number;
}

/** Returns the indices of all keys, from the results of a `sobol-indices` plan in the order of its flights. */
export function sobolIndices(keys: readonly string[], results: ArrayLike<number>, confidence = 0.95): SobolIndices {
  const width = keys.length + 2;
  const blocks = completeBlocks(results, width);
  const n = blocks.length / width;
  const all = Uint32Array.from({ length: n }, (_, i) => i);
  const { mean, variance } = momentsOf(blocks, width, all);
  // Subtract the mean: this does not change the indices, but differences lose fewer digits.
  for (let i = 0; i < blocks.length; i += 1) blocks[i] = blocks[i]! - mean;
  const d = keys.length;
  const indicesInto = (indices: Uint32Array, out: Float64Array) => indexPairsInto(blocks, d, indices, out);
  const values = new Float64Array(2 * d);
  indicesInto(all, values);
  const random = new RandomStream(0, "sobol indices");
  const intervals = percentileIntervals(n, 2 * d, indicesInto, { random, confidence });
  return {
    mean,
    variance,
    base: n,
    keys: keys.map((key, j) => ({
      key,
      first: values[2 * j]!,
      firstInterval: intervals[2 * j]!,
      total: values[2 * j + 1]!,
      totalInterval: intervals[2 * j + 1]!,
    })),
  };
}

/** Returns the results of base points without missing results. */
function completeBlocks(results: ArrayLike<number>, width: number): Float64Array {
  const kept: number[] = [];
  for (let from = 0; from + width <= results.length; from += width) {
    const block = Array.from({ length: width }, (_, i) => results[from + i]!);
    if (block.every((value) => Number.isFinite(value))) kept.push(...block);
  }
  return Float64Array.from(kept);
}

/** Returns the mean and variance over the flights A and B, the first two of each base point. */
function momentsOf(blocks: Float64Array, width: number, indices: Uint32Array): { mean: number; variance: number } {
  let sum = 0;
  for (const i of indices) sum += blocks[i * width]! + blocks[i * width + 1]!;
  const count = 2 * indices.length;
  const mean = sum / count;
  let squares = 0;
  for (const i of indices) {
    const [a, b] = [blocks[i * width]! - mean, blocks[i * width + 1]! - mean];
    squares += a * a + b * b;
  }
  return { mean, variance: squares / (count - 1) };
}

/** Returns the first-order and total index of every key in turn; all are 0 if nothing varies. */
function indexPairsInto(blocks: Float64Array, d: number, indices: Uint32Array, out: Float64Array): void {
  const width = d + 2;
  out.fill(0);
  const { variance } = momentsOf(blocks, width, indices);
  if (variance === 0) return;
  for (const i of indices) {
    const [a, b] = [blocks[i * width]!, blocks[i * width + 1]!];
    for (let j = 0; j < d; j += 1) {
      const mixed = blocks[i * width + 2 + j]!;
      out[2 * j] = out[2 * j]! + b * (mixed - a);
      out[2 * j + 1] = out[2 * j + 1]! + ((a - mixed) * (a - mixed)) / 2;
    }
  }
  for (let at = 0; at < 2 * d; at += 1) out[at] = out[at]! / indices.length / variance;
}
