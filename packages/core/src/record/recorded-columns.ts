/**
 * The columns of a recording at its log ticks. Each is built only when it is requested, because an hour of flight may
 * have a million rows of two hundred columns, and only a few columns are plotted. `RecordedRows` gives the same values
 * row by row.
 */
import { BusLayout, type Column, rowColumns, type SignalName, signalSpec } from "../engine/index.ts";
import { heldValues } from "./cursor.ts";
import { findStream, type Recording, streamColumn } from "./recording.ts";

export class RecordedColumns {
  readonly columns: readonly Column[];
  readonly timesUs: Float64Array;
  private readonly recording: Recording;

  constructor(recording: Recording) {
    this.recording = recording;
    this.columns = rowColumns({ blocks: recording.stateBlocks }, new BusLayout(recording.dims));
    this.timesUs = findStream(recording, "state").timesUs;
  }

  /** Returns column i of the log, bit for bit as it was logged. */
  column(index: number): Float64Array {
    const { signal, component = 0, writer } = this.columns[index]!;
    if (writer === "plant") return streamColumn(findStream(this.recording, "state"), index);
    if (signal !== "windNed") return this.held(signal as SignalName, component);
    const base = this.held("windBaseNed", component);
    const gust = this.held("windGustNed", component);
    return base.map((value, i) => value + gust[i]!);
  }

  /** Returns the value held at every tick; the initial value before its writer first ran. */
  private held(name: SignalName, component: number): Float64Array {
    const { initial } = signalSpec(name);
    const first = typeof initial === "number" ? initial : initial[component]!;
    return heldValues(findStream(this.recording, name), component, this.timesUs, first);
  }
}
