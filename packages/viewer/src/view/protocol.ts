/**
 * Types of the messages between the page and its workers.
 *
 * The page numbers the flights, so that it can show a flight before the worker has received it, and can send all
 * flights again to a new worker. A question has a `seq`; its answer or rejection has the same `seq`. Arrays are copied,
 * never transferred, because detached buffers slow the engine down, and the page would lose the rows that it shows. The
 * file is long because both sides must agree on every message.
 */
import type {
  ActionName,
  Column,
  FingerprintDigests,
  FlightDefinition,
  FlightEvent,
  FlightExtremes,
  OutcomeKind,
  PlainObject,
  Where,
} from "@escapement/core";

/** Number of a flight, given by the page. */
export type FlightId = number;

/** Files that a description names, by path. */
export type FileMap = Readonly<Record<string, Uint8Array>>;

/** One event of a scenario, as a description writes it. */
export type EventSpec = PlainObject;

/**
 * The changes that a branch makes to its parent's text. Indices number the events that the text itself lists, from 0.
 */
export type TextEdit =
  | { readonly kind: "add"; readonly events: readonly EventSpec[] }
  | { readonly kind: "replace"; readonly index: number; readonly event: EventSpec }
  | { readonly kind: "remove"; readonly index: number }
  | { readonly kind: "text"; readonly text: string; readonly files: FileMap };

/** Positions of the pilot's sticks, −1 to 1: roll, pitch, yaw, throttle. */
export type StickPositions = readonly [roll: number, pitch: number, yaw: number, throttle: number];

/** A movement of the sticks at a tick of the autopilot. */
export interface StickMove {
  readonly tUs: number;
  readonly sticks: StickPositions;
}

/** A span of flight time. */
export interface TimeSpan {
  readonly fromUs: number;
  readonly toUs: number;
}

export type SaveFormat = "recording" | "csv" | "toml";

/** Requests columns that the page does not hold, at every row up to a time, including rows that a branch shares. */
interface ColumnsQuestion {
  readonly do: "columns";
  readonly seq: number;
  readonly id: FlightId;
  readonly columns: readonly number[];
  readonly untilUs: number;
}

/** Messages to the worker that flies. */
export type ToEngine =
  /** Opens a flight from a description in TOML or JSON. */
  | {
      readonly do: "open";
      readonly seq: number;
      readonly id: FlightId;
      readonly text: string;
      readonly files: FileMap;
      readonly name: string;
    }
  /**
   * Makes a flight that differs from its parent after some instant. It continues from the parent's memory if possible.
   */
  | {
      readonly do: "branch";
      readonly seq: number;
      readonly id: FlightId;
      readonly parent: FlightId;
      readonly edit: TextEdit;
      readonly name: string;
    }
  /**
   * Makes a branch that is flown by hand from an instant on. It is flown to this instant, and then as far as `steer`
   * allows.
   */
  | {
      readonly do: "by-hand";
      readonly seq: number;
      readonly id: FlightId;
      readonly parent: FlightId;
      readonly atUs: number;
      /** Whether an event must arm the vehicle first. */
      readonly arms: boolean;
      readonly name: string;
      /** The part that a crashed worker has flown: the movements of the sticks, and the time that it reached. */
      readonly flown?: { readonly moves: readonly StickMove[]; readonly untilUs: number };
    }
  /** The present positions of the sticks, and how far the flight by hand may fly with them. */
  | { readonly do: "steer"; readonly id: FlightId; readonly untilUs: number; readonly sticks: StickPositions }
  /** Ends flying by hand. The description with all movements of the sticks, then an action, is flown to its end. */
  | { readonly do: "release"; readonly seq: number; readonly id: FlightId; readonly action: ActionName }
  /** Flies a short future with these events, which is not kept. A newer preview replaces an older one. */
  | {
      readonly do: "preview";
      readonly seq: number;
      readonly id: FlightId;
      readonly atUs: number;
      readonly events: readonly EventSpec[];
      /** Index of the event that these events replace, among the events that the text lists. */
      readonly replaced?: number;
      readonly horizonUs: number;
      readonly columns: readonly number[];
    }
  /** Makes a small picture of a flight for the start page, without opening it. */
  | { readonly do: "sketch"; readonly seq: number; readonly text: string; readonly files: FileMap }
  /** Flies beyond the default limit. */
  | { readonly do: "reach"; readonly id: FlightId; readonly untilUs: number }
  /** The flights to fly first, in this order. */
  | { readonly do: "rank"; readonly ids: readonly FlightId[] }
  | { readonly do: "drop"; readonly id: FlightId }
  /** Requests the exact row at the first boundary at or after a time, and the neighbouring boundaries. */
  | { readonly do: "exact"; readonly seq: number; readonly id: FlightId; readonly tUs: number }
  /** Requests every boundary of a span. */
  | {
      readonly do: "microscope";
      readonly seq: number;
      readonly id: FlightId;
      readonly span: TimeSpan;
      readonly columns: readonly number[];
    }
  | ColumnsQuestion
  | {
      readonly do: "save";
      readonly seq: number;
      readonly id: FlightId;
      readonly as: SaveFormat;
      readonly span?: TimeSpan;
    };

