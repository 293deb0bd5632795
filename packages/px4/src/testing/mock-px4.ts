/**
 * A mock PX4 for tests: the client side of the lockstep link and of the MAVLink link, which can misbehave on request.
 *
 * It follows the handshake (connect, announce, send nothing while booting, then one answer per step) and the
 * transactions (commands, mission, parameters). A plan defines at which frame it stalls, answers late or twice, sends
 * garbage, drops the connection or dies. It contains no flight control.
 */
import { createSocket } from "node:dgram";
import type { Socket as UdpSocket } from "node:dgram";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { MESSAGES } from "../mavlink/dialect.ts";
import { FrameWriter } from "../mavlink/frame.ts";
import type { Message, MessageValues } from "../mavlink/message.ts";
import { readU64 } from "../mavlink/message.ts";
import { FrameParser, valuesOf } from "../mavlink/parser.ts";
import type { Frame } from "../mavlink/parser.ts";
import { eventId } from "../sitl/px4-events.ts";
import { BRIDGE } from "../sitl/vehicle-link.ts";

type Misbehaviour =
  | { readonly do: "stall"; readonly ms: number }
  | { readonly do: "skip" }
  | { readonly do: "double" }
  | { readonly do: "late" }
  | { readonly do: "future" }
  | { readonly do: "garbage"; readonly bytes: Uint8Array }
  | { readonly do: "split" }
  | { readonly do: "disconnect" }
  | { readonly do: "reconnect" }
  | { readonly do: "die" };

export interface MockOptions {
  readonly port: number;
  /** Port of the vehicle link; without it there is no such link. */
  readonly linkPort?: number;
  readonly instance?: number;
  /** Sensor frames before the first answer. */
  readonly bootFrames?: number;
  /** The misbehaviour at frame n, counted from 1 over all connections. */
  readonly plan?: Readonly<Record<number, Misbehaviour>>;
  /** True if answers have the lockstep flag; true by default. */
  readonly lockstep?: boolean;
  /** Time in µs from the first frame until the mock reports ready; never if omitted. */
  readonly readyAfterUs?: number;
  /** Result of every command; accepted by default. */
  readonly commandResult?: number;
  /** Result that acknowledges an uploaded mission. */
  readonly missionResult?: number;
  /** The command that the mock denies: disarming, or a change of mode. */
  readonly denies?: "disarm" | "mode";
  /** Sends this text after every mission upload, as PX4 does for a mission that it cannot fly. */
  readonly rejects?: string;
  /** Does not answer a step without a new gyroscope sample, like PX4. */
  readonly needsGyro?: boolean;
  /** Transactions that the mock never answers. */
  readonly ignores?: readonly ("command" | "mission" | "parameter")[];
  /** Called for every message on the lockstep link. */
  readonly onFrame?: (frame: Frame) => void;
  readonly parameters?: Readonly<Record<string, { readonly value: number; readonly whole: boolean }>>;
}

const BASE_MODE_DISARMED = 29;
const BASE_MODE_ARMED = 157;
const DENIED = 2;
const GYRO_BITS = 0x38;
const PREARM_HEALTHY = 0x1000_0000;

export class MockPx4 {
  frames = 0;
  /** Times of the sensor frames, and their updated groups. */
  readonly times: number[] = [];
  readonly updated: number[] = [];
  readonly received: string[] = [];
  readonly missionItems: { seq: number; command: number; frame: number; x: number; y: number }[] = [];
  readonly fenceItems: { command: number; param1: number; x: number; y: number }[] = [];
  readonly commands: number[] = [];
  /** Commands with a position. */
  readonly positionCommands: object[] = [];
  readonly batteries: { remaining: number; volts: number }[] = [];
  armed = false;
  customMode = 0x0300_0000 | (4 << 16);
  isDead = false;

