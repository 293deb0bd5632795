/**
 * One boundary: the stages of the table, in its order, each where it is due (laws 3, 4, 5, 7, 10).
 *
 * Every duty is one small method; `STAGES` decides the order and when. The only stage that can pause is the autopilot,
 * which may live outside this process. Nothing here knows a model: sources write signals, the plant has its hooks. What
 * nobody can have changed is not computed again: the wind's sum and the input follow from those who speak.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import type { BoundaryView, Observer, OutputsView, Plant, Probe, Sink, Source, View } from "./contracts.ts";
import { engineErrors } from "./errors.ts";
import type { Flight, SensorSource } from "./flight.ts";
import { InputGatherer } from "./gather.ts";
import { applyCommandPolicy, StateGuard, WriterGuard } from "./guards.ts";
import type { Writer } from "../signals/table.ts";
import {
  DUE_BITS,
  type DueName,
  EVERY_BOUNDARY,
  INPUT_WRITERS,
  type StageName,
  STAGES,
  WIND_WRITERS,
} from "./stages.ts";

const placeOf = (stage: StageName): number => STAGES.findIndex(({ name }) => name === stage);
const SCENARIO = placeOf("scenario");
const WIND = placeOf("wind");
const OUTPUTS = placeOf("outputs");
const ESTIMATOR = placeOf("estimator");
const TELEMETRY = placeOf("telemetry");
const AUTOPILOT = placeOf("autopilot");
const DISCONTINUITIES = placeOf("discontinuities");
const LOG = placeOf("log");

/** Stages of every boundary that have something to do only where one of these spoke; at the first boundary they run. */
const IDLE_UNLESS: Readonly<Partial<Record<StageName, number>>> = {
  wind: WIND_WRITERS,
  discontinuities: INPUT_WRITERS,
};

/** For every due set, one bit a stage that has something to do there. */
const WORK = Uint8Array.from({ length: 2 * DUE_BITS.inserted }, (_, due) =>
  STAGES.reduce(
    (bits, { name, due: mask }, i) => (((IDLE_UNLESS[name] ?? mask) & due) === 0 ? bits : bits | (1 << i)),
    0,
  ),
);
/** Those that run at every boundary, whatever is due, by the table. */
const EVERYWHERE = STAGES.reduce((bits, { due }, i) => (due === EVERY_BOUNDARY ? bits | (1 << i) : bits), 0);

/** A source with the check of what it wrote. */
class Speaker {
  readonly due: number;
  private readonly source: Source;
  private readonly guard: WriterGuard;

  constructor(source: Source, flight: Flight) {
    this.source = source;
    this.due = DUE_BITS[source.writer as DueName];
    this.guard = new WriterGuard(flight.bus, source.writer);
  }

  speak({ clock, bus }: Flight, tUs: Float64Array): void {
    this.source.update(clock, bus.view(this.source.writer) as View<Writer>);
    this.guard.check(tUs);
  }
}

export class Boundary implements Saveable {
  count = 0;
  /** Command channels that the policy sanitised. */
  clampedChannels = 0;
  /** From the first stage until the next boundary is reached: no checkpoint can stand here. */
  isOpen = false;
  /** Whether the state or the input differ from what the last interval ended with. */
  isMoved = true;

  private readonly flight: Flight;
  /** Place in the table of the stage being worked; past its end: the integration after it. */
  private at = 0;
  private readonly plant: Plant;
  private readonly hasOutputs: boolean;
  private readonly hasJump: boolean;
  private readonly outputsView: OutputsView;
  private readonly stateGuard: StateGuard;
  private readonly outputsGuard: WriterGuard;
  private readonly autopilotGuard: WriterGuard;
  private readonly scenario: Speaker | undefined;
  private readonly wind: Speaker | undefined;
  private readonly sensors: readonly Speaker[];
  private readonly estimator: Speaker | undefined;
  private readonly observers: readonly Observer[];
  /** Bits by which each observer is shown a boundary. */
  private readonly shownAt: Int32Array;
  private readonly probes: readonly Probe[];
  private readonly input: InputGatherer;
  private readonly tUs: Float64Array;
  private readonly stop: Float64Array;
  private readonly windParts: { base: Float64Array; gust: Float64Array; sum: Float64Array };
  private readonly command: { motors: Float64Array; servos: Float64Array };
  private readonly row: Float64Array;
  private readonly seen: { -readonly [K in keyof BoundaryView]: BoundaryView[K] };
  private readonly autopilotPeriodUs: number;
  /** Time of the last autopilot tick; −1 before the first. */
  private readonly lastAutopilotUs = new Float64Array([-1]);
  private inputChanged = true;

