/**
 * Finds the keys that matter from the rows of a campaign, with the method of its plan or by screening.
 *
 * It analyses the margins of requirements and the measures that the campaign defines or that a criterion names. If
 * there are none of these, it analyses all measures.
 */
import type { Manifest, Row, SensitivitySummary } from "@escapement/formats";
import type { Plan, Search } from "../contracts.ts";
import { sampleOf } from "../spec/tables.ts";
import type { Interval } from "../statistics/binomial.ts";
import { morrisEffects, type Trajectories } from "./morris.ts";
import { screenKeys } from "./screening.ts";
import { sobolIndices } from "./sobol-indices.ts";

type Effect = SensitivitySummary["keys"][number]["effects"][number];

/** A number per flight; NaN if a flight has none. */
interface Column {
  readonly of: string;
  readonly valueIn: (row: Row) => number;
  readonly values: number[];
}

/** More flights than this would not improve screening. */
const MAX_SCREENED = 50_000;
const MIN_SCREENED = 20;

/** Whether the flights of a plan are a sample of single flights, which can be screened. */
function isScreened(planKind: string): boolean {
  return ["random", "even"].includes(sampleOf(planKind));
}

export class SensitivityCollector {
  private readonly plan: Plan | Search;
  private readonly keys: readonly string[];
  private readonly columns: readonly Column[];

  constructor(manifest: Manifest, plan: Plan | Search) {
    this.plan = plan;
    this.keys = manifest.keys.map(({ key }) => key);
    const isUsed = isScreened(plan.kind) || plan.kind === "morris" || plan.kind === "sobol-indices";
    this.columns = isUsed && this.keys.length > 0 ? columnsOf(manifest) : [];
  }

  add(row: Row): void {
    if (row.k >= MAX_SCREENED && isScreened(this.plan.kind)) return;
    for (const { values, valueIn } of this.columns) {
      while (values.length < row.k) values.push(NaN);
      values[row.k] = valueIn(row);
    }
  }

  finish(): SensitivitySummary[] {
    return this.columns.flatMap((column) => {
      const first = column.values.find((value) => Number.isFinite(value));
      const isVaried = column.values.some((value) => Number.isFinite(value) && value !== first);
      return isVaried ? this.summaryOf(column) : [];
    });
  }

  private summaryOf({ of, values }: Column): SensitivitySummary[] {
    const { plan, keys } = this;
    if (isMorris(plan)) {
      const effects = morrisEffects(plan, keys, values);
      return [
        {
          of,
          method: "Morris: mean size and spread of the effect of moving a key over its range",
          keys: effects.map(({ key, muStar, muStarInterval, sigma }) => ({
            key,
            effects: [effect("μ*", muStar, muStarInterval), effect("σ", sigma)].filter(isFinite),
          })),
        },
      ];
    }
    if (plan.kind === "sobol-indices") {
      const { keys: indices, base } = sobolIndices(keys, values);
      return [
        {
          of,
          method: `Sobol indices from ${base} base points: fraction of the variance that a key causes alone (S1) and in total (ST)`,
          keys: indices.map(({ key, first, firstInterval, total, totalInterval }) => ({
            key,
            effects: [effect("S1", first, firstInterval), effect("ST", total, totalInterval)],
          })),
        },
      ];
    }
    return this.screen(of, values);
  }

  private screen(of: string, values: readonly number[]): SensitivitySummary[] {
    const { plan, keys } = this;
    if (values.filter((value) => Number.isFinite(value)).length < MIN_SCREENED) return [];
    const coordinates = keys.map(() => new Float64Array(values.length));
    const point = new Float64Array(plan.dimension);
    for (let k = 0; k < values.length; k += 1) {
      plan.pointInto(k, point);
      for (const [j, column] of coordinates.entries()) column[k] = point[j]!;
    }
    const method = "screening, not proof: rank correlation, and fraction of the variance between bins of a key";
    return [
      {
        of,
        method,
        keys: screenKeys(keys, coordinates, values).map(({ key, rank, binned }) => ({
          key,
          effects: [effect("rank correlation", rank), effect("between bins", binned)],
        })),
      },
    ];
  }
}

function columnsOf({ requirements, measures, criteria }: Manifest): Column[] {
  const margins = requirements.map(({ name }, i): Column => {
    const valueIn = ({ verdicts }: Row): number => {
      const verdict = verdicts[i];
      return verdict !== undefined && verdict.low === verdict.high ? verdict.low : NaN;
    };
    return { of: `margin of ${name}`, valueIn, values: [] };
  });
  const named = measures.flatMap(({ name, text }, i) =>
    text !== "" || criteria.some((criterion) => criterion.includes(`(${name})`)) ? [i] : [],
  );
  const chosen = margins.length === 0 && named.length === 0 ? measures.map((_, i) => i) : named;
  return [
    ...margins,
    ...chosen.map((i): Column => ({ of: measures[i]!.name, valueIn: (row) => row.measures[i] ?? NaN, values: [] })),
  ];
}

function isMorris(plan: Plan | Search): plan is Plan & Trajectories {
  return plan.kind === "morris";
}

/** Makes an effect; leaves out an interval with an infinite end, because JSON has no infinity. */
function effect(name: string, value: number, interval?: Interval): Effect {
  if (interval === undefined || !Number.isFinite(interval.lo) || !Number.isFinite(interval.hi)) return { name, value };
  return { name, value, low: interval.lo, high: interval.hi };
}

function isFinite({ value }: Effect): boolean {
  return Number.isFinite(value);
}
