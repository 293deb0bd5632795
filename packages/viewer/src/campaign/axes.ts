/** Axes of the scatter plot: where a value is drawn, and the ticks. */
import { withUnit } from "@escapement/formats/campaigns";
import { niceStep, stepTexts } from "../shared/scales.ts";
import type { TableColumn } from "./point-table.ts";
import { hashOf } from "./thinning.ts";

export interface AxisScale {
  readonly title: string;
  /** Place of a point between 0 and 1; NaN if it has no finite value. */
  readonly places: Float64Array;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

const ABOUT_TICKS = 6;
/** A number with at most so many different values is spread a little, so that its points do not form lines. */
const MOST_SPREAD = 12;
const SPREAD = 0.6;

/** `flights` are the numbers of the points' flights, `salt` makes the spread of two axes independent. */
export function axisScale(column: TableColumn, flights: Float64Array, salt: number): AxisScale {
  const title = withUnit(axisTitle(column), column.unit === "" ? "" : `(${column.unit})`);
  const { words, numbers } = column;
  if (words !== undefined) {
    const places = numbers.map((index, i) => (index + 0.5 + spreadOf(flights[i]!, salt)) / words.length);
    return { title, places, ticks: words.map((text, i) => ({ at: (i + 0.5) / words.length, text })) };
  }
  const [low, high] = finiteRange(numbers);
  const values = column.coding.kind === "indexed" ? column.coding.values.length : Infinity;
  const isSpread = values > 1 && values <= MOST_SPREAD && values * 4 < numbers.length;
  const step = isSpread ? leastGap(column) : 0;
  const room = Math.max(0.04 * (high - low), (SPREAD * step) / 2) || 0.5;
  const [from, to] = [low - room, high + room];
  const places = numbers.map((value, i) => {
    if (!Number.isFinite(value)) return NaN;
    return (value + step * spreadOf(flights[i]!, salt) - from) / (to - from);
  });
  return { title, places, ticks: ticksOf(from, to) };
}

function axisTitle({ role, name }: TableColumn): string {
  return role === "margin" ? `margin of ${name}` : name;
}

function spreadOf(k: number, salt: number): number {
  return SPREAD * (hashOf(k ^ salt) - 0.5);
}

function leastGap({ coding }: TableColumn): number {
  const values = coding.kind === "indexed" ? (coding.values as number[]) : [];
  return values.slice(1).reduce((gap, value, i) => Math.min(gap, value - values[i]!), Infinity);
}

export function finiteRange(numbers: ArrayLike<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < numbers.length; i += 1) {
    const value = numbers[i]!;
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : [0, 0];
}

function ticksOf(from: number, to: number): AxisScale["ticks"] {
  const step = niceStep(((to - from) / ABOUT_TICKS) * 1.5);
  const values: number[] = [];
  for (let i = Math.ceil(from / step); i * step <= to; i += 1) values.push(i * step);
  const texts = stepTexts(undefined, values);
  return values.map((value, i) => ({ at: (value - from) / (to - from), text: texts[i]!.replace("-", "−") }));
}
