/**
 * Plays a recorded flight back: its state and its bus, advanced in time without flying.
 *
 * State and outputs are recorded at log ticks. Every other signal holds its last recorded value, or its initial value
 * before the first. The total wind is summed as in the engine.
 */
import { BusLayout, type SignalName, signalSpec } from "../engine/index.ts";
import { StreamCursor } from "./cursor.ts";
import type { Recording } from "./recording.ts";

export class Playback {
  readonly layout: BusLayout;
  /** The time in microseconds, then the state, as in the `frame` of an observer. */
  readonly frame: Float64Array;
  readonly bus: Float64Array;
  /** The state, then the bus, as in the row of a sink. */
  readonly row: Float64Array;
  private readonly cursors: readonly { readonly cursor: StreamCursor; readonly target: Float64Array }[];
  private readonly wind: Readonly<Record<"base" | "gust" | "sum", Float64Array>>;

  constructor({
    dims,
    initialState,
    streams,
    logged,
  }: Pick<Recording, "dims" | "initialState" | "streams" | "logged">) {
    this.layout = new BusLayout(dims);
    const frameSize = 1 + initialState.length;
    const cells = new Float64Array(frameSize + this.layout.size);
    this.frame = cells.subarray(0, frameSize);
    this.bus = cells.subarray(frameSize);
    this.row = cells.subarray(1);
    this.frame.set(initialState, 1);
    for (const { name } of this.layout.signals) {
      const { initial } = signalSpec(name);
      if (typeof initial === "number") this.signal(name).fill(initial);
      else this.signal(name).set(initial);
    }
    this.cursors = [...streams, ...logged].map((stream) => ({
      cursor: new StreamCursor(stream),
      target: stream.name === "state" ? this.frame.subarray(1) : this.signal(stream.name as SignalName),
    }));
    this.wind = { base: this.signal("windBaseNed"), gust: this.signal("windGustNed"), sum: this.signal("windNed") };
  }

  /** Advances to a time, which must not be earlier than the previous one. */
  advanceTo(tUs: number): void {
    this.frame[0] = tUs;
    for (const { cursor, target } of this.cursors) if (cursor.advanceTo(tUs)) cursor.copyInto(target);
    const { base, gust, sum } = this.wind;
    for (let i = 0; i < 3; i += 1) sum[i] = base[i]! + gust[i]!;
  }

  private signal(name: SignalName): Float64Array {
    const { offset, size } = this.layout.find(name);
    return this.bus.subarray(offset, offset + size);
  }
}
