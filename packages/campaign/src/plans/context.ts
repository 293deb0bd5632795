/** The inputs common to all plans, and their random numbers. */
import { RandomStream } from "@escapement/core";
import type { Distribution } from "../contracts.ts";

/** A key of the flight that a campaign varies. */
export interface VariedKey {
  readonly key: string;
  readonly distribution: Distribution;
}

export interface PlanContext {
  /** Seed of the campaign. */
  readonly seed: number;
  /** `per-flight`: every flight has a different seed; `common`: all fly with the seed of the base flight. */
  readonly seeds: "per-flight" | "common";
  readonly vary: readonly VariedKey[];
}

/** A named random sequence with random access: draw n can be computed without the draws before it. */
export class NumberedDraws {
  private readonly stream: RandomStream;

  constructor(seed: number, name: string) {
    this.stream = new RandomStream(seed, name);
  }

  /** Returns draw n, uniform in (0, 1). */
  at(n: number): number {
    this.stream.seek(n);
    return this.stream.uniform();
  }
}

/**
 * Random numbers per varied key. They depend on the key's name, not on its position, so adding keys does not change
 * them.
 */
export function drawsPerKey({ seed, vary }: PlanContext, suffix = ""): readonly NumberedDraws[] {
  return vary.map(({ key }) => new NumberedDraws(seed, `vary:${key}${suffix}`));
}

const TWO_52 = 4503599627370496;

/**
 * Returns a function that maps a flight's number to its 52-bit seed, or to undefined if all use the base flight's seed.
 */
export function flightSeeds({ seed, seeds }: PlanContext): (k: number) => number | undefined {
  if (seeds === "common") return () => undefined;
  const draws = new NumberedDraws(seed, "seed");
  return (k) => Math.floor(draws.at(k) * TWO_52);
}
