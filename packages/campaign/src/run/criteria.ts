/** Parses the criteria of a campaign and judges them against the flights flown so far. */
import { SimError } from "@escapement/core";
import type { CriterionSummary, Manifest, RequirementProbability } from "@escapement/formats";
import type { Plan, Search } from "../contracts.ts";
import { estimateProbability, type Sampling } from "../criteria/estimate.ts";
import { criterionError, decide, judgeCriterion, samplingOf } from "../criteria/judge.ts";
import { type Criterion, parseCriterion } from "../criteria/parse.ts";
import type { Tally } from "../criteria/tally.ts";
import { convert } from "../criteria/units.ts";
import { SplittingSearch } from "../splitting/splitting-search.ts";

type CriteriaManifest = Pick<Manifest, "criteria" | "requirements" | "measures" | "plan">;

export class Criteria {
  private readonly criteria: readonly Criterion[];
  private readonly sampling: Sampling | undefined;
  private readonly isPaired: boolean;
  private readonly splitting: SplittingSearch | undefined;

  /** Throws the first error found while parsing. `criteriaErrors` returns all errors. */
  constructor(manifest: CriteriaManifest, plan: Plan | Search) {
    this.criteria = manifest.criteria.map((text, i) => parseAt(text, manifest, i));
    this.sampling = samplingFor(manifest, plan);
    this.isPaired = plan.sideOf !== undefined;
    this.splitting = plan instanceof SplittingSearch ? plan : undefined;
  }

  /** Indices of the measures that the criteria name. */
  get measures(): ReadonlySet<number> {
    return new Set(this.criteria.flatMap((criterion) => (criterion.kind === "statistic" ? [criterion.measure] : [])));
  }

  /** Judges flights 0 … n − 1. */
  judge(tally: Tally, n: number, isComplete: boolean): CriterionSummary[] {
    return this.criteria.map((criterion) => {
      if (criterion.kind === "probability" && this.splitting !== undefined) {
        return judgeRareEvent(criterion, this.splitting, isComplete);
      }
      // Flights that are not a random sample can only be counted. `criteriaErrors` rejects criteria that need a sample.
      const sampling = this.sampling ?? { kind: "counted" };
      // The two flights of a pair are not independent, so estimates use only the base flight of each pair.
      const isEstimate = criterion.kind === "probability" || criterion.kind === "statistic";
      const stride = this.isPaired && isEstimate ? 2 : 1;
      const used = stride === 1 ? tally : tally.everySecond();
      const { text, result, flights, estimate, lo, hi, unit, moreFlights } = judgeCriterion(criterion, {
        tally: used,
        n: Math.ceil(n / stride),
        isComplete,
        sampling,
      });
      const more = moreFlights === undefined ? "" : `; about ${moreFlights} more flights would decide it`;
      return {
        text,
        verdict: result,
        reason: `${result} after ${flights} ${stride === 1 ? "flights" : "base flights"}${more}`,
        unit,
        isProbability: criterion.kind === "probability",
        estimate,
        low: lo,
        high: hi,
        limit: "bound" in criterion ? criterion.bound : null,
      };
    });
  }
}

/**
 * Judges a probability criterion of a plan `splitting`. `criteriaErrors` checks that it is about the plan's
 * requirement.
 */
function judgeRareEvent(
  { text, confidence, comparator, bound }: Criterion & { readonly kind: "probability" },
  plan: SplittingSearch,
  isComplete: boolean,
): CriterionSummary {
  const violated = plan.estimate(confidence);
  const estimate = { value: 1 - violated.probability, lo: 1 - violated.hi, hi: 1 - violated.lo };
  const verdict = isComplete ? decide(estimate, comparator, bound) : "open";
  return {
    text,
    verdict,
    reason: `${verdict} after ${plan.runCount} runs of splitting`,
    unit: "",
    isProbability: true,
    estimate: estimate.value,
    low: estimate.lo,
    high: estimate.hi,
    limit: bound,
  };
}

/** Confidence of intervals that no criterion defines. */
export const SHOWN_CONFIDENCE = 0.95;

/**
 * Returns the probability that each requirement holds, from the flights before the first missing row; null if they are
 * not a random sample. The interval of a plan with `until` is valid at every evaluation.
 */
export function requirementProbabilities(
  manifest: CriteriaManifest,
  plan: Plan | Search,
  tally: Tally,
): (RequirementProbability | null)[] {
  const sampling = samplingFor(manifest, plan);
  const used = plan.sideOf === undefined ? tally : tally.everySecond();
  const n = used.complete;
  return manifest.requirements.map((_, i) => {
    if (sampling === undefined || sampling.kind === "counted" || n === 0) return null;
    const codes = used.verdictsOf(i, n);
    const { value, lo, hi } = estimateProbability(codes, used.weightsOf(n), sampling, SHOWN_CONFIDENCE);
    return { value, low: lo, high: hi, confidence: SHOWN_CONFIDENCE };
  });
}

/** Returns all errors in the criteria of a campaign, including criteria that do not suit the plan. */
export function criteriaErrors(manifest: CriteriaManifest, plan: Plan | Search): SimError[] {
  const sampling = samplingFor(manifest, plan);
  return manifest.criteria.flatMap((text, i) => {
    try {
      const criterion = parseAt(text, manifest, i);
      const isRare = plan instanceof SplittingSearch && criterion.kind === "probability";
      const error =
        isRare && criterion.requirement === plan.requirement
          ? undefined
          : criterionError(criterion, manifest.plan.kind, sampling, `criteria[${i}]`);
      return error === undefined ? [] : [error];
    } catch (error) {
      if (error instanceof SimError) return [error];
      throw error;
    }
  });
}

function parseAt(text: string, { requirements, measures }: CriteriaManifest, i: number): Criterion {
  const names = { requirements: requirements.map(({ name }) => name), measures, convert };
  return parseCriterion(text, names, `criteria[${i}]`);
}

function samplingFor({ plan: settings }: CriteriaManifest, plan: Plan | Search): Sampling | undefined {
  const { replicates } = plan;
  return samplingOf({
    kind: settings.kind,
    isSequential: settings["until"] === "decided",
    ...(replicates === undefined ? {} : { replicates }),
  });
}
