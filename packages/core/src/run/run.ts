/**
 * Run: drives one flight from its definition to its result.
 *
 * Everything that flies a definition uses this class: the command-line tool, the library, stock PX4, the lockstep
 * worker, stepped episodes, web pages. The run assembles the flight, paces it, calls back at pauses, stops it on
 * request, closes its sinks, and turns a typed error into the result of a failed flight. The core has no clock, so the
 * caller passes in the clock that paces the flight. None of this changes a bit of the flight.
 */
import { SimError } from "../errors/index.ts";
import {
  endAtFailure,
  type Flight,
  type FlightEnd,
  flightLoop,
  flyAsync,
  flyNow,
  type LoopOptions,
  type Pause,
} from "../engine/index.ts";
import { Snapshot } from "../snapshot/index.ts";
import type { Recording } from "../record/index.ts";
import type { ResolvedFlight } from "../describe/definition/definition.ts";
import { NOT_JUDGED } from "../describe/sections/judged-spec.ts";
import type { Verdict } from "../requirements/verdict.ts";
import { coreRegistry, type Registry } from "../describe/registry.ts";
import type { Judged } from "../requirements/judge.ts";
import type { Measure } from "../requirements/measure.ts";
import { asRequirement, readRequirement, type RequirementLike } from "../requirements/requirement.ts";
import { assemble, type AssembledFlight, type AssembleOptions } from "./assemble.ts";
import { nextCheckpointUs } from "./session/checkpoint-keeper.ts";
import { JUDGE_SECTION } from "./judge/flight-judge.ts";
import { Pacer, type WallClock } from "./pacer.ts";
import { type FlightResult, type RecordedFlight, recordedResult, resultOf, withFailure } from "./result.ts";

export interface RunOptions extends AssembleOptions, LoopOptions {
  readonly registry?: Registry;
  /** Requirements in addition to those of the description. */
  readonly require?: readonly RequirementLike[];
  /** Measures to compute. */
  readonly measures?: readonly Measure[];
  /** Flight seconds per wall second, and the clock to measure them. Without it the flight runs at full speed. */
  readonly pace?: { readonly factor: number; readonly clock: WallClock };
  /**
   * Called and awaited at every `yield` and, without `onCheckpoint`, at every `mark`: for progress, messages and a turn
   * of the event loop.
   */
  readonly onPause?: (pause: Pause) => void | Promise<void>;
  /** Resolves when an autopilot outside this thread may have answered. Required if the flight can wait for one. */
  readonly untilAnswer?: () => Promise<void>;
  /**
   * Receives checkpoints while `toEnd` flies: one every half second in the first ten minutes, then less and less often.
   * A flight whose autopilot runs outside the process has none.
   */
  readonly onCheckpoint?: (tUs: number, snapshot: Snapshot) => void;
  /** Ends the flight at its next pause once `aborted` is true; may be an `AbortSignal`. */
  readonly signal?: { readonly aborted: boolean };
}

/** A flight that has ended, and the typed error that ended it early, if one did. */
export interface RunEnd {
  readonly result: FlightResult;
  readonly failure?: SimError;
}

export class Run {
  readonly resolved: ResolvedFlight;
  readonly assembled: AssembledFlight;
  private readonly options: RunOptions;
  private readonly pacer: Pacer | undefined;
  private loop: Generator<Pause, FlightEnd> | undefined;
  private end: FlightEnd | undefined;
  private failure: SimError | undefined;
  private readonly markUs: Float64Array | undefined;

  constructor(resolved: ResolvedFlight, options: RunOptions = {}) {
    this.resolved = resolved;
    this.options = options;
    this.assembled = assemble(resolved.definition, options.registry ?? coreRegistry, {
      ...options,
      judged: judgedBy(resolved, options),
      hash: resolved.hash,
    });
    const { pace } = options;
    this.markUs = options.onCheckpoint !== undefined && this.flight.isSaveable ? Float64Array.of(0) : options.markUs;
    this.pacer = pace === undefined || pace.factor === 0 ? undefined : new Pacer(pace.factor, pace.clock);
  }

  get flight(): Flight {
    return this.assembled.flight;
  }

  /** Flies to the end; awaits pauses, answers and full sinks. Throws only untyped errors, which are defects. */
  async toEnd(): Promise<RunEnd> {
    const { options, flight } = this;
    try {
      this.end = await flyAsync(flight, {
        ...this.loopOptions(),
        onPause: (pause) => this.atPause(pause),
        ...(options.untilAnswer === undefined ? {} : { untilAnswer: () => this.untilAnswer() }),
      });
    } catch (error) {
      this.fail(error);
    }
    return this.endResult();
  }

  /** Flies to the end synchronously, for flights that never wait. Pace, pauses and the signal do not apply. */
  toEndNow(): RunEnd {
    try {
      this.end = flyNow(this.flight, this.loopOptions());
    } catch (error) {
      this.fail(error);
    }
    return this.endResult();
  }

