/** The node of `until`. */
import { type EndOfFlight, MonitorNode, takeNext } from "./nodes.ts";
import { isLess } from "./comparison.ts";
import { copySegment, FIELDS, MARGIN, Segments, START, VALUE } from "./segments.ts";

/**
 * `φ until ψ within b` at t is the greatest value, over t′ in [t, t + b], of min(ψ at t′, least φ over [t, t′)). The
 * best t′ is the start of a segment, or t itself.
 */
export class Until extends MonitorNode {
  private readonly sign: number;
  private readonly polarity: number;
  private readonly left: Segments;
  private readonly right: Segments;
  private readonly withinUs: number;
  /** φ and ψ, split at common starts. */
  private readonly phi = new Segments();
  private readonly psi = new Segments();
  private readonly current = new Float64Array(2 * FIELDS);
  /** Time of the last output; −∞ if there is none. */
  private readonly doneUs = Float64Array.of(-Infinity);
  protected readonly memory = [this.out, this.phi, this.psi, this.current, this.doneUs];
  private readonly best = new Float64Array(FIELDS);
  private readonly prefix = new Float64Array(FIELDS);

  constructor(sign: 1 | -1, polarity: 1 | -1, left: Segments, right: Segments, withinUs: number) {
    super();
    this.sign = sign;
    this.polarity = polarity;
    this.left = left;
    this.right = right;
    this.withinUs = withinUs;
  }

  step(): void {
    const final = Math.min(this.left.finalUs[0]!, this.right.finalUs[0]!);
    this.mergeUpTo(final);
    if (this.withinUs === Infinity) return;
    this.solveUpTo(final - this.withinUs);
    this.out.finalUs[0] = final - this.withinUs;
  }

  finish(end: EndOfFlight): void {
    if (this.withinUs !== Infinity) {
      this.step();
      return;
    }
    this.mergeUpTo(end.endUs);
    this.solveBackward();
    this.emitUnknown({ ...end, unknown: this.polarity * end.unknown });
  }

  private mergeUpTo(final: number): void {
    const { left, right, current, phi, psi } = this;
    while (takeNext(left, right, current, final)) {
      phi.push(current, 0);
      psi.push(current, FIELDS);
    }
  }

  private startOf(i: number): number {
    return this.phi.data[this.phi.at(i) + START]!;
  }

  /** Returns the index of the first segment that begins after a time. */
  private firstAfter(us: number): number {
    let low = 0;
    let high = this.phi.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.startOf(middle) > us) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private solveUpTo(final: number): void {
    const { phi, psi, doneUs, withinUs } = this;
    while (phi.count > 0) {
      const reach = this.firstAfter(doneUs[0]! + withinUs);
      const startUs =
        doneUs[0] === -Infinity
          ? this.startOf(0)
          : Math.min(
              phi.count > 1 ? this.startOf(1) : Infinity,
              reach < phi.count ? this.startOf(reach) - withinUs : Infinity,
            );
      if (startUs === Infinity || startUs > final) return;
      while (phi.count > 1 && this.startOf(1) <= startUs) {
        phi.dropFirst();
        psi.dropFirst();
      }
      this.solveAt(startUs);
      doneUs[0] = startUs;
    }
  }

  private solveAt(startUs: number): void {
    const { phi, psi, best, prefix, withinUs } = this;
    copySegment(psi.data, psi.at(0), best, 0);
    copySegment(phi.data, phi.at(0), prefix, 0);
    for (let j = 1; j < phi.count && this.startOf(j) <= startUs + withinUs; j += 1) {
      // The least φ can only fall, so no later instant can be better.
      if (!isLess(best, VALUE, prefix, VALUE)) break;
      const at = psi.at(j);
      const takesPsi = isLess(psi.data, at + VALUE, prefix, VALUE);
      const lesser = takesPsi ? psi.data : prefix;
      const lesserAt = takesPsi ? at : 0;
      if (isLess(best, VALUE, lesser, lesserAt + VALUE)) copySegment(lesser, lesserAt, best, 0);
      if (isLess(phi.data, phi.at(j) + VALUE, prefix, VALUE)) copySegment(phi.data, phi.at(j), prefix, 0);
    }
    this.emitSigned(startUs, best);
  }

  /** Evaluates `until` without a limit: U = max(ψ, min(φ, U of the next segment)), from the last segment back. */
  private solveBackward(): void {
    const { phi, psi, best } = this;
    const solved: Float64Array[] = [];
    for (let i = phi.count - 1; i >= 0; i -= 1) {
      if (i === phi.count - 1) copySegment(psi.data, psi.at(i), best, 0);
      else {
        if (isLess(phi.data, phi.at(i) + VALUE, best, VALUE)) copySegment(phi.data, phi.at(i), best, 0);
        if (isLess(best, VALUE, psi.data, psi.at(i) + VALUE)) copySegment(psi.data, psi.at(i), best, 0);
      }
      solved.push(best.slice());
    }
    solved.reverse().forEach((segment, i) => this.emitSigned(this.startOf(i), segment));
  }

  private emitSigned(startUs: number, segment: Float64Array): void {
    segment[VALUE]! *= this.sign;
    segment[MARGIN]! *= this.sign;
    segment[START] = startUs;
    this.out.emit(segment, 0);
  }
}
