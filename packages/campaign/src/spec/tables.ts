/** The keys of a campaign file. Checks, errors and the docs derive from these tables. */
import { defineParams, type ParamTable } from "@escapement/core";

const count = (about: string, fallback?: number) =>
  ({
    type: "number",
    unit: "count",
    integer: true,
    min: 1,
    max: 4294967296,
    about,
    ...(fallback === undefined ? {} : { default: fallback }),
  }) as const;

export const campaignTable = defineParams({
  name: { type: "text", about: "Name of the campaign in reports.", default: "campaign" },
  about: { type: "text", about: "One sentence that describes the campaign.", default: "" },
  seed: {
    type: "number",
    unit: "1",
    integer: true,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    about: "Seed of the plan: it determines the varied values and the seeds of the flights.",
    default: 1,
  },
  seeds: {
    type: "choice",
    options: ["per-flight", "common"],
    about:
      "`per-flight`: every flight has its own seed. `common`: all flights have the seed of the base flight, so that differences come only from the varied keys.",
    default: "per-flight",
  },
  cutWhenDecided: {
    type: "boolean",
    about:
      "Whether to end a flight once nothing can change the verdict of any requirement. The measures and margins of the flight then cover only the time up to that instant.",
    default: false,
  },
  criteria: {
    type: "texts",
    maxLength: 100,
    about: "Statements about all flights that decide the exit code.",
    default: [],
  },
});

/** The table `keep`. It does not affect flights or rows. */
export const keepTable = defineParams({
  recordings: {
    type: "number",
    unit: "count",
    integer: true,
    min: 0,
    max: 20,
    about: "Number of the worst flights to fly again at the end, with a recording and a page of each.",
    default: 0,
  },
  shrunk: {
    type: "boolean",
    about: "Whether to shrink the worst flight of each violated requirement at the end.",
    default: false,
  },
});

/** Keys of a campaign file that are not plain parameters. */
export const CAMPAIGN_SECTIONS = ["flight", "plan", "vary", "requirements", "measures", "keep"] as const;

const flights = count("Number of flights.");
const replicates = {
  type: "number",
  unit: "count",
  integer: true,
  min: 0,
  max: 1024,
  about:
    "Number of independent replicates, whose means give the intervals. 0: 16 if each then has at least 16 flights, and 1 otherwise.",
  default: 0,
} as const;

/** The parameters of each kind of plan. */
export const PLAN_TABLES = {
  grid: {},
  list: {
    file: {
      type: "text",
      about:
        "A .csv or .parquet file with one column per varied key and one row per flight; empty for lists in `vary`.",
      default: "",
    },
  },
  random: {
    flights: { ...flights, min: 0, default: 0, about: "Number of flights; 0 with `until`." },
    until: {
      type: "choice",
      options: ["", "decided"],
      about: "`decided`: fly until every criterion is met or not met.",
      default: "",
    },
    most: count("With `until`: limit on the number of flights.", 100_000),
    lookEvery: count("With `until`: number of flights between two evaluations of the criteria.", 100),
  },
  latin: { flights, replicates },
  sobol: { flights, replicates },
  morris: {
    trajectories: count("Number of trajectories; each has one more flight than there are keys.", 16),
    levels: count("Levels of every key; an even number.", 4),
  },
  "sobol-indices": { base: count("Number of base points; the plan has base × (keys + 2) flights.") },
  pairs: { pairs: count("Number of pairs; each pair is two flights.") },
  falsify: {
    requirement: {
      type: "text",
      about: "Name of the requirement to violate; empty for all of them, in turn.",
      default: "",
    },
    method: {
      type: "choice",
      options: ["cma-es", "cross-entropy", "random"],
      about: "How the next flights are chosen.",
      default: "cma-es",
    },
    most: count("Limit on the number of flights.", 400),
  },
  importance: {
    flights,
    from: {
      type: "text",
      about:
        "Folder of an earlier run, e.g. of `falsify`: its worst flight gives the values of `shift`. Empty if `shift` is given.",
      default: "",
    },
  },
  splitting: {
    requirement: {
      type: "text",
      about: "Name of the requirement whose violation is the rare event; may be left out if there is only one.",
      default: "",
    },
    particles: { ...count("Number of flights at each level of a run.", 128), min: 8, max: 100_000 },
    share: {
      type: "number",
      unit: "1",
      min: 0.001,
      max: 0.9,
      about: "Fraction of the flights that each level replaces.",
      default: 0.25,
    },
    runs: { ...count("Independent runs; their scatter gives the interval.", 8), min: 8, max: 32 },
    checkPeriodS: {
      type: "number",
      unit: "s",
      min: 0,
      max: 3600,
      about:
        "Flight time between two checks of the score; branches begin at checks. 0: a sixtieth of the timeline, at most 0.5 s.",
      default: 0,
    },
    most: count("Limit on the number of flights of all runs.", 100_000),
  },
} as const satisfies Readonly<Record<string, ParamTable>>;

export type PlanKind = keyof typeof PLAN_TABLES;

/**
 * What the flights of a plan are. Criteria, sensitivity and comparisons use it.
 *
 *   all       every flight that there is: fractions are exact
 *   random    independent draws from the campaign's distributions
 *   pairs     independent pairs of such draws
 *   even      draws from the distributions that depend on each other, so that they are spread evenly
 *   weighted  draws from other distributions, with weights
 *   chosen    chosen for another purpose: they say nothing about the distributions
 */
type PlanSample = "all" | "random" | "pairs" | "even" | "weighted" | "chosen";

const PLAN_SAMPLES: Readonly<Record<PlanKind, PlanSample>> = {
  grid: "all",
  list: "all",
  random: "random",
  latin: "even",
  sobol: "even",
  morris: "chosen",
  "sobol-indices": "chosen",
  pairs: "pairs",
  falsify: "chosen",
  importance: "weighted",
  splitting: "chosen",
};

export function sampleOf(planKind: string): PlanSample {
  return (PLAN_SAMPLES as Readonly<Record<string, PlanSample>>)[planKind] ?? "chosen";
}

/** Keys of plans whose values are tables with keys of the flight. The plan checks these tables. */
export const PLAN_EXTRAS: Readonly<Partial<Record<PlanKind, string>>> = { pairs: "against", importance: "shift" };
