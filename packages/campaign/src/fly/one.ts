/**
 * Flies flight k of a campaign and returns its row. Threads, queue workers, child processes and `fly file#k` all use
 * this code, so a number means the same flight everywhere.
 *
 * The row depends only on the campaign, the number and the code. Nothing is recorded, because the flight can be flown
 * again.
 */
import {
  assignedSpec,
  type Assignment,
  type AssignmentBase,
  type FlightResult,
  type Measure,
  mergeAssigned,
  mustResolve,
  parseDurationText,
  parseKeyPath,
  parseMeasure,
  type PlainObject,
  type Registry,
  type Requirement,
  requirement as readRequirement,
  type Resolution,
  resolveFlight,
  Run,
  SimError,
  specOf,
  type Verdict,
} from "@escapement/core";
import type { Row, RowOutcome, RowVerdict, VariedValue } from "@escapement/formats";
import type { Branching, Plan, Search } from "../contracts.ts";
import type { Campaign } from "../spec/campaign.ts";
import { contextOf, makePlan } from "../spec/make-plan.ts";
import type { PlanContext } from "../plans/context.ts";
import { SplittingSearch } from "../splitting/splitting-search.ts";
import { measuresOf } from "./measures.ts";
import { type Checkpoints, flyParticle, type ParticleBranch } from "./particle.ts";

/** Number of boundaries between two checks of whether all requirements are decided: about a second of flight. */
const BOUNDARIES_PER_CHECK = 256;

/** One flight to fly. A search's coordinator sets the point; other plans compute it from the number. */
export interface FlightOrder {
  readonly k: number;
  /** Unit coordinates of the varied keys. */
  readonly point?: readonly number[];
  /** If the flight is a branch: its parent, and the new seeds along its lineage. */
  readonly branch?: Branching;
  /** A checkpoint of the parent at the instant of the branch, if the coordinator has it. */
  readonly from?: Checkpoints[number];
}

interface FlyerOptions {
  readonly registry: Registry;
  /** Flies a flight whose autopilot runs in another process. */
  readonly flyOutside?: (
    resolved: NonNullable<Resolution["resolved"]>,
    options: { readonly k: number; readonly measures: readonly Measure[] },
  ) => Promise<FlightResult>;
  /**
   * Whether an error means that the process of the flight was lost, so that there is no row. Such errors are thrown.
   */
  readonly isLost?: (error: SimError) => boolean;
}

/** The description of one flight of the campaign, and the varied values in it. */
interface NumberedFlight {
  readonly spec: PlainObject;
  /** The values as in the row: times are in seconds. */
  readonly varied: readonly VariedValue[];
  readonly weight?: number;
}

export class CampaignFlyer {
  readonly plan: Plan | Search;
  private readonly campaign: Campaign;
  private readonly options: FlyerOptions;
  private readonly context: PlanContext;
  private readonly point: Float64Array;
  private readonly paths: readonly Assignment["path"][];
  private readonly measures: readonly Measure[];
  /** The requirements, read once for all flights. */
  private readonly requirements: readonly Requirement[];
  private filled: PlainObject | undefined;

  constructor(campaign: Campaign, options: FlyerOptions) {
    this.campaign = campaign;
    this.options = options;
    this.context = contextOf(campaign);
    this.plan = makePlan(campaign.plan, this.context, campaign.manifest.requirements);
    this.point = new Float64Array(campaign.vary.length);
    this.measures = campaign.judging.measures.map(({ name, text }) => parseMeasure(text, name));
    this.requirements = campaign.judging.requirements.map(({ text, ...options }) => readRequirement(text, options));
    this.paths = campaign.vary.map(({ key }) => parseKeyPath(key)!);
  }

  /** Returns the description of a flight; it names no other file. */
  flight(order: FlightOrder): NumberedFlight {
    const { plan, campaign } = this;
    const { k } = order;
    const values = this.valuesAt(order);
    const seed = plan.seedOf(order.branch?.root ?? k);
    const weight = plan.weightOf?.(k);
    const assignments = [
      ...(seed === undefined ? [] : [{ path: ["seed"], value: seed }]),
      ...(plan.sideOf?.(k) === 1 ? this.against() : []),
      ...values.map((value, i) => ({ path: this.paths[i]!, value })),
    ];
    const base: AssignmentBase = { spec: campaign.base, filled: undefined };
    const above = assignedSpec(assignments, () => ({ ...base, filled: this.filledBase() }), fileOf(campaign, k));
    const { requirements } = campaign.judging;
    const spec = this.withReseeds(mergeAssigned(campaign.base, above), order.branch);
    return {
      spec: requirements.length === 0 ? spec : { ...spec, requirements },
      varied: values.map(timesInSeconds),
      ...(weight === undefined ? {} : { weight }),
    };
  }

