/**
 * The TypeScript type of a campaign, with the same keys as in a file. The types of plans are derived from their
 * parameter tables.
 */
import type { ParamsOf } from "@escapement/core";
import type { PLAN_TABLES, PlanKind } from "./tables.ts";

/** A number, or a time with its unit: "10 s". */
type Quantity = number | string;
type Range = readonly [from: Quantity, to: Quantity];

/** How a key of the flight varies. */
export type CampaignDistribution =
  | { readonly uniform: Range }
  | { readonly "log-uniform": Range }
  | { readonly triangular: readonly [from: Quantity, mostLikely: Quantity, to: Quantity] }
  | { readonly normal: { readonly mean: Quantity; readonly sigma: Quantity }; readonly within?: Range }
  | { readonly "log-normal": { readonly median: Quantity; readonly factor: number }; readonly within?: Range }
  | { readonly integers: readonly [from: number, to: number] }
  | { readonly choice: readonly (number | string | boolean)[]; readonly weights?: readonly number[] }
  | { readonly list: readonly (number | string | boolean)[] };

/** Keys of the flight with their values. */
type Settings = Readonly<Record<string, unknown>>;

interface PlanExtras {
  readonly pairs: { readonly against: Settings };
  readonly importance: { readonly shift?: Readonly<Record<string, number | string>> };
}

type PlanOf<K extends PlanKind> = { readonly kind: K } & Partial<ParamsOf<(typeof PLAN_TABLES)[K]>> &
  (K extends keyof PlanExtras ? PlanExtras[K] : unknown);

/** The kind of a plan with its settings: `{ kind: "sobol", flights: 256 }`. */
export type CampaignPlan = { [K in PlanKind]: PlanOf<K> }[PlanKind];

interface CampaignRequirement {
  readonly text: string;
  readonly name?: string;
  readonly severity?: "error" | "warning";
  readonly mustOccur?: boolean;
}

/** A campaign as an object, with the keys of a campaign file. */
export interface CampaignSpec<Flight> {
  readonly name?: string;
  readonly about?: string;
  /** The base flight: a built-in's name, a file, or a description. */
  readonly flight: string | Flight;
  /** Seed of the plan. */
  readonly seed?: number;
  readonly seeds?: "per-flight" | "common";
  /** Ends a flight once nothing can change the verdict of any requirement. */
  readonly cutWhenDecided?: boolean;
  readonly plan: CampaignPlan;
  /** Keys of the flight, e.g. `wind.w20Mps` or `scenario.engineOut.at`. */
  readonly vary?: Readonly<Record<string, CampaignDistribution>>;
  /** Requirements that judge every flight, in addition to those of the base flight. */
  readonly requirements?: readonly (string | CampaignRequirement)[];
  /** Numbers of a flight by name, e.g. `{ settling: "first time (for 2 s: altitude > 9 m and positionError < 50 cm)" }`. */
  readonly measures?: Readonly<Record<string, string>>;
  /** Statements about all flights. */
  readonly criteria?: readonly string[];
  readonly keep?: { readonly recordings?: number; readonly shrunk?: boolean };
}
