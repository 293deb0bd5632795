/**
 * Measures on a noisy machine: variants alternate in short slices, in random order, and their minima are compared.
 *
 * Other load on the machine then affects some rounds, but not the result. A slice takes one to three milliseconds. A
 * variant returns how many units of work (steps, boundaries) it did, so that results are nanoseconds per unit.
 */

/** A piece of code to measure. */
export interface Variant {
  readonly name: string;
  /** Does about `units` of work and returns how many it did. Put work that must not be timed into `prepare`. */
  readonly run: (units: number) => number;
  readonly prepare?: () => void;
  /** First guess of the time per unit; it only sets the length of the first slices. */
  readonly guessNs: number;
}

/** Number and length of the measurements. */
export interface Effort {
  readonly rounds: number;
  readonly sliceMs: number;
  /** Rounds that are discarded first, because engines optimise in the background. */
  readonly warmUps: number;
  /** True if the run only checks that everything works. */
  readonly isQuick: boolean;
}

export const FULL: Effort = { rounds: 150, sliceMs: 2, warmUps: 40, isQuick: false };
export const QUICK: Effort = { rounds: 5, sliceMs: 1, warmUps: 10, isQuick: true };

/** Reduces the effort for variants whose unit is a whole flight. */
export function forFlights(effort: Effort): Effort {
  return { ...effort, rounds: Math.ceil(effort.rounds / 10), warmUps: Math.ceil(effort.warmUps / 10) };
}

function timeSlice(variant: Variant, units: number): number {
  variant.prepare?.();
  const began = process.hrtime.bigint();
  const done = variant.run(units);
  return Number(process.hrtime.bigint() - began) / done;
}

/** Returns the minimum nanoseconds per unit of each variant. */
export function measure(variants: readonly Variant[], { rounds, sliceMs, warmUps }: Effort): number[] {
  const best = variants.map(() => Infinity);
  const units = variants.map(({ guessNs }) => Math.max(1, Math.round((sliceMs * 1e6) / guessNs)));
  for (let round = 0; round < warmUps; round += 1) {
    variants.forEach((variant, i) => {
      const ns = timeSlice(variant, units[i]!);
      units[i] = Math.max(1, Math.round((sliceMs * 1e6) / ns));
    });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const i of shuffledIndices(variants.length)) best[i] = Math.min(best[i]!, timeSlice(variants[i]!, units[i]!));
  }
  return best;
}

function shuffledIndices(count: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
