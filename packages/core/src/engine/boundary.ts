/**
 * Runs one boundary: the stages of `STAGES` in order, each only if it is due (laws 3, 4, 5, 7, 10).
 *
 * Each stage is one small method. Only the autopilot stage can pause, because the autopilot may run outside this
 * process. No code here depends on a model: sources write signals, and the plant has hooks. The total wind and the
 * plant's input are computed only if a source that can change them ran.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import type {
  BoundaryView,
  Observer,
  OutputsView,
  Plant,
  Probe,
  ScenarioSource,
  Sink,
  Source,
  View,
} from "./contracts.ts";
import { engineErrors } from "./errors.ts";
import type { Flight, SensorSource } from "./flight.ts";
import { applyCommandPolicy, type CommandPolicy, StateGuard, WriterGuard } from "./guards.ts";
import { InputGatherer } from "./input.ts";
import {
  DUE_BITS,
  EVERY_BOUNDARY,
  type SourceWriter,
  type StageName,
  STAGES,
  STAGES_AT_FIRST,
  STAGES_WITH_WORK,
  WIND_DUE,
} from "./stages.ts";

const AUTOPILOT = STAGES.findIndex(({ name }) => name === "autopilot");

/** A source, and the guard that checks the signals it writes. */
class CheckedSource {
  readonly due: number;
  private readonly source: Source & Pick<ScenarioSource, "isIdle">;
  private readonly guard: WriterGuard;

  constructor(source: Source, flight: Flight) {
    this.source = source;
    this.due = DUE_BITS[source.writer];
    this.guard = new WriterGuard(flight.bus, source.writer);
  }

  update({ clock, bus }: Flight, timeCell: Float64Array): void {
    this.source.update(clock, bus.view(this.source.writer) as View<SourceWriter>);
    if (!this.isIdle) this.guard.check(timeCell);
  }

  /** True if the source reports that its last update changed none of its signals. */
  get isIdle(): boolean {
    return this.source.isIdle === true;
  }
}

export class Boundary implements Saveable {
  count = 0;
  /** How many commands of single channels the command policy has clamped so far. */
  clampedChannels = 0;
  /** True from the first stage until the next boundary is reached. No checkpoint can be taken meanwhile. */
  isOpen = false;
  /** Whether the state or the input has changed since the end of the last interval. */
  hasChanged = true;

  private readonly flight: Flight;
  /** Index of the running stage; `STAGES.length` during the integration that follows. */
  private stageIndex = 0;
  /** The method of each stage, in the order of `STAGES`. */
  private readonly stages: readonly (() => void)[];
  private readonly plant: Plant;
  private readonly hasOutputs: boolean;
  private readonly hasJump: boolean;
  private readonly outputsView: OutputsView;
  private readonly stateGuard: StateGuard;
  private readonly outputsGuard: WriterGuard;
  private readonly autopilotGuard: WriterGuard;
  private readonly scenario: CheckedSource | undefined;
  private readonly wind: CheckedSource | undefined;
  private readonly sensors: readonly CheckedSource[];
  private readonly estimator: CheckedSource | undefined;
  /**
   * The autopilot, the sinks and the policy are copied from `FlightParts`, because V8 reads fields slowly from an
   * object whose shape differs between flights.
   */
  private readonly autopilot: Source<"autopilot"> | undefined;
  private readonly sinks: readonly Sink[] | undefined;
  private readonly commandPolicy: CommandPolicy;
  private readonly observers: readonly Observer[];
  /** Due bits of each observer: the observer is called if any of them is due. */
  private readonly dueMasks: Int32Array;
  private readonly probes: readonly Probe[];
  private readonly input: InputGatherer;
  /** Time of this boundary in µs. An array cell, because V8 boxes numbers above 2³¹ in calls. */
  private readonly timeCell: Float64Array;
  private readonly stop: Float64Array;
  private readonly windParts: { base: Float64Array; gust: Float64Array; sum: Float64Array };
  private readonly command: { motors: Float64Array; servos: Float64Array };
  private readonly row: Float64Array;
  private readonly view: { -readonly [K in keyof BoundaryView]: BoundaryView[K] };
  private readonly autopilotPeriodUs: number;
  /** Time of the last autopilot tick; −1 before the first. */
  private readonly lastAutopilotUs = new Float64Array([-1]);
  private inputChanged = true;
  /** Due bits of the sources whose signals have already been copied into the input at this boundary. */
  private gatheredBits = 0;

