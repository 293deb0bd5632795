/**
 * Turns the scenario's requests into MAVLink commands and waits for PX4's answers in simulated time.
 *
 * It is a generator that is resumed once per tick. It finds PX4, sends it the parameters of the flight, uploads mission
 * and fence, waits until PX4 is ready, and then follows the requests. Every wait has a time limit, after which a typed
 * error quotes PX4's last messages. A request made before PX4 is ready waits until it is, so the scenario's times are
 * the earliest possible times.
 */
import { hasBit, type Mission, SIGNALS, type SimError } from "@escapement/core";
import type { ParameterChange } from "../context.ts";
import { MESSAGES } from "../mavlink/dialect.ts";
import { modeOfRequest, NAV_STATE } from "../modes.ts";
import type { Parameters } from "../parameters.ts";
import { sitlErrors } from "./errors.ts";
import { ParameterExchange } from "./parameter-exchange.ts";
import type { VehicleLink } from "./vehicle-link.ts";
import { wireFence, type WireItem, wireMission } from "./wire-items.ts";

/** The scenario's requests at this tick. */
interface Requests {
  armed: boolean;
  /** How many times arming or disarming was requested. */
  armRequests: number;
  /** Value of the signal `requestMode`. */
  mode: number;
  /** How many times a mode was requested. */
  modeRequests: number;
  /** Target of a request to go to a position: latitude and longitude in degrees, altitude in metres, heading or NaN. */
  readonly target: { latDeg: number; lonDeg: number; altM: number; yawRad: number };
  /** Bit mask of the active parameter changes. */
  parameterChanges: number;
}

interface PilotOptions {
  readonly link: VehicleLink;
  readonly mission?: Mission;
  /** Parameters of the vehicle, which PX4 must have. */
  readonly vehicleParameters?: Parameters;
  /** Parameters of the user, which PX4 may lack. */
  readonly parameters?: Parameters;
  readonly parameterChanges?: readonly ParameterChange[];
  /** Simulated time within which PX4 must become ready. */
  readonly readyUs: number;
  /** Adds a message of the bridge to the flight's events. */
  readonly warn?: (text: string) => void;
}

const HEARTBEAT_US = 1_000_000;
const RETRY_US = 500_000;
const ACKNOWLEDGE_US = 5_000_000;
const MAX_TRIES = 5;
const KEPT_TEXTS = 12;
/** PX4 reports its mode once per second. */
const MODE_CHANGE_US = 2_500_000;

const CMD_ARM = 400;
const CMD_SET_MODE = 176;
const CMD_REPOSITION = 192;
const CUSTOM_MODE_ENABLED = 1;
/** Values of the reposition command: fly at the default speed, and change to hold mode. */
const DEFAULT_SPEED = -1;
const CHANGE_MODE = 1;
/** Altitude above mean sea level. */
const FRAME_GLOBAL = 0;
const GOTO = SIGNALS.requestMode.values.goto;
const REJECTED_MISSION = /^mission rejected(?:: *)?/i;
const ACCEPTED = 0;
const IN_PROGRESS = 5;
/** Temporarily rejected, denied, failed: PX4's answers while one of its checks does not pass yet. */
const RETRIED_RESULTS: readonly number[] = [1, 2, 4];
const RESULTS = ["accepted", "temporarily rejected", "denied", "unsupported", "failed", "in progress", "cancelled"];
const MISSION_RESULTS = [
  "accepted",
  "error",
  "unsupported frame",
  "unsupported",
  "no space",
  "invalid",
  "invalid param 1",
];
/** The kind of upload: MAVLink's `mission_type`. */
const MISSION = 0;
const FENCE = 1;
const TYPE_GROUND_STATION = 6;
const AUTOPILOT_INVALID = 8;
const STATE_ACTIVE = 4;
const MAVLINK_2 = 3;

export class Pilot {
  /** Called for every text message from PX4. */
  readonly onText = (text: string): void => this.keepText(text);
  readonly requests: Requests = {
    armed: false,
    armRequests: 0,
    mode: 0,
    modeRequests: 0,
    target: { latDeg: 0, lonDeg: 0, altM: 0, yawRad: NaN },
    parameterChanges: 0,
  };
  /** Simulated time at which PX4 first reported that it is ready; −1 if it has not. */
  readyAtUs = -1;

