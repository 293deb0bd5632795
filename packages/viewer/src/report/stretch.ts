/** The state and all signals of a flight at consecutive log ticks, so that a long flight is read stretch by stretch. */
import { BusLayout, type FedRecording, findBlock, type SignalName, SIGNALS, type ValueFeed } from "@escapement/core";
import type { Read } from "../shared/quantities.ts";
import type { RowSource } from "./columns.ts";

export class Stretch implements RowSource {
  rows = 0;
  private readonly recording: FedRecording;
  private readonly feed: ValueFeed;
  private readonly layout: BusLayout;
  /** Rows of time, state and bus. */
  private readonly cells: Float64Array;
  private readonly width: number;
  private readonly maxRows: number;
  /** Offset of each block and signal in a row, found when it is first read; −1 if there is none. */
  private readonly offsets = new Map<string, number>();
  private row = 0;

  constructor(recording: FedRecording, feed: ValueFeed, maxRows: number) {
    this.recording = recording;
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

  timeUs(row: number): number {
    return this.cells[row * this.width]!;
  }

  /** Returns a function that reads blocks of the state and signals at a row; 0 if the vehicle does not have a block. */
  reader(row: number): Read {
    this.row = row;
    return this.read;
  }

  private readonly read = (name: string, component = 0): number => {
    // A recording contains the base wind and the gusts, but not their sum.
    if (name === "windNed") return this.read("windBaseNed", component) + this.read("windGustNed", component);
    const offset = this.offsetOf(name);
    return offset < 0 ? 0 : this.cells[this.row * this.width + offset + component]!;
  };

  private offsetOf(name: string): number {
    const known = this.offsets.get(name);
    if (known !== undefined) return known;
    const block = findBlock(this.recording, name);
    const isSignal = name in SIGNALS;
    const ofSignal = () => this.feed.frame.length + this.layout.find(name as SignalName).offset;
    const offset = block !== undefined ? 1 + block.offset : isSignal ? ofSignal() : -1;
    this.offsets.set(name, offset);
    return offset;
  }
}