  /**
   * Flies synchronously until the rest of the flight cannot change any verdict, apart from its margin. This is checked
   * at every `yield`, which comes after a fixed number of boundaries. So the flight always ends at the same boundary.
   * `isCut` is true if the flight was ended early in this way.
   */
  toDecisionNow(): RunEnd & { readonly isCut: boolean } {
    let isCut = false;
    try {
      while (this.toNextPause() !== "end") {
        if (isCut || this.assembled.judge?.isDecided() !== true) continue;
        this.flight.schedule.endHere();
        isCut = true;
      }
    } catch (error) {
      if (!(error instanceof SimError)) throw error;
    }
    const ended = this.endResult();
    return { ...ended, isCut: isCut && ended.failure === undefined && ended.result.end.stop === 0 };
  }

  /**
   * Flies to the next pause without waiting; returns "end" once the flight has ended. The caller answers the pause.
   * Errors are thrown, and end the flight. The sinks must keep everything in memory; they are closed at the end.
   */
  toNextPause(): Pause | "end" {
    if (this.end !== undefined) return "end";
    try {
      this.loop ??= flightLoop(this.flight, this.loopOptions());
      const step = this.loop.next();
      if (step.done !== true) return step.value;
      this.end = step.value;
    } catch (error) {
      this.closeNow();
      this.fail(error);
      throw error;
    }
    this.closeNow();
    return "end";
  }

  /** Loads a checkpoint of this flight, even after its end; `toNextPause` flies on from there. */
  rewind(snapshot: Snapshot): void {
    this.flight.load(snapshot);
    this.loop = undefined;
    this.end = undefined;
    this.failure = undefined;
  }

  /** Closes sinks without waiting, e.g. those of an abandoned episode. They must keep everything in memory. */
  closeNow(): void {
    for (const sink of this.flight.parts.sinks ?? []) void sink.close();
  }

  /** Returns the result so far, or the final one. */
  result(): FlightResult {
    return withFailure(resultOf(this.resolved, this.assembled, this.end ?? endAtFailure(this.flight)), this.failure);
  }

  /** Returns the result with the recording; the run must have been made with `record`. */
  recorded(): RecordedFlight {
    return recordedResult(this.result(), this.assembled, (recording, requirement) =>
      this.judgeAgain(recording, requirement),
    );
  }

  private judgeAgain(recording: Recording, requirement: RequirementLike): Verdict {
    const { registry = coreRegistry, codegen = true } = this.options;
    const replay = new Run(
      { ...this.resolved, judged: NOT_JUDGED },
      { registry, codegen, replay: { recording, live: [] }, require: [requirement], fingerprint: "none" },
    );
    const { result, failure } = replay.toEndNow();
    if (failure !== undefined) throw failure;
    return result.verdicts[0]!;
  }

  private endResult(): RunEnd {
    return { result: this.result(), ...(this.failure === undefined ? {} : { failure: this.failure }) };
  }

  private fail(error: unknown): void {
    if (!(error instanceof SimError)) throw error;
    this.failure = error;
    this.end = endAtFailure(this.flight);
  }

  private loopOptions(): LoopOptions {
    const { yieldEvery = this.pacer?.yieldEvery(this.resolved.definition.timeline.physicsPeriodS) } = this.options;
    const { markUs } = this;
    return {
      ...(yieldEvery === undefined ? {} : { yieldEvery }),
      ...(markUs === undefined ? {} : { markUs }),
    };
  }

  private async atPause(pause: Pause): Promise<void> {
    const { onPause, onCheckpoint, signal } = this.options;
    if (pause === "mark" && onCheckpoint !== undefined) {
      const { nowUs } = this.flight.schedule;
      onCheckpoint(nowUs, withoutJudge(this.flight.save()));
      this.markUs![0] = nextCheckpointUs(nowUs);
      return;
    }
    await onPause?.(pause);
    await this.pacer?.waitUntil(this.flight.schedule.nowUs);
    if (signal?.aborted === true) this.flight.schedule.endHere();
  }

  private async untilAnswer(): Promise<void> {
    await this.options.untilAnswer!();
    await this.pacer?.waitUntil(this.flight.clock.us);
  }
}

/** Returns the requirements of the description and of the caller, and the caller's measures. */
function judgedBy({ judged }: ResolvedFlight, { require = [], measures = [] }: RunOptions): Judged {
  const own = judged.requirements.map(({ text, ...options }) => readRequirement(text, options));
  return { requirements: [...own, ...require.map(asRequirement)], measures };
}

/** Removes the memory of the monitors from a checkpoint, so that it can be loaded with any list of requirements. */
function withoutJudge(snapshot: Snapshot): Snapshot {
  const { sections, flightHash } = snapshot;
  return new Snapshot(
    sections.filter(({ name }) => name !== JUDGE_SECTION),
    flightHash,
  );
}