  private readonly options: PilotOptions;
  private readonly link: VehicleLink;
  private readonly parameters: ParameterExchange;
  private readonly script: Generator<void, never>;
  private nowUs = 0;
  private startUs = -1;
  private heartbeatDueUs = 0;
  private readonly done = { armRequests: 0, modeRequests: 0, parameterChanges: new Set<number>() };
  /** PX4's last messages. */
  private readonly texts: string[] = [];
  /** PX4's reason for rejecting the mission that was uploaded last. */
  private missionRejection: string | undefined;
  /** The last acknowledgement of the current command. */
  private ack: { readonly command: number; readonly result: number } | undefined;
  /** Type of the current upload, the item that PX4 requests next, and PX4's final acknowledgement. */
  private uploading = MISSION;
  private requested: number | undefined;
  private missionAck: number | undefined;

  constructor(options: PilotOptions) {
    this.options = options;
    this.link = options.link;
    this.link.listen(MESSAGES.COMMAND_ACK, ({ command, result }) => (this.ack = { command, result }));
    const onItemRequest = ({ seq, mission_type }: { seq: number; mission_type: number }): void => {
      if (mission_type === this.uploading) this.requested = seq;
    };
    this.link.listen(MESSAGES.MISSION_REQUEST_INT, onItemRequest);
    this.link.listen(MESSAGES.MISSION_REQUEST, onItemRequest);
    this.link.listen(MESSAGES.MISSION_ACK, ({ type, mission_type }) => {
      if (mission_type === this.uploading) this.missionAck = type;
    });
    this.parameters = new ParameterExchange({
      link: this.link,
      nowUs: () => this.nowUs,
      warn: (text) => options.warn?.(text),
      lastTexts: () => this.lastTexts(),
    });
    this.script = this.run();
  }

  /** Runs one tick. If a wait ends without success, throws its typed error. */
  step(tUs: number): void {
    if (this.startUs < 0) {
      this.startUs = tUs;
      this.heartbeatDueUs = tUs;
    }
    this.nowUs = tUs;
    if (tUs >= this.heartbeatDueUs) {
      this.heartbeatDueUs = tUs + HEARTBEAT_US;
      this.link.send(MESSAGES.HEARTBEAT, {
        type: TYPE_GROUND_STATION,
        autopilot: AUTOPILOT_INVALID,
        system_status: STATE_ACTIVE,
        mavlink_version: MAVLINK_2,
      });
    }
    this.script.next();
  }

  private *run(): Generator<void, never> {
    yield* this.until(
      () => this.link.report.heartbeats > 0,
      this.options.readyUs,
      () => this.noAnswerError("PX4 sent no heartbeat on its MAVLink link"),
    );
    yield* this.parameters.send(this.options.vehicleParameters ?? {}, this.options.parameters ?? {});
    // Logs list all parameters. PX4 sends them while its estimator converges.
    this.link.requestParameters();
    const { mission } = this.options;
    if (mission !== undefined && mission.items.length > 0) {
      yield* this.upload(MISSION, wireMission(mission.items));
      yield* this.upload(FENCE, wireFence(mission.fence));
    }
    yield* this.until(
      () => this.link.report.ready,
      this.options.readyUs,
      () =>
        sitlErrors.notReady({
          what: `PX4 was not ready to fly after ${this.options.readyUs / 1e6} s${this.lastTexts()}`,
          fix: "look for a sensor that is missing, constant or inconsistent with the others",
        }),
    );
    this.readyAtUs = this.nowUs;
    for (;;) {
      yield* this.follow();
      yield;
    }
  }

