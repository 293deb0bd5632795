/** Moves through the boundaries of two recorded flights together. After its end a flight keeps its last values. */
import type { RecordedBoundaries } from "../engine/index.ts";
import type { FedRecording, ValueFeed } from "./feed.ts";

export class FlightPair {
  /** Time of the boundary reached. */
  tUs = -Infinity;
  readonly feeds: readonly [ValueFeed, ValueFeed];
  private readonly a: RecordedFlight;
  private readonly b: RecordedFlight;

  constructor(a: FedRecording, b: FedRecording) {
    this.a = new RecordedFlight(a);
    this.b = new RecordedFlight(b);
    this.feeds = [this.a.feed, this.b.feed];
  }

  /** Time of the next boundary of either flight; infinite after the last. */
  get nextUs(): number {
    return Math.min(this.a.nextUs, this.b.nextUs);
  }

  /** Advances to the next boundary of either flight; false if there is none. */
  next(): boolean {
    const { nextUs } = this;
    if (nextUs === Infinity) return false;
    this.tUs = nextUs;
    this.a.advanceTo(nextUs);
    this.b.advanceTo(nextUs);
    return true;
  }
}

class RecordedFlight {
  readonly feed: ValueFeed;
  private readonly boundaries: RecordedBoundaries;
  private passed = 0;

  constructor({ openFeed, boundaries }: FedRecording) {
    this.feed = openFeed();
    this.boundaries = boundaries;
  }

  get nextUs(): number {
    const { timesUs } = this.boundaries;
    return this.passed < timesUs.length ? timesUs[this.passed]! : Infinity;
  }

  advanceTo(tUs: number): void {
    if (this.nextUs !== tUs) return;
    this.feed.advanceTo(tUs);
    this.passed += 1;
  }
}
