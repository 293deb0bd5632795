/**
 * Turns a campaign file into a campaign: fills in every default, checks everything, and reports all errors together.
 *
 * The caller resolves the base flight, because only the caller knows the paths of the files. Errors name the keys of
 * the campaign file.
 */
import {
  type AssignmentBase,
  checkParams,
  type Diagnostic,
  flightErrors,
  isPlainObject,
  marginUnit,
  type Measure,
  parseMeasure,
  oneOfNames,
  parseKeyPath,
  type PlainObject,
  type ResolvedFlight,
  show,
  SimError,
} from "@escapement/core";
import { JOURNAL_FORMAT, type Manifest } from "@escapement/formats";
import { type Campaign, identityOf, judgedHash, type PlanSpec, type VariedSpec } from "./campaign.ts";
import { campaignErrors } from "./errors.ts";
import { parseCriterion } from "../criteria/parse.ts";
import { convert } from "../criteria/units.ts";
import { MEASURES } from "../fly/measures.ts";
import { selfContained } from "./base-flight.ts";
import { unitOfKey } from "./key-units.ts";
import { contextOf, makePlan, maxFlights } from "./make-plan.ts";
import { readDistribution } from "../vary/distributions.ts";
import { CAMPAIGN_SECTIONS, campaignTable, keepTable, PLAN_EXTRAS, PLAN_TABLES, type PlanKind } from "./tables.ts";

/** What the caller provides besides the campaign itself. */
interface CampaignContext {
  /** Name of the campaign in errors: a path, or `campaign` for an object. */
  readonly file: string;
  readonly base: AssignmentBase;
  readonly resolved: ResolvedFlight;
  /** Hash of the code that flies and judges the flights. */
  readonly code: string;
  readonly flownBy: Campaign["flownBy"];
  /** Columns of the file that a plan `list` names. */
  readonly columns?: readonly VariedSpec[];
}

interface CampaignResolution {
  /** Absent if there are errors. */
  readonly campaign?: Campaign;
  readonly errors: readonly SimError[];
  /** The varied keys with valid distributions. */
  readonly vary: readonly VariedSpec[];
}

/** Keys that a campaign must not vary, with the reason. */
const FIXED: Readonly<Record<string, string>> = {
  "timeline.logPeriodS":
    "every log tick is a boundary, so flights with other log periods are not comparable: choose one in the flight",
  outputs: "a campaign writes no files per flight: fly a single flight with --record or --log",
  extends: "name the flight in `flight`",
  requirements: "requirements judge flights and do not vary",
};

/** Plans that compare the margins of whole flights. */
const NEEDS_WHOLE_FLIGHTS = ["splitting", "morris", "sobol-indices", "pairs"];

interface Judged {
  readonly requirements: ResolvedFlight["judged"]["requirements"];
  readonly measures: readonly Measure[];
}

export function resolveCampaign(given: PlainObject, context: CampaignContext): CampaignResolution {
  return new CampaignReader(given, context).read();
}

/** Returns one error that lists all errors. */
export function refusedCampaign(errors: readonly SimError[]): SimError {
  if (errors.length === 1) return errors[0]!;
  return campaignErrors.refused({
    what: `${errors.length} errors:\n${errors.map(({ message }) => `  ${message}`).join("\n")}`,
    fix: "fix all of them; nothing was flown",
    cause: errors,
  });
}

class CampaignReader {
  private readonly errors: SimError[] = [];
  private readonly given: PlainObject;
  private readonly context: CampaignContext;

  constructor(given: PlainObject, context: CampaignContext) {
    this.given = given;
    this.context = context;
  }

  read(): CampaignResolution {
    const { given, context } = this;
    const general = this.params(campaignTable, given, "", CAMPAIGN_SECTIONS);
    const plan = this.plan();
    const vary = this.withDistributions(context.columns ?? this.vary());
    const ownMeasures = this.measures();
    const keep = this.keep();
    const { requirements } = context.resolved.judged;
    const { cutWhenDecided } = general as unknown as { readonly cutWhenDecided: boolean };
    const judging = {
      requirements,
      measures: ownMeasures.map(({ name, text }) => ({ name, text })),
      ...(cutWhenDecided ? { cutWhenDecided } : {}),
    };
    if (this.errors.length > 0 || plan === undefined) {
      // In a valid campaign, the caller checks the criteria together with the plan (`criteriaErrors`).
      this.criteria(requirements, ownMeasures);
      return { errors: this.errors, vary };
    }
    const { seed, seeds, name, criteria } = general as unknown as Pick<
      Manifest,
      "seed" | "seeds" | "name" | "criteria"
    >;
    if (plan.kind === "splitting") this.checkSplitting(seeds);
    if (cutWhenDecided) this.checkCut(plan, { requirements, measures: ownMeasures });
    const flights = this.flights(plan, vary, { seed, seeds }, requirements);
    if (flights === undefined) return { errors: this.errors, vary };
    const base = selfContained(context.base);
    const manifest: Manifest = {
      format: JOURNAL_FORMAT,
      identity: identityOf({ hash: context.resolved.hash, base, vary, plan, seed, seeds }),
      code: context.code,
      judged: judgedHash(judging),
      name,
      file: context.file.replace(/^.*[\\/]/, ""),
      plan,
      flights,
      seed,
      seeds,
      keys: vary.map(({ key, distribution }) => ({ key, unit: unitOf(key, distribution), distribution })),
      requirements: requirements.map((given) => ({ ...given, unit: marginUnit(given.text) ?? null })),
      measures: [...MEASURES, ...ownMeasures.map(({ name, unit, text }) => ({ name, unit, text }))],
      criteria,
      isRepeatable: context.flownBy !== "sitl",
    };
    const { flownBy } = context;
    return { campaign: { manifest, base, judging, vary, plan, flownBy, keep }, errors: [], vary };
  }

