/** The last step of a monitor: the least or the greatest margin over the instants to which a requirement applies. */
import { type Memory, PartWithMemory } from "../snapshot/index.ts";
import { isLess } from "./comparison.ts";
import { copySegment, FIELDS, INSTANT, Segments, START, VALUE } from "./segments.ts";

// Flags of a reducer.
/** Whether `current` holds a segment. */
const HAS_CURRENT = 0;
/** Whether the first instant has been included. */
const HAS_BEGUN = 1;
const HAS_INSTANT = 2;

abstract class Reducer extends PartWithMemory {
  /**
   * The deciding segment; valid if an instant was included. Its start is the time of the event, or the first instant
   * of the span.
   */
  readonly best = new Float64Array(FIELDS);
  protected readonly input: Segments;
  protected readonly current = new Float64Array(FIELDS);
  protected readonly flags = new Float64Array(3);
  protected readonly memory: Memory = [this.best, this.current, this.flags];
  private readonly takesLeast: boolean;

  constructor(takesLeast: boolean, input: Segments) {
    super();
    this.takesLeast = takesLeast;
    this.input = input;
  }

  /** Whether any instant was included. If not, the requirement is untested. */
  get hasInstant(): boolean {
    return this.flags[HAS_INSTANT]! > 0;
  }

  /** Whether the first instant was included. From then on only better margins matter. */
  get hasBegun(): boolean {
    return this.flags[HAS_BEGUN] === 1;
  }

  protected loadNext(): void {
    const { input, current, flags } = this;
    copySegment(input.data, input.at(0), current, 0);
    input.dropFirst();
    flags[HAS_CURRENT] = 1;
  }

  /** Includes the current segment, from the instant `fromUs` on. */
  protected include(fromUs: number): void {
    this.includeFrom(this.current, 0, fromUs);
  }

  protected includeFrom(from: Float64Array, at: number, fromUs: number): void {
    const { best, flags, takesLeast } = this;
    const isBetter = takesLeast ? isLess(from, at + VALUE, best, VALUE) : isLess(best, VALUE, from, at + VALUE);
    if (flags[HAS_INSTANT] === 0 || isBetter) {
      copySegment(from, at, best, 0);
      best[INSTANT] = Math.max(best[INSTANT]!, fromUs);
      best[START] = fromUs;
    }
    flags[HAS_INSTANT] = 1;
  }
}

/** Takes the least or the greatest margin over a closed span, whose ends may become known during the flight. */
export class SpanReducer extends Reducer {
  /** Includes the certain segments inside the span, which is given by its first and its last instant. */
  step(span: Float64Array): void {
    const { input, flags } = this;
    const fromUs = span[0]!;
    const limitUs = Math.min(input.finalUs[0]!, span[1]!);
    while (input.count > 0) {
      const startUs = input.data[input.at(0) + START]!;
      if (startUs > limitUs) break;
      if (flags[HAS_BEGUN] === 0 && startUs > fromUs && flags[HAS_CURRENT] === 1) this.begin(fromUs);
      if (flags[HAS_BEGUN] === 1) {
        // Segments before the first instant are copied, because the last of them holds at that instant. Later ones are
        // compared in place.
        this.includeFrom(input.data, input.at(0), fromUs);
        input.dropFirst();
        continue;
      }
      this.loadNext();
      if (startUs >= fromUs) this.begin(fromUs);
    }
    if (flags[HAS_BEGUN] === 0 && flags[HAS_CURRENT] === 1 && limitUs >= fromUs) this.begin(fromUs);
  }

  private begin(fromUs: number): void {
    this.include(fromUs);
    this.flags[HAS_BEGUN] = 1;
  }
}

/** Takes the least or the greatest margin over the instants at which an event happens. */
export class EachReducer extends Reducer {
  /** Times of the event at which the margin is not certain yet. */
  private readonly pending = new Segments();
  private readonly eventSegment = new Float64Array(FIELDS);
  protected override readonly memory = [this.best, this.current, this.flags, this.pending];

  /** Whether the margin is not certain yet at some time of the event. */
  get isWaiting(): boolean {
    return this.pending.count > 0;
  }

  add(tUs: number): void {
    this.eventSegment[START] = tUs;
    this.pending.push(this.eventSegment, 0);
  }

  /** Writes the time of the latest event that is pending. */
  latestInto(outUs: Float64Array): void {
    const { pending } = this;
    outUs[0] = pending.data[pending.at(pending.count - 1) + START]!;
  }

  step(): void {
    const { input, pending } = this;
    for (;;) {
      const eventUs = pending.count > 0 ? pending.data[pending.at(0) + START]! : Infinity;
      const limitUs = Math.min(input.finalUs[0]!, eventUs);
      while (input.count > 0 && input.data[input.at(0) + START]! <= limitUs) this.loadNext();
      if (pending.count === 0 || eventUs > input.finalUs[0]!) return;
      this.include(eventUs);
      pending.dropFirst();
    }
  }
}
