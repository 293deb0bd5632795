/**
 * CMA-ES with a space-filling start and restarts. The first generation consists of scrambled Sobol points; a descent
 * starts at the best one. When it is over, further Sobol points and a descent with generations of twice the size follow
 * (A. Auger, N. Hansen: A restart CMA evolution strategy with increasing population size, 2005).
 */
import { type RandomStream } from "@escapement/core";
import type { NumberedDraws } from "../plans/context.ts";
import { owenScramble, SOBOL_COORDINATES, sobolFraction } from "../plans/sobol-sequence.ts";
import { CmaEs, generationSize } from "./cma-es.ts";
import { Categories, isCategorical, type Optimiser, rankedIndices, reflect, type SearchSpace } from "./optimiser.ts";

/** Points of the space-filling start. */
const START_POINTS = 16;
const START_SIGMA = 0.3;
const MAX_GENERATION = 256;

interface CmaEsOptions extends SearchSpace {
  readonly random: RandomStream;
  /** Random numbers that scramble the Sobol points, one sequence per coordinate. */
  readonly scrambles: readonly NumberedDraws[];
  /** A descent is over when its steps are shorter than this fraction of the range. */
  readonly tolerance: number;
}

export class RestartingCmaEs implements Optimiser {
  private readonly options: CmaEsOptions;
  /** Coordinates that the descent moves; the others have discrete values. */
  private readonly free: readonly number[];
  private readonly categories: ReadonlyMap<number, Categories>;
  private lambda: number;
  private descent: CmaEs | undefined;
  private startPoints = 0;
  private points: readonly Float64Array[] = [];

  constructor(options: CmaEsOptions) {
    this.options = options;
    const { sizes } = options;
    this.free = sizes.flatMap((size, j) => (isCategorical(size) ? [] : [j]));
    this.categories = new Map(
      sizes.flatMap((size, j) => (isCategorical(size) ? [[j, new Categories(size)] as const] : [])),
    );
    this.lambda = generationSize(this.free.length);
  }

  propose(): readonly Float64Array[] {
    this.points =
      this.descent === undefined ? this.nextSobolPoints() : this.descent.propose().map((y) => this.toPoint(y));
    return this.points;
  }

  learn(values: readonly number[]): void {
    const order = rankedIndices(values);
    const best = order.slice(0, Math.ceil(values.length / 4)).map((i) => this.points[i]!);
    for (const [j, category] of this.categories) category.learn(best.map((point) => point[j]!));
    if (this.descent !== undefined) {
      if (this.descent.learn(values)) return;
      this.descent = undefined;
      this.lambda = Math.min(MAX_GENERATION, 2 * this.lambda);
    } else if (this.free.length > 0) {
      const { random, tolerance } = this.options;
      const start = Float64Array.from(this.free, (j) => best[0]![j]!);
      this.descent = new CmaEs(start, { sigma: START_SIGMA, lambda: this.lambda, random, tolerance });
    }
  }

  private nextSobolPoints(): Float64Array[] {
    const { sizes, scrambles, random } = this.options;
    const first = this.startPoints;
    this.startPoints += START_POINTS;
    return Array.from({ length: START_POINTS }, (_, i) =>
      Float64Array.from(sizes, (_size, j) =>
        j < SOBOL_COORDINATES
          ? owenScramble(sobolFraction(first + i, j), scrambles[j]!, random.uniform())
          : random.uniform(),
      ),
    );
  }

  /** Returns a point of the descent, folded into the cube, with randomly drawn discrete values. */
  private toPoint(y: Float64Array): Float64Array {
    const point = new Float64Array(this.options.sizes.length);
    for (const [i, j] of this.free.entries()) point[j] = reflect(y[i]!);
    for (const [j, category] of this.categories) point[j] = category.draw(this.options.random);
    return point;
  }
}
