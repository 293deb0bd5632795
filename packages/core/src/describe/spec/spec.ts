/**
 * The TypeScript type of a flight description: the same keys as in a file, all of them optional.
 *
 * Types derive from the parameter tables and from the built-in kinds, flights and vehicles. An editor therefore
 * completes the names that `resolve` accepts, and the compiler rejects a misspelled kind, name or parameter. Two
 * functions bypass that check. `ofKind` is for user-defined kinds; it checks parameters against the kind's own table.
 * `unchecked` is for names that are not known at compile time, e.g. a path in a variable.
 */
import type { autopilotKinds, PARAMETER_TABLE } from "../../autopilot/index.ts";
import type { integratorKinds } from "../../integrate/index.ts";
import type { State } from "../../multirotor/memory.ts";
import type { vehicleTable } from "../../multirotor/vehicle.ts";
import type { Kind, ParamsOf, ParamTable } from "../../params/index.ts";
import type { estimatorKinds } from "../../sources/estimator/index.ts";
import type { SignalName } from "../../signals/table.ts";
import type { ACTIONS, ActionName } from "../../sources/scenario/index.ts";
import type { BuiltInSensor } from "../../sources/sensors/index.ts";
import type { windKinds } from "../../sources/wind/index.ts";
import type { atmosphereKinds } from "../../world/atmosphere/index.ts";
import type { gravityKinds } from "../../world/gravity/index.ts";
import type { geodeticGoto } from "../sections/goto-spec.ts";
import type { builtInFlights } from "../flights/index.ts";
import type { PlainItem } from "../sections/mission-spec.ts";
import type { fenceTable, ITEM_WORDS, positionTable } from "./mission-tables.ts";
import type {
  environmentTable,
  generalTable,
  missionTiming,
  outputsTable,
  stopTable,
  timelineTable,
  requirementTable,
} from "./tables.ts";
import type { TOP_KEYS } from "./flight-keys.ts";
import type { BuiltInVehicle } from "../vehicles/index.ts";

/** The keys of a parameter table, all optional: `resolve` fills in the defaults. */
type SpecOf<T extends ParamTable> = { readonly [K in keyof T]?: DeepPartial<ParamsOf<T>[K]> };

/** Makes the keys of tables optional, including those of tables within tables and in lists. */
type DeepPartial<Value> = Value extends readonly (infer Entry)[]
  ? readonly DeepPartial<Entry>[]
  : Value extends object
    ? { readonly [K in keyof Value]?: DeepPartial<Value[K]> }
    : Value;

declare const isUnchecked: unique symbol;

/** A part of a description that `unchecked` or `ofKind` has exempted from the compiler's check of names. */
export interface Unchecked {
  readonly [isUnchecked]: true;
}

/**
 * Exempts a name or a table from the compiler's check: a path in a variable, a flight or vehicle of a custom registry,
 * a signal of a custom plant. `resolve` still checks it.
 */
export function unchecked(given: string | { readonly [key: string]: unknown }): Unchecked {
  return given as unknown as Unchecked;
}

/** Returns a custom kind with its parameters, checked against its own table: `wind: ofKind(thermal, { upMps: 4 })`. */
export function ofKind<T extends ParamTable>(
  kind: { readonly name: string; readonly params: T },
  params: SpecOf<T> = {},
): Unchecked {
  return unchecked({ ...params, kind: kind.name });
}

type AnyKind = Kind<unknown, never>;
type NameOf<K extends AnyKind> = K["name"];
/** This is a single mapped type: with an intersection, a kind without parameters would also accept any string. */
type ParamsSpec<K extends AnyKind> = K extends AnyKind
  ? {
      readonly [P in "kind" | keyof K["params"]]?: P extends "kind" ? K["name"] : DeepPartial<ParamsOf<K["params"]>[P]>;
    }
  : never;

/**
 * A built-in kind: its name, or a table of its parameters. A table without `kind` sets parameters of the inherited
 * kind.
 */
type KindSpec<K extends AnyKind> = NameOf<K> | ParamsSpec<K> | Unchecked;

/** A path of a file: it has a suffix or a folder. */
export type FilePath = `${string}.${string}` | `${string}/${string}` | `${string}\\${string}`;

/** A flight that a description may extend: a built-in one, or a file. */
export type FlightName = keyof typeof builtInFlights | FilePath | Unchecked;
/** A vehicle that a description may name: a built-in one, or a file. */
export type VehicleName = BuiltInVehicle | FilePath | Unchecked;

/** The series that a recorded flight holds: signals, blocks of the state, or the whole state. */
export type RecordedName = SignalName | keyof State | "state" | Unchecked;

/** A vehicle in a description. Omitted keys come from the vehicle that it extends. */
export type VehicleDescription = SpecOf<typeof vehicleTable> & {
  readonly extends?: VehicleName;
  readonly about?: string;
};

/** An item with MAVLink's numbers. */
type NumberedItem = Pick<PlainItem, "command"> & Partial<PlainItem>;

/** An item written as a word of `ITEM_WORDS`, e.g. `{ waypoint: { northM: 20, altitudeM: 10 } }`. */
type WordedItem = {
  readonly [W in keyof typeof ITEM_WORDS]?: true | SpecOf<(typeof ITEM_WORDS)[W]["table"]>;
};

