/**
 * Makes the summary of a campaign from its rows in the order of their numbers, one at a time: verdicts and least
 * margins of every requirement, extremes of every measure, the worst flights and those without a result.
 */
import {
  type CampaignSummary,
  type Conclusions,
  type CriterionVerdict,
  decidedMargin,
  type FailedFlight,
  type FlightMargin,
  type Manifest,
  numberToJson,
  type RequirementSummary,
  type Row,
  type RowsSummary,
  type RowVerdict,
  SUMMARY_FORMAT,
  type VerdictWord,
  type WorstFlight,
} from "@escapement/formats";

/** Outcomes of flights without a result. */
const FAILURES: readonly string[] = ["failed", "refused", "poisoned"] satisfies Row["outcome"][];
const MAX_LISTED = 20;

/** A decided requirement of a flight. */
interface Candidate {
  readonly inScales: number;
  readonly requirement: number;
  readonly row: Row;
}

interface MeasureSums {
  count: number;
  sum: number;
  min: number;
  max: number;
}

export class SummaryBuilder {
  private readonly manifest: Manifest;
  private flights = 0;
  private simulatedUs = 0;
  private readonly outcomes = new Map<string, number>();
  private readonly verdicts: Record<VerdictWord, number>[];
  private readonly least: (Candidate | undefined)[];
  private readonly measures: MeasureSums[];
  private readonly worst: Candidate[] = [];
  private readonly failed: FailedFlight[] = [];
  private failedFlights = 0;

  constructor(manifest: Manifest) {
    this.manifest = manifest;
    this.verdicts = manifest.requirements.map(() => ({ holds: 0, violated: 0, undecided: 0, untested: 0 }));
    this.least = manifest.requirements.map(() => undefined);
    this.measures = manifest.measures.map(() => ({ count: 0, sum: 0, min: Infinity, max: -Infinity }));
  }

  /** Adds the row with the next higher number. */
  add(row: Row): void {
    this.flights += 1;
    this.simulatedUs += row.endUs;
    this.outcomes.set(row.outcome, (this.outcomes.get(row.outcome) ?? 0) + 1);
    if (FAILURES.includes(row.outcome)) this.addFailure(row);
    this.addVerdicts(row);
    this.measures.forEach((measure, i) => addTo(measure, row.measures[i]));
  }

  finish(): RowsSummary {
    const { requirements, measures } = this.manifest;
    return {
      flights: this.flights,
      simulatedS: this.simulatedUs / 1e6,
      outcomes: Object.fromEntries([...this.outcomes].sort(([a], [b]) => (a < b ? -1 : 1))),
      requirements: requirements.map((requirement, i) => {
        const least = this.least[i];
        return { ...requirement, flights: this.verdicts[i]!, least: least === undefined ? null : marginOf(least) };
      }),
      measures: measures.map((measure, i) => {
        const { count, sum, min, max } = this.measures[i]!;
        const ifAny = (value: number) => (count === 0 ? null : value);
        return { ...measure, flights: count, min: ifAny(min), mean: ifAny(sum / count), max: ifAny(max) };
      }),
      worst: this.worst.map(worstFlight),
      failedFlights: this.failedFlights,
      failed: this.failed,
    };
  }

  private addFailure({ k, outcome, reason, varied }: Row): void {
    this.failedFlights += 1;
    if (this.failed.length < MAX_LISTED) this.failed.push({ k, outcome, reason, varied });
  }

  private addVerdicts(row: Row): void {
    let worst: Candidate | undefined;
    row.verdicts.forEach((verdict, requirement) => {
      this.verdicts[requirement]![verdict.verdict] += 1;
      const inScales = marginInScales(verdict);
      if (inScales === undefined) return;
      const candidate = { inScales, requirement, row };
      if (isWorse(candidate, this.least[requirement])) this.least[requirement] = candidate;
      if (isWorse(candidate, worst)) worst = candidate;
    });
    if (worst !== undefined) this.insert(worst);
  }

