/**
 * The nodes of a monitor. For every block of samples, each node reads the certain segments of its inputs and adds the
 * resulting segments to its output. Inputs run before the node. This file is long because it has one small class per
 * operator.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { type Predicate, RUN_LEFT, RUN_MARGIN, RUN_SINCE_US } from "./predicate.ts";
import type { SampleBlock } from "./sample-block.ts";
import {
  copySegment,
  END,
  FIELDS,
  INSTANT,
  isLess,
  isSame,
  LEFT,
  MARGIN,
  PREDICATE,
  type PredicateSign,
  Segments,
  START,
  VALUE,
} from "./segments.ts";

/** The end of the flight. Later values are unknown and count as the worst or the best. */
export interface EndOfFlight {
  readonly endUs: number;
  /** −∞ for the lower bound of the margin, +∞ for the upper bound. */
  readonly unknown: number;
}

export abstract class MonitorNode implements Saveable {
  readonly out = new Segments();

  abstract step(): void;
  /** Like `step`, for everything after the end of the flight. */
  abstract finish(end: EndOfFlight): void;
  protected abstract readonly memory: readonly (Saveable | Float64Array)[];

  save(writer: SnapshotWriter): void {
    this.out.save(writer);
    for (const part of this.memory) {
      if (part instanceof Float64Array) writer.numbers(part);
      else part.save(writer);
    }
  }

  load(reader: SnapshotReader): void {
    this.out.load(reader);
    for (const part of this.memory) {
      if (part instanceof Float64Array) reader.numbersInto(part);
      else part.load(reader);
    }
  }

  /** Adds the segment of unknown values after the end of the flight. */
  protected emitUnknown({ endUs, unknown }: EndOfFlight): void {
    const segment = new Float64Array(FIELDS);
    segment[VALUE] = unknown;
    segment[PREDICATE] = -1;
    segment[START] = endUs + 1;
    this.out.put(segment, 0);
    this.out.finalUs[0] = Infinity;
  }
}

interface LeafOptions {
  readonly sign: 1 | -1;
  /** −1 if an odd number of negated `until` nodes are above it: then the best value is the worst case. */
  readonly polarity: 1 | -1;
  /** Whether margins are divided by the scale of their quantity (`PredicateInfo.scale`). */
  readonly isScaled: boolean;
}

/** The margin of a predicate. */
export class Leaf extends MonitorNode {
  protected readonly memory: readonly Float64Array[];
  private readonly block: SampleBlock;
  private readonly predicate: Predicate;
  private readonly sign: number;
  private readonly polarity: number;
  private readonly scale: number;
  private readonly signed: PredicateSign;
  private readonly segment = new Float64Array(FIELDS);
  /** Time at which the present event ends; infinite if there is none. */
  private readonly eventEndUs = Float64Array.of(Infinity);

  constructor(block: SampleBlock, predicate: Predicate, { sign, polarity, isScaled }: LeafOptions) {
    super();
    this.block = block;
    this.predicate = predicate;
    this.sign = sign;
    this.polarity = polarity;
    this.scale = isScaled ? predicate.info.scale : 1;
    this.signed = { predicate: predicate.index, sign, scale: this.scale };
    this.memory = [this.eventEndUs];
  }

  get isEvent(): boolean {
    return this.predicate.info.isEvent;
  }

  step(): void {
    const { block, out, isEvent } = this;
    const { count } = block;
    const margins = this.predicate.margins(count);
    if (isEvent || block.unknown !== undefined) {
      for (let k = 0; k < count; k += 1) this.stepSample(k, margins);
    } else if (count > 0) {
      this.stepSample(0, margins);
      out.emitChanges(block, margins, this.predicate.lefts, this.signed);
    }
    out.finalUs[0] = block.lastUs[0]!;
  }

  private stepSample(k: number, margins: Float64Array): void {
    if (this.isEvent) this.endEvent(k);
    this.loadSample(k, margins);
    if (!this.out.isRepeated(this.segment, 0)) this.out.emit(this.segment, 0);
  }

  /** Like `step` if only the least or the greatest margin of the block matters: emits the first sample that has it. */
  stepBest(takesLeast: boolean): void {
    const { block, out } = this;
    const margins = this.predicate.margins(block.count);
    const isLeast = takesLeast === this.sign > 0;
    let best = 0;
    for (let k = 1; k < block.count; k += 1) {
      if (isLeast ? isLess(margins, k, margins, best) : isLess(margins, best, margins, k)) best = k;
    }
    this.loadSample(best, margins);
    out.emit(this.segment, 0);
    out.finalUs[0] = block.lastUs[0]!;
  }

  finish(end: EndOfFlight): void {
    this.emitUnknown({ ...end, unknown: this.polarity * end.unknown });
  }

