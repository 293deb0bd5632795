/**
 * A flight in steps, for control research and reinforcement learning: `reset`, then `step(action)` until it is over.
 *
 * The engine is the same; the caller of `step` takes the place of the autopilot. At each autopilot tick the flight
 * pauses, as for any autopilot outside this process. The action becomes the command, and the flight continues to the
 * next tick. As in Gymnasium, an episode is *terminated* if an event ended it, and *truncated* if its time ran out.
 */
import type { Flight, Pause, ReadonlyView, Sink, Source } from "../engine/index.ts";
import type { PlainObject } from "../params/index.ts";
import { periodicAxis } from "../time/index.ts";
import type { Clock } from "../time/index.ts";
import type { AutopilotContext } from "../autopilot/index.ts";
import type { AssembleOptions } from "./assemble.ts";
import { flightErrors } from "../describe/errors.ts";
import { withFunctions } from "./fly-flight.ts";
import type { FlightResult } from "./result.ts";
import { Run } from "./run.ts";
import type { SpecLoader } from "../describe/spec/layers.ts";
import { coreRegistry, type Registry } from "../describe/registry.ts";
import { hashOf, type ResolvedFlight } from "../describe/definition/definition.ts";
import { mustResolve, resolveFlight } from "../describe/resolve/resolve.ts";
import type { SpecContents } from "../describe/spec/spec-contents.ts";
import type { FlightSpec } from "../describe/spec/spec.ts";

/** Duty cycle of each rotor, 0 to 1, in the vehicle's order. */
type MotorAction = ArrayLike<number>;

/** Fills the observation from the signals at a tick. */
type Observe = (view: ReadonlyView, clock: Clock, out: Float64Array) => void;

/** Observation, reward and other options of a stepped flight. */
export interface SteppingOptions extends Omit<AssembleOptions, "autopilot" | "record" | "replay" | "plant"> {
  readonly registry?: Registry;
  readonly load?: SpecLoader;
  readonly contents?: SpecContents;
  /** Autopilot ticks per step, 1 by default. The action is held over all of them. */
  readonly ticksPerStep?: number;
  /**
   * Size and content of an observation; by default the estimated position, velocity, attitude and rates, and the
   * battery's remaining charge.
   */
  readonly observe?: { readonly size: number; readonly fill: Observe };
  /** Computes the reward of each step; 0 by default. */
  readonly reward?: (view: ReadonlyView, clock: Clock) => number;
}

interface StepResult {
  /** Reused by the next step: copy it to keep it. */
  readonly observation: Float64Array;
  readonly reward: number;
  /** Ended by the scenario: landed, crashed, stopped. */
  readonly terminated: boolean;
  /** Ended by the timeline. */
  readonly truncated: boolean;
  readonly tUs: number;
}

/** The default observation, in this order. */
const OBSERVATION = ["estPosNed", "estVelNed", "estQBodyToNed", "estRateBody", "batteryRemaining"] as const;
const OBSERVATION_SIZE = 14;

/** A flight that is advanced step by step with actions from outside, e.g. by a learning agent. */
export class SteppedFlight {
  private readonly resolved: ResolvedFlight;
  private readonly registry: Registry;
  private readonly options: SteppingOptions;
  private readonly ticksPerStep: number;
  private readonly observation: Float64Array;
  private episode: Episode | undefined;

  constructor(spec: FlightSpec, options: SteppingOptions = {}) {
    this.registry = options.registry ?? coreRegistry;
    this.options = options;
    this.ticksPerStep = options.ticksPerStep ?? 1;
    checkOptions(this.ticksPerStep, options.sinks ?? []);
    const layer = { file: "flight", spec: spec as PlainObject };
    this.resolved = mustResolve(resolveFlight(layer, this.registry, options.load, options.contents));
    this.observation = new Float64Array(options.observe?.size ?? OBSERVATION_SIZE);
  }

  get rotorCount(): number {
    return this.resolved.definition.vehicle.rotors.length;
  }

  /** Begins an episode, optionally with another seed, and flies to its first tick. */
  reset(options: { readonly seed?: number } = {}): StepResult {
    const next = new Episode(this.withSeed(options.seed), this.registry, this.options);
    this.episode?.close();
    this.episode = next;
    next.advance();
    return this.observe();
  }

  /** Commands the motors and flies to the end of the step. */
  step(action: MotorAction): StepResult {
    const { episode } = this;
    if (episode === undefined || episode.isOver) {
      const over = episode?.hasFailed === true ? "the episode ended with an error" : "the episode is over";
      throw flightErrors.notStepping({
        what: episode === undefined ? "no episode has started" : over,
        fix: "call reset first",
      });
    }
    episode.command(action);
    for (let tick = 0; tick < this.ticksPerStep && !episode.isOver; tick += 1) episode.advance();
    return this.observe();
  }

