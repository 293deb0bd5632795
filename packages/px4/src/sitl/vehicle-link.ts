/**
 * The MAVLink link to the flying PX4: reports from PX4 and messages to it, over UDP on this machine only.
 *
 * A PX4 that we start opens a separate link for us (px4-process.ts), so that ports 14540 + n and 14550 stay free for
 * other programs; a PX4 that the user started sends to 14540 + n. PX4 sends first, and we reply to the address of its
 * packets. Nothing here waits, because PX4's link runs on simulated time: a caller that expects an answer must continue
 * to step the simulation, like pilot.ts.
 */
import { createSocket } from "node:dgram";
import type { RemoteInfo, Socket } from "node:dgram";
import { MESSAGES } from "../mavlink/dialect.ts";
import { FrameWriter } from "../mavlink/frame.ts";
import type { DecodedValues, Message, MessageValues } from "../mavlink/message.ts";
import { FrameParser, valuesOf } from "../mavlink/parser.ts";
import type { Frame } from "../mavlink/parser.ts";
import { NAV_STATE, navStateOf } from "../modes.ts";
import { sitlErrors } from "./errors.ts";
import { eventText } from "./px4-events.ts";

const FIRST_LINK_PORT = 14_540;
const AUTOPILOT_COMPONENT = 1;
/** Ids that no ground station uses, so that PX4 can distinguish us from a ground station. */
export const BRIDGE = { systemId: 250, componentId: 191 } as const;
const BATTERY_COMPONENT = 180;
const BASE_MODE_ARMED = 0x80;
/** Bit of the health mask that means "all checks passed, may be armed". */
const PREARM_HEALTHY = 0x1000_0000;
/** A STATUSTEXT that fills its field continues in the next message. */
const TEXT_LENGTH = 50;

/** The latest values that PX4 reported; initial values before its first report. */
export interface VehicleReport {
  heartbeats: number;
  armed: boolean;
  navState: number;
  ready: boolean;
  /** MAVLink's landed state: 1 on ground, 2 in air, 3 taking off, 4 landing; 0 unknown. */
  landedState: number;
  missionCurrent: number;
  /** Items reached since the last tick that read this list. Two items may arrive between ticks. */
  readonly missionReached: number[];
  missionComplete: boolean;
  /** MAVLink's battery charge state: 1 ok, 2 low, 3 critical, 4 emergency … */
  chargeState: number;
}

/** A text message from PX4. */
interface LinkText {
  readonly text: string;
  /** MAVLink's severity: 0 emergency to 7 debug. */
  readonly severity: number;
}

export interface ReportedParameter {
  readonly value: number;
  /** True if PX4 stores it as a 32-bit integer. */
  readonly whole: boolean;
}

/** The state that PX4's own estimator reports; zeros and no rotation before its first report. */
export interface Px4Estimate {
  isValid: boolean;
  readonly posNed: Float64Array;
  readonly velNed: Float64Array;
  readonly qBodyToNed: Float64Array;
  readonly rateBody: Float64Array;
}

type StatusText = DecodedValues<(typeof MESSAGES)["STATUSTEXT"]>;
type Setpoint = DecodedValues<(typeof MESSAGES)["POSITION_TARGET_LOCAL_NED"]>;
type AttitudeTarget = DecodedValues<(typeof MESSAGES)["ATTITUDE_TARGET"]>;

const MISSION_STATE_COMPLETE = 5;
/** PX4 sends a hash of all parameters under this name, as if it were a parameter. */
const PARAMETER_HASH = "_HASH_CHECK";
const PARAM_INT32 = 6;
const PARAM_REAL32 = 9;

export class VehicleLink {
  readonly report: VehicleReport = {
    heartbeats: 0,
    armed: false,
    navState: 0,
    ready: false,
    landedState: 0,
    missionCurrent: 0,
    missionReached: [],
    missionComplete: false,
    chargeState: 0,
  };
  /** Called for every text message from PX4. */
  onText: (text: LinkText) => void = () => {};
  /** Parameter values as PX4 last reported them. */
  readonly parameters = new Map<string, ReportedParameter>();
  /** Number of parameters that PX4 reports as in use; 0 before its first report. */
  private parameterCount = 0;
  readonly estimate: Px4Estimate = {
    isValid: false,
    posNed: new Float64Array(3),
    velNed: new Float64Array(3),
    qBodyToNed: Float64Array.of(1, 0, 0, 0),
    rateBody: new Float64Array(3),
  };
  setpoint: Setpoint | undefined;
  attitudeTarget: AttitudeTarget | undefined;
  readonly systemId: number;