  /** Resolves a flight. Errors are in the result. */
  resolve(flight: NumberedFlight, k: number): Resolution {
    return resolveFlight({ file: fileOf(this.campaign, k), spec: flight.spec }, this.options.registry);
  }

  /**
   * Flies a flight. Failures that the flight causes are reported in its row. `onCheckpoints` gets the checkpoints from
   * which other flights can branch.
   */
  async fly(order: FlightOrder, onCheckpoints?: (checkpoints: Checkpoints) => void): Promise<Row> {
    const { k } = order;
    const numbered = this.attemptFlight(order);
    if (numbered instanceof SimError) return withoutFlight(k, "refused", firstLine(numbered.what), []);
    const { varied, weight } = numbered;
    const resolution = this.resolveToFly(numbered, k);
    const { resolved } = resolution;
    if (resolved === undefined) return this.refusedRow(numbered, k, resolution.errors[0]!);
    const hash = resolved.hash.slice(0, 16);
    try {
      const { result, failure, isCut = false, rises, checkpoints } = await this.result(resolution, order);
      if (failure !== undefined && this.isRefused(numbered, k)) return this.refusedRow(numbered, k, failure);
      if (checkpoints !== undefined) onCheckpoints?.(checkpoints);
      return {
        k,
        hash,
        fingerprint: result.fingerprint,
        outcome: isCut ? "cut" : result.outcome,
        reason: isCut ? "every requirement was decided" : result.reason,
        endUs: result.end.endUs,
        varied,
        verdicts: result.verdicts.map(asRowVerdict),
        measures: [...measuresOf(result.extremes), ...result.measures.map(({ value }) => value)],
        ...(this.campaign.flownBy === "sitl" ? { isRepeatable: false } : {}),
        ...(weight === undefined ? {} : { weight }),
        ...(rises === undefined ? {} : { rises }),
      };
    } catch (error) {
      if (error instanceof SimError && this.options.isLost?.(error) === true) throw error;
      if (error instanceof SimError && this.isRefused(numbered, k)) return this.refusedRow(numbered, k, error);
      const reason = error instanceof SimError ? reasonOf(error) : `a part threw ${String(error)}`;
      return { ...withoutFlight(k, "failed", firstLine(reason), varied), hash };
    }
  }

  /**
   * Resolves a flight that is flown immediately afterwards. Assembly builds its parts and parses its requirements, so
   * resolution does not check them. If assembly finds an error, `refusedRow` resolves the flight completely and reports
   * it.
   */
  private resolveToFly(numbered: NumberedFlight, k: number): Resolution {
    if (!this.isAssembledHere()) return this.resolve(numbered, k);
    const { requirements: _read, ...spec } = numbered.spec;
    return resolveFlight({ file: fileOf(this.campaign, k), spec }, this.options.registry, undefined, undefined, true);
  }

  /** Whether `result` assembles the flights itself, and so detects errors that `resolveToFly` does not check. */
  private isAssembledHere(): boolean {
    return this.campaign.flownBy === "threads" && !(this.plan instanceof SplittingSearch);
  }

  /** Whether the complete resolution of a flight has errors. */
  private isRefused(numbered: NumberedFlight, k: number): boolean {
    return this.isAssembledHere() && this.resolve(numbered, k).resolved === undefined;
  }

  /** Returns the row of a flight that cannot be flown, with the first error of its complete resolution. */
  private refusedRow(numbered: NumberedFlight, k: number, found: SimError): Row {
    const [first = found] = this.resolve(numbered, k).errors;
    return withoutFlight(k, "refused", reasonOf(first), numbered.varied);
  }