  /** Inserts a flight into the sorted list of the worst flights; of equal margins, the lower number comes first. */
  private insert(candidate: Candidate): void {
    let at = this.worst.length;
    while (at > 0 && isWorse(candidate, this.worst[at - 1])) at -= 1;
    if (at >= MAX_LISTED) return;
    this.worst.splice(at, 0, candidate);
    this.worst.length = Math.min(this.worst.length, MAX_LISTED);
  }
}

function addTo(measure: MeasureSums, value: number | null | undefined): void {
  if (value === null || value === undefined) return;
  measure.count += 1;
  measure.sum += value;
  measure.min = Math.min(measure.min, value);
  measure.max = Math.max(measure.max, value);
}

function marginInScales({ verdict, scaledLow, scaledHigh }: RowVerdict): number | undefined {
  return decidedMargin({ verdict, low: scaledLow, high: scaledHigh });
}

/** Returns true if a margin is smaller than the other margin. −0 is a violation, so it is worse than +0. */
function isWorse({ inScales }: Candidate, other: Candidate | undefined): boolean {
  if (other === undefined || inScales < other.inScales) return true;
  return Object.is(inScales, -0) && Object.is(other.inScales, 0);
}

/**
 * Returns the margin of the binding predicate in its unit, or the margin of the requirement if no predicate is binding.
 */
function marginOf({ requirement, row }: Candidate): FlightMargin {
  const verdict = row.verdicts[requirement]!;
  const { binding } = verdict;
  return {
    k: row.k,
    margin: numberToJson(binding === null ? decidedMargin(verdict)! : binding.margin),
    unit: binding?.unit ?? "",
    predicate: binding?.predicate ?? "",
    atS: binding === null ? null : binding.tUs / 1e6,
  };
}

function worstFlight(candidate: Candidate): WorstFlight {
  const { requirement, row } = candidate;
  return {
    ...marginOf(candidate),
    requirement,
    verdict: row.verdicts[requirement]!.verdict,
    alsoViolates: row.verdicts.flatMap(({ verdict }, i) => (verdict === "violated" && i !== requirement ? [i] : [])),
    outcome: row.outcome,
    reason: row.reason,
    fingerprint: row.fingerprint,
    endS: row.endUs / 1e6,
    varied: row.varied,
  };
}

export function campaignSummary(
  manifest: Manifest,
  rows: RowsSummary,
  conclusions: Partial<Conclusions> = {},
): CampaignSummary {
  const { identity, code, judged, name, file, plan, flights, seed, seeds, keys, isRepeatable } = manifest;
  const campaign = { identity, code, judged, name, file, plan, flights, seed, seeds, keys, isRepeatable };
  const none: Conclusions = { beyond: 0, criteria: [], probabilities: [], sensitivity: [], shrunk: [], kept: [] };
  return { format: SUMMARY_FORMAT, campaign, ...rows, ...none, ...conclusions };
}

/** The verdict on a whole campaign. `incomplete`: flights have no result, although the criteria are met. */
type CampaignVerdict = CriterionVerdict | "incomplete";

/** Judges a campaign. Without criteria, every requirement of severity error must hold in every flight. */
export function campaignVerdict({ criteria, requirements, failedFlights }: CampaignSummary): CampaignVerdict {
  const verdicts = criteria.length > 0 ? criteria.map(({ verdict }) => verdict) : requirements.map(requirementVerdict);
  if (verdicts.includes("not met")) return "not met";
  if (failedFlights > 0) return "incomplete";
  return verdicts.includes("open") ? "open" : "met";
}

/** Whether a requirement holds in every flight; a warning is always met. */
export function requirementVerdict({
  severity,
  mustOccur,
  flights,
}: Pick<RequirementSummary, "severity" | "mustOccur" | "flights">): CriterionVerdict {
  if (severity === "warning") return "met";
  if (flights.violated > 0 || (mustOccur && flights.untested > 0)) return "not met";
  return flights.undecided > 0 ? "open" : "met";
}
