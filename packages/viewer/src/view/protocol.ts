/**
 * Every message between the page and its workers. Types only; this is the one file that both sides import.
 *
 * The page numbers the flights, so that it can show a flight before the worker knows it, and can send all of them again
 * to a new worker. A question carries a `seq`; its answer, or a refusal, carries the same one. Arrays are copied and
 * never transferred: detached buffers slow the engine down, and the page would lose what it shows.
 */
import type {
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

/** The changes that a branch makes to its parent's text. Indices count the events that the text itself lists, from 0. */
export type TextEdit =
  | { readonly kind: "add"; readonly events: readonly EventSpec[] }
  | { readonly kind: "replace"; readonly index: number; readonly event: EventSpec }
  | { readonly kind: "remove"; readonly index: number }
  | { readonly kind: "text"; readonly text: string; readonly files: FileMap };

/** A span of flight time. */
export interface TimeSpan {
  readonly fromUs: number;
  readonly toUs: number;
}

export type SaveFormat = "recording" | "csv" | "toml";

/** Messages to the worker that flies. */
export type ToEngine =
  /** A flight from a description in TOML or JSON. */
  | {
      readonly do: "open";
      readonly seq: number;
      readonly id: FlightId;
      readonly text: string;
      readonly files: FileMap;
      readonly name: string;
    }
  /** A flight that differs from its parent from an instant on. It continues from the parent's memory if it may. */
  | {
      readonly do: "branch";
      readonly seq: number;
      readonly id: FlightId;
      readonly parent: FlightId;
      readonly edit: TextEdit;
      readonly name: string;
    }
  /** The next part of the future with these events; not kept. A newer preview replaces an older one. */
  | {
      readonly do: "preview";
      readonly seq: number;
      readonly id: FlightId;
      readonly atUs: number;
      readonly events: readonly EventSpec[];
      /** Index of the event that they replace, among those that the text lists. */
      readonly replaced?: number;
      readonly horizonUs: number;
      readonly columns: readonly number[];
    }
  /** A small picture of a flight that is not opened, for the start page. */
  | { readonly do: "sketch"; readonly seq: number; readonly text: string; readonly files: FileMap }
  /** Flies on beyond the default limit. */
  | { readonly do: "reach"; readonly id: FlightId; readonly untilUs: number }
  /** The flights to fly first, in this order. */
  | { readonly do: "rank"; readonly ids: readonly FlightId[] }
  | { readonly do: "drop"; readonly id: FlightId }
  /** The exact row at the first boundary at or after a time, and the neighbouring boundaries. */
  | { readonly do: "exact"; readonly seq: number; readonly id: FlightId; readonly tUs: number }
  /** Every boundary of a span. */
  | {
      readonly do: "microscope";
      readonly seq: number;
      readonly id: FlightId;
      readonly span: TimeSpan;
      readonly columns: readonly number[];
    }
  | {
      readonly do: "save";
      readonly seq: number;
      readonly id: FlightId;
      readonly as: SaveFormat;
      readonly span?: TimeSpan;
    };

/** Messages to the worker that reads texts and files. It runs the same script as the one that flies. */
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
  /** Asks for the explanation of an error code. */
  | { readonly do: "explain"; readonly seq: number; readonly code: string }
  | { readonly do: "read"; readonly seq: number; readonly id: FlightId; readonly file: Blob; readonly name: string }
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
  /** Short hashes of the sections of the definition, which show what differs between versions. */
  readonly sections: Readonly<Record<string, string>>;
  readonly columns: readonly Column[];
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
  /** Whether the flight can be branched, previewed and looked at between log rows. */
  readonly canBranch: boolean;
  /** True for a live flight: events can be added, and happen at once. */
  readonly takesCommands?: boolean;
  /** Why the flight cannot be branched, as a sentence. */
  readonly whyNot?: string;
}

/** How a branch is related to its parent. */
export interface Fork {
  readonly parent: FlightId;
  /** From here on the flights may differ. */
  readonly forkUs: number;
  /** Rows before this time are the parent's and are not sent again; 0 if the branch shares none. */
  readonly sharedUs: number;
  /** Why the branch was flown from its start; absent if it continued from the parent's memory. */
  readonly refusal?: string;
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
  /** How the equations were computed: by code compiled for the vehicle, or as written. */
  readonly code: string;
  /** Processor time and the flight time that was flown in it. */
  readonly cost: { readonly flyMs: number; readonly flownUs: number };
}

/** A mistake in a text, with its place as offsets. */
export interface Complaint {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly what: string;
  readonly fix: string;
  readonly code: string;
  readonly severity: "error" | "warning";
  /** A text that would replace the marked part, if the fix suggests one. */
  readonly replacement?: string;
}

/** One offer of completion. */
export interface Offer {
  readonly label: string;
  /** The text to insert, if it is not the label. */
  readonly insert?: string;
  readonly kind: "key" | "value";
  /** The default, in a few characters. */
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
  /** A description, a mission or parameters: a text to open. */
  | {
      readonly kind: "description";
      readonly name: string;
      readonly text: string;
      readonly files: FileMap;
      /** Fingerprint of the recording that the description comes from. The flight must have the same one. */
      readonly expected?: { readonly fingerprint: string; readonly hash: string };
    }
  /** Rows that were sent as a flight of their own. */
  | { readonly kind: "rows"; readonly id: FlightId; readonly missing?: string }
  /** Parameters to put into the present description. */
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
      /** Number of the batch's first row among the rows that this flight was sent. */
      readonly fromRow: number;
      readonly batch: RowBatch;
      /** All events so far, if their number changed. */
      readonly events?: readonly FlightEvent[];
      readonly flownUs: number;
    }
  /** A command became an event of a live flight: it has another description from now on. */
  | { readonly is: "amended"; readonly id: FlightId; readonly head: FlightHead }
  /** When the events of a command happen. */
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
      /** North, east and down in metres, point after point. */
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
      /** Column by column, as in a batch, but exact. */
      readonly values: Float64Array;
    }
  | {
      readonly is: "checked";
      readonly seq: number;
      readonly complaints: readonly Complaint[];
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
  /** The first part of a recording describes its flight, which the page flies while the rest is read. */
  | {
      readonly is: "progress";
      readonly seq: number;
      readonly share: number;
      readonly described?: string;
      /** What a flight that is being sketched shows. */
      readonly about?: string;
    }
  | { readonly is: "explained"; readonly seq: number; readonly text: string }
  | { readonly is: "read"; readonly seq: number; readonly result: ReadResult }
  | { readonly is: "saved"; readonly seq: number; readonly name: string; readonly blob: Blob }
  /** A newer question of the same kind replaced this one. */
  | { readonly is: "superseded"; readonly seq: number }
  | { readonly is: "refused"; readonly seq?: number; readonly id?: FlightId; readonly errors: readonly PlainError[] };
