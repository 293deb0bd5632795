/** How a flight of a page differs from the first one: the edit of its description, and the first bit that differs. */
import {
  definitionOf,
  editBetween,
  editTexts,
  firstDifference,
  firstSignalDifference,
  type Recording,
} from "@escapement/core";

export interface FlightContrast {
  /** The changes of a branch; absent if the flights differ in more than events. */
  readonly changes?: readonly string[];
  /** The earliest time in seconds at which the changes can act; absent if there are none. */
  readonly forkS?: number;
  /** Time in seconds, stage and signal of the first difference; absent if the bits are the same. */
  readonly difference?: { readonly timeS: number; readonly stage: string; readonly signal: string };
}

export function contrastOf(first: Recording, other: Recording): FlightContrast {
  const edit = editBetween(definitionOf(first), definitionOf(other));
  const found = firstSignalDifference(first, other) ?? firstDifference(first, other);
  return {
    ...(edit === undefined ? {} : { changes: editTexts(edit) }),
    ...(edit === undefined || edit.forkUs === Infinity ? {} : { forkS: edit.forkUs / 1e6 }),
    ...(found === undefined
      ? {}
      : { difference: { timeS: found.tUs / 1e6, stage: found.stage, signal: found.signal } }),
  };
}
