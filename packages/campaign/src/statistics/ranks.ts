/** Rank correlations, which find monotone relations of any shape. */
import { variance, mean } from "./means.ts";

/** Returns the ranks, counted from 1. Equal values get the mean of their ranks. */
function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from({ length: values.length }, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1;
    for (let i = from; i < to; i += 1) ranks[order[i]!] = (from + to + 1) / 2;
    from = to;
  }
  return ranks;
}

/** Returns Spearman's rank correlation; 0 if one side is constant. */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): number {
  return pearson(ranksOf(x), ranksOf(y));
}

function pearson(x: Float64Array, y: Float64Array): number {
  const spread = Math.sqrt(variance(x) * variance(y));
  if (!(spread > 0)) return 0;
  const [meanX, meanY] = [mean(x), mean(y)];
  const products = x.map((value, i) => (value - meanX) * (y[i]! - meanY));
  return (mean(products) * x.length) / (x.length - 1) / spread;
}

/** Returns Kendall's τ-b; 0 if one side is constant. Sorting counts the discordant pairs (Knight 1966). */
export function kendall(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const n = x.length;
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => x[a]! - x[b]! || y[a]! - y[b]!);
  const sortedX = Float64Array.from(order, (i) => x[i]!);
  const sortedY = Float64Array.from(order, (i) => y[i]!);
  const pairs = (n * (n - 1)) / 2;
  const tiedX = tiedPairs(n, (i) => sortedX[i] === sortedX[i - 1]);
  const tiedBoth = tiedPairs(n, (i) => sortedX[i] === sortedX[i - 1] && sortedY[i] === sortedY[i - 1]);
  const discordant = sortAndCountSwaps(sortedY);
  const tiedY = tiedPairs(n, (i) => sortedY[i] === sortedY[i - 1]);
  const untied = Math.sqrt(pairs - tiedX) * Math.sqrt(pairs - tiedY);
  return untied === 0 ? 0 : (pairs - tiedX - tiedY + tiedBoth - 2 * discordant) / untied;
}

/** Returns the number of pairs in runs of equal neighbours. */
function tiedPairs(n: number, isEqualToPrevious: (i: number) => boolean): number {
  let pairs = 0;
  let run = 0;
  for (let i = 1; i < n; i += 1) {
    run = isEqualToPrevious(i) ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}

/** Sorts by merging and returns the number of pairs that were out of order. */
function sortAndCountSwaps(values: Float64Array): number {
  if (values.length < 2) return 0;
  const left = values.slice(0, values.length >> 1);
  const right = values.slice(values.length >> 1);
  let swaps = sortAndCountSwaps(left) + sortAndCountSwaps(right);
  for (let i = 0, l = 0, r = 0; i < values.length; i += 1) {
    if (l < left.length && (r === right.length || left[l]! <= right[r]!)) {
      values[i] = left[l]!;
      l += 1;
    } else {
      values[i] = right[r]!;
      r += 1;
      swaps += left.length - l;
    }
  }
  return swaps;
}
