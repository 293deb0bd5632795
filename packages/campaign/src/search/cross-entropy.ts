/**
 * The cross-entropy method (R. Y. Rubinstein: The cross-entropy method for combinatorial and continuous optimization,
 * 1999): draw a generation from independent normal distributions, and move them towards its best quarter.
 */
import type { RandomStream } from "@escapement/core";
import { mean, variance } from "../statistics/means.ts";
import { Categories, isCategorical, type Optimiser, rankedIndices, reflect, type SearchSpace } from "./optimiser.ts";

const GENERATION = 12;
const ELITE = 3;
/** Fraction of the old centre and width that is kept per generation. */
const KEPT_FRACTION = 0.3;
/** Minimum width, so that the search does not collapse to one point. */
const MIN_WIDTH = 0.01;

export class CrossEntropy implements Optimiser {
  private readonly random: RandomStream;
  private readonly centres: Float64Array;
  private readonly widths: Float64Array;
  private readonly categories: readonly (Categories | undefined)[];
  private points: readonly Float64Array[] = [];

  constructor({ sizes, random }: SearchSpace & { readonly random: RandomStream }) {
    this.random = random;
    this.centres = new Float64Array(sizes.length).fill(0.5);
    this.widths = new Float64Array(sizes.length).fill(0.5);
    this.categories = sizes.map((size) => (isCategorical(size) ? new Categories(size) : undefined));
  }

  propose(): readonly Float64Array[] {
    this.points = Array.from({ length: GENERATION }, () =>
      this.centres.map((centre, j) => {
        const category = this.categories[j];
        if (category !== undefined) return category.draw(this.random);
        return reflect(centre + this.widths[j]! * this.random.gaussian());
      }),
    );
    return this.points;
  }

  learn(values: readonly number[]): void {
    const elite = rankedIndices(values)
      .slice(0, ELITE)
      .map((i) => this.points[i]!);
    for (const [j, category] of this.categories.entries()) {
      const coordinates = elite.map((point) => point[j]!);
      if (category !== undefined) {
        category.learn(coordinates);
        continue;
      }
      this.centres[j] = KEPT_FRACTION * this.centres[j]! + (1 - KEPT_FRACTION) * mean(coordinates);
      const width = KEPT_FRACTION * this.widths[j]! + (1 - KEPT_FRACTION) * Math.sqrt(variance(coordinates));
      this.widths[j] = Math.max(MIN_WIDTH, width);
    }
  }
}
