/**
 * A flight on the page, as signals.
 *
 * It exists before the worker has answered, and stays if the worker crashes, because everything in it can be made again
 * from its text.
 */
import { computed, signal } from "@preact/signals-core";
import type { ActionName, FlightEvent } from "@escapement/core";
import { RowsStore } from "../data/rows-store.ts";
import { seriesOf } from "../data/series.ts";
import type { EndReport, FileMap, FlightHead, FlightId, Fork, PlainError, StickMove } from "../protocol.ts";

/**
 * `opening`: the worker has not answered; `flying`; `waiting`: the default limit is reached; `ended`; `rejected`: the
 * description has errors.
 */
type FlightState = "opening" | "flying" | "waiting" | "ended" | "rejected";

/** The expected fingerprint of a flight, from a link or a recording. */
export interface ExpectedFlight {
  readonly fingerprint: string;
  readonly hash: string;
  /** Short hashes of the definition's sections; empty if they are not known. */
  readonly sections: Readonly<Record<string, string>>;
  /** Version of the program that computed the fingerprint; empty if it is not known. */
  readonly version: string;
}

/** Whether the flight is the expected one. */
type Verification =
  | { readonly is: "pending" }
  | { readonly is: "same" }
  /** The description resolves to a different definition; `sections` lists the sections that differ. */
  | { readonly is: "other flight"; readonly sections: readonly string[]; readonly expected: ExpectedFlight }
  /** The same definition gave different bits, which is a defect. */
  | { readonly is: "different bits"; readonly expected: ExpectedFlight };

/** Everything that is needed to continue a flight by hand in another worker. */
interface HandRecord {
  readonly parent: FlightId;
  readonly atUs: number;
  readonly arms: boolean;
  readonly moves: StickMove[];
  /** The action with which the pilot has ended it, until the worker confirms this. */
  ending?: ActionName;
}

export class ViewFlight {
  readonly id: FlightId;
  /** Index of the flight's colour and letter; unique among the flights of the page. */
  readonly slot: number;
  /** Flights of a sweep have the same group, and share a lane of the timeline. */
  readonly group: number | undefined;
  readonly name = signal("");
  readonly isHidden = signal(false);
  readonly state = signal<FlightState>("opening");
  readonly head = signal<FlightHead | undefined>(undefined);
  /** The description that was opened, which the head lacks if it has errors. */
  readonly given = signal<{ readonly text: string; readonly files: FileMap } | undefined>(undefined);
  readonly fork = signal<Fork | undefined>(undefined);
  readonly rows = signal(new RowsStore([]));
  /** Changes whenever rows arrive. */
  readonly rowCount = signal(0);
  /** Changes whenever absent columns are filled. */
  readonly columnFills = signal(0);
  /** The series that plots draw. */
  readonly series = computed(() => seriesOf(this.rows.value));
  readonly events = signal<readonly FlightEvent[]>([]);
  readonly flownUs = signal(0);
  readonly end = signal<EndReport | undefined>(undefined);
  /** Errors in the description, or the error that ended the flight. */
  readonly errors = signal<readonly PlainError[]>([]);
  /** Fraction of a file that has been read; undefined if nothing is being read. */
  readonly readFraction = signal<number | undefined>(undefined);
  readonly expected = signal<ExpectedFlight | undefined>(undefined);
  /** Set while the flight is flown by hand. */
  hand: HandRecord | undefined;
  readonly verification = computed(() => verify(this.expected.value, this.head.value, this.end.value));

  constructor(id: FlightId, slot: number, group?: number) {
    this.id = id;
    this.slot = slot;
    this.group = group;
  }

  /** The planned end, or the actual one once it is known. */
  get endUs(): number {
    return this.end.value?.endUs ?? Math.max(this.head.value?.endUs ?? 0, this.flownUs.value);
  }
}

function verify(
  expected: ExpectedFlight | undefined,
  head: FlightHead | undefined,
  end: EndReport | undefined,
): Verification | undefined {
  if (expected === undefined) return undefined;
  if (head === undefined) return { is: "pending" };
  if (head.hash !== expected.hash && !head.hash.startsWith(expected.hash)) {
    const sections = Object.keys(head.sections).filter(
      (name) => expected.sections[name] !== undefined && expected.sections[name] !== head.sections[name],
    );
    return { is: "other flight", sections, expected };
  }
  if (end === undefined) return { is: "pending" };
  return end.fingerprint === expected.fingerprint ? { is: "same" } : { is: "different bits", expected };
}
