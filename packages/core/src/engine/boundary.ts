/**
 * One boundary: the stages of the table, in its order, each where it is due (laws 3, 4, 5, 7, 10).
 *
 * Every duty is one small method; `STAGES` decides the order and when. The only stage that can pause is the autopilot,
 * which may live outside this process. Nothing here knows a model: sources write signals, the plant has its hooks.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import type { BoundaryView, Observer, Plant, Probe, Sink, Source, View } from "./contracts.ts";
import { engineErrors } from "./errors.ts";
import type { Flight, SensorSource } from "./flight.ts";
import { applyCommandPolicy, checkWritten, StateGuard } from "./guards.ts";
import { DUE_BITS, type SensorWriter, type StageName, STAGES } from "./stages.ts";
import type { Writer } from "./signals.ts";

const jumpNowhere = (): void => {};

export class Boundary implements Saveable {
  count = 0;
  /** Command channels that the policy sanitised. */
  clampedChannels = 0;
  /** The stage being worked, or the integration after the last one, for error messages. */
  stage: StageName | "integrate" = "scenario";
  /** From the first stage until the next boundary is reached: no checkpoint can stand here. */
  isOpen = false;

  private readonly flight: Flight;
  private readonly duties: readonly (() => void)[];
  private readonly dueMasks: Int32Array;
  private readonly outputsInto: Plant["outputsInto"];
  private readonly jump: NonNullable<Plant["jump"]>;
  private readonly outputsView: View<"outputs">;
  private readonly guard: StateGuard;
  private readonly uBits: Int32Array;
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
    const { plant, autopilot } = flight.parts;
    const { bus, frame } = flight;
    const duties: Record<StageName, () => void> = {
      scenario: () => this.runScenario(),
      wind: () => this.runWind(),
      outputs: () => this.evaluateOutputs(),
      estimator: () => this.runEstimator(),
      telemetry: () => this.runProbes(),
      autopilot: () => this.runAutopilot(),
      discontinuities: () => this.freezeAndJump(),
      log: () => this.observe(),
    };
    this.duties = STAGES.map(({ name }) => duties[name]);
    this.dueMasks = Int32Array.from(STAGES, ({ due }) => due);
    this.outputsInto = plant.outputsInto?.bind(plant);
    this.jump = plant.jump?.bind(plant) ?? jumpNowhere;
    this.outputsView = bus.view("outputs");
    this.guard = new StateGuard(plant.layout);
    this.uBits = new Int32Array(frame.buffer, flight.u.byteOffset, 2 * flight.u.length);
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

  /** Sets the clock and checks the state x⁻ that the interval left. */
  begin(): void {
    const { clock, schedule, frame, x } = this.flight;
    this.isOpen = true;
    clock.set(schedule.cells[0]!);
    frame[0] = schedule.cells[0]!;
    this.guard.check(x, this.tUs);
    this.inputChanged = this.count === 0;
    this.seen.outputsRan = false;
  }

  /** Works stage i where it is due; true if it now waits for an answer from outside. */
  run(i: number): boolean {
    if ((this.flight.schedule.due & this.dueMasks[i]!) === 0) return false;
    this.stage = STAGES[i]!.name;
    this.duties[i]!();
    return this.stage === "autopilot" && this.isWaiting;
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
    this.speak(this.flight.parts.scenario);
    if (this.stop[0] !== 0) this.flight.schedule.endHere();
  }

  private runWind(): void {
    if ((this.flight.schedule.due & DUE_BITS.wind) !== 0) this.speak(this.flight.parts.wind);
    const { base, gust, sum } = this.windParts;
    for (let i = 0; i < 3; i += 1) sum[i] = base[i]! + gust[i]!;
  }

  /** From the state as it stands and the signals as they are: x⁻ and the previous command before the autopilot. */
  private evaluateOutputs(): void {
    if (this.outputsInto === undefined) return;
    const { clock, x, u } = this.flight;
    this.gatherInput();
    this.outputsInto(this.outputsView, clock.cells, x, u);
    this.checkFinite("outputs");
    this.seen.outputsRan = true;
  }

  private runEstimator(): void {
    const { parts, schedule } = this.flight;
    const sensors = parts.sensors ?? NO_SENSORS;
    for (let i = 0; i < sensors.length; i += 1) {
      const sensor = sensors[i]!;
      if ((schedule.due & DUE_BITS[sensor.writer]) !== 0) this.speak(sensor as Source<SensorWriter>);
    }
    if ((schedule.due & DUE_BITS.estimator) !== 0) this.speak(parts.estimator);
  }

  private runProbes(): void {
    const { parts, clock, bus } = this.flight;
    const probes = parts.probes ?? NO_PROBES;
    for (let i = 0; i < probes.length; i += 1) probes[i]!.observe(clock, bus.readonlyView());
  }

  private runAutopilot(): void {
    this.checkCadence();
    const { parts, clock, bus } = this.flight;
    parts.autopilot?.update(clock, bus.view("autopilot"));
    if (!this.isWaiting) this.checkCommand();
  }

  /** Freezes u over [t_k, t_k+1); where the autopilot spoke the plant may jump. */
  private freezeAndJump(): void {
    this.gatherInput();
    if ((this.flight.schedule.due & DUE_BITS.autopilot) === 0) return;
    const { x, u } = this.flight;
    this.jump(x, u);
    this.guard.check(x, this.tUs);
  }

  /** A log row is one instant: the outputs are evaluated once more from (x⁺, new input) before it is taken. */
  private observe(): void {
    const { parts, schedule } = this.flight;
    const isLogged = (schedule.due & DUE_BITS.log) !== 0;
    if (isLogged) this.evaluateOutputs();
    this.seen.due = schedule.due;
    this.seen.inputChanged = this.inputChanged;
    const observers = parts.observers ?? NO_OBSERVERS;
    for (let i = 0; i < observers.length; i += 1) observers[i]!.observe(this.seen);
    if (isLogged && parts.sinks !== undefined) this.fillSinks(parts.sinks);
    this.count += 1;
  }

  private fillSinks(sinks: readonly Sink[]): void {
    const { x, bus, clock } = this.flight;
    this.row.set(x);
    this.row.set(bus.values, x.length);
    for (let i = 0; i < sinks.length; i += 1) sinks[i]!.row(clock.us, this.row);
  }

  private speak<W extends Writer>(source: Source<W> | undefined): void {
    if (source === undefined) return;
    source.update(this.flight.clock, this.flight.bus.view(source.writer));
    this.checkFinite(source.writer);
  }

  private checkFinite(writer: Writer): void {
    checkWritten(this.flight.bus.values, this.flight.bus.layout, writer, this.tUs);
  }

  private checkCommand(): void {
    const { motors, servos } = this.command;
    const policy = this.flight.parts.commandPolicy ?? "strict";
    this.clampedChannels += applyCommandPolicy(policy, motors, servos, this.tUs);
    this.checkFinite("autopilot");
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

  private gatherInput(): void {
    if (this.flight.bus.gatherInto(this.uBits)) this.inputChanged = true;
  }
}

const NO_SENSORS: readonly SensorSource[] = [];
const NO_PROBES: readonly Probe[] = [];
const NO_OBSERVERS: readonly Observer[] = [];
