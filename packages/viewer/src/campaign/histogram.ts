/** Histograms of margins. Zero is a bin edge, so that no bin mixes flights that hold with flights that violate. */
import { niceStep } from "../shared/scales.ts";

export interface Histogram {
  /** Lower edge of the first bin. */
  readonly from: number;
  readonly step: number;
  readonly counts: readonly number[];
  /** Number of flights with a margin of −∞, and with +∞. Yes-or-no conditions have such margins. */
  readonly infinite: readonly [below: number, above: number];
}

const APPROX_BINS = 20;

export class HistogramBuilder {
  private readonly first: number;
  private readonly step: number;
  private readonly counts: number[];
  private readonly infinite: [number, number] = [0, 0];

  /** `min` and `max` are the smallest and the largest finite margin. */
  constructor(min: number, max: number) {
    const span = max - min;
    this.step = niceStep((span > 0 ? span : Math.max(Math.abs(max), 1)) / APPROX_BINS);
    this.first = Math.floor(min / this.step) - (min <= 0 ? 1 : 0);
    this.counts = Array.from({ length: Math.floor(max / this.step) - this.first + 1 }, () => 0);
  }

  /**
   * Counts a margin. A margin of zero counts as positive if the requirement holds, and as negative if it is violated.
   */
  add(margin: number, isViolated: boolean): void {
    if (!Number.isFinite(margin)) this.infinite[margin < 0 ? 0 : 1] += 1;
    else {
      const bin = isViolated ? Math.ceil(margin / this.step) - 1 : Math.floor(margin / this.step);
      this.counts[bin - this.first]! += 1;
    }
  }

  /** Returns the histogram without empty bins at its ends. */
  finish(): Histogram {
    let [start, end] = [0, this.counts.length];
    while (start < end && this.counts[start] === 0) start += 1;
    while (end > start && this.counts[end - 1] === 0) end -= 1;
    const { step, infinite } = this;
    return { from: (this.first + start) * step, step, counts: this.counts.slice(start, end), infinite };
  }
}