  constructor(flight: Flight) {
    this.flight = flight;
    const { plant, autopilot, scenario, wind, sensors = [], estimator, observers = [], probes = [] } = flight.parts;
    const { bus, frame } = flight;
    const checked = (source: Source | undefined) =>
      source === undefined ? undefined : new CheckedSource(source, flight);
    const stageMethods: Readonly<Record<StageName, () => void>> = {
      scenario: () => this.runScenario(),
      wind: () => this.runWind(),
      outputs: () => this.runOutputs(),
      estimator: () => this.runEstimator(),
      telemetry: () => this.runProbes(),
      autopilot: () => this.runAutopilot(),
      discontinuities: () => this.freezeAndJump(),
      log: () => this.observe(),
    };
    this.stages = STAGES.map(({ name }) => stageMethods[name]);
    this.plant = plant;
    this.hasOutputs = plant.outputsInto !== undefined;
    this.hasJump = plant.jump !== undefined;
    this.outputsView = bus.outputsView();
    this.stateGuard = new StateGuard(plant.layout);
    this.outputsGuard = new WriterGuard(bus, "outputs");
    this.autopilotGuard = new WriterGuard(bus, "autopilot");
    this.scenario = checked(scenario as Source | undefined);
    this.wind = checked(wind as Source | undefined);
    this.sensors = sensors.map((sensor: SensorSource) => new CheckedSource(sensor as Source, flight));
    this.estimator = checked(estimator as Source | undefined);
    this.autopilot = autopilot;
    this.sinks = flight.parts.sinks;
    this.commandPolicy = flight.parts.commandPolicy ?? "strict";
    this.observers = observers;
    this.dueMasks = Int32Array.from(observers, ({ dueMask }) => dueMask ?? EVERY_BOUNDARY);
    this.probes = probes;
    this.input = new InputGatherer(bus, flight.u);
    this.timeCell = flight.clock.cells.subarray(1);
    this.stop = bus.signal("stop");
    this.windParts = { base: bus.signal("windBaseNed"), gust: bus.signal("windGustNed"), sum: bus.signal("windNed") };
    this.command = { motors: bus.signal("motorCommand"), servos: bus.signal("servoCommand") };
    this.row = new Float64Array(flight.x.length + bus.values.length);
    this.autopilotPeriodUs = autopilot?.axis.kind === "periodic" ? autopilot.axis.periodUs : 0;
    this.view = {
      clock: flight.clock,
      frame,
      stateSize: flight.x.length,
      bus: bus.values,
      due: 0,
      outputsRan: false,
      inputChanged: true,
      isScenarioIdle: false,
    };
  }

  /**
   * Sets the clock, checks the state x⁻ at the end of the interval, and runs the stages. Returns the result of `run`.
   */
  start(): number {
    const { clock, schedule, frame, x, interval } = this.flight;
    this.isOpen = true;
    clock.take(schedule.cells, 0);
    frame[0] = schedule.cells[0]!;
    if (!interval.isValid) this.stateGuard.check(x, this.timeCell);
    this.inputChanged = this.count === 0;
    this.gatheredBits = 0;
    this.hasChanged = this.count === 0;
    this.view.outputsRan = false;
    this.view.isScenarioIdle = false;
    return this.run(0);
  }

  /** The running stage, or the integration after the last one, for error messages. */
  get stage(): StageName | "integrate" {
    return STAGES[this.stageIndex]?.name ?? "integrate";
  }

  /**
   * Runs the stages that have work, from index `from` on. Returns the index of the stage that waits for an answer, or
   * `STAGES.length` if none waits.
   */
  run(from: number): number {
    const { schedule } = this.flight;
    const alwaysRun = this.count === 0 ? STAGES_AT_FIRST : 0;
    for (let next = from; ;) {
      // Read the due set again after each stage: the scenario may end the flight here, and then a log row is due.
      const remaining = (STAGES_WITH_WORK[schedule.due]! | alwaysRun) >>> next;
      if (remaining === 0) break;
      const stage = next + 31 - Math.clz32(remaining & -remaining);
      this.stageIndex = stage;
      this.stages[stage]!();
      if (stage === AUTOPILOT && this.isWaiting) return stage;
      next = stage + 1;
    }
    this.stageIndex = STAGES.length;
    return STAGES.length;
  }

  get isWaiting(): boolean {
    return this.autopilot?.waiting === true;
  }

