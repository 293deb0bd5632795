/** The state and all signals of a flight at consecutive log ticks, so that a long flight is read stretch by stretch. */
import { BusLayout, type FedRecording, findBlock, type SignalName, type ValueFeed } from "@escapement/core";

export class Stretch {
  readonly dims: FedRecording["dims"];
  rows = 0;
  private readonly recording: FedRecording;
  private readonly feed: ValueFeed;
  private readonly layout: BusLayout;
  /** Rows of time, state and bus. */
  private readonly cells: Float64Array;
  private readonly width: number;
  private readonly maxRows: number;

  constructor(recording: FedRecording, feed: ValueFeed, maxRows: number) {
    this.recording = recording;
    this.dims = recording.dims;
    this.feed = feed;
    this.layout = new BusLayout(recording.dims);
    this.width = feed.frame.length + feed.bus.length;
    this.maxRows = maxRows;
    this.cells = new Float64Array(this.width * maxRows);
  }

  get isFull(): boolean {
    return this.rows === this.maxRows;
  }

  /** Adds the values that the feed has now. */
  take(): void {
    const { frame, bus } = this.feed;
    const start = this.rows * this.width;
    this.cells.set(frame, start);
    this.cells.set(bus, start + frame.length);
    this.rows += 1;
  }

  clear(): void {
    this.rows = 0;
  }

  timesUs(): Float64Array {
    return this.column(0);
  }

  /** Returns a component of a block of the state; 0 if the vehicle does not have that block. */
  state(block: string, component: number): Float64Array {
    const place = findBlock(this.recording, block);
    return place === undefined ? new Float64Array(this.rows) : this.column(1 + place.offset + component);
  }

  /** Returns a component of a signal. */
  held(signal: SignalName, component: number): Float64Array {
    return this.column(this.feed.frame.length + this.layout.find(signal).offset + component);
  }

  private column(at: number): Float64Array {
    return Float64Array.from({ length: this.rows }, (_, row) => this.cells[row * this.width + at]!);
  }
}