/** A mission in a description: items, home, fence and rally points, or a file. */
export type MissionDescription = SpecOf<typeof missionTiming> & {
  readonly file?: string;
  readonly items?: readonly (NumberedItem | WordedItem)[];
  readonly home?: SpecOf<typeof positionTable>;
  readonly fence?: SpecOf<typeof fenceTable>;
  readonly rally?: readonly SpecOf<typeof positionTable>[];
};

interface EventTiming {
  readonly at?: string;
  readonly atS?: number;
  readonly step?: number;
  readonly when?: string;
  readonly for?: string;
  readonly forS?: number;
  readonly from?: string;
  readonly fromS?: number;
  readonly holdS?: number;
  readonly after?: string;
  readonly afterS?: number;
  readonly repeats?: boolean;
  readonly hysteresis?: number;
  readonly snap?: "autopilot";
  /** Unique in the flight. */
  readonly name?: string;
  /** A sentence, shown wherever the event is listed. */
  readonly note?: string;
}

/** The settings that an event may change in flight, written like the section of the flight itself. */
interface SettingDescriptions {
  readonly wind?: KindSpec<(typeof windKinds)[number]>;
  readonly estimator?: KindSpec<(typeof estimatorKinds)[number]>;
  readonly integrator?: KindSpec<(typeof integratorKinds)[number]>;
  readonly sensor?: SensorChange<BuiltInSensor> | Unchecked;
  readonly vehicle?: Omit<SpecOf<typeof vehicleTable>, "initial"> | Unchecked;
}

/** One sensor, named by its kind. */
type SensorChange<K extends AnyKind> = K extends AnyKind ? { readonly kind: K["name"] } & SpecOf<K["params"]> : never;

/** An event with one trigger and one action. */
export type EventDescription = EventTiming &
  SettingDescriptions & {
    readonly [A in Exclude<ActionName, keyof SettingDescriptions | "goto">]?:
      | true
      | SpecOf<(typeof ACTIONS)[A]["params"]>;
  } & { readonly goto?: SpecOf<typeof ACTIONS.goto.params> | SpecOf<typeof geodeticGoto> };

/** Raw sensors by name: on, off, or on with these parameters. */
type SensorsDescription = {
  readonly [K in BuiltInSensor as K["name"]]?: boolean | SpecOf<K["params"]>;
};

/** The PX4 parameters of the embedded autopilot. Names of rotor parameters depend on the number of rotors. */
type EmbeddedParameters = { readonly [K in keyof typeof PARAMETER_TABLE | `CA_ROTOR${string}`]?: number };

interface WithParameters<Parameters> {
  readonly parameters?: Parameters;
  readonly parametersFile?: string;
}

type BuiltInAutopilot = (typeof autopilotKinds)[number];
type AutopilotSpec =
  | NameOf<BuiltInAutopilot>
  | (ParamsSpec<BuiltInAutopilot> & WithParameters<EmbeddedParameters>)
  | Unchecked;

/** An external autopilot: its name, or a table with its name. The autopilot checks the PX4 parameters itself. */
export type ExternalAutopilotSpec<K extends AnyKind> =
  | NameOf<K>
  | (K extends AnyKind
      ? { readonly kind: K["name"] } & SpecOf<K["params"]> & WithParameters<{ readonly [name: string]: number }>
      : never);

/** A requirement with its name, severity, and whether its event must occur. */
type RequirementSpec = SpecOf<typeof requirementTable>;

/** Keys that `replace` may list. */
type TopKey = Exclude<(typeof TOP_KEYS)[number], "extends" | "replace"> | keyof typeof generalTable;

/** A flight description. `External` adds the specs of external autopilots. */
export type FlightSpec<External = never> = SpecOf<typeof generalTable> & {
  /** Built-ins by name, files by path. Later entries override earlier ones. */
  readonly extends?: FlightName | readonly FlightName[];
  /** Keys of this description that replace everything that the extended flights set for them, e.g. `scenario`. */
  readonly replace?: TopKey | readonly TopKey[];
  readonly vehicle?: VehicleName | VehicleDescription;
  readonly environment?: SpecOf<typeof environmentTable> & {
    readonly atmosphere?: KindSpec<(typeof atmosphereKinds)[number]>;
    readonly gravity?: KindSpec<(typeof gravityKinds)[number]>;
  };
  readonly timeline?: SpecOf<typeof timelineTable>;
  readonly wind?: KindSpec<(typeof windKinds)[number]>;
  readonly integrator?: KindSpec<(typeof integratorKinds)[number]>;
  readonly estimator?: KindSpec<(typeof estimatorKinds)[number]>;
  readonly sensors?: SensorsDescription | Unchecked;
  readonly autopilot?: AutopilotSpec | External;
  /** The path of a file, or the mission itself. */
  readonly mission?: FilePath | Unchecked | MissionDescription;
  readonly scenario?: readonly EventDescription[];
  readonly stop?: SpecOf<typeof stopTable>;
  /** Requirements that the flight must meet, e.g. `never tilt > 60 deg`. They change no bit of the flight. */
  readonly requirements?: readonly (string | RequirementSpec)[];
  /** Requirements in addition to those of the extended flights. */
  readonly alsoRequire?: readonly (string | RequirementSpec)[];
  readonly outputs?: SpecOf<typeof outputsTable>;
};