  private *follow(): Generator<void, void> {
    const { requests, done, options } = this;
    for (const { name, value, bit } of options.parameterChanges ?? []) {
      if (!hasBit(requests.parameterChanges, bit) || done.parameterChanges.has(bit)) continue;
      done.parameterChanges.add(bit);
      yield* this.parameters.change(name, value);
    }
    if (requests.armRequests !== done.armRequests) {
      done.armRequests = requests.armRequests;
      if (requests.armed) yield* this.command(CMD_ARM, [1], "arm");
      else yield* this.disarm();
    }
    if (requests.modeRequests !== done.modeRequests) {
      done.modeRequests = requests.modeRequests;
      if (requests.mode === GOTO) yield* this.goTo();
      else yield* this.changeMode(requests.mode);
    }
  }

  /** Sends the reposition command. PX4 accepts it even while disarmed, but its navigator then ignores the position. */
  private *goTo(): Generator<void, void> {
    const { latDeg, lonDeg, altM, yawRad } = this.requests.target;
    const send = (): void => {
      this.link.send(MESSAGES.COMMAND_INT, {
        target_system: this.link.systemId,
        target_component: 1,
        frame: FRAME_GLOBAL,
        command: CMD_REPOSITION,
        param1: DEFAULT_SPEED,
        param2: CHANGE_MODE,
        param4: yawRad,
        x: Math.round(latDeg * 1e7),
        y: Math.round(lonDeg * 1e7),
        z: altM,
      });
    };
    const rejectedWith = yield* this.answerTo(CMD_REPOSITION, send, "go to");
    if (rejectedWith !== undefined) throw this.commandError("go to", rejectedWith);
  }

  private *changeMode(request: number): Generator<void, void> {
    const mode = modeOfRequest(request);
    if (mode === undefined) return;
    const name = `mode ${mode.main}.${mode.sub}`;
    const isMissionRejected = (): boolean => mode.navState === NAV_STATE.mission && this.missionRejection !== undefined;
    const send = this.longCommand(CMD_SET_MODE, [CUSTOM_MODE_ENABLED, mode.main, mode.sub]);
    const rejectedWith = yield* this.answerTo(CMD_SET_MODE, send, name, isMissionRejected);
    if (rejectedWith === undefined) {
      if (mode.navState === NAV_STATE.mission) yield* this.checkMissionMode();
      return;
    }
    throw isMissionRejected() ? this.missionError(this.missionRejection!) : this.commandError(name, rejectedWith);
  }

  /**
   * Checks that PX4 flies the mission: it accepts mission mode even if it has rejected the mission, but keeps its mode.
   */
  private *checkMissionMode(): Generator<void, void> {
    const endUs = this.nowUs + MODE_CHANGE_US;
    while (this.nowUs < endUs && this.link.report.navState !== NAV_STATE.mission) yield;
    const isFlown = this.link.report.navState === NAV_STATE.mission;
    if (!isFlown && this.missionRejection !== undefined) throw this.missionError(this.missionRejection);
  }

  /** Requests disarming. In the air PX4 denies this; the flight then continues. */
  private *disarm(): Generator<void, void> {
    const rejectedWith = yield* this.answerTo(CMD_ARM, this.longCommand(CMD_ARM, [0]), "disarm", () => true);
    if (rejectedWith !== undefined) this.options.warn?.(`PX4 answered "disarm" with ${resultText(rejectedWith)}`);
  }

  /** Sends a command until it is accepted. Throws if PX4 rejects it. */
  private *command(command: number, values: readonly number[], name: string): Generator<void, void> {
    const rejectedWith = yield* this.answerTo(command, this.longCommand(command, values), name);
    if (rejectedWith !== undefined) throw this.commandError(name, rejectedWith);
  }

  private longCommand(command: number, values: readonly number[]): (confirmation: number) => void {
    return (confirmation) => {
      this.link.send(MESSAGES.COMMAND_LONG, {
        target_system: this.link.systemId,
        target_component: 1,
        command,
        confirmation,
        param1: values[0] ?? 0,
        param2: values[1] ?? 0,
        param3: values[2] ?? 0,
      });
    };
  }