  private keep(): Campaign["keep"] {
    const keep = this.params(keepTable, this.table("keep"), "keep") as unknown as Campaign["keep"];
    if (this.context.flownBy !== "threads" && keep.shrunk) {
      this.report("inconsistent", "keep.shrunk", "flights with PX4 are not shrunk", "leave it out");
    }
    return keep;
  }

  /** Parses the criteria only to report their errors. */
  private criteria(requirements: readonly { readonly name: string }[], ownMeasures: readonly Measure[]): void {
    const { criteria } = this.given;
    if (!Array.isArray(criteria)) return;
    const names = {
      requirements: requirements.map(({ name }) => name),
      measures: [...MEASURES, ...ownMeasures],
      convert,
    };
    for (const [i, text] of criteria.entries())
      if (typeof text === "string") this.attempt(() => parseCriterion(text, names, `criteria[${i}]`));
  }

  private plan(): PlanSpec | undefined {
    const written = this.table("plan");
    const { kind, ...settings } = written;
    if (typeof kind !== "string" || !Object.hasOwn(PLAN_TABLES, kind)) {
      const what = kind === undefined ? "the plan has no kind" : `${show(kind)} is not a plan`;
      return this.report("unknownChoice", "plan.kind", what, oneOfNames(kind, Object.keys(PLAN_TABLES)));
    }
    const extra = PLAN_EXTRAS[kind as PlanKind];
    const checked = this.params(PLAN_TABLES[kind as PlanKind], settings, "plan", extra === undefined ? [] : [extra]);
    this.checkUntil(kind, checked);
    if (extra === undefined) return { kind, ...checked };
    const table = settings[extra];
    if (!isPlainObject(table) || Object.keys(table).length === 0) {
      const fix = `[plan.${extra}] with keys of the flight, e.g. "autopilot.parameters.MPC_XY_P" = 1.2`;
      return this.report("missing", `plan.${extra}`, `the plan ${kind} needs a table ${extra}`, fix);
    }
    return { kind, ...checked, [extra]: table };
  }

  /** Checks that a random plan has a number of flights, or flies until its criteria are decided. */
  private checkUntil(kind: string, { until, flights }: PlainObject): void {
    if (kind !== "random") return;
    const { criteria } = this.given;
    if (until === "decided" && flights !== 0) {
      this.report("inconsistent", "plan.flights", "both flights and until are given", "leave one of them out");
    } else if (until === "decided" && (!Array.isArray(criteria) || criteria.length === 0)) {
      this.report("inconsistent", "plan.until", "there are no criteria to decide", "write criteria = […]");
    } else if (until === "" && flights === 0) {
      this.report("missing", "plan.flights", "the plan has no number of flights", 'give flights, or until = "decided"');
    }
  }

  /** Checks that flights can branch, which needs different seeds and checkpoints of all parts. */
  private checkSplitting(seeds: Manifest["seeds"]): void {
    if (seeds === "common") {
      const what = "the plan splitting draws new random numbers, but all flights have one seed";
      this.report("inconsistent", "seeds", what, 'write seeds = "per-flight", or leave it out');
    }
    if (this.context.flownBy === "threads") return;
    const what = "flights with PX4 cannot branch: PX4's memory cannot be saved";
    this.report("inconsistent", "plan.kind", what, "use the embedded autopilot, or the plan random or falsify");
  }

  /**
   * Checks that the campaign does not need whole flights. Flights that end early have verdicts, but no valid margins
   * and measures.
   */
  private checkCut(plan: PlanSpec, { requirements, measures }: Pick<Judged, "requirements" | "measures">): void {
    const fix = "leave cutWhenDecided out";
    const report = (what: string) => this.report("inconsistent", "cutWhenDecided", what, fix);
    if (requirements.length === 0) report("there are no requirements to decide");
    if (this.context.flownBy !== "threads") report("flights with PX4 are not cut");
    if (NEEDS_WHOLE_FLIGHTS.includes(plan.kind)) report(`the plan ${plan.kind} needs the margins of whole flights`);
    const names = { requirements: requirements.map(({ name }) => name), measures: [...MEASURES, ...measures], convert };
    const { criteria = [] } = this.given;
    for (const [i, text] of (criteria as readonly string[]).entries()) {
      const criterion = this.attempt(() => parseCriterion(text, names, `criteria[${i}]`));
      if (criterion?.kind === "statistic") report(`"${text}" needs the measures of whole flights`);
    }
  }

