/** How a flight differs from the first flight of the page: the edit of its description, and the first differing bit. */
import {
  definitionOf,
  editBetween,
  editTexts,
  type FedRecording,
  firstDifference,
  firstSignalDifference,
  type Recording,
} from "@escapement/core";

export interface FlightContrast {
  /** The edits that make this flight from the first one; absent if the flights differ in more than events. */
  readonly changes?: readonly string[];
  /** The earliest time in seconds at which the changes can have an effect; absent if there are none. */
  readonly forkS?: number;
  /** Time in seconds, stage and signal of the first difference; absent if the bits are the same. */
  readonly difference?: { readonly timeS: number; readonly stage: string; readonly signal: string };
}

export function contrastOf(first: Recording | FedRecording, other: Recording | FedRecording): FlightContrast {
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
