/** The data of a flight or a log that requirements need: its values and events at each sample. */
import type { NamedValue } from "../quantities/index.ts";
import type { EventTree } from "./tree.ts";

/**
 * Writes a value at the present sample, in its stored unit. It does not return the value, because V8 allocates a
 * returned number.
 */
export type ValueReader = (out: Float64Array, at: number) => void;
/** Writes a value at the first `count` samples of a block. */
export type ColumnReader = (out: Float64Array, count: number) => void;
/** Whether an event happens at the present sample; called once per sample. */
export type EventReader = () => boolean;
export type PlainEvent = Exclude<EventTree, { event: "edge" }>;

/**
 * The place of a value that is one element of the kept samples, or its negative: `sign` times element `slot` of array
 * `array`.
 */
export interface ValuePlace {
  readonly array: number;
  readonly offset: number;
  readonly sign: 1 | -1;
}

/** Samples that are kept when they occur and read later. */
export interface KeptSamples {
  /** The kept elements of each array of the source, `stride` per sample; `slotOf` is the index of one in its sample. */
  readonly kept: readonly {
    readonly rows: Float64Array;
    readonly stride: number;
    slotOf(offset: number): number;
  }[];
  /** Keeps the sample that occurs now as the k-th one. */
  keep(k: number): void;
  /** Makes the k-th kept sample the present one; called once per sample, in order. */
  select(k: number, timesUs: Float64Array): void;
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
  /** The element that is the value or its negative; undefined if the value must be computed. */
  place?(value: NamedValue, component: number): ValuePlace | undefined;
  /** Computes the value for a whole block of kept samples; undefined if it must be read sample by sample. */
  columnReader?(value: NamedValue): ColumnReader | undefined;
  /** Absent if samples must be read when they occur. */
  readonly keeper?: KeptSamples;
  /** Undefined if there is no such event. */
  event(event: PlainEvent): EventReader | undefined;
  /** Why an event cannot be recognised here; absent if every known event can. */
  missingEvent?(event: PlainEvent): { readonly what: string; readonly fix: string } | undefined;
  /** Names of events, for suggestions. */
  eventNames(): readonly string[];
  /** Planned end of the flight. */
  readonly endUs?: number | undefined;
}
