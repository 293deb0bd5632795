/**
 * The nodes of a monitor. For every block of samples, each node reads the certain segments of its inputs and adds the
 * resulting segments to its output. Inputs run before the node.
 */
import { PartWithMemory } from "../snapshot/index.ts";
import { isLess } from "./comparison.ts";
import { LOWER, UPPER } from "./relevance.ts";
import { copySegment, END, FIELDS, NO_PREDICATE, PREDICATE, Segments, START, VALUE } from "./segments.ts";

/** The end of the flight. Later values are unknown and count as the worst or the best. */
export interface EndOfFlight {
  readonly endUs: number;
  /** −∞ for the lower bound of the margin, +∞ for the upper bound. */
  readonly unknown: number;
}

export abstract class MonitorNode extends PartWithMemory {
  readonly out = new Segments();

  abstract step(): void;
  /** Like `step`, for everything after the end of the flight. */
  abstract finish(end: EndOfFlight): void;

  /** Adds the segment of unknown values after the end of the flight. */
  protected emitUnknown({ endUs, unknown }: EndOfFlight): void {
    const segment = new Float64Array(FIELDS);
    segment[VALUE] = unknown;
    segment[PREDICATE] = NO_PREDICATE;
    segment[START] = endUs + 1;
    this.out.put(segment, 0);
    this.out.finalUs[0] = Infinity;
  }
}

/**
 * Advances two inputs to the next start of a segment. Both segments in `current` then begin at that start; an input
 * without a new segment keeps its last segment. Returns false if no segment begins at or before `finalUs`.
 */
export function takeNext(left: Segments, right: Segments, current: Float64Array, finalUs: number): boolean {
  const leftUs = left.count > 0 ? left.data[left.at(0) + START]! : Infinity;
  const rightUs = right.count > 0 ? right.data[right.at(0) + START]! : Infinity;
  const startUs = Math.min(leftUs, rightUs);
  if (startUs === Infinity || startUs > finalUs) return false;
  if (leftUs === startUs) {
    copySegment(left.data, left.at(0), current, 0);
    left.dropFirst();
  }
  if (rightUs === startUs) {
    copySegment(right.data, right.at(0), current, FIELDS);
    right.dropFirst();
  }
  current[START] = startUs;
  current[FIELDS + START] = startUs;
  return true;
}

/** The lesser or the greater of two margins. */
export class Pair extends MonitorNode {
  private readonly left: Segments;
  private readonly right: Segments;
  private readonly takesLeast: boolean;
  private readonly current = new Float64Array(2 * FIELDS);
  protected readonly memory = [this.out, this.current];

  constructor(takesLeast: boolean, left: Segments, right: Segments) {
    super();
    this.takesLeast = takesLeast;
    this.left = left;
    this.right = right;
  }

  step(): void {
    const { left, right, current, out } = this;
    const final = Math.min(left.finalUs[0]!, right.finalUs[0]!);
    while (takeNext(left, right, current, final)) {
      const isRightLess = isLess(current, FIELDS + VALUE, current, VALUE);
      const takesRight = this.takesLeast ? isRightLess : isLess(current, VALUE, current, FIELDS + VALUE);
      this.out.emit(current, takesRight ? FIELDS : 0);
    }
    out.finalUs[0] = final;
  }

  finish(): void {
    this.step();
  }
}

/**
 * The least or the greatest margin over [t + from, t + to], by Lemire's monotone wedge. The wedge keeps only the
 * segments that may still decide the result, in order. `from` is negative for a window into the past.
 */
export class Window extends MonitorNode {
  readonly takesLeast: boolean;
  private readonly polarity: number;
  private readonly fromUs: number;
  private readonly toUs: number;
  private readonly input: Segments;
  private readonly wedge = new Segments();
  /** Start of the first segment. */
  private readonly origin = Float64Array.of(-Infinity);
  protected readonly memory = [this.out, this.wedge, this.origin];