  private vary(): readonly VariedSpec[] {
    return Object.entries(flattenVary(this.table("vary"))).flatMap(([key, distribution]) => {
      const path = parseKeyPath(key);
      const fixed = Object.keys(FIXED).find((name) => key === name || key.startsWith(`${name}.`));
      if (path === undefined || fixed !== undefined) {
        const what = path === undefined ? `${show(key)} is not a key` : `${key} cannot be varied`;
        const fix = fixed === undefined ? 'e.g. "wind.w20Mps" or "scenario.engineOut.at"' : FIXED[fixed]!;
        this.errors.push(campaignErrors.badVary({ what, where: this.where(`vary.${key}`), fix }));
        return [];
      }
      if (isPlainObject(distribution)) return [{ key, distribution }];
      this.report(
        "wrongType",
        `vary.${key}`,
        `${show(distribution)} is not a distribution`,
        "e.g. { uniform = [3, 15] } or { list = [1, 2] }",
      );
      return [];
    });
  }

  /**
   * Returns the keys with valid distributions. The others are reported here, together with the errors of the plan.
   */
  private withDistributions(vary: readonly VariedSpec[]): readonly VariedSpec[] {
    return vary.filter(
      ({ key, distribution }) => this.attempt(() => readDistribution(distribution, key)) !== undefined,
    );
  }

  /** Returns the measures of the table `measures`, by name. */
  private measures(): Measure[] {
    return Object.entries(this.table("measures")).flatMap(([name, text]) => {
      const key = `measures.${name}`;
      if (typeof text !== "string") {
        this.report("wrongType", key, `${show(text)} is not a measure`, 'a text such as "max tilt during 10 s..60 s"');
        return [];
      }
      if (MEASURES.some((measure) => measure.name === name)) {
        this.report("inconsistent", key, "every row has a measure of this name", "choose another name");
        return [];
      }
      const measure = this.attempt(() => parseMeasure(text, name), key);
      return measure === undefined ? [] : [measure];
    });
  }

  /** Returns the number of flights; undefined if the plan has errors. */
  private flights(
    plan: PlanSpec,
    vary: readonly VariedSpec[],
    manifest: Pick<Manifest, "seed" | "seeds">,
    requirements: readonly { readonly name: string; readonly mustOccur: boolean }[],
  ): number | undefined {
    if (this.errors.length > 0) return undefined;
    return this.attempt(() => maxFlights(makePlan(plan, contextOf({ vary, manifest }), requirements)));
  }

  private attempt<T>(make: () => T, key?: string): T | undefined {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof SimError)) throw error;
      const { code, what, where, fix } = error;
      const place = { ...where, file: this.context.file, ...(key === undefined ? {} : { key }) };
      this.errors.push(new SimError(code, { what, where: place, fix, cause: error }));
      return undefined;
    }
  }

  private params(
    table: Parameters<typeof checkParams>[0],
    values: PlainObject,
    key: string,
    also: readonly string[] = [],
  ): PlainObject {
    const found: Diagnostic[] = [];
    const checked = checkParams(table, values, found, key, also);
    for (const { code, key: at, what, fix } of found) this.report(code, at, what, fix);
    return checked;
  }

  private table(key: string): PlainObject {
    const value = this.given[key];
    if (value === undefined || isPlainObject(value)) return value ?? {};
    this.report("wrongType", key, `${show(value)} is not a table`, `write [${key}] with its keys below`);
    return {};
  }

  private report(code: Diagnostic["code"], key: string, what: string, fix: string): undefined {
    this.errors.push(flightErrors[code]({ what, where: this.where(key), fix }));
    return undefined;
  }

  private where(key: string): { readonly file: string; readonly key: string } {
    return { file: this.context.file, key };
  }
}

/**
 * Words that make a table a distribution, so that `vary.wind.w20Mps = …` and `vary."wind.w20Mps" = …` mean the same.
 */
const DISTRIBUTION = /^(uniform|log-uniform|triangular|normal|log-normal|integers|choice|list)$/;

/** Returns the keys of `vary`, including those that are written as nested tables. */
export function flattenVary(table: PlainObject, path = ""): PlainObject {
  return Object.assign(
    {},
    ...Object.entries(table).map(([name, value]) => {
      const key = path === "" ? name : `${path}.${name}`;
      const isTable = isPlainObject(value) && !Object.keys(value).some((word) => DISTRIBUTION.test(word));
      const isOuter = isTable && Object.keys(value).length > 0 && Object.values(value).every(isPlainObject);
      return isOuter ? flattenVary(value, key) : { [key]: value };
    }),
  ) as PlainObject;
}

/** Returns the unit of a key; times that were written with a unit are kept in seconds. */
function unitOf(key: string, distribution: PlainObject): string {
  const isTime = /"[0-9.]+ ?(us|µs|ms|s|min|h)"/.test(JSON.stringify(Object.values(distribution)[0] ?? ""));
  return isTime ? "s" : unitOfKey(key);
}
