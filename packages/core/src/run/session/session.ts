/**
 * A flight that can be advanced, moved back to any instant, and branched.
 *
 * The session drives one `Run`. While it flies it keeps checkpoints: in a flight of up to ten minutes, going back means
 * flying at most half a second again. Pauses, rewinds and branches change no bit: the fingerprint at the end equals the
 * fingerprint of an uninterrupted flight.
 */
import { SimError } from "../../errors/index.ts";
import type { PlainObject } from "../../params/index.ts";
import type { Flight, Sink } from "../../engine/index.ts";
import type { Snapshot } from "../../snapshot/index.ts";
import { type BranchEdit, resolveBranch } from "../../describe/definition/branch.ts";
import type { ResolvedFlight } from "../../describe/definition/definition.ts";
import { flightErrors } from "../../describe/errors.ts";
import { splitEvents } from "../../describe/definition/definition-spec.ts";
import type { ResolvedEvent } from "../../describe/sections/scenario-spec.ts";
import { coreRegistry } from "../../describe/registry.ts";
import { mustResolve, resolveFlight } from "../../describe/resolve/resolve.ts";
import type { FlightSpec } from "../../describe/spec/spec.ts";
import { CHECKPOINT_INTERVAL_US, CheckpointKeeper } from "./checkpoint-keeper.ts";
import { graft, GraftRefusal, instantOf } from "./graft.ts";
import { withFunctions } from "../fly-flight.ts";
import type { FlightEvent } from "../events/events.ts";
import type { FlightResult } from "../result.ts";
import { Run, type RunOptions } from "../run.ts";
import { memoryOf, type Situation, SituationObserver } from "./situation.ts";

/** Custom parts, and the checkpoints and rows of a session. */
export interface SessionOptions extends Pick<
  RunOptions,
  | "autopilot"
  | "wind"
  | "estimator"
  | "registry"
  | "codegen"
  | "yieldEvery"
  | "probes"
  | "observers"
  | "replay"
  | "require"
  | "measures"
  | "fingerprint"
> {
  /** Flight time between checkpoints in µs. */
  readonly checkpointEveryUs?: number;
  /** Called for each log row, and again for rows that are flown again after a rewind. The array is reused: copy it. */
  readonly onRow?: Sink["row"];
}

/**
 * Why `advance` returned. `there`: the next boundary is at or after the requested time. `paused`: `hasEnough` returned
 * true. `end`: the flight is over.
 */
type SessionStop = "there" | "paused" | "end";

/** A new flight that shares its beginning with another one. */
export interface Branch {
  readonly session: FlightSession;
  /** True if it continues from its parent's memory; false if it must fly from its start. */
  readonly isGrafted: boolean;
  /** Why it flies from its start: the violated rule of law 11, and the reason. */
  readonly refusal?: GraftRefusal;
}

interface BranchOptions {
  readonly from?: Snapshot;
  /** Options of the branch's session; by default the options of the parent's session. */
  readonly options?: SessionOptions;
}

/** A flight that can be advanced, saved, rewound and branched. */
export class FlightSession {
  readonly resolved: ResolvedFlight;
  private readonly options: SessionOptions;
  private readonly run: Run;
  private readonly markUs = Float64Array.of(Infinity);
  private readonly checkpoints: CheckpointKeeper;
  private readonly situations = new SituationObserver();
  private flown = 0;
  /** The flight from which this one branched, and the instant. */
  private readonly origin: { readonly parent: FlightSession; readonly forkUs: number } | undefined;

  constructor(resolved: ResolvedFlight, options: SessionOptions = {}, origin?: FlightSession["origin"]) {
    const { onRow, checkpointEveryUs = CHECKPOINT_INTERVAL_US, observers = [], ...given } = options;
    this.resolved = withFunctions(resolved, options);
    this.options = options;
    this.origin = origin;
    this.checkpoints = new CheckpointKeeper(checkpointEveryUs);
    this.run = new Run(this.resolved, {
      ...given,
      markUs: this.markUs,
      observers: [this.situations, ...observers],
      ...(onRow === undefined ? {} : { sinks: [rowSink(onRow)] }),
    });
    rejectOutside(this.flight);
    this.checkpoints.keep(this.flight.save(), 0);
  }

