/**
 * A campaign with every default filled in: plain JSON from which any worker can fly.
 *
 * Its identity is a hash of everything that determines the flights, and of nothing else. Requirements, measures and
 * criteria only judge flights, so they have a separate hash.
 */
import { canonicalJson, type PlainObject, type ResolvedFlight, sha256Hex } from "@escapement/core";
import type { Manifest } from "@escapement/formats";

/** The file in the folder of a run that holds the campaign, so that its flights can be flown again. */
export const CAMPAIGN_FILE = "campaign.json";

/** A varied key and its distribution, as written. */
export interface VariedSpec {
  readonly key: string;
  readonly distribution: PlainObject;
}

/** The kind of a plan, and its settings. */
export type PlanSpec = PlainObject & { readonly kind: string };

/** How flights are judged. Nothing here changes a flight. */
interface Judging {
  readonly requirements: ResolvedFlight["judged"]["requirements"];
  /** The campaign's own measures. */
  readonly measures: readonly { readonly name: string; readonly text: string }[];
  /** Present if flights end as soon as all their requirements are decided. */
  readonly cutWhenDecided?: true;
}

/** The files of single flights to keep after all flights have been flown. */
interface Keep {
  /** Number of the worst flights to fly again and record. */
  readonly recordings: number;
  /** Whether to shrink the worst flight that violates each requirement. */
  readonly shrunk: boolean;
}

/** Which process flies: this program's threads, a child process per flight, or a PX4 that runs by the wall clock. */
export type FlownBy = "threads" | "children" | "sitl";

export interface Campaign {
  readonly manifest: Manifest;
  /** The base flight as a description that names no file. */
  readonly base: PlainObject;
  readonly judging: Judging;
  readonly vary: readonly VariedSpec[];
  readonly plan: PlanSpec;
  readonly flownBy: FlownBy;
  readonly keep: Keep;
}

const IDENTITY_FORMAT = 1;

/** Everything that determines flight k. */
interface IdentityParts {
  /** Hash of the base flight's definition. */
  readonly hash: string;
  readonly base: PlainObject;
  readonly vary: readonly VariedSpec[];
  readonly plan: PlanSpec;
  readonly seed: number;
  readonly seeds: Manifest["seeds"];
}

/** Returns the identity of a campaign: `c1:` and 16 hex digits. */
export function identityOf(parts: IdentityParts): string {
  return `c1:${sha256Hex(canonicalJson({ format: IDENTITY_FORMAT, ...parts })).slice(0, 16)}`;
}

export function judgedHash(judging: Judging): string {
  return sha256Hex(canonicalJson(judging));
}
