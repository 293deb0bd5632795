/** Axes of the scatter plot: the position of each point along an axis, and the ticks. */
import { withUnit } from "@escapement/formats/campaigns";
import { niceStep, stepTexts } from "../shared/scales.ts";
import type { TableColumn } from "./point-table.ts";
import { hashOf } from "./point-sampling.ts";

export interface AxisScale {
  readonly title: string;
  /** Position of each point along the axis, from 0 to 1; NaN if its value is not finite. */
  readonly places: Float64Array;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

const APPROX_TICKS = 6;
/** A column with at most this many distinct values gets jitter, so that its points do not form lines. */
const MAX_JITTERED_VALUES = 12;
const JITTER = 0.6;

/** `flights` holds the flight number of each point. `salt` makes the jitter of the two axes independent. */
export function axisScale(column: TableColumn, flights: Float64Array, salt: number): AxisScale {
  const title = withUnit(axisTitle(column), column.unit === "" ? "" : `(${column.unit})`);
  const { words, numbers } = column;
  if (words !== undefined) {
    const places = numbers.map((index, i) => (index + 0.5 + jitterOf(flights[i]!, salt)) / words.length);
    return { title, places, ticks: words.map((text, i) => ({ at: (i + 0.5) / words.length, text })) };
  }
  const [low, high] = finiteRange(numbers);
  const values = column.coding.kind === "indexed" ? column.coding.values.length : Infinity;
  const isJittered = values > 1 && values <= MAX_JITTERED_VALUES && values * 4 < numbers.length;
  const step = isJittered ? minGap(column) : 0;
  const room = Math.max(0.04 * (high - low), (JITTER * step) / 2) || 0.5;
  const [from, to] = [low - room, high + room];
  const places = numbers.map((value, i) => {
    if (!Number.isFinite(value)) return NaN;
    return (value + step * jitterOf(flights[i]!, salt) - from) / (to - from);
  });
  return { title, places, ticks: ticksOf(from, to) };
}

function axisTitle({ role, name }: TableColumn): string {
  return role === "margin" ? `margin of ${name}` : name;
}

function jitterOf(k: number, salt: number): number {
  return JITTER * (hashOf(k ^ salt) - 0.5);
}

function minGap({ coding }: TableColumn): number {
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
  const step = niceStep(((to - from) / APPROX_TICKS) * 1.5);
  const values: number[] = [];
  for (let i = Math.ceil(from / step); i * step <= to; i += 1) values.push(i * step);
  const texts = stepTexts(undefined, values);
  return values.map((value, i) => ({ at: (value - from) / (to - from), text: texts[i]!.replace("-", "−") }));
}
