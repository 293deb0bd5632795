/**
 * A flight as plain data: the definition holds everything that can change the result; the settings hold the rest.
 *
 * The definition (models with their versions, timeline, seed, mission, scenario) is hashed and embedded in recordings.
 * It holds no date, host name or path. Output files and similar settings are not hashed.
 */
import type { ParamsOf, PlainObject } from "../../params/index.ts";
import type { Vehicle } from "../../multirotor/vehicle.ts";
import { canonicalJson } from "./canonical.ts";
import type { JudgedPart } from "../sections/judged-spec.ts";
import type { ResolvedMission } from "../sections/mission-spec.ts";
import type { ResolvedEvent } from "../sections/scenario-spec.ts";
import { sha256Hex } from "./sha256.ts";
import type { environmentTable, outputsTable, timelineTable } from "../spec/tables.ts";

export const FLOWN_FORMAT = 1;

/** A kind from the registry, with its version and all its parameters. */
export type ChosenKind = { readonly kind: string; readonly version: number; readonly params: PlainObject };

/**
 * The placeholder in a definition for a part that was passed as a bare function. The flight can run, but the part
 * cannot be rebuilt from a recording of the flight.
 */
export const BARE_FUNCTION: ChosenKind = { kind: "function", version: 0, params: {} };

/** Everything that determines the flight, as plain JSON with every default filled in. */
export interface FlightDefinition {
  readonly format: number;
  readonly name: string;
  readonly seed: number;
  readonly vehicle: Vehicle;
  readonly environment: ParamsOf<typeof environmentTable> & {
    readonly atmosphere: ChosenKind;
    readonly gravity: ChosenKind;
  };
  readonly timeline: ParamsOf<typeof timelineTable>;
  readonly wind: ChosenKind;
  readonly integrator: ChosenKind;
  readonly estimator: ChosenKind;
  readonly sensors: readonly ChosenKind[];
  readonly autopilot: ChosenKind & { readonly parameters: Readonly<Record<string, number>> };
  readonly mission: ResolvedMission | null;
  readonly scenario: readonly ResolvedEvent[];
  readonly commandPolicy: "strict" | "clamp";
}

/** Settings of a run. None of them changes any bit of the result. */
export interface RunSettings {
  readonly about: string;
  /** Name of the vehicle in the description. */
  readonly vehicle: string;
  /** The descriptions that contribute events to the scenario, in order, with the number of events of each. */
  readonly eventsFrom: readonly { readonly file: string; readonly events: number }[];
  readonly outputs: ParamsOf<typeof outputsTable>;
}

/** A checked description: its definition, its hash, its run settings, and how it is judged. */
export interface ResolvedFlight {
  readonly definition: FlightDefinition;
  readonly settings: RunSettings;
  readonly judged: JudgedPart;
  /** SHA-256 of the canonical text of the definition. */
  readonly hash: string;
}

export function hashOf(definition: FlightDefinition): string {
  return sha256Hex(canonicalJson(definition));
}