  private readonly options: MockOptions;
  private readonly systemId: number;
  private readonly out: FrameWriter;
  private readonly parser: FrameParser;
  private readonly linkParser: FrameParser;
  private socket: Socket | undefined;
  private link: UdpSocket | undefined;
  private readonly parameters = new Map<string, { value: number; whole: boolean }>();
  private expected = 0;
  private missionCount = 0;
  private missionType = 0;
  private firstUs = -1;
  private lastStatusUs = -1;

  constructor(options: MockOptions) {
    this.options = options;
    this.systemId = (options.instance ?? 0) + 1;
    this.out = new FrameWriter({ systemId: this.systemId, componentId: 1 });
    this.parser = new FrameParser(MESSAGES, (frame) => this.onSimulator(frame));
    this.linkParser = new FrameParser(MESSAGES, (frame) => this.onLink(frame));
    for (const [name, kept] of Object.entries(options.parameters ?? {})) this.parameters.set(name, { ...kept });
  }

  start(): void {
    this.connect();
    if (this.options.linkPort === undefined) return;
    this.link = createSocket("udp4");
    this.link.on("message", (data) => this.linkParser.push(data));
    this.link.on("error", () => {});
    this.link.bind(0, "127.0.0.1");
  }

  /** Number of texts, events and reached items sent on request. */
  sentCount = 0;

  /** Sends a text, in as many parts as PX4 would. */
  sendText(text: string, severity: number): void {
    this.sentCount += 1;
    for (let part = 0; part * 50 < text.length; part += 1) {
      const chunk = text.slice(part * 50, (part + 1) * 50);
      this.toStation(MESSAGES.STATUSTEXT, { severity, text: chunk, id: this.sentCount, chunk_seq: part });
    }
  }

  raise(event: string, given: readonly number[], severity: number): void {
    this.sentCount += 1;
    const args = Array.from({ length: 40 }, (_, i) => given[i] ?? 0);
    this.toStation(MESSAGES.EVENT, { id: eventId(event), log_levels: severity, arguments: args });
  }

  reach(...items: readonly number[]): void {
    this.sentCount += 1;
    for (const seq of items) this.toStation(MESSAGES.MISSION_ITEM_REACHED, { seq });
  }

  die(): void {
    this.isDead = true;
    this.socket?.destroy();
    this.link?.close();
    this.link = undefined;
  }

  /** Connects, and retries until the simulator listens, as PX4 does. */
  private connect(): void {
    if (this.isDead) return;
    const socket = connect(this.options.port, "127.0.0.1");
    socket.on("error", () => {
      if (this.socket === undefined) setTimeout(() => this.connect(), 2);
    });
    socket.on("connect", () => {
      this.socket = socket;
      socket.setNoDelay(true);
      this.parser.reset();
      this.toSimulator(MESSAGES.COMMAND_LONG, { command: 511, param1: 115, param2: 5000 });
      this.toSimulator(MESSAGES.HEARTBEAT, { autopilot: 12 });
    });
    socket.on("data", (data) => this.parser.push(data));
  }

  private onSimulator(frame: Frame): void {
    this.options.onFrame?.(frame);
    if (this.isDead || frame.message.id !== MESSAGES.HIL_SENSOR.id) return;
    if (frame.payload.getUint8(MESSAGES.HIL_SENSOR.offsets.id) !== 0) return;
    const timeUs = readU64(frame.payload, 0);
    this.frames += 1;
    this.times.push(timeUs);
    this.updated.push(frame.payload.getUint32(MESSAGES.HIL_SENSOR.offsets.fields_updated, true));
    if (this.firstUs < 0) this.firstUs = timeUs;
    this.sendStatus(timeUs);
    const misbehaviour = this.options.plan?.[this.frames];
    if (misbehaviour !== undefined) this.misbehave(misbehaviour, timeUs);
    else if (this.frames > (this.options.bootFrames ?? 20) && this.hasInput()) this.answer(timeUs);
  }

  private hasInput(): boolean {
    return this.options.needsGyro !== true || (this.updated.at(-1)! & GYRO_BITS) === GYRO_BITS;
  }