  /** Returns the result of the episode once it is over. */
  result(): FlightResult {
    const result = this.episode?.result();
    if (result !== undefined) return result;
    const hasFailed = this.episode?.hasFailed === true;
    throw flightErrors.notStepping({
      what: hasFailed ? "the episode ended with an error" : "the episode is not over",
      fix: hasFailed ? "call reset and fly another one" : "step until it is terminated or truncated",
    });
  }

  private withSeed(seed: number | undefined): ResolvedFlight {
    if (seed === undefined) return this.resolved;
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw flightErrors.badEpisode({ what: `the seed is ${seed}`, fix: "use a whole number from 0" });
    }
    const definition = { ...this.resolved.definition, seed };
    return { ...this.resolved, definition, hash: hashOf(definition) };
  }

  private observe(): StepResult {
    const episode = this.episode!;
    const { flight } = episode;
    const view = flight.bus.readonlyView();
    (this.options.observe?.fill ?? observeEstimate)(view, flight.clock, this.observation);
    return {
      observation: this.observation,
      reward: this.options.reward?.(view, flight.clock) ?? 0,
      terminated: episode.isOver && flight.bus.signal("stop")[0] !== 0,
      truncated: episode.isOver && flight.bus.signal("stop")[0] === 0,
      tUs: flight.clock.us,
    };
  }
}

function checkOptions(ticksPerStep: number, sinks: readonly Sink[]): void {
  if (!Number.isSafeInteger(ticksPerStep) || ticksPerStep < 1) {
    throw flightErrors.badEpisode({ what: `ticksPerStep is ${ticksPerStep}`, fix: "use a whole number from 1" });
  }
  if (sinks.some(({ neverFull }) => neverFull !== true)) {
    throw flightErrors.badEpisode({
      what: "a sink may fill up, and a step cannot wait for it",
      fix: "use sinks that keep everything in memory",
    });
  }
}

/** One run of the flight, paused at the ticks of its autopilot. */
class Episode {
  isOver = false;
  hasFailed = false;
  private readonly run: Run;
  private readonly pilot: SteppedPilot;

  constructor(resolved: ResolvedFlight, registry: Registry, options: SteppingOptions) {
    let pilot: SteppedPilot | undefined;
    const autopilot = (context: AutopilotContext) => (pilot = new SteppedPilot(context));
    const parts = { ...options, registry, autopilot };
    this.run = new Run(withFunctions(resolved, parts), parts);
    this.pilot = pilot!;
  }

  get flight(): Flight {
    return this.run.flight;
  }

  command(action: MotorAction): void {
    this.pilot.command(action);
  }

  /** Flies to the next tick or to the end. The last boundary needs no action: the command is held there. */
  advance(): void {
    this.pilot.release();
    for (let pause = this.next(); pause !== "end"; pause = this.next()) {
      if (pause !== "answer") continue;
      if (!this.flight.schedule.isLast) return;
      this.pilot.release();
    }
    this.isOver = true;
  }

  /** Abandons the episode and closes its sinks, so that they can be read. */
  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.run.closeNow();
  }

  result(): FlightResult | undefined {
    return this.isOver && !this.hasFailed ? this.run.result() : undefined;
  }

  private next(): Pause | "end" {
    try {
      return this.run.toNextPause();
    } catch (error) {
      this.hasFailed = true;
      this.isOver = true;
      throw error;
    }
  }
}

/** Takes the place of the autopilot: waits at every tick, then writes the given command. */
class SteppedPilot implements Source<"autopilot"> {
  readonly writer = "autopilot";
  readonly axis: ReturnType<typeof periodicAxis>;
  readonly restore = "fly-again";
  private isWaiting = false;
  private readonly channels: readonly number[];
  private readonly duties: Float64Array;

  constructor({ periodUs, rotors }: AutopilotContext) {
    this.axis = periodicAxis({ periodUs });
    this.channels = rotors.map(({ channel }) => channel);
    this.duties = new Float64Array(rotors.length);
  }

  get waiting(): boolean {
    return this.isWaiting;
  }

  command(action: MotorAction): void {
    if (action.length !== this.duties.length) {
      throw flightErrors.wrongLength({
        what: `the action has ${action.length} duties for ${this.duties.length} rotors`,
        fix: "pass one duty per rotor",
      });
    }
    this.duties.set(action);
  }

  release(): void {
    this.isWaiting = false;
  }

  readonly update: Source<"autopilot">["update"] = () => {
    this.isWaiting = true;
  };

  readonly answer: NonNullable<Source<"autopilot">["answer"]> = (_clock, bus) => {
    for (let i = 0; i < this.channels.length; i += 1) bus.motorCommand[this.channels[i]!] = this.duties[i]!;
    bus.armed[0] = 1;
  };

  save(): void {}

  load(): void {}
}

function observeEstimate(view: ReadonlyView, _clock: Clock, out: Float64Array): void {
  let at = 0;
  for (const name of OBSERVATION) {
    const values = view[name];
    const size = name === "batteryRemaining" ? 1 : values.length;
    // A vehicle without a battery counts as fully charged.
    for (let i = 0; i < size; i += 1) out[at + i] = values[i] ?? 1;
    at += size;
  }
}