/** Messages to the worker that reads texts and files. It runs the same script as the worker that flies. */
type ToReader =
  /** Checks a text. A newer check replaces an older one. */
  | { readonly do: "check"; readonly seq: number; readonly text: string; readonly files: FileMap }
  | {
      readonly do: "complete";
      readonly seq: number;
      readonly text: string;
      readonly offset: number;
      readonly files: FileMap;
    }
  /** Requests the explanation of an error code. */
  | { readonly do: "explain"; readonly seq: number; readonly code: string }
  | { readonly do: "read"; readonly seq: number; readonly id: FlightId; readonly file: Blob; readonly name: string }
  | ColumnsQuestion
  /**
   * Requests lines for plots from all rows of a log that has more rows than were sent. A newer request replaces an
   * older one.
   */
  | {
      readonly do: "lines";
      readonly seq: number;
      readonly id: FlightId;
      readonly quantities: readonly string[];
      readonly span: TimeSpan;
      /** How many points a line may have. */
      readonly points: number;
    }
  | { readonly do: "drop"; readonly id: FlightId };

export type ToWorker = ToEngine | ToReader;

/** Messages to the command that flies a live flight. */
export interface ToLive {
  readonly do: "command";
  readonly seq: number;
  readonly events: readonly EventSpec[];
}

/** The origin of a flight: a description that is flown here, a recording or a log that was read, or a live flight. */
type FlightOrigin = "described" | "recorded" | "log" | "live";

/** The properties of a flight that are known before its first row. */
export interface FlightHead {
  readonly name: string;
  readonly origin: FlightOrigin;
  /** The description; absent if the flight has none. */
  readonly text?: string;
  readonly files: FileMap;
  /** Hash of the definition; empty if there is none. */
  readonly hash: string;
  /** Short hashes of the definition's sections, which show what differs between versions. */
  readonly sections: Readonly<Record<string, string>>;
  readonly columns: readonly Column[];
  /** The columns that the rows contain, in this order; all columns if absent. The page requests the other columns. */
  readonly sent?: readonly number[];
  /** Rows of a log per row that was sent; 1 if absent. */
  readonly rowsPerSentRow?: number;
  readonly definition?: FlightDefinition;
  readonly rotors: number;
  readonly batteries: number;
  readonly logPeriodUs: number;
  readonly autopilotPeriodUs: number;
  /** The planned end. */
  readonly endUs: number;
  /** The events that the text itself lists; events before them come from descriptions that it extends. */
  readonly ownEvents: readonly EventSpec[];
  /** Index, in the definition's scenario, of the first event that the text itself lists. */
  readonly firstOwnEvent: number;
  /** Whether the flight can be branched, previewed and inspected between log rows. */
  readonly canBranch: boolean;
  /** True for a live flight, to which events can be added that happen immediately. */
  readonly takesCommands?: boolean;
  /** The reason why the flight cannot be branched. */
  readonly whyNot?: string;
}

/** How a branch is related to its parent. */
export interface Fork {
  readonly parent: FlightId;
  /** The first instant at which the flights may differ. */
  readonly forkUs: number;
  /** Rows before this time are the parent's and are not sent again; 0 if the branch shares none. */
  readonly sharedUs: number;
  /** Why the branch was flown from its start; absent if it continued from the parent's memory. */
  readonly whyFromStart?: string;
}

/** The result of a flight. */
export interface EndReport {
  readonly outcome: OutcomeKind;
  readonly reason: string;
  /** Time of the last boundary. */
  readonly endUs: number;
  readonly fingerprint: string;
  readonly digests: FingerprintDigests;
  readonly extremes?: FlightExtremes;
  /** States whether the equations ran as code compiled for the vehicle, or as written. */
  readonly code: string;
  /** Processor time, and the flight time that was flown in it. */
  readonly cost: { readonly flyMs: number; readonly flownUs: number };
}

/** An error or warning in a text, with its position as offsets. */
export interface TextDiagnostic {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly what: string;
  readonly fix: string;
  readonly code: string;
  readonly severity: "error" | "warning";
  /** A replacement for the marked part, if the fix suggests one. */
  readonly replacement?: string;
}

/** One completion. */
export interface Offer {
  readonly label: string;
  /** The text to insert, if it is not the label. */
  readonly insert?: string;
  readonly kind: "key" | "value";
  /** The default value, in a few characters. */
  readonly detail?: string;
  readonly about?: string;
}

/** A typed error as plain data. */
export interface PlainError {
  readonly code: string;
  readonly what: string;
  readonly fix: string;
  readonly where: Where;
  /** The line of the text, and the part of it to mark. */
  readonly excerpt?: {
    readonly line: number;
    readonly text: string;
    readonly mark?: { readonly column: number; readonly length: number };
  };
}

