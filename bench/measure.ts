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

/** How much of it. */
export interface Effort {
  readonly rounds: number;
  readonly sliceMs: number;
  /** Rounds before it counts: engines optimise in the background. */
  readonly warmUps: number;
  /** Nothing of it is kept: only whether everything runs. */
  readonly isQuick: boolean;
}

export const FULL: Effort = { rounds: 150, sliceMs: 2, warmUps: 40, isQuick: false };
export const QUICK: Effort = { rounds: 5, sliceMs: 1, warmUps: 10, isQuick: true };

/** For variants whose unit is a whole flight. */
export function forFlights(effort: Effort): Effort {
  return { ...effort, rounds: Math.ceil(effort.rounds / 10), warmUps: Math.ceil(effort.warmUps / 10) };
}

function timed(variant: Variant, units: number): number {
  variant.prepare?.();
  const began = process.hrtime.bigint();
  const done = variant.run(units);
  return Number(process.hrtime.bigint() - began) / done;
}

/** Least nanoseconds a unit of each variant. */
export function measure(variants: readonly Variant[], { rounds, sliceMs, warmUps }: Effort): number[] {
  const best = variants.map(() => Infinity);
  const units = variants.map(({ guessNs }) => Math.max(1, Math.round((sliceMs * 1e6) / guessNs)));
  for (let round = 0; round < warmUps; round += 1) {
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
