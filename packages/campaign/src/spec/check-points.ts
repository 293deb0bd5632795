/**
 * Resolves the ends of all ranges and the first flights before anything is flown, so that a range with invalid values
 * is reported at the start and not hours later.
 */
import {
  assignedSpec,
  type AssignmentBase,
  mergeAssigned,
  parseKeyPath,
  type Registry,
  resolveFlight,
  SimError,
} from "@escapement/core";
import { CampaignFlyer } from "../fly/one.ts";
import type { PlanContext } from "../plans/context.ts";
import { readDistribution } from "../vary/distributions.ts";
import { selfContained } from "./base-flight.ts";
import type { Campaign, VariedSpec } from "./campaign.ts";
import { campaignErrors } from "./errors.ts";
import { isSearch, maxFlights } from "./make-plan.ts";

/** A base flight, and the keys that vary in it. Their distributions are valid. */
interface VariedFlight {
  /** Name of the campaign in errors. */
  readonly file: string;
  readonly base: AssignmentBase;
  readonly vary: readonly VariedSpec[];
}

type VariedKey = PlanContext["vary"][number];

/**
 * Returns an error for each key that the flight does not have, and for each key whose middle or end is invalid while
 * the other keys are in the middle of their ranges. The plan is not needed, so the errors are found even if the plan
 * has errors.
 */
export function keyErrors(flight: VariedFlight, registry: Registry): SimError[] {
  const { file } = flight;
  const middles = new Middles(flight, registry);
  const all = flight.vary.map(({ key, distribution }) => ({ key, distribution: readDistribution(distribution, key) }));
  const at = ({ key, distribution }: VariedKey, u: number, cause: SimError) =>
    pointError(file, key, `${key} = ${String(distribution.valueAt(u))}`, cause);

  const absent = all.flatMap((varied) => middles.assignmentErrors(varied).map((error) => ({ varied, error })));
  const present = all.filter((varied) => !absent.some((found) => found.varied === varied));
  const found = middles.errors(present);
  const invalid = present.flatMap((varied) => {
    const error = found.find(({ where }) => isAt(where.key, varied.key));
    return error === undefined ? [] : [{ varied, error }];
  });
  const errors = [...absent, ...invalid].map(({ varied, error }) => at(varied, 0.5, error));
  if (found.length > 0 && invalid.length === 0) {
    errors.push(pointError(file, undefined, "every key in the middle of its range", found[0]!));
  }

  // A key may need another one: wind.w20Mps needs the kind of wind that wind.kind names.
  const rest = present.filter((varied) => !invalid.some((other) => other.varied === varied));
  if (found.length > 0 && (invalid.length === 0 || middles.errors(rest).length > 0)) return errors;
  const ends = rest.flatMap((varied) => {
    for (const u of endsOf(varied.distribution.kind)) {
      const [error] = middles.errors(rest, { varied, u });
      if (error !== undefined) return [at(varied, u, error)];
    }
    return [];
  });
  return [...errors, ...ends];
}

/** Returns an error for the first invalid flight of those that the plan flies first. */
export function firstFlightErrors(campaign: Campaign, registry: Registry, flights: number): SimError[] {
  const flyer = new CampaignFlyer(campaign, { registry });
  if (isSearch(flyer.plan)) return [];
  const { file } = campaign.manifest;
  for (let k = 0; k < Math.min(flights, maxFlights(flyer.plan)); k += 1) {
    const [error] = errorsOf(() => flyer.resolve(flyer.flight({ k }), k).errors);
    if (error === undefined) continue;
    const varied = campaign.vary.find(({ key }) => isAt(error.where.key, key));
    return [pointError(file, varied?.key, `flight ${k}`, error)];
  }
  return [];
}

/** Flights in which the varied keys are in the middle of their ranges. */
class Middles {
  private readonly file: string;
  private readonly base: AssignmentBase;
  private readonly registry: Registry;

  constructor({ file, base }: VariedFlight, registry: Registry) {
    this.file = file;
    this.base = { spec: selfContained(base), filled: base.filled };
    this.registry = registry;
  }

  /**
   * Returns the errors of the flight in which these keys are in the middle of their ranges. If `other` is given, its
   * key is at coordinate `u` instead.
   */
  errors(keys: readonly VariedKey[], other?: { readonly varied: VariedKey; readonly u: number }): readonly SimError[] {
    return errorsOf(() => {
      const layer = this.layer(keys.map((varied) => [varied, varied === other?.varied ? other.u : 0.5] as const));
      const spec = mergeAssigned(this.base.spec, layer);
      return resolveFlight({ file: this.file, spec }, this.registry).errors;
    });
  }

  /** Returns the error of a key that reaches into a list which the flight does not have. */
  assignmentErrors(varied: VariedKey): readonly SimError[] {
    return errorsOf(() => {
      this.layer([[varied, 0.5]]);
      return [];
    });
  }

  private layer(points: readonly (readonly [varied: VariedKey, u: number])[]): ReturnType<typeof assignedSpec> {
    const assignments = points.map(([{ key, distribution }, u]) => ({
      path: parseKeyPath(key)!,
      value: distribution.valueAt(u),
    }));
    return assignedSpec(assignments, () => this.base, this.file);
  }
}

/**
 * Returns the unit coordinates of the ends of a distribution. A normal distribution has no ends, so it is tried at ±3σ.
 */
function endsOf(kind: string): readonly number[] {
  return kind.endsWith("normal") ? [0.00135, 0.99865] : [0, 1 - 2 ** -53];
}

/** Whether an error names a varied key, or a part of its value. */
function isAt(named: string | undefined, key: string): boolean {
  return named === key || named?.startsWith(`${key}.`) === true || named?.startsWith(`${key}[`) === true;
}

function errorsOf(resolve: () => readonly SimError[]): readonly SimError[] {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof SimError) return [error];
    throw error;
  }
}

function pointError(file: string, key: string | undefined, which: string, cause: SimError): SimError {
  const { code, what, where, fix } = cause;
  const at = where.key === undefined ? "" : `${where.key}: `;
  return campaignErrors.pointRefused({
    what: `${which} makes no valid flight: ${code} ${at}${what}`,
    where: { file, key: key === undefined ? "vary" : `vary.${key}` },
    fix,
  });
}
