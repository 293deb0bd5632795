/**
 * The loop (law 1): time advances here and nowhere else.
 *
 * A flight is boundaries joined by intervals. Live, record and replay differ by what is plugged into the flight, never
 * by another loop. It is a generator so that whoever drives it can pause it for a stated reason; when and how often it
 * pauses never changes a bit. Between two pauses it is a plain loop, which engines optimise better than a generator.
 */
import { describeWhere, InvariantError, SimError } from "../errors/index.ts";
import type { IntegratorStats, Sink } from "./contracts.ts";
import { engineErrors } from "./errors.ts";
import type { Flight } from "./flight.ts";
import { STAGES } from "./stages.ts";

/**
 * Why the loop pauses: an answer from outside is awaited; a sink needs room; a breath for signals, progress and
 * messages; a mark before a boundary that was asked for (checkpoint, rewind, branch).
 */
export type Pause = "answer" | "room" | "breath" | "mark";

export interface FlyOptions {
  /** Boundaries between two breaths. */
  readonly breathEvery?: number;
  /** Before each boundary: true to pause there with `mark`. */
  readonly isMarked?: (tUs: number) => boolean;
}

export interface FlightEnd {
  readonly endUs: number;
  /** 0: the timeline's end; otherwise the scenario's stop code. */
  readonly stop: number;
  readonly boundaries: number;
  readonly intervals: number;
  readonly correctedSlots: number;
  /** Seams stepped over plainly because too many had been located before them. */
  readonly passedSeams: number;
  readonly clampedChannels: number;
  /** "specialised" where code made for the plant ran, and whether it was ready-made; otherwise "reference: " and why. */
  readonly code: string;
  readonly stats: Readonly<IntegratorStats>;
}

const DEFAULT_BREATH = 4096;

export function* fly(flight: Flight, options: FlyOptions = {}): Generator<Pause, FlightEnd> {
  begin(flight);
  const loop = new Loop(flight, options);
  try {
    for (let pause = loop.run(); pause !== "end"; pause = loop.run()) yield pause;
  } catch (error) {
    throw placed(error, flight);
  }
  return endOf(flight);
}

/** Where the loop stands when it is called again. */
const BEFORE = -1;
const AFTER = -2;

class Loop {
  private readonly flight: Flight;
  private readonly sinks: readonly Sink[];
  private readonly breathEvery: number;
  /** Boundaries until the next breath: counted from the flight's start, so that pauses fall where they fell. */
  private breathIn: number;
  private readonly isMarked: FlyOptions["isMarked"];
  /** Nobody is shown boundaries that are ticks of the fastest axis alone, and the integrator knows how to pass them. */
  private readonly mayGlide: boolean;
  /** The stage whose answer is awaited, or before or after a boundary. */
  private at = BEFORE;
  private isPaused = false;

  constructor(flight: Flight, { breathEvery = DEFAULT_BREATH, isMarked }: FlyOptions) {
    this.flight = flight;
    this.sinks = flight.parts.sinks ?? [];
    this.breathEvery = breathEvery;
    this.breathIn = breathEvery - (flight.boundary.count % breathEvery);
    this.isMarked = isMarked;
    const { boundary, integrator, schedule } = flight;
    const isUnseen = isMarked === undefined && boundary.isSilent(schedule.lonelyDue);
    this.mayGlide = isUnseen && integrator.glide !== undefined;
  }

  /** Boundaries and intervals up to the next pause. */
  run(): Pause | "end" {
    const { schedule, boundary, interval } = this.flight;
    for (;;) {
      if (this.at === AFTER) {
        const pause = this.pauseAfter();
        if (pause !== undefined) return pause;
        this.at = BEFORE;
      }
      if (this.at === BEFORE) {
        if (this.isMarked !== undefined && this.pausesAtMark()) return "mark";
        this.at = boundary.start();
      }
      while (this.at < STAGES.length) {
        if (boundary.isWaiting) return "answer";
        boundary.takeAnswer();
        this.at = boundary.run(this.at + 1);
      }
      if (schedule.isLast) return "end";
      if (!this.glides()) {
        interval.run(boundary.isMoved);
        schedule.advance();
      }
      boundary.isOpen = false;
      this.at = AFTER;
    }
  }

  /**
   * Passes boundaries ahead at which nothing is done and that nobody is shown, in one go, if there are any. Pauses fall where
   * they would have fallen.
   */
  private glides(): boolean {
    if (!this.mayGlide) return false;
    const { schedule, boundary, interval } = this.flight;
    const most = Math.min(schedule.lonelyPeriods, this.breathIn);
    const made = most > 1 ? interval.glide(most, boundary.isMoved) : 0;
    if (made === 0) return false;
    boundary.count += made - 1;
    this.breathIn -= made - 1;
    schedule.skip(made);
    return true;
  }

  /** Once a boundary that is marked. */
  private pausesAtMark(): boolean {
    this.isPaused = !this.isPaused && this.isMarked!(this.flight.schedule.nowUs);
    return this.isPaused;
  }

  /** Room for as long as a sink is full, then a breath if one is due. */
  private pauseAfter(): Pause | undefined {
    for (let i = 0; i < this.sinks.length; i += 1) if (this.sinks[i]!.isFull) return "room";
    this.breathIn -= 1;
    if (this.breathIn > 0) return undefined;
    this.breathIn = this.breathEvery;
    this.at = BEFORE;
    return "breath";
  }
}

/** A flight is flown once: who asks again has no business with its sinks either. */
export function refuseUnderWay({ isUnderWay }: Flight): void {
  if (!isUnderWay) return;
  throw engineErrors.alreadyFlown({
    what: "this flight has been started already",
    fix: "assemble it again from its description",
  });
}

function begin(flight: Flight): void {
  refuseUnderWay(flight);
  flight.isUnderWay = true;
  for (const sink of flight.parts.sinks ?? []) sink.open(flight.columns);
}

/** How a flight ended, or how far it has come. */
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

/** The end of a flight that an error cut short, as far as it came. */
export function endAtFailure(flight: Flight): FlightEnd {
  return { ...endOf(flight), endUs: flight.clock.us, stop: 0 };
}

/** Says when and in which stage an error of a part happened, where the part could not know. */
function placed(error: unknown, flight: Flight): unknown {
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