  /** Lets the autopilot write the answer that has arrived, and checks it like any other command. */
  takeAnswer(): void {
    const { clock, bus } = this.flight;
    this.autopilot?.answer?.(clock, bus.view("autopilot"));
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

  /**
   * Runs the scenario. If it stops the flight, this boundary becomes the last one; its later stages still run.
   */
  private runScenario(): void {
    const { scenario, view } = this;
    if (scenario !== undefined) {
      scenario.update(this.flight, this.timeCell);
      view.isScenarioIdle = scenario.isIdle;
    }
    if (this.stop[0] !== 0) this.flight.schedule.endHere();
  }

  private runWind(): void {
    if ((this.flight.schedule.due & DUE_BITS.wind) !== 0) this.wind?.update(this.flight, this.timeCell);
    const { base, gust, sum } = this.windParts;
    for (let i = 0; i < 3; i += 1) sum[i] = base[i]! + gust[i]!;
  }

  /**
   * Evaluates the outputs of x⁻ under the new wind and faults, but still under the previous command of the autopilot.
   */
  private runOutputs(): void {
    this.gatherInput(this.changeBits & (this.count === 0 ? EVERY_BOUNDARY : WIND_DUE));
    this.gatheredBits = WIND_DUE;
    this.evaluateOutputs();
  }

  /** Evaluates the outputs from the present state and input. */
  private evaluateOutputs(): void {
    if (!this.hasOutputs) return;
    const { clock, x, u } = this.flight;
    this.plant.outputsInto!(this.outputsView, clock.cells, x, u);
    this.outputsGuard.check(this.timeCell);
    this.view.outputsRan = true;
  }

  private runEstimator(): void {
    const { sensors, estimator, flight } = this;
    const { due } = flight.schedule;
    for (let i = 0; i < sensors.length; i += 1) {
      if ((due & sensors[i]!.due) !== 0) sensors[i]!.update(flight, this.timeCell);
    }
    if ((due & DUE_BITS.estimator) !== 0) estimator?.update(flight, this.timeCell);
  }

  private runProbes(): void {
    const { clock, bus } = this.flight;
    for (let i = 0; i < this.probes.length; i += 1) this.probes[i]!.observe(clock, bus.readonlyView());
  }

  private runAutopilot(): void {
    this.checkCadence();
    const { clock, bus } = this.flight;
    this.autopilot?.update(clock, bus.view("autopilot"));
    if (!this.isWaiting) this.checkCommand();
  }

  /** Freezes the input u over [t_k, t_k+1). If the autopilot ran, applies the plant's jump. */
  private freezeAndJump(): void {
    const { x, u, schedule } = this.flight;
    this.gatherInput(this.changeBits & ~this.gatheredBits);
    if (this.inputChanged) this.hasChanged = true;
    if ((schedule.due & DUE_BITS.autopilot) === 0) return;
    if (!this.hasJump) return;
    this.plant.jump!(x, u);
    this.hasChanged = true;
    this.stateGuard.check(x, this.timeCell);
  }

  /**
   * Calls the observers and fills the sinks. All values of a log row belong to one instant, so at log ticks the outputs
   * are first evaluated again from x⁺ and the new input.
   */
  private observe(): void {
    const { observers, sinks, view } = this;
    const { schedule } = this.flight;
    const isLogged = (schedule.due & DUE_BITS.log) !== 0;
    if (isLogged) this.evaluateOutputs();
    view.due = schedule.due;
    view.inputChanged = this.inputChanged;
    for (let i = 0; i < observers.length; i += 1) {
      if ((this.dueMasks[i]! & schedule.due) !== 0 || this.count === 0) observers[i]!.observe(view);
    }
    if (isLogged && sinks !== undefined) this.fillSinks(sinks);
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
    this.clampedChannels += applyCommandPolicy(this.commandPolicy, motors, servos, this.timeCell);
    this.autopilotGuard.check(this.timeCell);
  }

  private checkCadence(): void {
    const spacingUs = this.timeCell[0]! - this.lastAutopilotUs[0]!;
    if (this.lastAutopilotUs[0]! >= 0 && this.autopilotPeriodUs > 0 && spacingUs !== this.autopilotPeriodUs) {
      throw engineErrors.cadence({
        what: `the autopilot runs ${spacingUs} µs after its last tick, but its period is ${this.autopilotPeriodUs} µs`,
        where: { tUs: this.timeCell[0]!, stage: "autopilot" },
        fix: "make every tick of the autopilot's axis a boundary",
      });
    }
    this.lastAutopilotUs[0] = this.timeCell[0]!;
  }

  /** The due bits of the sources that may have changed the plant's input at this boundary. */
  private get changeBits(): number {
    if (this.count === 0) return EVERY_BOUNDARY;
    const { due } = this.flight.schedule;
    return this.view.isScenarioIdle === true ? due & ~DUE_BITS.scenario : due;
  }

  private gatherInput(due: number): void {
    if (due !== 0 && this.input.gather(due)) this.inputChanged = true;
  }
}
