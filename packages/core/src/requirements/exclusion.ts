/**
 * Finds the monitors that the present sample cannot change, because its margin is no better than the best so far, or
 * because the event that the requirement applies to does not happen. All monitors share one table, because this is
 * checked for each of them at every sample.
 */
import { LESSER, PREDICATE } from "./bound.ts";
import type { RequirementMonitor } from "./monitor.ts";
import type { Sample } from "./sample.ts";
import { isLess } from "./segments.ts";

/**
 * The effect of a sample on a monitor: it changes nothing, it is in the window of an earlier instant, or it may be
 * better.
 */
export const EXCLUDED = 0;
const AWAITED = 1;
export const BETTER = 2;

export class Exclusion {
  private readonly sample: Sample;
  readonly monitors: readonly RequirementMonitor[];
  /** The operations of all bounds; those of monitor i begin at `starts[i]`. */
  readonly starts: Int32Array;
  readonly ops: Uint8Array;
  readonly indices: Int32Array;
  readonly signs: Float64Array;
  readonly scales: Float64Array;
  private readonly stack: Float64Array;
  /** The following four have one value per monitor. */
  readonly isMin: Uint8Array;
  readonly events: Int32Array;
  readonly bests: Float64Array;
  readonly awaitedUs: Float64Array;

  /** The monitors that the present sample may change, as compiled code finds them, and whether it may be better. */
  readonly due: Int32Array;
  readonly isBetter: Uint8Array;

  constructor(monitors: readonly RequirementMonitor[], sample: Sample) {
    this.sample = sample;
    this.due = new Int32Array(monitors.length);
    this.isBetter = new Uint8Array(monitors.length);
    this.monitors = monitors;
    const operations = monitors.flatMap(({ bound }) => bound);
    this.starts = new Int32Array(monitors.length + 1);
    monitors.forEach(({ bound }, i) => (this.starts[i + 1] = this.starts[i]! + bound.length));
    this.ops = Uint8Array.from(operations, ({ op }) => op);
    this.indices = Int32Array.from(operations, ({ index }) => index);
    this.signs = Float64Array.from(operations, ({ sign }) => sign);
    this.scales = Float64Array.from(operations, ({ scale }) => scale);
    this.stack = new Float64Array(operations.length);
    this.isMin = Uint8Array.from(monitors, ({ isMin }) => (isMin ? 1 : 0));
    this.events = Int32Array.from(monitors, ({ eachEvent }) => eachEvent);
    this.bests = new Float64Array(monitors.length);
    this.awaitedUs = new Float64Array(monitors.length);
    this.update();
  }

  /** Returns the effect of the present sample on a monitor. */
  of(i: number): number {
    const isAwaited = this.sample.time[0]! <= this.awaitedUs[i]!;
    const event = this.events[i]!;
    if (event >= 0) return isAwaited || this.sample.isFired(event) ? BETTER : EXCLUDED;
    if (!this.isNoBetter(i)) return BETTER;
    return isAwaited ? AWAITED : EXCLUDED;
  }

  /** Copies the best margin and the awaited time of a monitor after it has processed a sample. */
  take(i: number): void {
    this.monitors[i]!.publishInto(this.bests, this.awaitedUs, i);
  }

  /** Copies these values of all monitors, e.g. after they were loaded. */
  update(): void {
    for (let i = 0; i < this.monitors.length; i += 1) this.take(i);
  }

  /** False if the margin or the best one is not known (not a number). */
  private isNoBetter(i: number): boolean {
    const { starts, indices, signs, scales } = this;
    const { margins } = this.sample;
    const from = starts[i]!;
    const to = starts[i + 1]!;
    const best = this.bests[i]!;
    if (from === to || best !== best) return false;
    const found = to === from + 1 ? (signs[from]! * margins[indices[from]!]!) / scales[from]! : this.evaluate(from, to);
    if (found !== found) return false;
    return this.isMin[i] === 1 ? !isLess(found, best) : !isLess(best, found);
  }

  private evaluate(from: number, to: number): number {
    const { ops, indices, signs, scales, stack } = this;
    const { margins } = this.sample;
    let top = -1;
    for (let i = from; i < to; i += 1) {
      if (ops[i] === PREDICATE) {
        top += 1;
        stack[top] = (signs[i]! * margins[indices[i]!]!) / scales[i]!;
        // The log has no value here.
        if (stack[top] !== stack[top]) return NaN;
        continue;
      }
      top -= 1;
      const takesRight =
        ops[i] === LESSER ? isLess(stack[top + 1]!, stack[top]!) : isLess(stack[top]!, stack[top + 1]!);
      if (takesRight) stack[top] = stack[top + 1]!;
    }
    return stack[0]!;
  }
}