  constructor(flight: Flight) {
    this.flight = flight;
    const { plant, autopilot, scenario, wind, sensors = [], estimator, observers = [], probes = [] } = flight.parts;
    const { bus, frame } = flight;
    const speaker = (source: Source | undefined) => (source === undefined ? undefined : new Speaker(source, flight));
    this.plant = plant;
    this.hasOutputs = plant.outputsInto !== undefined;
    this.hasJump = plant.jump !== undefined;
    this.outputsView = bus.outputsView();
    this.stateGuard = new StateGuard(plant.layout);
    this.outputsGuard = new WriterGuard(bus, "outputs");
    this.autopilotGuard = new WriterGuard(bus, "autopilot");
    this.scenario = speaker(scenario as Source | undefined);
    this.wind = speaker(wind as Source | undefined);
    this.sensors = sensors.map((sensor: SensorSource) => new Speaker(sensor as Source, flight));
    this.estimator = speaker(estimator as Source | undefined);
    this.observers = observers;
    this.shownAt = Int32Array.from(observers, ({ shownAt }) => shownAt ?? EVERY_BOUNDARY);
    this.probes = probes;
    this.input = new InputGatherer(bus, flight.u);
    this.tUs = flight.clock.cells.subarray(1);
    this.stop = bus.signal("stop");
    this.windParts = { base: bus.signal("windBaseNed"), gust: bus.signal("windGustNed"), sum: bus.signal("windNed") };
    this.command = { motors: bus.signal("motorCommand"), servos: bus.signal("servoCommand") };
    this.row = new Float64Array(flight.x.length + bus.values.length);
    this.autopilotPeriodUs = autopilot?.axis.kind === "periodic" ? autopilot.axis.periodUs : 0;
    this.seen = {
      clock: flight.clock,
      frame,
      stateSize: flight.x.length,
      bus: bus.values,
      due: 0,
      outputsRan: false,
      inputChanged: true,
    };
  }

  /** Sets the clock, checks the state x⁻ that the interval left, and works the stages: returns what `run` does. */
  start(): number {
    const { clock, schedule, frame, x, interval } = this.flight;
    this.isOpen = true;
    clock.take(schedule.cells, 0);
    frame[0] = schedule.cells[0]!;
    if (!interval.isValid) this.stateGuard.check(x, this.tUs);
    this.inputChanged = this.count === 0;
    this.isMoved = this.count === 0;
    this.seen.outputsRan = false;
    return this.run(0);
  }

  /** The stage being worked, or the integration after the last one, for error messages. */
  get stage(): StageName | "integrate" {
    return STAGES[this.at]?.name ?? "integrate";
  }

  /** Works the stages from i on where they are due; returns the one after which an answer is awaited, or their count. */
  run(from: number): number {
    const { schedule } = this.flight;
    const everywhere = this.count === 0 ? EVERYWHERE : 0;
    let left = ((WORK[schedule.due]! | everywhere) >>> from) << from;
    while (left !== 0) {
      const stage = 31 - Math.clz32(left & -left);
      left &= left - 1;
      this.at = stage;
      this.work(stage);
      if (stage === AUTOPILOT && this.isWaiting) return stage;
      // The scenario may end the flight here, and then a log row is due.
      if (stage === SCENARIO) left = (WORK[schedule.due]! | everywhere) & ~(1 << SCENARIO);
    }
    this.at = STAGES.length;
    return STAGES.length;
  }

  private work(stage: number): void {
    if (stage === SCENARIO) this.runScenario();
    else if (stage === WIND) this.runWind();
    else if (stage === OUTPUTS) this.runOutputs();
    else if (stage === ESTIMATOR) this.runEstimator();
    else if (stage === TELEMETRY) this.runProbes();
    else if (stage === AUTOPILOT) this.runAutopilot();
    else if (stage === DISCONTINUITIES) this.freezeAndJump();
    else this.observe();
  }

  /** Whether nothing is to be done at a boundary of this due set, unless it is the first, and nobody is shown it. */
  isSilent(due: number): boolean {
    if ((WORK[due]! & ~(1 << LOG)) !== 0 || (due & DUE_BITS.log) !== 0) return false;
    return this.shownAt.every((bits) => bits !== EVERY_BOUNDARY && (bits & due) === 0);
  }

  get isWaiting(): boolean {
    return this.flight.parts.autopilot?.waiting === true;
  }

  /** Lets the autopilot write the answer that has come, and checks it like any command. */
  takeAnswer(): void {
    const { clock, bus, parts } = this.flight;
    parts.autopilot?.answer?.(clock, bus.view("autopilot"));
    this.checkCommand();
  }

  save(writer: SnapshotWriter): void {
    writer.section("boundary");
    writer.number(this.count);
    writer.number(this.clampedChannels);
    writer.number(this.lastAutopilotUs[0]!);
  }

