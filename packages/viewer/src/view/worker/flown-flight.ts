/**
 * A flight that the worker flies ahead of the playhead: its session, its unsent rows, and its limits.
 */
import {
  canonicalJson,
  editBetween,
  type Flight,
  type FlightResult,
  FlightSession,
  type ResolvedFlight,
  secondsToUs,
  type SessionOptions,
  sha256Hex,
} from "@escapement/core";
import { listEvents } from "@escapement/formats";
import type { EndReport, FileMap, FlightHead, FlightId, Fork } from "../protocol.ts";
import { RowBuffer } from "./rows.ts";
import { registry } from "./texts.ts";

/** Default limits of flight time and of processor time. */
const MAX_AHEAD_US = 1_800_000_000;
const MAX_AHEAD_MS = 20_000;
/** Number of boundaries that are flown between two checks of the clock. Flying them takes a few milliseconds. */
const BOUNDARIES_PER_CHECK = 500;

/** A description, and the flight that it resolves to. */
export interface FlightSource {
  readonly name: string;
  readonly text: string;
  readonly files: FileMap;
  readonly resolved: ResolvedFlight;
}

export class FlownFlight {
  readonly id: FlightId;
  readonly source: FlightSource;
  readonly session: FlightSession;
  readonly fork: Fork | undefined;
  private buffer!: RowBuffer;
  private lastRowUs = -1;
  private readonly sharedUs: number;
  private limitUs = MAX_AHEAD_US;
  private limitMs = MAX_AHEAD_MS;
  private flyMs = 0;
  private sentEvents = -1;

  constructor(id: FlightId, source: FlightSource, parent?: FlownFlight) {
    this.id = id;
    this.source = source;
    const options: SessionOptions = {
      registry,
      yieldEvery: BOUNDARIES_PER_CHECK,
      onRow: (tUs, row) => this.addRow(tUs, row),
    };
    const { session, fork } =
      parent === undefined ? startFlight(source, options) : startBranch(source, parent, options);
    this.session = session;
    this.fork = fork;
    this.sharedUs = fork?.sharedUs ?? 0;
    this.buffer = new RowBuffer(session.flight.columns.map((_, i) => i));
  }

  get isOver(): boolean {
    return this.session.isOver;
  }

  /** Whether a limit is reached, so that the flight waits for `reach`. */
  get isWaiting(): boolean {
    return !this.isOver && (this.session.nowUs >= this.limitUs || this.flyMs >= this.limitMs);
  }

  get flownUs(): number {
    return Math.max(this.lastRowUs, 0);
  }

  /** Rows before this time have been flown, by this flight or by its parent. */
  get rowsEndUs(): number {
    return Math.max(this.lastRowUs + 1, this.sharedUs);
  }

  /** Index, among the flight's own events, of the first event that the text lists. Inherited events come before it. */
  get firstListedEvent(): number {
    return Math.max(0, this.session.ownEvents.length - listEvents(this.source.text).length);
  }

  /** Continues the flight until `shouldPause` returns true or a limit is reached. */
  advance(shouldPause: () => boolean, clockMs: () => number): void {
    const startMs = clockMs();
    this.session.advance(this.limitUs, shouldPause);
    this.flyMs += clockMs() - startMs;
  }

  reach(untilUs: number): void {
    this.limitUs = Math.max(untilUs, this.session.nowUs);
    this.limitMs = Infinity;
  }

  /** Removes and returns the unsent rows; undefined if there are none. */
  takeRows() {
    if (this.buffer.count === 0) return undefined;
    const fromRow = this.buffer.sent;
    return { fromRow, batch: this.buffer.take(), flownUs: this.flownUs };
  }

  /** Returns all events; undefined if their number has not changed since the last call. */
  takeEvents() {
    const { events } = this.session;
    if (events.length === this.sentEvents) return undefined;
    this.sentEvents = events.length;
    return events;
  }

  head(): FlightHead {
    return headOf(this.source, this.session.flight, this.session.ownEvents);
  }

  end(): EndReport {
    return endOf(this.session.result(), { flyMs: this.flyMs, flownUs: this.session.flownUs });
  }

  private addRow(tUs: number, row: Parameters<RowBuffer["add"]>[1]): void {
    if (tUs < this.sharedUs) return;
    this.lastRowUs = tUs;
    this.buffer.add(tUs, row);
  }
}

/** Returns the properties of a flight that are known before its first row. */
export function headOf(
  { name, text, files, resolved }: FlightSource,
  flight: Flight,
  ownEvents: FlightSession["ownEvents"] = [],
): FlightHead {
  const { definition, hash } = resolved;
  const listed = listEvents(text).slice(0, ownEvents.length);
  const first = listed.length === 0 ? 0 : definition.scenario.indexOf(ownEvents[ownEvents.length - listed.length]!);
  const autopilot = flight.parts.autopilot?.axis;
  return {
    name: name === "" ? definition.name : name,
    origin: "described",
    text,
    files,
    hash,
    sections: sectionsOf(resolved),
    columns: flight.columns,
    definition,
    rotors: flight.parts.dims?.rotors ?? 0,
    batteries: flight.parts.dims?.batteries ?? 0,
    logPeriodUs: secondsToUs(definition.timeline.logPeriodS),
    autopilotPeriodUs: autopilot?.kind === "periodic" ? autopilot.periodUs : 0,
    endUs: secondsToUs(definition.timeline.endS),
    ownEvents: listed,
    firstOwnEvent: first,
    canBranch: true,
  };
}

/** Returns the result of a flight with its cost. */
export function endOf(result: FlightResult, cost: EndReport["cost"]): EndReport {
  const { outcome, reason, fingerprint, digests, extremes, end } = result;
  return { outcome, reason, endUs: end.endUs, fingerprint, digests, extremes, code: end.code, cost };
}

interface Start {
  readonly session: FlightSession;
  readonly fork?: Fork;
}

function startFlight({ resolved }: FlightSource, options: SessionOptions): Start {
  return { session: new FlightSession(resolved, options) };
}

/** Continues from the parent's memory if the rules of branching allow it; otherwise flies the branch from its start. */
function startBranch({ resolved }: FlightSource, parent: FlownFlight, options: SessionOptions): Start {
  const edit = editBetween(parent.source.resolved.definition, resolved.definition);
  if (edit === undefined) {
    const whyFromStart = "it differs in more than events, so it was flown from its start";
    return {
      ...startFlight({ resolved } as FlightSource, options),
      fork: { parent: parent.id, forkUs: 0, sharedUs: 0, whyFromStart },
    };
  }
  const forkUs = Math.min(edit.forkUs, secondsToUs(resolved.definition.timeline.endS));
  const sharedUs = Math.min(forkUs, parent.rowsEndUs);
  const { session, isGrafted, refusal } = parent.session.branchTo(resolved, sharedUs, { options });
  const fork = { parent: parent.id, forkUs, sharedUs: isGrafted ? sharedUs : 0 };
  return { session, fork: refusal === undefined ? fork : { ...fork, whyFromStart: refusal.why } };
}

/** Returns short hashes of the sections of a definition. */
function sectionsOf({ definition }: ResolvedFlight): Record<string, string> {
  return Object.fromEntries(
    Object.entries(definition).map(([name, section]) => [name, sha256Hex(canonicalJson(section)).slice(0, 4)]),
  );
}
