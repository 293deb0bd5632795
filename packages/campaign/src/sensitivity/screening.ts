/**
 * A first estimate of which keys matter, from flights that were flown for another purpose (`random`, `latin`, `sobol`).
 *
 * Rank correlations find monotone effects. The fraction of the variance that lies between bins of a key also finds
 * other effects. It is the correlation ratio, a coarse (binned) estimate of the first-order Sobol index. Both methods
 * only screen; neither proves an effect.
 */
import { spearman } from "../statistics/ranks.ts";
import { mean } from "../statistics/means.ts";

interface Screened {
  readonly key: string;
  /** Spearman's rank correlation of the key and the result. */
  readonly rank: number;
  /**
   * Fraction of the variance of the result that lies between bins of the key; noise is subtracted, so it may be
   * negative.
   */
  readonly binned: number;
}

/** Screens keys by their unit coordinates; flights without a finite result are left out. */
export function screenKeys(
  keys: readonly string[],
  coordinates: readonly ArrayLike<number>[],
  results: ArrayLike<number>,
): Screened[] {
  const kept: number[] = [];
  for (let k = 0; k < results.length; k += 1) if (Number.isFinite(results[k])) kept.push(k);
  const y = Float64Array.from(kept, (k) => results[k]!);
  return keys.map((key, j) => {
    const x = Float64Array.from(kept, (k) => coordinates[j]![k]!);
    return { key, rank: y.length < 2 ? 0 : spearman(x, y), binned: binnedFraction(x, y) };
  });
}

/**
 * Returns the correlation ratio over equal-width bins of a unit coordinate, corrected for the noise of the bins' means.
 */
function binnedFraction(x: Float64Array, y: Float64Array): number {
  const bins = Math.max(2, Math.min(20, Math.floor(Math.sqrt(x.length / 2))));
  const members: number[][] = Array.from({ length: bins }, () => []);
  for (const [k, u] of x.entries()) members[Math.min(bins - 1, Math.floor(u * bins))]!.push(y[k]!);
  const filled = members.filter(({ length }) => length > 0);
  if (y.length <= filled.length) return 0;
  const centre = mean(y);
  let [between, within] = [0, 0];
  for (const bin of filled) {
    const binMean = mean(bin);
    between += bin.length * (binMean - centre) * (binMean - centre);
    for (const value of bin) within += (value - binMean) * (value - binMean);
  }
  if (between + within === 0) return 0;
  // Kelley's ε²: the sum of squares between bins, minus its expected value if the key had no effect.
  const noise = (within / (y.length - filled.length)) * (filled.length - 1);
  return (between - noise) / (between + within);
}