  /**
   * Sends a command until PX4 accepts it, because PX4 may not be ready yet. Returns the rejection that still holds at
   * the time limit, or the first that is final: not in `RETRIED_RESULTS`, or `isFinal`. Throws if PX4 does not answer.
   */
  private *answerTo(
    command: number,
    send: (confirmation: number) => void,
    name: string,
    isFinal: () => boolean = () => false,
  ): Generator<void, number | undefined> {
    const endUs = this.nowUs + ACKNOWLEDGE_US;
    let rejectedWith: number | undefined;
    for (let confirmation = 0; this.nowUs <= endUs; confirmation += 1) {
      this.ack = undefined;
      send(rejectedWith === undefined ? Math.min(confirmation, 255) : 0);
      const againUs = this.nowUs + RETRY_US;
      while (this.nowUs < againUs) {
        yield;
        const result = this.ackResult(command);
        if (result === undefined || result === IN_PROGRESS) continue;
        if (result === ACCEPTED) return undefined;
        rejectedWith = result;
        if (!RETRIED_RESULTS.includes(rejectedWith) || isFinal()) return rejectedWith;
      }
    }
    if (rejectedWith === undefined) throw this.noAnswerError(`PX4 did not acknowledge "${name}"`);
    return rejectedWith;
  }

  private ackResult(command: number): number | undefined {
    return this.ack?.command === command ? this.ack.result : undefined;
  }

  private *upload(type: number, items: readonly WireItem[]): Generator<void, void> {
    if (items.length === 0) return;
    const name = type === FENCE ? "fence" : "mission";
    this.uploading = type;
    this.missionAck = undefined;
    if (type === MISSION) this.missionRejection = undefined;
    for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
      this.requested = undefined;
      this.link.send(MESSAGES.MISSION_COUNT, {
        target_system: this.link.systemId,
        target_component: 1,
        count: items.length,
        mission_type: type,
      });
      let quietUs = this.nowUs + ACKNOWLEDGE_US;
      while (this.nowUs < quietUs) {
        yield;
        if (this.requested !== undefined) {
          this.sendItem(items[this.requested], this.requested);
          this.requested = undefined;
          quietUs = this.nowUs + ACKNOWLEDGE_US;
        }
        if (this.missionAck === undefined) continue;
        if (this.missionAck === ACCEPTED) return;
        const result = MISSION_RESULTS[this.missionAck] ?? `result ${this.missionAck}`;
        throw this.missionError(`${result}${this.lastTexts()}`, name);
      }
    }
    throw this.noAnswerError(`PX4 did not accept the ${name} of ${items.length} items`);
  }

  private sendItem(item: WireItem | undefined, seq: number): void {
    if (item === undefined) return;
    this.link.send(MESSAGES.MISSION_ITEM_INT, {
      ...item,
      target_system: this.link.systemId,
      target_component: 1,
      seq,
      mission_type: this.uploading,
    });
  }

  private *until(condition: () => boolean, withinUs: number, error: () => SimError): Generator<void, void> {
    const endUs = this.nowUs + withinUs;
    while (!condition()) {
      if (this.nowUs > endUs) throw error();
      yield;
    }
  }

  private commandError(name: string, result: number): SimError {
    return sitlErrors.rejected({
      what: `PX4 answered "${name}" with ${resultText(result)}${this.lastTexts()}`,
      fix: "see PX4's own messages",
    });
  }

  private missionError(why: string, name = "mission"): SimError {
    return sitlErrors.missionRejected({
      what: `PX4 rejected the ${name}: ${why.replace(REJECTED_MISSION, "")}`,
      fix: "correct the item that PX4 names",
    });
  }

  private noAnswerError(what: string): SimError {
    return sitlErrors.noAnswer({
      what: `${what}${this.lastTexts()}`,
      fix: "check the instance number, and that no other program is connected to this PX4",
    });
  }

  private keepText(text: string): void {
    if (REJECTED_MISSION.test(text)) this.missionRejection = text;
    this.texts.push(text);
    if (this.texts.length > KEPT_TEXTS) this.texts.shift();
  }

  private lastTexts(): string {
    const { texts } = this;
    return texts.length === 0 ? "" : `; PX4's messages: ${texts.slice(-5).join(" | ")}`;
  }
}

function resultText(result: number): string {
  return RESULTS[result] ?? `result ${result}`;
}
