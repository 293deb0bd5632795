/**
 * Splitting as a plan: the generations of several independent runs, flown together.
 *
 * The score of a flight is the negated margin of one requirement up to the present instant: the negated upper end of
 * the margin's interval, in scales. It never falls, and the flight violates the requirement when the margin is
 * negative. A branch is an ordinary flight with one more `reseed` event, so every flight can be flown again by its
 * number.
 */
import { invariant, RandomStream } from "@escapement/core";
import type { Branching, Row, Search } from "../contracts.ts";
import { drawsPerKey, flightSeeds, type PlanContext } from "../plans/context.ts";
import { wholeNumber } from "../plans/counts.ts";
import { type RareEventEstimate, combineRuns } from "./interval.ts";
import { type NewTrajectory, SplittingRun } from "./splitting-run.ts";

interface SplittingSearchOptions {
  /** Index of the requirement whose violation is the rare event. */
  readonly requirement: number;
  /** Whether `untested` counts as violated. The score does not show that, so such flights count as undecided. */
  readonly mustOccur: boolean;
  readonly particles: number;
  readonly share: number;
  readonly runs: number;
  /** Flight time between two checks of the score; 0 for the default. */
  readonly checkPeriodS: number;
  /** Limit on the number of flights. */
  readonly most: number;
}

/** A flight that violates the requirement has an infinite score. */
const VIOLATED = Infinity;
/** Every finite score is at most the target, so only a violation reaches the event. */
const TARGET = Number.MAX_VALUE;
const TWO_52 = 4503599627370496;

/** A flight of a run. */
interface Particle {
  readonly k: number;
  readonly score: number;
  readonly rises: NonNullable<Row["rises"]>;
  readonly endUs: number;
}

/** A flight that was requested and has no row yet: its run, and its place in the run. */
interface RequestedFlight {
  readonly run: number;
  readonly trajectory: NewTrajectory;
}

export class SplittingSearch implements Search {
  readonly kind = "splitting";
  readonly dimension: number;
  readonly most: number;
  readonly seedOf: Search["seedOf"];
  readonly requirement: number;
  readonly checkPeriodS: number;
  /** Number of flights of which it is unknown whether they violate the requirement. */
  undecided = 0;
  private readonly options: SplittingSearchOptions;
  private readonly draws: ReturnType<typeof drawsPerKey>;
  private readonly runs: readonly SplittingRun[];
  private readonly particles: readonly Particle[][];
  private readonly seeds: readonly RandomStream[];
  private readonly branches = new Map<number, Branching>();
  private flights = 0;
  private generation: readonly RequestedFlight[] = [];

  constructor(context: PlanContext, options: SplittingSearchOptions) {
    this.options = options;
    this.requirement = options.requirement;
    this.checkPeriodS = options.checkPeriodS;
    this.dimension = context.vary.length;
    this.most = wholeNumber(options.most, "most", options.runs * options.particles);
    this.seedOf = flightSeeds(context);
    this.draws = drawsPerKey(context);
    const { particles, share, runs } = options;
    this.runs = Array.from(
      { length: runs },
      (_, run) =>
        new SplittingRun({ target: TARGET, particles, share, random: new RandomStream(context.seed, `levels:${run}`) }),
    );
    this.seeds = this.runs.map((_, run) => new RandomStream(context.seed, `branches:${run}`));
    this.particles = this.runs.map(() => []);
  }

  /** Returns the next generation; undefined if all runs are over, or if it would exceed the limit on flights. */
  ask(): readonly number[] | undefined {
    invariant(this.generation.length === 0, "a generation is requested before the rows of the last one have arrived");
    for (const run of this.runs.keys()) this.copyEnded(run);
    const newTrajectories = this.runs.flatMap(({ next }, run) => next.map((trajectory) => ({ run, trajectory })));
    const flown = newTrajectories.filter((requested) => !this.isCopy(requested));
    if (flown.length === 0 || this.flights + flown.length > this.most) return undefined;
    this.generation = newTrajectories;
    const first = this.flights;
    this.flights += flown.length;
    flown.forEach(({ run, trajectory }, i) => this.branch(first + i, run, trajectory));
    return flown.map((_, i) => first + i);
  }

  tell(rows: readonly Row[]): void {
    const { generation } = this;
    this.generation = [];
    let next = 0;
    const newParticles = generation.map((requested) =>
      this.isCopy(requested) ? this.parentOf(requested) : this.particleOf(rows[next++]!),
    );
    invariant(next === rows.length && next > 0, `${next} rows were requested, ${rows.length} arrived`);
    for (const run of this.runs.keys())
      this.replace(
        run,
        newParticles.filter((_, i) => generation[i]!.run === run),
      );
  }

