/**
 * The loop (law 1). Time advances only here.
 *
 * A flight is a sequence of boundaries joined by intervals. Live flight, recording and replay differ in the parts of
 * the flight, never in the loop. The loop is a generator, so that its driver can respond to each pause; when and how
 * often it pauses never changes a bit of the results. The code between two pauses is an ordinary loop (`Loop.run`),
 * because V8 optimises it better than a generator.
 */
import { describeWhere, InvariantError, SimError } from "../errors/index.ts";
import type { IntegratorStats, Sink } from "./contracts.ts";
import { engineErrors } from "./errors.ts";
import type { Flight } from "./flight.ts";
import { STAGES } from "./stages.ts";

/**
 * Why the loop pauses. `answer`: an autopilot outside this process has not answered yet. `drain`: a sink is full.
 * `yield`: a regular pause in which the driver can handle signals, progress and messages. `mark`: the driver requested
 * a pause before the next boundary (for a checkpoint, a rewind or a branch).
 */
export type Pause = "answer" | "drain" | "yield" | "mark";

export interface LoopOptions {
  /** Boundaries between two `yield` pauses. */
  readonly yieldEvery?: number;
  /**
   * One cell with a time in µs: the loop pauses with `mark` before every boundary at or after this time. The driver may
   * change the time at any pause; Infinity means no mark.
   */
  readonly markUs?: Float64Array;
}

/** When and how the loop ended, with its counters. */
export interface FlightEnd {
  readonly endUs: number;
  /** 0 if the flight reached the end of its timeline; the stop code if the scenario stopped it. */
  readonly stop: number;
  readonly boundaries: number;
  readonly intervals: number;
  readonly correctedSlots: number;
  /** Seams that were not located, because too many had been located before them. */
  readonly passedSeams: number;
  readonly clampedChannels: number;
  /** "compiled" or "compiled at build time" if compiled code ran; otherwise "reference: " and the reason. */
  readonly code: string;
  readonly stats: Readonly<IntegratorStats>;
}

const DEFAULT_YIELD_EVERY = 1024;
const NO_MARK = new Float64Array([Infinity]);

export function* flightLoop(flight: Flight, options: LoopOptions = {}): Generator<Pause, FlightEnd> {
  begin(flight);
  const loop = new Loop(flight, options);
  try {
    for (let pause = loop.run(); pause !== "end"; pause = loop.run()) yield pause;
  } catch (error) {
    throw withTimeAndStage(error, flight);
  } finally {
    flight.isOver = true;
  }
  return endOf(flight);
}

/** Values of `Loop.at` outside the stages. */
const BEFORE_BOUNDARY = -1;
const AFTER_INTERVAL = -2;

class Loop {
  private readonly flight: Flight;
  private readonly sinks: readonly Sink[];
  private readonly yieldEvery: number;
  /**
   * Boundaries until the next `yield`. The pauses are counted from the flight's start, so that loading a checkpoint
   * does not shift them.
   */
  private boundariesToYield: number;
  private readonly markUs: Float64Array;
  /** Where `run` continues: the stage that waits for an answer (its index), `BEFORE_BOUNDARY` or `AFTER_INTERVAL`. */
  private at = BEFORE_BOUNDARY;
  /** Whether the loop has already paused at the mark of the present boundary. */
  private hasPausedAtMark = false;

  constructor(flight: Flight, { yieldEvery = DEFAULT_YIELD_EVERY, markUs = NO_MARK }: LoopOptions) {
    this.flight = flight;
    this.sinks = flight.parts.sinks ?? [];
    this.yieldEvery = yieldEvery;
    this.boundariesToYield = yieldEvery - (flight.boundary.count % yieldEvery);
    this.markUs = markUs;
  }

  /** Runs boundaries and intervals up to the next pause. */
  run(): Pause | "end" {
    const { schedule, boundary, interval } = this.flight;
    for (;;) {
      if (this.at === AFTER_INTERVAL) {
        const pause = this.pauseAfterInterval();
        if (pause !== undefined) return pause;
        this.at = BEFORE_BOUNDARY;
      }
      if (this.at === BEFORE_BOUNDARY) {
        if (schedule.cells[0]! >= this.markUs[0]! && this.shouldPauseAtMark()) return "mark";
        this.hasPausedAtMark = false;
        this.at = boundary.start();
      }
      while (this.at < STAGES.length) {
        if (boundary.isWaiting) return "answer";
        boundary.takeAnswer();
        this.at = boundary.run(this.at + 1);
      }
      if (schedule.isLast) return "end";
      interval.run(boundary.hasChanged);
      schedule.advance();
      boundary.isOpen = false;
      this.at = AFTER_INTERVAL;
    }
  }

  /** Returns true once per marked boundary. */
  private shouldPauseAtMark(): boolean {
    this.hasPausedAtMark = !this.hasPausedAtMark;
    return this.hasPausedAtMark;
  }

  /**
   * Returns `drain` as long as a sink is full, then `yield` if enough boundaries have passed since the last `yield`.
   */
  private pauseAfterInterval(): Pause | undefined {
    for (let i = 0; i < this.sinks.length; i += 1) if (this.sinks[i]!.isFull) return "drain";
    this.boundariesToYield -= 1;
    if (this.boundariesToYield > 0) return undefined;
    this.boundariesToYield = this.yieldEvery;
    this.at = BEFORE_BOUNDARY;
    return "yield";
  }
}

/**
 * Throws if the flight has been started and no checkpoint was loaded since. Drivers call it before they touch the
 * flight's sinks.
 */
export function rejectUnderWay({ isUnderWay }: Flight): void {
  if (!isUnderWay) return;
  throw engineErrors.alreadyFlown({
    what: "this flight has already been started",
    fix: "load a checkpoint into it, or assemble it again from its description",
  });
}

function begin(flight: Flight): void {
  rejectUnderWay(flight);
  flight.isUnderWay = true;
  flight.isOver = false;
  if (flight.hasOpenSinks) return;
  flight.hasOpenSinks = true;
  for (const sink of flight.parts.sinks ?? []) sink.open(flight.columns);
}

function endOf({ schedule, boundary, interval, integrator, bus, code }: Flight): FlightEnd {
  return {
    endUs: schedule.nowUs,
    stop: bus.signal("stop")[0]!,
    boundaries: boundary.count,
    intervals: interval.count,
    correctedSlots: interval.correctedSlots,
    passedSeams: interval.passedSeams,
    clampedChannels: boundary.clampedChannels,
    code,
    stats: { ...integrator.stats },
  };
}

/** Returns the end of a flight that an error cut short. */
export function endAtFailure(flight: Flight): FlightEnd {
  return { ...endOf(flight), endUs: flight.clock.us, stop: 0 };
}

/** Returns the error of a part with the time and the stage added, unless it already has them. */
function withTimeAndStage(error: unknown, flight: Flight): unknown {
  if (error instanceof InvariantError) {
    const where = describeWhere({ tUs: flight.clock.us, stage: flight.boundary.stage });
    const state = flight.parts.plant.layout.dump(flight.x);
    return new InvariantError(`${error.message}\n${where}; the state was\n${state}`, { cause: error });
  }
  if (!(error instanceof SimError)) return error;
  if (error.where.tUs !== undefined && error.where.stage !== undefined) return error;
  const where = { stage: flight.boundary.stage, tUs: flight.clock.us, ...error.where };
  return new SimError(error.code, { what: error.what, where, fix: error.fix, cause: error });
}
