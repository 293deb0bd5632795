/**
 * A flight description as TypeScript knows it: the same keys as in a file, all of them optional.
 *
 * Made from the tables by types alone, so that an editor completes what `resolve` accepts. Kinds of the registry keep
 * their parameters to themselves; `resolve` checks those.
 */
import type { Param, ParamTable } from "../params/index.ts";
import type { vehicleTable } from "../multirotor/vehicle.ts";
import type { ACTIONS, ActionName } from "../sources/scenario/index.ts";
import type { fenceTable, ITEM_WORDS, positionTable } from "./mission-tables.ts";
import type {
  environmentTable,
  generalTable,
  missionTiming,
  outputsTable,
  stopTable,
  timelineTable,
} from "./tables.ts";

/** What a person may write for a parameter. */
type SpecValue<P extends Param> = P extends { type: "number" | "duration" }
  ? number
  : P extends { type: "boolean" }
    ? boolean
    : P extends { type: "choice"; options: readonly (infer O)[] }
      ? O
      : P extends { type: "text" }
        ? string
        : P extends { type: "texts" }
          ? readonly string[]
          : P extends { type: "vector" | "list" }
            ? readonly number[]
            : P extends { type: "section"; table: infer T extends ParamTable }
              ? SpecOf<T>
              : P extends { type: "sections"; table: infer T extends ParamTable }
                ? readonly SpecOf<T>[]
                : never;

/** A table with gaps: what is left out is filled by `resolve`. */
export type SpecOf<T extends ParamTable> = { readonly [K in keyof T]?: SpecValue<T[K]> };

/** A kind by name, or by name and parameters. */
export type KindSpec = string | { readonly kind?: string; readonly [parameter: string]: unknown };

export type VehicleDescription = SpecOf<typeof vehicleTable> & { readonly extends?: string | readonly string[] };

/** An item by MAVLink's numbers. */
export interface NumberedItem {
  readonly command: number;
  readonly frame?: "relative" | "amsl" | "mission";
  readonly p1?: number | null;
  readonly p2?: number | null;
  readonly p3?: number | null;
  readonly p4?: number | null;
  readonly latDeg?: number | null;
  readonly lonDeg?: number | null;
  readonly altM?: number | null;
  readonly autoContinue?: boolean;
}

/** An item by one of the words, e.g. `{ waypoint: { northM: 20, altitudeM: 10 } }`. */
export type WordedItem = {
  readonly [W in keyof typeof ITEM_WORDS]?: true | SpecOf<(typeof ITEM_WORDS)[W]["table"]>;
};

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
  readonly holdS?: number;
  readonly after?: string;
  readonly afterS?: number;
  readonly repeats?: boolean;
  readonly hysteresis?: number;
  readonly snap?: "autopilot";
}

/** One trigger, one action. */
export type EventDescription = EventTiming & {
  readonly [A in ActionName]?: true | SpecOf<(typeof ACTIONS)[A]["params"]>;
};

export type FlightSpec = SpecOf<typeof generalTable> & {
  /** Built-ins by name, files by path; later ones override earlier ones. */
  readonly extends?: string | readonly string[];
  readonly vehicle?: string | VehicleDescription;
  readonly environment?: SpecOf<typeof environmentTable> & {
    readonly atmosphere?: KindSpec;
    readonly gravity?: KindSpec;
  };
  readonly timeline?: SpecOf<typeof timelineTable>;
  readonly wind?: KindSpec;
  readonly integrator?: KindSpec;
  readonly estimator?: KindSpec;
  readonly sensors?: { readonly [sensor: string]: boolean | { readonly [parameter: string]: unknown } };
  readonly autopilot?: KindSpec;
  /** A file by path, or the mission itself. */
  readonly mission?: string | MissionDescription;
  readonly scenario?: readonly EventDescription[];
  readonly stop?: SpecOf<typeof stopTable>;
  readonly outputs?: SpecOf<typeof outputsTable>;
};
