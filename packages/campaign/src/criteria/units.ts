/** Unit conversion for the values in criteria. */
import { isSameDimension, unitOf } from "@escapement/core";

/** Converts a value between units; undefined if they measure different things. */
export function convert(value: number, from: string, to: string): number | undefined {
  if (from === to) return value;
  const [given, wanted] = [unitOf(from), unitOf(to)];
  if (given === undefined || wanted === undefined || !isSameDimension(given.dimension, wanted.dimension))
    return undefined;
  return (value * given.factor + given.offset - wanted.offset) / wanted.factor;
}
