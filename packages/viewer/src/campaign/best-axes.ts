/** Chooses the first two axes of the scatter plot: the varied keys whose bins differ most in their mean margin. */
import { finiteRange } from "./axes.ts";
import type { PointTable, TableColumn } from "./point-table.ts";

const BINS = 10;

export function bestAxes(table: PointTable, margin: TableColumn | undefined): [x: TableColumn, y: TableColumn] {
  const varied = table.withRole("varied");
  const others = [...table.withRole("margin"), ...table.withRole("measure"), ...table.withRole("flight")];
  const ranked = varied.map((column) => ({
    column,
    fraction: margin === undefined ? 0 : explainedFraction(column, margin),
  }));
  ranked.sort((a, b) => b.fraction - a.fraction);
  const [x, y] = [...ranked.map(({ column }) => column), ...others];
  return [x!, y ?? x!];
}

/** Returns the fraction of the margins' variance that lies between the bins of a column. */
function explainedFraction({ numbers, words }: TableColumn, { numbers: margins }: TableColumn): number {
  const [low, high] = finiteRange(numbers);
  const bins = words === undefined ? BINS : Math.max(1, words.length);
  const sums = Array.from({ length: bins }, () => ({ count: 0, sum: 0 }));
  let [count, sum, squares] = [0, 0, 0];
  for (let i = 0; i < numbers.length; i += 1) {
    const [value, margin] = [numbers[i]!, margins[i]!];
    if (!Number.isFinite(value) || !Number.isFinite(margin)) continue;
    const bin = sums[Math.min(bins - 1, Math.floor((bins * (value - low)) / (high - low || 1)))]!;
    bin.count += 1;
    bin.sum += margin;
    count += 1;
    sum += margin;
    squares += margin * margin;
  }
  if (count < 2) return 0;
  const between = sums.reduce((total, bin) => total + (bin.count === 0 ? 0 : bin.sum ** 2 / bin.count), 0);
  return (between - sum ** 2 / count) / (squares - sum ** 2 / count || 1);
}