/** The kind and content of a file that was read. */
type ReadResult =
  /** A description or a mission, as a text to open. */
  | {
      readonly kind: "description";
      readonly name: string;
      readonly text: string;
      readonly files: FileMap;
      /** Fingerprint of the recording that the description comes from. The flight must have the same one. */
      readonly expected?: { readonly fingerprint: string; readonly hash: string };
    }
  /** Rows that were sent as a separate flight. */
  | { readonly kind: "rows"; readonly id: FlightId; readonly missing?: string }
  /** Parameters to add to the current description. */
  | { readonly kind: "parameters"; readonly values: Readonly<Record<string, number>> };

/** Rows of a flight, column by column: value i of column c is `values[c * timesUs.length + i]`. */
export interface RowBatch {
  readonly timesUs: Float64Array;
  readonly values: Float32Array;
}

/** Messages to the page. */
export type FromWorker =
  | {
      readonly is: "flight";
      readonly seq: number;
      readonly id: FlightId;
      readonly fork?: Fork;
      readonly head: FlightHead;
    }
  | {
      readonly is: "rows";
      readonly id: FlightId;
      /** Index of the batch's first row among all rows sent for this flight. */
      readonly fromRow: number;
      readonly batch: RowBatch;
      /** All events so far; absent if their number has not changed. */
      readonly events?: readonly FlightEvent[];
      readonly flownUs: number;
    }
  /** A command became an event of a live flight, which now has a new description. */
  | { readonly is: "amended"; readonly id: FlightId; readonly head: FlightHead }
  /** The sticks of a flight by hand have been moved. The page keeps the movements, in case the worker crashes. */
  | { readonly is: "moved"; readonly id: FlightId; readonly move: StickMove }
  /** The time at which the events of a command happen. */
  | { readonly is: "commanded"; readonly seq: number; readonly atUs: number }
  | { readonly is: "end"; readonly id: FlightId; readonly events: readonly FlightEvent[]; readonly end: EndReport }
  /** The flight reached the limit of flight time or processor time, and waits for `reach`. */
  | { readonly is: "waiting"; readonly id: FlightId; readonly flownUs: number }
  | {
      readonly is: "preview";
      readonly seq: number;
      readonly id: FlightId;
      /** The requested columns. */
      readonly batch: RowBatch;
      /** Present if the flight ends within the horizon. */
      readonly endUs?: number;
      readonly outcome?: OutcomeKind;
    }
  | {
      readonly is: "sketch";
      readonly seq: number;
      readonly name: string;
      readonly about: string;
      readonly vehicle: string;
      readonly outcome: OutcomeKind;
      readonly reason: string;
      readonly endUs: number;
      /** North, east and down in metres, point by point. */
      readonly trackNed: Float32Array;
    }
  | {
      readonly is: "exact";
      readonly seq: number;
      readonly id: FlightId;
      readonly tUs: number;
      readonly boundary: number;
      readonly previousUs?: number;
      readonly nextUs?: number;
      readonly values: Float64Array;
    }
  | {
      readonly is: "microscope";
      readonly seq: number;
      readonly id: FlightId;
      readonly timesUs: Float64Array;
      /** Column by column, as in a batch, but as float64. */
      readonly values: Float64Array;
    }
  /** Column by column, as in a batch. */
  | { readonly is: "columns"; readonly seq: number; readonly id: FlightId; readonly values: Float32Array }
  | {
      readonly is: "lines";
      readonly seq: number;
      readonly id: FlightId;
      readonly timesUs: Float64Array;
      /** Width of a bucket, which has two points; absent if each point is a row. */
      readonly bucketUs?: number;
      /** One line per quantity, each with a value per time; NaN if there is none. */
      readonly lines: readonly Float32Array[];
    }
  | {
      readonly is: "checked";
      readonly seq: number;
      readonly diagnostics: readonly TextDiagnostic[];
      /** Hash of the definition; absent if there are errors. */
      readonly hash?: string;
    }
  | {
      readonly is: "offered";
      readonly seq: number;
      readonly from: number;
      readonly to: number;
      readonly offers: readonly Offer[];
    }
  /** Progress of reading. The head of a recording describes its flight, which the page flies while the rest is read. */
  | {
      readonly is: "progress";
      readonly seq: number;
      readonly fraction: number;
      readonly described?: string;
      /** The explanation of a flight that is being sketched. */
      readonly about?: string;
    }
  | { readonly is: "explained"; readonly seq: number; readonly text: string }
  | { readonly is: "read"; readonly seq: number; readonly result: ReadResult }
  | { readonly is: "saved"; readonly seq: number; readonly name: string; readonly blob: Blob }
  /** A newer question of the same kind replaced this one. */
  | { readonly is: "superseded"; readonly seq: number }
  | { readonly is: "rejected"; readonly seq?: number; readonly id?: FlightId; readonly errors: readonly PlainError[] };