  private misbehave(misbehaviour: Misbehaviour, timeUs: number): void {
    switch (misbehaviour.do) {
      case "stall":
        setTimeout(() => this.answer(timeUs), misbehaviour.ms);
        return;
      case "skip":
        return;
      case "double":
        this.answer(timeUs);
        this.answer(timeUs);
        return;
      case "late":
        this.answer(this.times[this.times.length - 2]!);
        this.answer(timeUs);
        return;
      case "future":
        this.answer(timeUs + 4000);
        this.answer(timeUs);
        return;
      case "garbage":
        this.socket?.write(misbehaviour.bytes);
        this.answer(timeUs);
        return;
      case "split": {
        const bytes = this.answerBytes(timeUs);
        this.socket?.write(bytes.slice(0, 13));
        setTimeout(() => this.socket?.write(bytes.slice(13)), 3);
        return;
      }
      case "disconnect":
        this.socket?.destroy();
        return;
      case "reconnect":
        this.socket?.destroy();
        this.socket = undefined;
        setTimeout(() => this.connect(), 5);
        return;
      case "die":
        this.die();
    }
  }

  private answer(timeUs: number): void {
    if (!this.isDead) this.socket?.write(this.answerBytes(timeUs));
  }

  /** Commands motor i to (frame number mod 100 + i) / 1000, so that a test can identify the answer that was used. */
  private answerBytes(timeUs: number): Uint8Array {
    const controls = Array.from({ length: 16 }, (_, i) => (i < 4 && this.armed ? ((this.frames % 100) + i) / 1000 : 0));
    this.out.add(MESSAGES.HIL_ACTUATOR_CONTROLS, {
      time_usec: timeUs,
      controls,
      mode: this.armed ? 129 : 1,
      flags: this.options.lockstep === false ? 0 : 1,
    });
    return this.out.take();
  }

  private toSimulator<M extends Message>(message: M, values: Partial<MessageValues<M>>): void {
    this.out.add(message, values);
    this.socket?.write(this.out.take());
  }

  private toStation<M extends Message>(message: M, values: Partial<MessageValues<M>>): void {
    this.out.add(message, values);
    if (this.link !== undefined) this.link.send(this.out.take(), this.options.linkPort!, "127.0.0.1", () => {});
    else this.out.clear();
  }

  /** Sends heartbeat, health and state ten times per simulated second. */
  private sendStatus(timeUs: number): void {
    if (this.link === undefined || timeUs - this.lastStatusUs < 100_000) return;
    this.lastStatusUs = timeUs;
    const { readyAfterUs } = this.options;
    const isReady = readyAfterUs !== undefined && timeUs - this.firstUs >= readyAfterUs;
    this.toStation(MESSAGES.HEARTBEAT, {
      type: 2,
      autopilot: 12,
      base_mode: this.armed ? BASE_MODE_ARMED : BASE_MODE_DISARMED,
      custom_mode: this.customMode >>> 0,
    });
    this.toStation(MESSAGES.SYS_STATUS, { onboard_control_sensors_health: isReady ? PREARM_HEALTHY : 0 });
    this.toStation(MESSAGES.EXTENDED_SYS_STATE, { landed_state: this.armed ? 2 : 1 });
    if (!isReady) this.toStation(MESSAGES.STATUSTEXT, { severity: 4, text: "Preflight Fail: ekf2 missing data" });
  }

