/**
 * Stock PX4 as the autopilot of a flight: sends raw sensor data, and receives one answer with motor commands per step.
 *
 * At its tick, the autopilot sends PX4 the sensor signals from the bus. The loop then pauses until PX4 answers or a
 * time limit passes, and the answer is written to the bus. State that PX4 reports over its MAVLink link is published
 * when it arrives. Such flights are not repeatable, because stock PX4 runs many threads: two flights differ after some
 * frames. But the recording of a flight replays bit for bit.
 */
import { periodicAxis, secondsToUs } from "@escapement/core";
import type { Axis, Clock, Probe, Projection, ReadonlyView, Source, SourceMessage, View } from "@escapement/core";
import type { AutopilotContext } from "../context.ts";
import { guessCellCount } from "../battery-cells.ts";
import { px4Projection } from "../projection.ts";
import type { Parameters } from "../parameters.ts";
import { MESSAGES } from "../mavlink/dialect.ts";
import { FrameWriter } from "../mavlink/frame.ts";
import { PeriodGate } from "./period-gate.ts";
import type { SitlParams } from "./params.ts";
import { Pilot } from "./pilot.ts";
import { publishReport, publishSetpoints } from "./publish.ts";
import { SensorFrame } from "./sensor-frame.ts";
import type { RangeLimits } from "./sensor-frame.ts";
import type { SimulatorPort } from "./simulator-port.ts";
import type { VehicleLink } from "./vehicle-link.ts";

const SIMULATOR = { systemId: 1, componentId: 51 } as const;
const CELLS_ON_WIRE = 10;
const CELL_UNUSED = 0xffff;
/** MAVLink's severities: lower is more severe, 4 is a warning, 6 is information, 7 is for PX4's developers. */
const WARNING = 4;
const INFORMATION = 6;

/** The two links to PX4. The caller that opened them may replace them until the flight begins. */
export interface SitlLinks {
  readonly port: SimulatorPort;
  readonly link: VehicleLink;
}

interface SitlAutopilotOptions {
  readonly links: SitlLinks;
  readonly params: SitlParams;
  readonly context: AutopilotContext;
  /** Parameters that PX4 must have: geometry, outputs, and the battery that it must not simulate. */
  readonly vehicleParameters?: Parameters;
  /** Limits of the flight's range finder, if it has one. */
  readonly range?: RangeLimits;
}

export class SitlAutopilot implements Source<"autopilot"> {
  readonly writer = "autopilot";
  readonly axis: Axis;
  readonly restore = "fly-again";
  /** Probe that sends the true state to PX4's log; optional. */
  readonly groundTruth: Probe;
  readonly messages: readonly SourceMessage[];

  private readonly received: SourceMessage[] = [];
  private readonly vehicleParameters: Parameters;
  private readonly links: SitlLinks;
  private readonly params: SitlParams;
  private readonly context: AutopilotContext;
  private createdPilot: Pilot | undefined;
  private readonly batch = new FrameWriter(SIMULATOR);
  private readonly sensors: SensorFrame;
  private readonly projection: Projection;
  private readonly geodetic = new Float64Array(3);
  private readonly nowUs = new Float64Array(1);
  private readonly offsetUs: number;
  private readonly batteryReport: PeriodGate;
  private readonly groundTruthReport: PeriodGate;

  constructor({ links, params, context, vehicleParameters = {}, range }: SitlAutopilotOptions) {
    this.messages = this.received;
    this.vehicleParameters = vehicleParameters;
    this.links = links;
    this.params = params;
    this.context = context;
    this.sensors = new SensorFrame(range);
    this.axis = periodicAxis({ periodUs: context.periodUs, startUs: context.startUs ?? 0 });
    this.projection = px4Projection(context.origin);
    this.offsetUs = secondsToUs(params.clockOffsetS);
    this.batteryReport = new PeriodGate(secondsToUs(params.batteryPeriodS));
    this.groundTruthReport = new PeriodGate(secondsToUs(params.groundTruthPeriodS));
    this.groundTruth = { observe: (clock, bus) => this.addGroundTruth(clock, bus) };
  }

  /** Created when the flight begins, because the links may be replaced before the flight. */
  get pilot(): Pilot {
    return (this.createdPilot ??= this.makePilot());
  }

  private get port(): SimulatorPort {
    return this.links.port;
  }

  get waiting(): boolean {
    return this.port.waiting;
  }

