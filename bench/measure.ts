/**
 * Measuring on a noisy machine: variants take turns in short slices, in random order, and minima are compared.
 *
 * A busy neighbour then costs rounds and not truth. A slice is one to three milliseconds; a variant says how many units
 * of work (steps, boundaries) it does in one, so that results are nanoseconds a unit.
 */

/** Something that is measured. */
export interface Variant {
  readonly name: string;
  /** Does about `units` of work, and says how many it did. What must not be measured belongs into `prepare`. */
  readonly run: (units: number) => number;
  readonly prepare?: () => void;
  /** First guess of what a unit takes; it only decides how long the first slices are. */
  readonly guessNs: number;
}

export interface MeasureOptions {
  readonly rounds: number;
  readonly sliceMs: number;
}

function timed(variant: Variant, units: number): number {
  variant.prepare?.();
  const began = process.hrtime.bigint();
  const done = variant.run(units);
  return Number(process.hrtime.bigint() - began) / done;
}

/** Least nanoseconds a unit of each variant. */
export function measure(variants: readonly Variant[], { rounds, sliceMs }: MeasureOptions): number[] {
  const best = variants.map(() => Infinity);
  const units = variants.map(({ guessNs }) => Math.max(1, Math.round((sliceMs * 1e6) / guessNs)));
  // Engines optimise in the background: give every variant a while to be ready before it counts.
  for (let round = 0; round < Math.max(20, rounds / 5); round += 1) {
    variants.forEach((variant, i) => {
      const ns = timed(variant, units[i]!);
      units[i] = Math.max(1, Math.round((sliceMs * 1e6) / ns));
    });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const i of shuffled(variants.length)) best[i] = Math.min(best[i]!, timed(variants[i]!, units[i]!));
  }
  return best;
}

function shuffled(count: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