  private onLink(frame: Frame): void {
    this.received.push(frame.message.name);
    const ignores = this.options.ignores ?? [];
    const command = valuesOf(frame, MESSAGES.COMMAND_LONG);
    if (command !== undefined && !ignores.includes("command"))
      this.executeCommand(command.command, command.param1, command.param2, command.param3);
    const positionCommand = valuesOf(frame, MESSAGES.COMMAND_INT);
    if (positionCommand !== undefined && !ignores.includes("command")) {
      this.positionCommands.push(positionCommand);
      this.executeCommand(
        positionCommand.command,
        positionCommand.param1,
        positionCommand.param2,
        positionCommand.param3,
      );
    }
    const battery = valuesOf(frame, MESSAGES.BATTERY_STATUS);
    if (battery !== undefined) {
      const volts = battery.voltages.filter((mv) => mv !== 0xffff).reduce((sum, mv) => sum + mv / 1000, 0);
      this.batteries.push({ remaining: battery.battery_remaining, volts });
    }
    if (!ignores.includes("mission")) this.onMission(frame);
    if (!ignores.includes("parameter")) this.onParameter(frame);
  }

  private executeCommand(command: number, p1: number, p2: number, p3: number): void {
    this.commands.push(command);
    const { denies, commandResult = 0 } = this.options;
    const isDenied =
      (denies === "disarm" && command === 400 && p1 === 0) || (denies === "mode" && [176, 192].includes(command));
    const result = isDenied ? DENIED : commandResult;
    if (result === 0 && command === 400) this.armed = p1 === 1;
    if (result === 0 && command === 176) this.customMode = (p2 << 16) | (p3 << 24);
    this.toStation(MESSAGES.COMMAND_ACK, { command, result });
  }

  private onMission(frame: Frame): void {
    const count = valuesOf(frame, MESSAGES.MISSION_COUNT);
    if (count !== undefined) {
      this.missionCount = count.count;
      this.missionType = count.mission_type;
      this.expected = 0;
      this.requestItem();
    }
    const item = valuesOf(frame, MESSAGES.MISSION_ITEM_INT);
    if (item === undefined || item.seq !== this.expected) return;
    const { seq, command, frame: itemFrame, param1, x, y } = item;
    if (item.mission_type === 1) this.fenceItems.push({ command, param1, x, y });
    else this.missionItems.push({ seq, command, frame: itemFrame, x, y });
    this.expected += 1;
    if (this.expected < this.missionCount) this.requestItem();
    else {
      this.toStation(MESSAGES.MISSION_ACK, {
        target_system: BRIDGE.systemId,
        type: this.options.missionResult ?? 0,
        mission_type: this.missionType,
      });
      if (this.options.rejects !== undefined) this.sendText(this.options.rejects, 2);
    }
  }

  private requestItem(): void {
    this.toStation(MESSAGES.MISSION_REQUEST_INT, {
      target_system: BRIDGE.systemId,
      target_component: BRIDGE.componentId,
      seq: this.expected,
      mission_type: this.missionType,
    });
  }

  private onParameter(frame: Frame): void {
    const read = valuesOf(frame, MESSAGES.PARAM_REQUEST_READ);
    if (read !== undefined) this.reportParameter(read.param_id);
    const set = valuesOf(frame, MESSAGES.PARAM_SET);
    const kept = set === undefined ? undefined : this.parameters.get(set.param_id);
    if (set === undefined || kept === undefined) return;
    kept.value = kept.whole ? frame.payload.getInt32(MESSAGES.PARAM_SET.offsets.param_value, true) : set.param_value;
    this.reportParameter(set.param_id);
  }

  private reportParameter(name: string): void {
    const kept = this.parameters.get(name);
    if (kept === undefined) return;
    const message = MESSAGES.PARAM_VALUE;
    const at = this.out.begin(message);
    if (kept.whole) this.out.view.setInt32(at + message.offsets.param_value, kept.value, true);
    else this.out.view.setFloat32(at + message.offsets.param_value, kept.value, true);
    for (let i = 0; i < name.length; i += 1)
      this.out.view.setUint8(at + message.offsets.param_id + i, name.charCodeAt(i));
    this.out.view.setUint8(at + message.offsets.param_type, kept.whole ? 6 : 9);
    this.out.end();
    this.link?.send(this.out.take(), this.options.linkPort!, "127.0.0.1", () => {});
  }
}