  readonly update = (clock: Clock, bus: View<"autopilot">): void => {
    this.throwFailure();
    this.nowUs[0] = clock.us;
    const { requests } = this.pilot;
    requests.armed = bus.requestArmed[0]! > 0;
    requests.armRequests = Math.abs(bus.requestArmed[0]!);
    requests.mode = bus.requestMode[0]!;
    requests.modeRequests = bus.requestCount[0]! - requests.armRequests;
    this.projection.toGeodeticInto(this.geodetic, bus.requestPosNed as ArrayLike<number>);
    requests.target.latDeg = this.geodetic[0]!;
    requests.target.lonDeg = this.geodetic[1]!;
    requests.target.altM = this.geodetic[2]!;
    requests.target.yawRad = bus.requestYawGiven[0] === 1 ? bus.requestYaw[0]! : NaN;
    requests.parameterChanges = bus.parameterChanges[0]!;
    this.pilot.step(clock.us);
    if (this.batteryReport.isDue(clock.us)) this.sendBatteries(bus);
    this.sensors.build(this.batch, clock.us + this.offsetUs, bus);
    // PX4's controllers run on new gyroscope samples. Without a new sample PX4 does not answer.
    this.port.step(clock.us + this.offsetUs, this.batch, this.sensors.hasGyro);
  };

  readonly answer = (_clock: Clock, bus: View<"autopilot">): void => {
    this.throwFailure();
    this.batch.clear();
    const { controls, armed } = this.port.controls;
    const isLocked = this.port.state === "locked";
    for (let i = 0; i < bus.motorCommand.length; i += 1) {
      // Some builds send NaN for stopped or unassigned outputs; those motors get 0.
      bus.motorCommand[i] = isLocked && armed && controls[i]! > 0 ? controls[i]! : 0;
    }
    bus.armed[0] = isLocked && armed ? 1 : 0;
    publishReport(bus, this.links.link.report, this.context.mission?.items.length ?? 0);
    publishSetpoints(bus, this.links.link);
  };

  save(): void {}

  load(): void {}

  private makePilot(): Pilot {
    const { mission, parameters, parameterChanges } = this.context;
    const { link } = this.links;
    const pilot: Pilot = new Pilot({
      link,
      vehicleParameters: this.vehicleParameters,
      warn: (text) => this.addMessage(text, true),
      ...(mission === undefined ? {} : { mission }),
      ...(parameters === undefined ? {} : { parameters }),
      ...(parameterChanges === undefined ? {} : { parameterChanges }),
      readyUs: secondsToUs(this.params.readyWithinS),
    });
    link.onText = ({ text, severity }) => {
      pilot.onText(text);
      if (severity <= INFORMATION) this.addMessage(text, severity <= WARNING);
    };
    return pilot;
  }

  /** Handles a warning that PX4 printed instead of sending it. */
  addPrintedWarning(text: string): void {
    this.pilot.onText(text);
    this.addMessage(text, true);
  }

  /** Adds a message, but drops repetitions: PX4 repeats a message as long as its cause exists, e.g. a failing check. */
  private addMessage(text: string, isWarning: boolean): void {
    if (this.received.at(-1)?.text === text) return;
    this.received.push({ tUs: this.nowUs[0]!, isWarning, text });
  }

  private throwFailure(): void {
    if (this.port.failure !== undefined) throw this.port.failure;
  }

  /**
   * Sends the batteries. PX4 adds up the voltages of the cells, so the pack's voltage is divided by the guessed number
   * of cells.
   */
  private sendBatteries(bus: View<"autopilot">): void {
    for (let i = 0; i < bus.batteryVoltage.length; i += 1) {
      const volts = bus.batteryVoltage[i]!;
      const cells = Math.min(CELLS_ON_WIRE, guessCellCount(volts));
      const cellMv = Math.round((volts / cells) * 1000);
      this.links.link.sendBattery({
        id: i,
        temperature: 0x7fff,
        voltages: Array.from({ length: CELLS_ON_WIRE }, (_, k) => (k < cells ? cellMv : CELL_UNUSED)),
        current_battery: Math.max(0, Math.min(0x7fff, Math.round(bus.batteryCurrent[i]! * 100))),
        current_consumed: -1,
        energy_consumed: -1,
        battery_remaining: Math.round(bus.batteryRemaining[i]! * 100),
      });
    }
  }

  private addGroundTruth(clock: Clock, bus: ReadonlyView): void {
    if (this.port.state === "listen" || !this.groundTruthReport.isDue(clock.us)) return;
    const { truth } = bus;
    const velNed = truth.block("velNed", "ground truth");
    const rateBody = truth.block("rateBody", "ground truth");
    const q = truth.block("qBodyToNed", "ground truth");
    const posNed = truth.block("posNed", "ground truth");
    this.projection.toGeodeticInto(this.geodetic, posNed as ArrayLike<number>);
    this.batch.add(MESSAGES.HIL_STATE_QUATERNION, {
      time_usec: clock.us + this.offsetUs,
      attitude_quaternion: [q[0]!, q[1]!, q[2]!, q[3]!],
      rollspeed: rateBody[0]!,
      pitchspeed: rateBody[1]!,
      yawspeed: rateBody[2]!,
      lat: Math.round(this.geodetic[0]! * 1e7),
      lon: Math.round(this.geodetic[1]! * 1e7),
      alt: Math.round(this.geodetic[2]! * 1e3),
      vx: Math.round(velNed[0]! * 100),
      vy: Math.round(velNed[1]! * 100),
      vz: Math.round(velNed[2]! * 100),
    });
  }
}