  /** Opens a session on a description. If it has errors, throws one typed error that lists them all. */
  static open(spec: FlightSpec, options: SessionOptions = {}): FlightSession {
    const layer = { file: "flight", spec: spec as PlainObject };
    return new FlightSession(mustResolve(resolveFlight(layer, options.registry ?? coreRegistry)), options);
  }

  /** Time of the next boundary, or of the last one if the flight is over. */
  get nowUs(): number {
    return this.flight.schedule.nowUs;
  }

  /** Number of the next boundary, from 0. */
  get boundary(): number {
    return this.flight.boundary.count;
  }

  get isOver(): boolean {
    return this.flight.isOver;
  }

  /** Flight time that this session has flown, including time that was flown again after a rewind. */
  get flownUs(): number {
    return this.flown;
  }

  /** The events so far. */
  get events(): readonly FlightEvent[] {
    return this.run.assembled.summary.events;
  }

  get flight(): Flight {
    return this.run.flight;
  }

  /** Texts of the requirements and measures that judge this flight. */
  get judgedTexts(): readonly string[] {
    const { require = [], measures = [] } = this.options;
    const given = require.map((each) => (typeof each === "string" ? each : each.text));
    return [...this.resolved.judged.requirements, ...measures].map(({ text }) => text).concat(given);
  }

  /**
   * The events that the description of this flight lists, in order; `branch` removes events by their index in this
   * list.
   */
  get ownEvents(): readonly ResolvedEvent[] {
    return splitEvents(this.resolved.definition).own;
  }

  /** The parent of a branch, and the instant at which it branched. */
  get branchedFrom(): { readonly parent: FlightSession; readonly forkUs: number } | undefined {
    return this.origin;
  }

  /**
   * Flies on until the next boundary is at or after `untilUs`, or to the end. `hasEnough` is called every few thousand
   * boundaries; if it returns true, the session pauses, so that a page stays responsive.
   */
  advance(untilUs = Infinity, hasEnough: () => boolean = () => false): SessionStop {
    while (!this.isOver) {
      const dueUs = this.checkpoints.nextUs(this.nowUs);
      if (this.nowUs >= untilUs) return "there";
      this.markUs[0] = Math.min(untilUs, dueUs);
      const fromUs = this.nowUs;
      const pause = this.nextPause();
      this.flown += this.nowUs - fromUs;
      if (pause === "mark" && this.nowUs >= dueUs) this.checkpoints.keep(this.flight.save(), dueUs);
      if (pause === "yield" && hasEnough()) return "paused";
    }
    return "end";
  }

  /** Saves the flight before its next boundary. */
  save(): Snapshot {
    return this.flight.save();
  }

  /** Adds a checkpoint of this flight that another run has taken, e.g. one from a recording. */
  keep(snapshot: Snapshot): void {
    this.checkpoints.keepFrom(snapshot);
  }

  /** Loads a checkpoint of this flight. */
  load(snapshot: Snapshot): void {
    this.run.rewind(snapshot);
  }

  /** Goes back or forward: the next boundary is then the first one at or after `tUs`, or the last one of the flight. */
  rewindTo(tUs: number): void {
    const saved = this.checkpointBefore(tUs)!;
    if (this.isOver || this.nowUs > tUs || instantOf(saved) > this.nowUs) this.load(saved);
    if (this.advance(tUs) !== "end") return;
    // The flight ends before the instant. Go to its last boundary, before which it can be saved and branched.
    const endUs = this.nowUs;
    this.load(this.checkpointBefore(endUs)!);
    this.advance(endUs);
  }

  /** Goes to a boundary by its number, from 0, or to the last one of the flight. */
  rewindToBoundary(boundary: number): void {
    if (this.isOver || this.boundary > boundary) this.rewindTo(0);
    while (this.boundary < boundary && !this.isOver) this.advance(this.nowUs + 1);
    if (this.isOver) this.rewindTo(this.nowUs);
  }

  /** Returns everything that is known at the next boundary after its stages have run. The session does not move. */
  situation(): Situation {
    if (this.isOver) this.rewindTo(this.nowUs);
    const saved = this.save();
    const memory = memoryOf(this.flight);
    this.situations.isRequested = true;
    this.markUs[0] = this.nowUs + 1;
    this.nextPause();
    const situation = this.situations.read(this.flight, memory);
    this.load(saved);
    return situation;
  }