  private readonly port: number;
  private readonly socket: Socket;
  private readonly parser: FrameParser;
  private remote: RemoteInfo | undefined;
  private readonly station = new FrameWriter(BRIDGE);
  /** Parts of a text that is longer than one STATUSTEXT. */
  private readonly chunks = { id: 0, parts: [] as string[] };
  private readonly battery: FrameWriter;
  private readonly listeners = new Map<number, (frame: Frame) => void>();

  constructor(options: { instance: number; port?: number }) {
    this.systemId = options.instance + 1;
    this.port = options.port ?? FIRST_LINK_PORT + options.instance;
    this.battery = new FrameWriter({ systemId: this.systemId, componentId: BATTERY_COMPONENT });
    this.parser = new FrameParser(MESSAGES, (frame) => this.onFrame(frame));
    this.socket = createSocket("udp4");
    this.socket.on("message", (data, from) => {
      this.remote = from;
      this.parser.push(data);
      // A frame never spans two datagrams.
      this.parser.reset();
    });
  }

  /** Starts listening; resolves with the port. */
  open(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.socket.once("error", (cause) => {
        reject(
          sitlErrors.portTaken({
            what: `UDP port ${this.port} cannot be opened on 127.0.0.1 (${(cause as NodeJS.ErrnoException).code})`,
            fix: "choose another instance, or end the program that uses the port",
            cause,
          }),
        );
      });
      this.socket.bind(this.port, "127.0.0.1", () => {
        // Packets to a PX4 that has ended cause errors. Ignore them: the lockstep link detects the end of PX4.
        this.socket.on("error", () => {});
        resolve(this.socket.address().port);
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      try {
        this.socket.close(() => resolve());
      } catch {
        resolve();
      }
    });
  }

  /** Calls `listener` for every message of this type. Replaces an earlier listener. */
  listen<M extends Message>(message: M, listener: (values: DecodedValues<M>) => void): void {
    this.listeners.set(message.id, (frame) => listener(valuesOf(frame, message)!));
  }

  /** Sends a message with the ids in `BRIDGE`. Returns false if PX4 has not sent anything yet. */
  send<M extends Message>(message: M, values: Partial<MessageValues<M>>): boolean {
    this.station.add(message, values);
    return this.transmit(this.station);
  }

  /** Sends a message with PX4's own system id, because PX4 accepts batteries only from that id. */
  sendBattery(values: Partial<MessageValues<(typeof MESSAGES)["BATTERY_STATUS"]>>): boolean {
    this.battery.add(MESSAGES.BATTERY_STATUS, values);
    return this.transmit(this.battery);
  }

  requestParameter(name: string): boolean {
    const target = { target_system: this.systemId, target_component: AUTOPILOT_COMPONENT };
    return this.send(MESSAGES.PARAM_REQUEST_READ, { ...target, param_id: name, param_index: -1 });
  }

  /** True if PX4 has reported every parameter in use. */
  get hasAllParameters(): boolean {
    return this.parameterCount > 0 && this.parameters.size >= this.parameterCount;
  }

  /** Requests all parameters in use; PX4 sends them over several seconds. */
  requestParameters(): boolean {
    return this.send(MESSAGES.PARAM_REQUEST_LIST, {
      target_system: this.systemId,
      target_component: AUTOPILOT_COMPONENT,
    });
  }

  /**
   * Sends a parameter. Bypasses the codec, because MAVLink sends the bytes of an integer parameter in a float field.
   */
  sendParameter(name: string, value: number, whole: boolean): boolean {
    const message = MESSAGES.PARAM_SET;
    const at = this.station.begin(message);
    const { view } = this.station;
    if (whole) view.setInt32(at + message.offsets.param_value, value, true);
    else view.setFloat32(at + message.offsets.param_value, value, true);
    view.setUint8(at + message.offsets.target_system, this.systemId);
    view.setUint8(at + message.offsets.target_component, AUTOPILOT_COMPONENT);
    for (let i = 0; i < Math.min(name.length, 16); i += 1)
      view.setUint8(at + message.offsets.param_id + i, name.charCodeAt(i));
    view.setUint8(at + message.offsets.param_type, whole ? PARAM_INT32 : PARAM_REAL32);
    this.station.end();
    return this.transmit(this.station);
  }

  private transmit(writer: FrameWriter): boolean {
    const bytes = writer.take();
    if (this.remote === undefined) return false;
    this.socket.send(bytes, this.remote.port, this.remote.address, () => {});
    return true;
  }

  private onFrame(frame: Frame): void {
    if (frame.systemId !== this.systemId || frame.componentId !== AUTOPILOT_COMPONENT) return;
    this.storeReport(frame);
    this.listeners.get(frame.message.id)?.(frame);
  }

