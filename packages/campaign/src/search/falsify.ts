/**
 * Falsification: searches for a flight that violates a requirement, by minimising its margin.
 *
 * A generation is flown completely before the next one is chosen, so the flights are the same with any number of
 * workers. Several requirements take turns, each with its own search. One search over their minimum would follow only
 * the requirement that is closest to violation.
 */
import { invariant, oneOfNames, RandomStream } from "@escapement/core";
import type { Row, RowVerdict, Search } from "../contracts.ts";
import { flightSeeds, NumberedDraws, type PlanContext } from "../plans/context.ts";
import { wholeNumber } from "../plans/counts.ts";
import { CrossEntropy } from "./cross-entropy.ts";
import { searchErrors } from "./errors.ts";
import type { Optimiser } from "./optimiser.ts";
import { RandomSearch } from "./random-search.ts";
import { RestartingCmaEs } from "./restarting-cma-es.ts";

const SEARCH_METHODS = ["cma-es", "cross-entropy", "random"] as const;
type SearchMethod = (typeof SEARCH_METHODS)[number];

/** In scales: what the search uses as the margin of a yes-or-no condition, which has no finite margin. */
const FACT_MARGIN = 10;
/** A descent whose steps are shorter than this fraction of the ranges has converged. */
const TOLERANCE = 1e-3;

interface FalsifyOptions {
  /** Indices of the requirements to violate. */
  readonly requirements: readonly number[];
  readonly method?: string;
  /** Limit on the number of flights. */
  readonly most: number;
}

export class FalsifySearch implements Search {
  readonly kind = "falsify";
  readonly dimension: number;
  readonly most: number;
  readonly seedOf: Search["seedOf"];
  private readonly requirements: readonly number[];
  private readonly optimisers: readonly Optimiser[];
  private readonly isViolated: boolean[];
  private readonly points: Float64Array[] = [];
  private turn = 0;
  /** Size of the generation that is being flown; 0 if none is. */
  private pending = 0;

  constructor(context: PlanContext, options: FalsifyOptions) {
    this.dimension = context.vary.length;
    this.most = wholeNumber(options.most, "most", 1);
    this.seedOf = flightSeeds(context);
    this.requirements = options.requirements;
    const method = methodOf(options.method);
    this.optimisers = options.requirements.map((requirement) => makeOptimiser(method, context, requirement));
    this.isViolated = options.requirements.map(() => false);
  }

  /** Returns undefined when every requirement has been violated, or at the limit on flights. */
  ask(): readonly number[] | undefined {
    invariant(this.pending === 0, "a generation is requested before the rows of the last one have arrived");
    const turns = this.requirements.length;
    for (let i = 0; i < turns && this.isViolated[this.turn] === true; i += 1) this.turn = (this.turn + 1) % turns;
    const remaining = this.most - this.points.length;
    if (this.isViolated[this.turn] === true || remaining === 0) return undefined;
    const generation = this.optimisers[this.turn]!.propose().slice(0, remaining);
    const first = this.points.length;
    this.points.push(...generation);
    this.pending = generation.length;
    return generation.map((_, i) => first + i);
  }

  tell(rows: readonly Row[]): void {
    invariant(
      rows.length === this.pending && this.pending > 0,
      `${this.pending} rows were requested, ${rows.length} arrived`,
    );
    this.pending = 0;
    const requirement = this.requirements[this.turn]!;
    if (rows.some(({ verdicts }) => verdicts[requirement]?.verdict === "violated")) this.isViolated[this.turn] = true;
    // If the limit on flights has shortened the generation, it is the last one, so the search need not learn from it.
    if (this.points.length < this.most) {
      this.optimisers[this.turn]!.learn(rows.map(({ verdicts }) => objectiveOf(verdicts[requirement])));
    }
    this.turn = (this.turn + 1) % this.requirements.length;
  }

  pointInto(k: number, out: Float64Array): void {
    const point = this.points[k];
    invariant(point !== undefined, `flight ${k} has not been requested yet`);
    out.set(point);
  }
}

/**
 * Returns the number that a search minimises: the margin in scales. A flight without a verdict is treated like a
 * yes-or-no condition that holds.
 */
export function objectiveOf(verdict: RowVerdict | undefined): number {
  if (verdict === undefined) return FACT_MARGIN;
  const margin = verdict.scaledHigh;
  if (Number.isNaN(margin)) return FACT_MARGIN;
  return Number.isFinite(margin) ? margin : Math.sign(margin) * FACT_MARGIN;
}

function methodOf(given = "cma-es"): SearchMethod {
  const method = SEARCH_METHODS.find((name) => name === given);
  if (method !== undefined) return method;
  throw searchErrors.unknownMethod({
    what: `there is no search method "${given}"`,
    where: { key: "plan.method" },
    fix: oneOfNames(given, SEARCH_METHODS),
  });
}

function makeOptimiser(method: SearchMethod, { seed, vary }: PlanContext, requirement: number): Optimiser {
  const random = new RandomStream(seed, `search:${requirement}`);
  const space = { sizes: vary.map(({ distribution }) => distribution.size), random };
  if (method === "random") return new RandomSearch(space);
  if (method === "cross-entropy") return new CrossEntropy(space);
  const scrambles = vary.map(({ key }) => new NumberedDraws(seed, `search:${requirement}/${key}`));
  return new RestartingCmaEs({ ...space, scrambles, tolerance: TOLERANCE });
}
