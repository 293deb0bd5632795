/** What requirements need to know about a flight or a log: its values and events at each sample. */
import type { NamedValue } from "../quantities/index.ts";
import type { EventTree } from "./tree.ts";

/**
 * Writes a value at the present sample, in its stored unit. It returns nothing, because a returned number allocates.
 */
export type ValueReader = (out: Float64Array, at: number) => void;
/** Whether an event happens at the present sample; called once per sample. */
export type EventReader = () => boolean;
export type PlainEvent = Exclude<EventTree, { event: "edge" }>;

/** A value that needs no computation: `sign` times one element of one of the source's arrays. */
export interface ValuePlace {
  readonly array: number;
  readonly offset: number;
  readonly sign: 1 | -1;
}

/** The values and events of a flight or a log, for requirements. */
export interface SampleSource {
  /** The meaning of a name in this flight or log; undefined if it has none. */
  named(name: string): NamedValue | undefined;
  /** All names, for suggestions. */
  names(): readonly string[];
  /** Why the value does not exist here; undefined if it does. */
  missing(value: NamedValue): { readonly what: string; readonly fix: string } | undefined;
  reader(value: NamedValue, component: number): ValueReader;
  /** The number of the array that holds the value as it is or negated; undefined if the value must be computed. */
  place?(value: NamedValue, component: number): ValuePlace | undefined;
  /** The arrays of the places, at the present sample. */
  readonly arrays?: readonly Float64Array[];
  /** Undefined if there is no such event. */
  event(event: PlainEvent): EventReader | undefined;
  /** Why an event cannot be recognised here; absent if every known event can. */
  missingEvent?(event: PlainEvent): { readonly what: string; readonly fix: string } | undefined;
  /** Names of events, for suggestions. */
  eventNames(): readonly string[];
  /** Planned end of the flight. */
  readonly endUs?: number | undefined;
}
