/**
 * Compares two runs of a campaign flight by flight. Flight k has the same wind and noise in both runs, so every
 * difference comes from what was changed between the runs.
 *
 * Verdicts that flipped are tested with McNemar's exact test; differences of margins and measures get a paired
 * interval. Both assume independent flights, so they are given for random plans only.
 */
import { canonicalJson, defineErrors } from "@escapement/core";
import {
  type CampaignComparison,
  decidedMargin,
  type Flip,
  type Manifest,
  type PairedDifference,
  type RequirementComparison,
  type Row,
} from "@escapement/formats";
import { sampleOf } from "../spec/tables.ts";
import { mcNemarP } from "../statistics/binomial.ts";
import { mean, meanOf } from "../statistics/means.ts";

export const compareErrors = defineErrors("COMPARE", {
  otherFlights: {
    number: 1,
    title: "two campaigns have different flights",
    explain:
      "Flight k of both campaigns must have the same varied values and seed. Their plan, seed and varied keys must be equal.",
  },
});

/** A run of a campaign. */
interface ComparedRun {
  readonly manifest: Manifest;
  /** The rows of the run, in the order of their flight numbers. */
  readonly rows: Iterable<Row>;
}

const CONFIDENCE = 0.95;
const MAX_FLIPS = 20;

export function compareCampaigns(before: ComparedRun, after: ComparedRun): CampaignComparison {
  checkFlights(before.manifest, after.manifest);
  return comparisonOf(before.manifest, after.manifest, pairsOf(before.rows, after.rows));
}

/** Compares the two flights of every pair of a plan `pairs`: the base flight and the flight with `against`. */
export function comparePairs(manifest: Manifest, rows: Iterable<Row>): CampaignComparison {
  return comparisonOf(manifest, manifest, sidesOf(rows));
}

type RowPair = readonly [before: Row | undefined, after: Row | undefined];

function comparisonOf(before: Manifest, after: Manifest, pairs: Iterable<RowPair>): CampaignComparison {
  const isIndependent = ["random", "pairs"].includes(sampleOf(after.plan.kind));
  const requirements = inBoth(before.requirements, after.requirements).map(
    ({ item, from, to }) => new RequirementPairs(item.name, item.unit ?? "scales", from, to),
  );
  const measures = inBoth(before.measures, after.measures).map(({ item, from, to }) => {
    return { name: item.name, unit: item.unit, from, to, differences: [] as number[] };
  });
  const counts = { flights: 0, onlyBefore: 0, onlyAfter: 0, changed: 0 };
  for (const [a, b] of pairs) {
    if (a === undefined) counts.onlyAfter += 1;
    else if (b === undefined) counts.onlyBefore += 1;
    else {
      counts.flights += 1;
      if (a.fingerprint !== b.fingerprint) counts.changed += 1;
      for (const requirement of requirements) requirement.add(a, b);
      for (const { from, to, differences } of measures) {
        const [x, y] = [a.measures[from], b.measures[to]];
        if (typeof x === "number" && typeof y === "number") differences.push(y - x);
      }
    }
  }
  return {
    ...counts,
    confidence: CONFIDENCE,
    requirements: requirements.map((requirement) => requirement.finish(isIndependent)),
    measures: measures.flatMap(({ name, unit, differences }) => {
      const difference = differenceOf(differences, isIndependent);
      return difference === null ? [] : [{ name, unit, difference }];
    }),
  };
}

class RequirementPairs {
  private readonly name: string;
  private readonly unit: string;
  private readonly from: number;
  private readonly to: number;
  private broken = 0;
  private fixed = 0;
  private readonly flips: Flip[] = [];
  private readonly differences: number[] = [];

  constructor(name: string, unit: string, from: number, to: number) {
    this.name = name;
    this.unit = unit;
    this.from = from;
    this.to = to;
  }

  add(a: Row, b: Row): void {
    const [x, y] = [a.verdicts[this.from], b.verdicts[this.to]];
    if (x === undefined || y === undefined) return;
    if (x.verdict !== y.verdict && this.flips.length < MAX_FLIPS) {
      this.flips.push({ k: a.k, before: x.verdict, after: y.verdict });
    }
    if (x.verdict === "holds" && y.verdict === "violated") this.broken += 1;
    if (x.verdict === "violated" && y.verdict === "holds") this.fixed += 1;
    const difference = (decidedMargin(y) ?? NaN) - (decidedMargin(x) ?? NaN);
    if (Number.isFinite(difference)) this.differences.push(difference);
  }

  finish(isIndependent: boolean): RequirementComparison {
    const { name, unit, broken, fixed, flips } = this;
    const p = isIndependent ? mcNemarP(broken, fixed) : null;
    return { name, unit, broken, fixed, p, flips, margin: differenceOf(this.differences, isIndependent) };
  }
}

function differenceOf(values: readonly number[], isIndependent: boolean): PairedDifference | null {
  if (values.length === 0) return null;
  if (!isIndependent || values.length < 2) return { flights: values.length, mean: mean(values), low: null, high: null };
  const { mean: centre, lo, hi } = meanOf(values, CONFIDENCE);
  return { flights: values.length, mean: centre, low: lo, high: hi };
}

/** Returns the entries whose names are in both lists, with their index in each list. */
function inBoth<T extends { readonly name: string }>(
  before: readonly T[],
  after: readonly T[],
): { item: T; from: number; to: number }[] {
  return after.flatMap((item, to) => {
    const from = before.findIndex(({ name }) => name === item.name);
    return from < 0 ? [] : [{ item, from, to }];
  });
}

/** Yields the rows of flights 2i and 2i + 1 as a pair. A missing row is undefined. */
function* sidesOf(rows: Iterable<Row>): Generator<RowPair> {
  let base: Row | undefined;
  for (const row of rows) {
    const isBase = row.k % 2 === 0;
    if (base !== undefined && (isBase || row.k !== base.k + 1)) {
      yield [base, undefined];
      base = undefined;
    }
    if (isBase) base = row;
    else {
      yield [base, row];
      base = undefined;
    }
  }
  if (base !== undefined) yield [base, undefined];
}

/** Yields the two rows of each flight, one per run, as a pair. A missing row is undefined. */
function* pairsOf(before: Iterable<Row>, after: Iterable<Row>): Generator<RowPair> {
  const [a, b] = [before[Symbol.iterator](), after[Symbol.iterator]()];
  let [x, y] = [a.next(), b.next()];
  while (x.done !== true || y.done !== true) {
    const [kx, ky] = [x.done === true ? Infinity : x.value.k, y.done === true ? Infinity : y.value.k];
    yield [kx <= ky ? (x.value as Row) : undefined, ky <= kx ? (y.value as Row) : undefined];
    if (kx <= ky) x = a.next();
    if (ky <= kx) y = b.next();
  }
}

function checkFlights(before: Manifest, after: Manifest): void {
  // The names are those of the campaign file.
  const comparedFields = ({ plan, seed, seeds, keys: vary }: Manifest) => ({ plan, seed, seeds, vary });
  const [a, b] = [comparedFields(before), comparedFields(after)];
  const different = (Object.keys(a) as (keyof typeof a)[]).filter(
    (key) => canonicalJson(a[key]) !== canonicalJson(b[key]),
  );
  if (different.length === 0) return;
  throw compareErrors.otherFlights({
    what: `the campaigns differ in ${different.join(", ")}`,
    fix: "fly the same campaign with both versions, and compare the two folders",
  });
}