  /**
   * Makes a flight with different events from a given instant on, and moves both sessions to that instant. The branch
   * continues from a checkpoint of this flight if law 11 allows it; otherwise it is flown from its start.
   */
  branch(edit: BranchEdit): Branch {
    if (this.options.replay !== undefined) throw replayedSessionError();
    const resolved = this.resolveBranch(edit);
    this.rewindTo(edit.atUs);
    const branch = this.branchTo(resolved, edit.atUs, { from: this.save() });
    branch.session.advance(edit.atUs);
    return branch;
  }

  /**
   * Makes a session on a description that differs from this one only from a given instant on. The new session begins at
   * `from`, a checkpoint of this flight, or at the last checkpoint before the instant. If law 11 forbids both, it
   * begins at the start of its flight. This session does not move.
   */
  branchTo(
    resolved: ResolvedFlight,
    forkUs: number,
    { from = this.checkpointBefore(forkUs)!, options = this.options }: BranchOptions = {},
  ): Branch {
    if (this.options.replay !== undefined) throw replayedSessionError();
    const session = new FlightSession(resolved, options, { parent: this, forkUs });
    const refusal = session.startFrom(this, forkUs, from);
    return refusal === undefined ? { session, isGrafted: true } : { session, isGrafted: false, refusal };
  }

  /**
   * Returns a second session on this flight, e.g. to inspect an instant while the first session flies on. The second
   * one uses the checkpoints of the first.
   */
  scout(options: SessionOptions): FlightSession {
    return new FlightSession(this.resolved, options, { parent: this, forkUs: Infinity });
  }

  /** Returns the description of a branch, resolved but not flown. */
  resolveBranch(edit: BranchEdit): ResolvedFlight {
    return resolveBranch(this.resolved, edit, this.options.registry ?? coreRegistry);
  }

  /** Returns the result so far, or the final one. */
  result(): FlightResult {
    return this.run.result();
  }

  /**
   * Continues from `saved` or from the parent's last checkpoint before the instant, if law 11 allows it. `saved` may be
   * after the instant, because the instant need not be a boundary of the parent.
   */
  private startFrom(parent: FlightSession, forkUs: number, saved: Snapshot): GraftRefusal | undefined {
    let grafted = graft(saved, parent, this);
    const earlier = parent.checkpointBefore(forkUs - 1);
    if (grafted instanceof GraftRefusal && earlier !== undefined) {
      grafted = graft(earlier, parent, this);
    }
    if (grafted instanceof GraftRefusal) return grafted;
    this.run.assembled.track.continueFrom(parent.run.assembled.track);
    this.load(grafted);
    return undefined;
  }

  /** Returns the last checkpoint at or before a time, grafted from the parent if necessary. */
  private checkpointBefore(tUs: number): Snapshot | undefined {
    const own = this.checkpoints.before(tUs);
    const { parent, forkUs = 0 } = this.origin ?? {};
    const saved = parent?.checkpointBefore(Math.min(tUs, forkUs));
    if (saved === undefined || (own !== undefined && instantOf(own) >= instantOf(saved))) return own;
    const grafted = graft(saved, parent!, this);
    return grafted instanceof GraftRefusal ? own : grafted;
  }

  /** Flies to the next pause. An error that ends the flight is part of its result. */
  private nextPause(): ReturnType<Run["toNextPause"]> {
    try {
      return this.run.toNextPause();
    } catch (error) {
      if (error instanceof SimError) return "end";
      throw error;
    }
  }
}

/** Throws if a part of the flight runs outside this process, because a session saves and loads the flight. */
function rejectOutside(flight: Flight): void {
  if (flight.isSaveable) return;
  const outside = flight.sources().find(({ restore = "saved" }) => restore !== "saved");
  throw flightErrors.outsideSession({
    what: `the ${outside!.writer} of this flight runs outside the process, so the flight cannot be rewound`,
    fix: "fly it again from its start with the recorded inputs, or use the embedded autopilot",
  });
}

/** Makes the error for branching a replay: a replay follows its recording, so it cannot follow a branch. */
function replayedSessionError(): SimError {
  return flightErrors.outsideSession({
    what: "this session replays a recording, so nothing in it can change",
    fix: "resolve the branch and fly it from its start",
  });
}

function rowSink(row: Sink["row"]): Sink {
  return {
    open: () => {},
    row,
    neverFull: true,
    isFull: false,
    drain: async () => {},
    close: async () => {},
  };
}