  load(reader: SnapshotReader): void {
    reader.section("boundary");
    this.count = reader.number();
    this.clampedChannels = reader.number();
    this.lastAutopilotUs[0] = reader.number();
  }

  /** Stop is decided here, so that the last boundary knows that it is the last before it logs. */
  private runScenario(): void {
    this.scenario?.speak(this.flight, this.tUs);
    if (this.stop[0] !== 0) this.flight.schedule.endHere();
  }

  private runWind(): void {
    if ((this.flight.schedule.due & DUE_BITS.wind) !== 0) this.wind?.speak(this.flight, this.tUs);
    const { base, gust, sum } = this.windParts;
    for (let i = 0; i < 3; i += 1) sum[i] = base[i]! + gust[i]!;
  }

  /** Of x⁻ under the new wind and faults; the autopilot has not spoken yet, so its command is the previous one. */
  private runOutputs(): void {
    this.gatherInput(this.count === 0 ? EVERY_BOUNDARY : this.flight.schedule.due & WIND_WRITERS);
    this.evaluateOutputs();
  }

  /** From the state and the input as they stand. */
  private evaluateOutputs(): void {
    if (!this.hasOutputs) return;
    const { clock, x, u } = this.flight;
    this.plant.outputsInto!(this.outputsView, clock.cells, x, u);
    this.outputsGuard.check(this.tUs);
    this.seen.outputsRan = true;
  }

  private runEstimator(): void {
    const { sensors, estimator, flight } = this;
    const { due } = flight.schedule;
    for (let i = 0; i < sensors.length; i += 1) {
      if ((due & sensors[i]!.due) !== 0) sensors[i]!.speak(flight, this.tUs);
    }
    if ((due & DUE_BITS.estimator) !== 0) estimator?.speak(flight, this.tUs);
  }

  private runProbes(): void {
    const { clock, bus } = this.flight;
    for (let i = 0; i < this.probes.length; i += 1) this.probes[i]!.observe(clock, bus.readonlyView());
  }

  private runAutopilot(): void {
    this.checkCadence();
    const { parts, clock, bus } = this.flight;
    parts.autopilot?.update(clock, bus.view("autopilot"));
    if (!this.isWaiting) this.checkCommand();
  }

  /** Freezes u over [t_k, t_k+1); where the autopilot spoke the plant may jump. */
  private freezeAndJump(): void {
    const { x, u, schedule } = this.flight;
    this.gatherInput(this.count === 0 ? EVERY_BOUNDARY : schedule.due);
    if (this.inputChanged) this.isMoved = true;
    if ((schedule.due & DUE_BITS.autopilot) === 0) return;
    if (!this.hasJump) return;
    this.plant.jump!(x, u);
    this.isMoved = true;
    this.stateGuard.check(x, this.tUs);
  }

  /** A log row is one instant: the outputs are evaluated once more from (x⁺, new input) before it is taken. */
  private observe(): void {
    const { observers, flight, seen } = this;
    const { parts, schedule } = flight;
    const isLogged = (schedule.due & DUE_BITS.log) !== 0;
    if (isLogged) this.evaluateOutputs();
    seen.due = schedule.due;
    seen.inputChanged = this.inputChanged;
    for (let i = 0; i < observers.length; i += 1) {
      if ((this.shownAt[i]! & schedule.due) !== 0 || this.count === 0) observers[i]!.observe(seen);
    }
    if (isLogged && parts.sinks !== undefined) this.fillSinks(parts.sinks);
    this.count += 1;
  }

  private fillSinks(sinks: readonly Sink[]): void {
    const { x, bus, clock } = this.flight;
    this.row.set(x);
    this.row.set(bus.values, x.length);
    for (let i = 0; i < sinks.length; i += 1) sinks[i]!.row(clock.us, this.row);
  }

  private checkCommand(): void {
    const { motors, servos } = this.command;
    const policy = this.flight.parts.commandPolicy ?? "strict";
    this.clampedChannels += applyCommandPolicy(policy, motors, servos, this.tUs);
    this.autopilotGuard.check(this.tUs);
  }

  private checkCadence(): void {
    const spacingUs = this.tUs[0]! - this.lastAutopilotUs[0]!;
    if (this.lastAutopilotUs[0]! >= 0 && this.autopilotPeriodUs > 0 && spacingUs !== this.autopilotPeriodUs) {
      throw engineErrors.cadence({
        what: `the autopilot is stepped ${spacingUs} µs after its last tick instead of ${this.autopilotPeriodUs} µs`,
        where: { tUs: this.tUs[0]!, stage: "autopilot" },
        fix: "let the boundaries contain every tick of the autopilot's axis",
      });
    }
    this.lastAutopilotUs[0] = this.tUs[0]!;
  }

  private gatherInput(due: number): void {
    if (due !== 0 && this.input.gather(due)) this.inputChanged = true;
  }
}