  private async result(
    { resolved, plant }: Resolution,
    order: FlightOrder,
  ): Promise<{
    result: FlightResult;
    failure?: SimError;
    isCut?: boolean;
    rises?: Row["rises"];
    checkpoints?: Checkpoints;
  }> {
    const { registry, flyOutside } = this.options;
    const { plan, measures, requirements: require } = this;
    if (this.campaign.flownBy !== "threads") {
      return { result: await flyOutside!(resolved!, { k: order.k, measures }) };
    }
    // The fingerprint needs only the plant's digest; computing a digest per writer would take time.
    const options = { registry, fingerprint: "plant", measures } as const;
    if (plan instanceof SplittingSearch) {
      const { requirement, checkPeriodS } = plan;
      return flyParticle(resolved!, { ...options, requirement, checkPeriodS, branch: this.branching(order) });
    }
    if (this.campaign.judging.cutWhenDecided === true) {
      return new Run(resolved!, { ...options, plant, require, yieldEvery: BOUNDARIES_PER_CHECK }).toDecisionNow();
    }
    return new Run(resolved!, { ...options, plant, require }).toEndNow();
  }

  /** Returns the branch that an order describes, with its parent resolved. */
  private branching(order: FlightOrder): ParticleBranch | undefined {
    const { branch, from } = order;
    if (branch === undefined) return undefined;
    const { atUs } = branch.reseeds.at(-1)!;
    if (from === undefined) return { atUs };
    const parent = this.flight({ ...order, branch: { ...branch, reseeds: branch.reseeds.slice(0, -1) } });
    return { atUs, checkpoint: { of: mustResolve(this.resolve(parent, branch.parent)), from } };
  }

  /** Adds the `reseed` events of a branch to the description of a flight. */
  private withReseeds(spec: PlainObject, branch: Branching | undefined): PlainObject {
    if (branch === undefined || branch.reseeds.length === 0) return spec;
    const events = (spec["scenario"] ?? this.filledBase()?.["scenario"] ?? []) as readonly PlainObject[];
    return {
      ...spec,
      scenario: [...events, ...branch.reseeds.map(({ atUs, seed }) => ({ atS: atUs / 1e6, reseed: { seed } }))],
    };
  }

  private attemptFlight(order: FlightOrder): NumberedFlight | SimError {
    try {
      return this.flight(order);
    } catch (error) {
      if (error instanceof SimError) return error;
      throw error;
    }
  }

  private valuesAt({ k, point }: FlightOrder): VariedValue[] {
    if (point === undefined) this.plan.pointInto(k, this.point);
    else this.point.set(point);
    return this.context.vary.map(({ distribution }, i) => distribution.valueAt(this.point[i]!));
  }

  /** Returns the assignments of the second flight of a pair. */
  private against(): Assignment[] {
    const table = this.campaign.plan["against"] as PlainObject;
    return Object.entries(table).map(([key, value]) => ({ path: parseKeyPath(key)!, value }));
  }

  /** Returns the base flight with every default, for keys inside lists that its description does not contain. */
  private filledBase(): PlainObject | undefined {
    const { campaign, options } = this;
    if (this.filled === undefined) {
      const { resolved } = resolveFlight({ file: campaign.manifest.name, spec: campaign.base }, options.registry);
      if (resolved !== undefined) this.filled = specOf(resolved.definition);
    }
    return this.filled;
  }
}

/** Returns the row of a flight that has no result. */
export function withoutFlight(
  k: number,
  outcome: Extract<RowOutcome, "refused" | "poisoned" | "failed">,
  reason: string,
  varied: readonly VariedValue[],
): Row {
  return { k, hash: "", fingerprint: "", outcome, reason, endUs: 0, varied, verdicts: [], measures: [] };
}

function asRowVerdict({ verdict, low, high, scaledLow, scaledHigh, binding }: Verdict): RowVerdict {
  return { verdict, low, high, scaledLow, scaledHigh, binding: binding ?? null };
}

function fileOf({ manifest: { file, identity } }: Campaign, k: number): string {
  return `${file === "" ? identity : file}#${k}`;
}

function reasonOf({ code, what, where }: SimError): string {
  return firstLine(`${code} ${where.key === undefined ? "" : `${where.key}: `}${what}`);
}

function firstLine(text: string): string {
  return text.split("\n")[0]!;
}

/** Converts times with a unit to seconds, so that they can be plotted and compared. */
function timesInSeconds(value: VariedValue): VariedValue {
  return typeof value === "string" ? (parseDurationText(value, "with unit") ?? value) : value;
}