  /** Writes the k-th sample to `segment`. */
  private loadSample(k: number, margins: Float64Array): void {
    const { block, segment, scale } = this;
    const { index, lefts } = this.predicate;
    const margin = this.sign * margins[k]!;
    const tUs = block.timesUs[k]!;
    segment[START] = tUs;
    segment[VALUE] = margin / scale;
    segment[PREDICATE] = index;
    segment[INSTANT] = tUs;
    segment[LEFT] = lefts[k]!;
    segment[MARGIN] = margin;
    if (k === 0) this.continueRun(margins[0]!);
    // Only logs have unknown values.
    if (margin !== margin) {
      segment[VALUE] = this.polarity * block.unknown!;
      segment[PREDICATE] = -1;
    }
  }

  /** If the margin is the same as before the block, the first sample with that margin decides, even if it was skipped. */
  private continueRun(margin: number): void {
    const { run } = this.predicate;
    if (run[RUN_SINCE_US] === Infinity || !isSame(run[RUN_MARGIN]!, margin)) return;
    this.segment[INSTANT] = run[RUN_SINCE_US]!;
    this.segment[LEFT] = run[RUN_LEFT]!;
  }

  /** Ends the last event, which is true for one microsecond, and begins the next one if it happens at the k-th sample. */
  private endEvent(k: number): void {
    const { eventEndUs, segment, sign } = this;
    const { lefts, index } = this.predicate;
    const tUs = this.block.timesUs[k]!;
    const happens = lefts[k]! > 0;
    if (eventEndUs[0] !== Infinity && !(happens && eventEndUs[0] === tUs)) {
      segment[START] = eventEndUs[0]!;
      segment[VALUE] = -sign * Infinity;
      segment[PREDICATE] = index;
      segment[INSTANT] = eventEndUs[0]!;
      segment[LEFT] = 0;
      segment[MARGIN] = segment[VALUE]!;
      if (!this.out.isRepeated(segment, 0)) this.out.emit(segment, 0);
    }
    eventEndUs[0] = happens ? tUs + 1 : Infinity;
  }
}

/** The lesser or the greater of two margins. */
export class Pair extends MonitorNode {
  protected readonly memory: readonly Float64Array[];
  private readonly left: Segments;
  private readonly right: Segments;
  private readonly takesLeast: boolean;
  private readonly current = new Float64Array(2 * FIELDS);

  constructor(takesLeast: boolean, left: Segments, right: Segments) {
    super();
    this.takesLeast = takesLeast;
    this.left = left;
    this.right = right;
    this.memory = [this.current];
  }

  step(): void {
    const { left, right, current, out } = this;
    const final = Math.min(left.finalUs[0]!, right.finalUs[0]!);
    for (;;) {
      const leftUs = left.count > 0 ? left.data[left.at(0) + START]! : Infinity;
      const rightUs = right.count > 0 ? right.data[right.at(0) + START]! : Infinity;
      const startUs = Math.min(leftUs, rightUs);
      if (startUs === Infinity || startUs > final) break;
      if (leftUs === startUs) {
        copySegment(left.data, left.at(0), current, 0);
        left.dropFirst();
      }
      if (rightUs === startUs) {
        copySegment(right.data, right.at(0), current, FIELDS);
        right.dropFirst();
      }
      const isRightLess = isLess(current, FIELDS + VALUE, current, VALUE);
      const takesRight = this.takesLeast ? isRightLess : isLess(current, VALUE, current, FIELDS + VALUE);
      const chosen = takesRight ? FIELDS : 0;
      current[chosen + START] = startUs;
      this.out.emit(current, chosen);
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
  protected readonly memory: readonly (Saveable | Float64Array)[];
  private readonly takesLeast: boolean;
  private readonly polarity: number;
  private readonly fromUs: number;
  private readonly toUs: number;
  private readonly input: Segments;
  private readonly wedge = new Segments();
  /** Start of the first segment. */
  private readonly origin = Float64Array.of(-Infinity);

  constructor(takesLeast: boolean, polarity: 1 | -1, [fromUs, toUs]: readonly [number, number], input: Segments) {
    super();
    this.takesLeast = takesLeast;
    this.polarity = polarity;
    this.fromUs = fromUs;
    this.toUs = toUs;
    this.input = input;
    this.memory = [this.wedge, this.origin];
  }

  step(): void {
    const { input, toUs } = this;
    this.addUpTo(input.finalUs);
    // A window up to the end of the flight is not certain before the end.
    if (toUs === Infinity) return;
    this.removeUpTo(input.finalUs, toUs);
    this.out.finalUs[0] = input.finalUs[0]! - toUs;
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

  /** Removes the segments that have ended before every window that begins at `finalUs` − `toUs` or later. */
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
