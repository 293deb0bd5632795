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
