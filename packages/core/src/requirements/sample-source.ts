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
/** Writes for the first `count` samples of a block whether an event happens: 1 or 0; called once per block. */
export type EventColumnReader = (fired: Uint8Array, count: number) => void;
export type PlainEvent = Exclude<EventTree, { event: "edge" }>;

/** A value that is kept when a sample occurs, or its negative: `sign` times the column. */
export interface KeptColumn {
  readonly values: Float64Array;
  readonly sign: 1 | -1;
}

/** Samples that are kept when they occur and read later. */
export interface KeptSamples {
  /** The number of samples that are kept: the size of a block. */
  readonly size: number;
  /** Keeps the sample that occurs now as the k-th one. */
  keep(k: number): void;
  /** Prepares the columns of the first `count` samples; called once per block, before they are read. */
  prepare(count: number, timesUs: Float64Array): void;
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
  /** Absent if every value has a column. */
  reader?(value: NamedValue, component: number): ValueReader;
  /** Keeps a value; undefined if it must be computed. */
  keptColumn?(value: NamedValue, component: number): KeptColumn | undefined;
  /** Computes a value for a block of kept samples; undefined if it must be read sample by sample. */
  columnReader?(value: NamedValue): ColumnReader | undefined;
  /** Absent if samples must be read when they occur. */
  readonly keeper?: KeptSamples;
  /** Undefined if there is no such event. */
  event(event: PlainEvent): EventReader | undefined;
  /** Like `event`, for a block of kept samples; undefined if it must be read sample by sample. */
  eventColumn?(event: PlainEvent): EventColumnReader | undefined;
  /** Why an event cannot be recognised here; absent if every known event can. */
  missingEvent?(event: PlainEvent): { readonly what: string; readonly fix: string } | undefined;
  /** Names of events, for suggestions. */
  eventNames(): readonly string[];
}
