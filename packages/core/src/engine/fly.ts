/**
 * The loop (law 1): time advances here and nowhere else.
 *
 * A flight is boundaries joined by intervals. Live, record and replay differ by what is plugged into the flight, never
 * by another loop. It is a generator so that whoever drives it can pause it for a stated reason; when and how often it
 * pauses never changes a bit.
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
  /** "specialised" where code made for the plant ran; otherwise "reference: " and why. */
  readonly code: string;
  readonly stats: Readonly<IntegratorStats>;
}

const DEFAULT_BREATH = 4096;

export function* fly(flight: Flight, options: FlyOptions = {}): Generator<Pause, FlightEnd> {
  const { schedule, boundary, interval } = flight;
  const { breathEvery = DEFAULT_BREATH, isMarked } = options;
  const { sinks = [] } = flight.parts;
  begin(flight);
  try {
    for (;;) {
      if (isMarked !== undefined && isMarked(schedule.nowUs)) yield "mark";
      boundary.begin();
      for (let stage = boundary.run(0); stage < STAGES.length; stage = boundary.run(stage + 1)) {
        while (boundary.isWaiting) yield "answer";
        boundary.takeAnswer();
      }
      if (schedule.isLast) break;
      boundary.stage = "integrate";
      interval.run(boundary.isMoved);
      schedule.advance();
      boundary.isOpen = false;
      while (sinksAreFull(sinks)) yield "room";
      if (boundary.count % breathEvery === 0) yield "breath";
    }
  } catch (error) {
    throw placed(error, flight);
  }
  return {
    endUs: schedule.nowUs,
    stop: flight.bus.signal("stop")[0]!,
    boundaries: boundary.count,
    intervals: interval.count,
    correctedSlots: interval.correctedSlots,
    passedSeams: interval.passedSeams,
    clampedChannels: boundary.clampedChannels,
    code: flight.code,
    stats: { ...flight.integrator.stats },
  };
}

function begin(flight: Flight): void {
  if (flight.isUnderWay) {
    throw engineErrors.alreadyFlown({
      what: "this flight has been started already",
      fix: "assemble it again from its description",
    });
  }
  flight.isUnderWay = true;
  for (const sink of flight.parts.sinks ?? []) sink.open(flight.columns);
}

function sinksAreFull(sinks: readonly Sink[]): boolean {
  for (let i = 0; i < sinks.length; i += 1) if (sinks[i]!.isFull) return true;
  return false;
}

/** Says when and in which stage an error of a part happened, where the part could not know. */
function placed(error: unknown, flight: Flight): unknown {
  if (error instanceof InvariantError) {
    const where = describeWhere({ tUs: flight.clock.us, stage: flight.boundary.stage });
    const state = flight.parts.plant.layout.dump(flight.x);
    return new InvariantError(`${error.message}\n${where}; the state was\n${state}`, { cause: error });
  }
  if (!(error instanceof SimError) || error.where.tUs !== undefined) return error;
  const where = { stage: flight.boundary.stage, ...error.where, tUs: flight.clock.us };
  return new SimError(error.code, { what: error.what, where, fix: error.fix, cause: error });
}
