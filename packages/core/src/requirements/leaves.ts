/** The nodes of predicates: comparisons and events. */
import { isSame } from "./comparison.ts";
import { type EndOfFlight, MonitorNode } from "./nodes.ts";
import { GREATEST, LEAST, type Predicate, RUN_LEFT, RUN_MARGIN, RUN_SINCE_US } from "./predicate.ts";
import { FIRST, isAbove, isBelow, limitsInto, LOWER, UPPER } from "./relevance.ts";
import type { SampleBlock } from "./sample-block.ts";
import { FIELDS, INSTANT, LEFT, MARGIN, type Margins, PREDICATE, START, VALUE } from "./segments.ts";

interface LeafOptions {
  readonly sign: 1 | -1;
  /**
   * −1 if an odd number of negated `until` nodes contain this node: then the formula's margin falls when the margin of
   * this node rises, so the best case of the formula is the worst case here.
   */
  readonly polarity: 1 | -1;
}

interface ComparisonOptions extends LeafOptions {
  /** Whether margins are divided by the scale of their quantity (`PredicateInfo.scale`). */
  readonly isScaled: boolean;
  /** The samples and margins that may change the result. */
  readonly relevant: Float64Array;
}

/** The margin of a comparison. A margin that is not relevant is replaced by the nearest limit. */
export class ComparisonLeaf extends MonitorNode {
  protected readonly memory = [this.out];
  private readonly block: SampleBlock;
  private readonly predicate: Predicate;
  private readonly polarity: number;
  private readonly relevant: Float64Array;
  private readonly values: Margins;
  /** The least and the greatest value of the block. */
  private readonly extremes = new Float64Array(2);

  constructor(block: SampleBlock, predicate: Predicate, { sign, polarity, isScaled, relevant }: ComparisonOptions) {
    super();
    this.block = block;
    this.predicate = predicate;
    this.polarity = polarity;
    this.relevant = relevant;
    this.values = {
      margins: predicate.margins,
      lefts: predicate.lefts,
      run: new Float64Array(3),
      limits: new Float64Array(2),
      predicate: predicate.index,
      sign,
      scale: isScaled ? predicate.info.scale : 1,
      unknown: polarity * (block.unknown ?? 0),
    };
  }

  step(): void {
    const { block, out, relevant, predicate, extremes } = this;
    const { limits, sign, scale } = this.values;
    limitsInto(limits, relevant, this.polarity);
    predicate.boundInto(extremes, LEAST, sign > 0 ? LEAST : GREATEST);
    predicate.boundInto(extremes, GREATEST, sign > 0 ? GREATEST : LEAST);
    for (let i = LEAST; i <= GREATEST; i += 1) extremes[i] = (sign * extremes[i]!) / scale;
    if (isBelow(extremes, GREATEST, limits)) out.emitLimit(block.timesUs, limits, LOWER);
    else if (isAbove(extremes, LEAST, limits)) out.emitLimit(block.timesUs, limits, UPPER);
    else {
      predicate.computeMargins(block.count);
      this.findRun(relevant[FIRST]!);
      out.emitMargins(block, relevant[FIRST]!, this.values);
    }
    out.finalUs[0] = block.lastUs[0]!;
  }

  finish(end: EndOfFlight): void {
    this.emitUnknown({ ...end, unknown: this.polarity * end.unknown });
  }

  /**
   * Finds the sample that decides. It is the first sample of the run of equal margins that contains the k-th sample,
   * even if the run begins before the block.
   */
  private findRun(k: number): void {
    const { margins, lefts, run } = this.values;
    const before = this.predicate.run;
    let since = k;
    while (since > 0 && isSame(margins[since - 1]!, margins[k]!)) since -= 1;
    const isBefore = since === 0 && before[RUN_SINCE_US] !== Infinity && isSame(before[RUN_MARGIN]!, margins[k]!);
    run[RUN_SINCE_US] = isBefore ? before[RUN_SINCE_US]! : this.block.timesUs[since]!;
    run[RUN_LEFT] = isBefore ? before[RUN_LEFT]! : lefts[since]!;
  }
}

/** The margin of an event: +∞ for the microsecond in which it happens, otherwise −∞. */
export class EventLeaf extends MonitorNode {
  private readonly block: SampleBlock;
  private readonly predicate: Predicate;
  private readonly sign: number;
  private readonly polarity: number;
  private readonly segment = new Float64Array(FIELDS);
  /** Time at which the present event ends; infinite if there is none. */
  private readonly eventEndUs = Float64Array.of(Infinity);
  protected readonly memory = [this.out, this.eventEndUs];

  constructor(block: SampleBlock, predicate: Predicate, { sign, polarity }: LeafOptions) {
    super();
    this.block = block;
    this.predicate = predicate;
    this.sign = sign;
    this.polarity = polarity;
  }

  step(): void {
    const { block, predicate, out } = this;
    predicate.computeMargins(block.count);
    for (let k = 0; k < block.count; k += 1) this.stepSample(k);
    out.finalUs[0] = block.lastUs[0]!;
  }

  finish(end: EndOfFlight): void {
    this.emitUnknown({ ...end, unknown: this.polarity * end.unknown });
  }

  /** Ends the last event and begins the next one if it happens at the k-th sample. */
  private stepSample(k: number): void {
    const { eventEndUs, predicate } = this;
    const tUs = this.block.timesUs[k]!;
    const happens = predicate.lefts[k]! > 0;
    if (eventEndUs[0] !== Infinity && !(happens && eventEndUs[0] === tUs)) this.emit(eventEndUs, 0, -Infinity);
    eventEndUs[0] = happens ? tUs + 1 : Infinity;
    this.emit(this.block.timesUs, k, happens ? Infinity : -Infinity);
  }

  private emit(timesUs: Float64Array, k: number, margin: number): void {
    const { segment, predicate, sign, out } = this;
    segment[START] = timesUs[k]!;
    segment[VALUE] = sign * margin;
    segment[PREDICATE] = predicate.index;
    segment[INSTANT] = timesUs[k]!;
    segment[LEFT] = margin > 0 ? 1 : 0;
    segment[MARGIN] = sign * margin;
    if (!out.isRepeated(segment, 0)) out.emit(segment, 0);
  }
}