  constructor(takesLeast: boolean, polarity: 1 | -1, [fromUs, toUs]: readonly [number, number], input: Segments) {
    super();
    this.takesLeast = takesLeast;
    this.polarity = polarity;
    this.fromUs = fromUs;
    this.toUs = toUs;
    this.input = input;
  }

  step(): void {
    const { input, toUs } = this;
    this.addUpTo(input.finalUs);
    // A window up to the end of the flight is not certain before the end.
    if (toUs === Infinity) return;
    this.removeUpTo(input.finalUs, toUs);
    this.out.finalUs[0] = input.finalUs[0]! - toUs;
  }

  /** Excludes margins that are no better than the best one since an instant, if the margins since then are known. */
  limit(relevant: Float64Array, sinceUs: Float64Array): void {
    const { wedge, input, takesLeast } = this;
    if (!(sinceUs[0]! <= input.finalUs[0]!)) return;
    let first = 0;
    while (first < wedge.count && wedge.data[wedge.at(first) + END]! <= sinceUs[0]!) first += 1;
    if (first === wedge.count) return;
    const best = wedge.data[wedge.at(first) + VALUE]!;
    if (!takesLeast) relevant[LOWER] = best;
    else if (!(relevant[UPPER]! < best)) relevant[UPPER] = best;
  }

  finish(end: EndOfFlight): void {
    if (this.toUs !== Infinity) {
      this.step();
      return;
    }
    // A window to the end of the flight ends there: later values are ignored.
    const endUs = Float64Array.of(end.endUs);
    this.addUpTo(endUs);
    this.removeUpTo(endUs, 0);
    this.emitUnknown({ ...end, unknown: this.polarity * end.unknown });
  }

  /** Adds the segments of the input to the wedge, each at the first instant whose window reaches its start. */
  private addUpTo(finalUs: Float64Array): void {
    const { input, wedge, origin, fromUs, toUs, takesLeast } = this;
    for (; input.count > 0; input.dropFirst()) {
      const at = input.at(0);
      const startUs = input.data[at + START]!;
      if (startUs > finalUs[0]!) return;
      if (origin[0] === -Infinity) origin[0] = startUs;
      if (wedge.count > 0) wedge.data[wedge.at(wedge.count - 1) + END] = startUs;
      const enterUs = Math.max(origin[0]!, startUs - toUs);
      while (wedge.count > 0 && wedge.data[wedge.at(0) + END]! - fromUs < enterUs) {
        const leaveUs = wedge.data[wedge.at(0) + END]! - fromUs;
        wedge.dropFirst();
        if (wedge.count > 0 && leaveUs >= origin[0]!) this.emitFirst(leaveUs);
      }
      while (wedge.count > 0) {
        const back = wedge.at(wedge.count - 1) + VALUE;
        const decides = takesLeast
          ? isLess(input.data, at + VALUE, wedge.data, back)
          : isLess(wedge.data, back, input.data, at + VALUE);
        if (!decides) break;
        wedge.dropLast();
      }
      const added = wedge.push(input.data, at);
      wedge.data[added + END] = Infinity;
      while (wedge.data[wedge.at(0) + END]! - fromUs <= enterUs) wedge.dropFirst();
      this.emitFirst(enterUs);
    }
  }

  /** Removes the segments that end at or before the start of the window of the instant `finalUs` − `toUs`. */
  private removeUpTo(finalUs: Float64Array, toUs: number): void {
    const { wedge, fromUs, origin } = this;
    while (wedge.count > 1 && wedge.data[wedge.at(0) + END]! - fromUs <= finalUs[0]! - toUs) {
      const leaveUs = wedge.data[wedge.at(0) + END]! - fromUs;
      wedge.dropFirst();
      if (leaveUs >= origin[0]!) this.emitFirst(leaveUs);
    }
  }

  /** Emits the first segment of the wedge with this start instead of its own. */
  private emitFirst(startUs: number): void {
    const { wedge } = this;
    const at = wedge.at(0);
    wedge.data[at + START] = startUs;
    this.out.emit(wedge.data, at);
  }
}