  /** Writes the coordinates of a flight. A branch has those of its first ancestor. */
  pointInto(k: number, out: Float64Array): void {
    const start = this.branches.get(k)?.root ?? k;
    for (let j = 0; j < this.draws.length; j += 1) out[j] = this.draws[j]!.at(start);
  }

  branchOf(k: number): Branching | undefined {
    return this.branches.get(k);
  }

  alive(): ReadonlySet<number> {
    return new Set(this.particles.flatMap((particles) => particles.map(({ k }) => k)));
  }

  /** Returns the probability that a flight violates the requirement. */
  estimate(confidence: number): RareEventEstimate {
    const { particles } = this.options;
    const { isComplete } = this;
    const found = combineRuns(this.runs, { particles, confidence });
    // Undecided flights may have violated the requirement, and runs that ended at the limit could still have reached
    // the event.
    return isComplete && this.undecided === 0 ? found : { ...found, lo: isComplete ? found.lo : 0, hi: 1 };
  }

  get runCount(): number {
    return this.runs.length;
  }

  /** Whether all runs have reached the event or died out. */
  get isComplete(): boolean {
    return this.runs.every(({ isOver }) => isOver);
  }

  /** Returns the levels of each run as margins in scales, with the probability of a smaller margin. */
  levels(): readonly { readonly margin: number; readonly probability: number }[][] {
    return this.runs.map(({ levels, probability }) => [
      ...levels
        .filter(({ level }) => Number.isFinite(level))
        .map((each) => ({ margin: -each.level, probability: each.probability })),
      { margin: 0, probability },
    ]);
  }

  /**
   * Copies parents whose branches would start at the end of the flight. No random numbers are drawn after the end, so
   * such a branch equals its parent.
   */
  private copyEnded(run: number): void {
    for (;;) {
      const newTrajectories = this.runs[run]!.next.map((trajectory) => ({ run, trajectory }));
      if (newTrajectories.length === 0 || !newTrajectories.every((requested) => this.isCopy(requested))) return;
      this.replace(
        run,
        newTrajectories.map((requested) => this.parentOf(requested)),
      );
    }
  }

  private replace(run: number, newParticles: readonly Particle[]): void {
    const { next } = this.runs[run]!;
    if (next.length === 0) return;
    next.forEach(({ slot }, i) => (this.particles[run]![slot] = newParticles[i]!));
    this.runs[run]!.tell(newParticles.map(({ score }) => score));
  }

  private parentOf({ run, trajectory }: RequestedFlight): Particle {
    return this.particles[run]![trajectory.parent!]!;
  }

  private isCopy(requested: RequestedFlight): boolean {
    if (requested.trajectory.parent === undefined) return false;
    const parent = this.parentOf(requested);
    return riseAbove(parent, requested.trajectory.level)[0] >= parent.endUs;
  }

  private branch(k: number, run: number, trajectory: NewTrajectory): void {
    if (trajectory.parent === undefined) return;
    const parent = this.parentOf({ run, trajectory });
    const { root = parent.k, reseeds = [] } = this.branches.get(parent.k) ?? {};
    const seed = Math.floor(this.seeds[run]!.uniform() * TWO_52);
    const atUs = riseAbove(parent, trajectory.level)[0];
    this.branches.set(k, { root, parent: parent.k, reseeds: [...reseeds, { atUs, seed }] });
  }

  private particleOf({ k, rises = [], endUs, verdicts }: Row): Particle {
    const { verdict = "undecided" } = verdicts[this.requirement] ?? {};
    if (verdict === "undecided" || (verdict === "untested" && this.options.mustOccur)) this.undecided += 1;
    return { k, rises, endUs, score: rises.at(-1)?.[1] ?? -Infinity };
  }
}

/** Returns the time and the score at which a flight first exceeded a level. */
function riseAbove({ rises }: Particle, level: number): readonly [tUs: number, score: number] {
  return rises.find(([, score]) => score > level)!;
}

/** Returns the score of a flight so far, from the upper end of its margin in scales. */
export function scoreOf(verdict: { readonly verdict: string; readonly scaledHigh: number } | undefined): number {
  if (verdict === undefined) return -Infinity;
  return verdict.verdict === "violated" ? VIOLATED : -verdict.scaledHigh;
}