  private addTextPart({ text, severity, id, chunk_seq: part }: StatusText): void {
    const { chunks } = this;
    if (chunks.id !== id || part === 0) chunks.parts.length = 0;
    chunks.id = id;
    chunks.parts.push(text);
    if (id !== 0 && text.length === TEXT_LENGTH) return;
    // PX4 ends a text with a tab if it also sends the text as an event.
    this.onText({ text: chunks.parts.join("").trim(), severity });
    chunks.parts.length = 0;
  }

  private storeReport(frame: Frame): void {
    const { report } = this;
    switch (frame.message.id) {
      case MESSAGES.HEARTBEAT.id: {
        const { base_mode: baseMode, custom_mode: customMode } = valuesOf(frame, MESSAGES.HEARTBEAT)!;
        report.heartbeats += 1;
        report.armed = (baseMode & BASE_MODE_ARMED) !== 0;
        report.navState = navStateOf(customMode) ?? report.navState;
        return;
      }
      case MESSAGES.SYS_STATUS.id: {
        const health = valuesOf(frame, MESSAGES.SYS_STATUS)!.onboard_control_sensors_health;
        report.ready = (health & PREARM_HEALTHY) !== 0;
        return;
      }
      case MESSAGES.EXTENDED_SYS_STATE.id:
        report.landedState = valuesOf(frame, MESSAGES.EXTENDED_SYS_STATE)!.landed_state;
        return;
      case MESSAGES.MISSION_CURRENT.id: {
        const current = valuesOf(frame, MESSAGES.MISSION_CURRENT)!;
        report.missionCurrent = current.seq;
        // Other modes that end on the ground also report a complete mission.
        const isFlown = report.navState === NAV_STATE.mission;
        if (isFlown && current.mission_state === MISSION_STATE_COMPLETE) report.missionComplete = true;
        return;
      }
      case MESSAGES.MISSION_ITEM_REACHED.id:
        report.missionReached.push(valuesOf(frame, MESSAGES.MISSION_ITEM_REACHED)!.seq);
        return;
      case MESSAGES.BATTERY_STATUS.id:
        report.chargeState = valuesOf(frame, MESSAGES.BATTERY_STATUS)!.charge_state;
        return;
      case MESSAGES.STATUSTEXT.id:
        this.addTextPart(valuesOf(frame, MESSAGES.STATUSTEXT)!);
        return;
      case MESSAGES.EVENT.id: {
        const { id, log_levels: levels, arguments: given } = valuesOf(frame, MESSAGES.EVENT)!;
        const text = eventText(id, given);
        if (text !== undefined) this.onText({ text, severity: levels & 0x0f });
        return;
      }
      case MESSAGES.PARAM_VALUE.id:
        this.storeParameter(frame);
        return;
      case MESSAGES.POSITION_TARGET_LOCAL_NED.id:
        this.setpoint = valuesOf(frame, MESSAGES.POSITION_TARGET_LOCAL_NED);
        return;
      case MESSAGES.ATTITUDE_TARGET.id:
        this.attitudeTarget = valuesOf(frame, MESSAGES.ATTITUDE_TARGET);
        return;
      default:
        this.storeEstimate(frame);
    }
  }

  private storeParameter(frame: Frame): void {
    const message = MESSAGES.PARAM_VALUE;
    const { param_id: name, param_type: type, param_value: value, param_count: count } = valuesOf(frame, message)!;
    if (name === PARAMETER_HASH) return;
    this.parameterCount = count;
    const whole = type === PARAM_INT32;
    const reported = whole ? frame.payload.getInt32(message.offsets.param_value, true) : value;
    this.parameters.set(name, { value: reported, whole });
  }

  private storeEstimate(frame: Frame): void {
    const { estimate } = this;
    if (frame.message.id === MESSAGES.LOCAL_POSITION_NED.id) {
      const { x, y, z, vx, vy, vz } = valuesOf(frame, MESSAGES.LOCAL_POSITION_NED)!;
      if (![x, y, z, vx, vy, vz].every(Number.isFinite)) return;
      estimate.posNed.set([x, y, z]);
      estimate.velNed.set([vx, vy, vz]);
      estimate.isValid = true;
    } else if (frame.message.id === MESSAGES.ATTITUDE_QUATERNION.id) {
      const { q1, q2, q3, q4, rollspeed, pitchspeed, yawspeed } = valuesOf(frame, MESSAGES.ATTITUDE_QUATERNION)!;
      if (![q1, q2, q3, q4, rollspeed, pitchspeed, yawspeed].every(Number.isFinite)) return;
      estimate.qBodyToNed.set([q1, q2, q3, q4]);
      estimate.rateBody.set([rollspeed, pitchspeed, yawspeed]);
    }
  }
}
