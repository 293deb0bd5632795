/** Independent points: the baseline for every other search. */
import type { RandomStream } from "@escapement/core";
import type { Optimiser, SearchSpace } from "./optimiser.ts";

const GENERATION = 16;

export class RandomSearch implements Optimiser {
  private readonly random: RandomStream;
  private readonly dimension: number;

  constructor({ sizes, random }: SearchSpace & { readonly random: RandomStream }) {
    this.dimension = sizes.length;
    this.random = random;
  }

  propose(): readonly Float64Array[] {
    return Array.from({ length: GENERATION }, () => {
      const point = new Float64Array(this.dimension);
      this.random.uniformsInto(point);
      return point;
    });
  }

  learn(): void {}
}
