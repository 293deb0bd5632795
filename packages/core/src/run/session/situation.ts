/**
 * The situation at a boundary: the time, what was due, the state, every signal by writer, and the memory of every part.
 *
 * State and signals have their values at the end of the boundary, as in the log of the flight. The memory is taken from
 * the checkpoint before the boundary.
 */
import {
  type BoundaryView,
  type DueName,
  dueNames,
  type Flight,
  type Observer,
  signalSpec,
  WRITERS,
} from "../../engine/index.ts";
import type { Writer } from "../../engine/index.ts";
import { memoryValues, type NamedValues } from "../../snapshot/index.ts";

/** A block of the state or a signal, with its unit and the names of its components. */
interface SituationValue {
  readonly name: string;
  readonly unit: string;
  readonly components: readonly string[];
  readonly values: readonly number[];
}

/** Everything that is known of a flight at one boundary. */
export interface Situation {
  readonly tUs: number;
  /** Number of the boundary, from 0. */
  readonly boundary: number;
  readonly due: readonly DueName[];
  readonly state: readonly SituationValue[];
  readonly signals: readonly { readonly writer: Writer; readonly values: readonly SituationValue[] }[];
  readonly memory: readonly { readonly part: string; readonly values: readonly NamedValues[] }[];
}

/** Copies one boundary on request. */
export class SituationObserver implements Observer {
  isRequested = false;
  private frame = new Float64Array(0);
  private bus = new Float64Array(0);
  private due = 0;

  readonly observe = ({ frame, bus, due }: BoundaryView): void => {
    if (!this.isRequested) return;
    this.isRequested = false;
    this.frame = frame.slice();
    this.bus = bus.slice();
    this.due = due;
  };

  /** Returns the situation at the copied boundary. */
  read(flight: Flight, memory: Situation["memory"]): Situation {
    const { frame, bus, due } = this;
    const { layout } = flight.bus;
    return {
      tUs: frame[0]!,
      boundary: flight.boundary.count - 1,
      due: dueNames(due),
      state: flight.parts.plant.layout.blocks.map(({ name, unit, components = [], offset, size }) => ({
        name,
        unit,
        components,
        values: Array.from(frame.subarray(1 + offset, 1 + offset + size)),
      })),
      signals: WRITERS.map((writer) => ({
        writer,
        values: layout.signals
          .filter(({ name, size }) => size > 0 && signalSpec(name).writer === writer)
          .map(({ name, offset, size }) => ({
            name,
            unit: signalSpec(name).unit,
            components: signalSpec(name).components ?? [],
            values: Array.from(bus.subarray(offset, offset + size)),
          })),
      })).filter(({ values }) => values.length > 0),
      memory,
    };
  }
}

/** Returns the memory of every source and of the integrator, by name. */
export function memoryOf(flight: Flight): Situation["memory"] {
  return [
    ...flight.sources().map((source) => ({ part: source.writer as string, values: memoryValues(source) })),
    { part: "integrator", values: memoryValues(flight.integrator) },
  ].filter(({ values }) => values.length > 0);
}
