/**
 * Wraps a running PX4 library: create, set parameters, step, destroy. Every failed call becomes a typed error.
 *
 * Parameters are set after creation, and PX4's autosave is switched off first. On Linux the autosave deadlocks in the
 * library, because it waits for a work queue that only PX4's own main starts. Message layouts are derived from
 * definitions and used only if the library reports the same size and hash.
 */
import { invariant } from "@escapement/core";
import { knownLayout, KNOWN_TOPICS, MessageFolder, px4UorbErrors, TopicBuffer } from "../uorb/index.ts";
import type { KnownTopic, TopicLayout } from "../uorb/index.ts";
import type { Handle, LockstepAbi } from "./abi.ts";
import { callError, lockstepErrors } from "./errors.ts";
import type { ModuleRates } from "./rates.ts";

/** Topics that PX4's own modules advertise. A publisher from outside would get an instance that no module reads. */
const PX4_PUBLISHES: readonly string[] = [
  "actuator_motors",
  "actuator_servos",
  "actuator_servos_trim",
  "control_allocator_status",
  "dataman_request",
  "distance_sensor_mode_change_request",
  "geofence_status",
  "log_message",
  "mission",
  "navigator_status",
  "position_setpoint_triplet",
  "rate_ctrl_status",
  "rtl_status",
  "takeoff_status",
  "transponder_report",
  "vehicle_command",
];

/** Code of the metadata call if the library contains no field text, as is usual. All other outputs are valid. */
const NO_FIELD_TEXT = -3;
const WRONG_TYPE = -3;
const UNKNOWN_PARAMETER = -2;
const NEVER_PUBLISHED = -1;

let isAlive = false;

interface RuntimeOptions {
  readonly abi: LockstepAbi;
  readonly rates: ModuleRates;
  /** Folder of message definitions, for a PX4 that our own table does not describe. */
  readonly messages?: string;
}

export class LockstepRuntime {
  private readonly abi: LockstepAbi;
  private readonly handle: Handle;
  private readonly folder: MessageFolder | undefined;
  private readonly lastUs = new Float64Array(1);
  private isClosed = false;

  constructor(options: RuntimeOptions) {
    if (isAlive) {
      throw lockstepErrors.handleInUse({
        what: "a second PX4 runtime was requested in this process",
        fix: "fly each flight in its own child process",
      });
    }
    this.abi = options.abi;
    const handle = this.abi.create(configOf(options.rates));
    if (handle === null || handle === undefined || handle === 0n) {
      throw lockstepErrors.createFailed({
        what: "the library returned no runtime",
        fix: "see PX4's output above; the process may already have a runtime, or the library may not match this program",
      });
    }
    this.handle = handle;
    isAlive = true;
    this.abi.controlAutosave?.(false);
    this.folder = options.messages === undefined ? undefined : new MessageFolder(options.messages);
  }

  /** Sets a parameter of either type. */
  setParameter(name: string, value: number): void {
    const { call, code } = this.trySet(name, value);
    this.require(call, `${name} = ${value}`, code);
  }

  /** Like `setParameter`, but returns false if the library has no parameter of that name. */
  setIfKnown(name: string, value: number): boolean {
    const { call, code } = this.trySet(name, value);
    if (code === UNKNOWN_PARAMETER) return false;
    this.require(call, `${name} = ${value}`, code);
    return true;
  }

  /** Tries to set the parameter as an integer, which PX4 rejects for a float parameter; then sets it as a float. */
  private trySet(name: string, value: number): { readonly call: string; readonly code: number } {
    const { abi, handle } = this;
    const asWhole = Number.isInteger(value) ? abi.setI32(handle, name, value) : WRONG_TYPE;
    if (asWhole !== WRONG_TYPE) return { call: "param_set_i32", code: asWhole };
    return { call: "param_set_f32", code: abi.setF32(handle, name, value) };
  }

  parameter(name: string): number {
    const whole = new Int32Array(1);
    const asWhole = this.abi.getI32(this.handle, name, whole);
    if (asWhole === 0) return whole[0]!;
    if (asWhole !== WRONG_TYPE) throw callError("param_get_i32", name, asWhole);
    const float = new Float32Array(1);
    const asFloat = this.abi.getF32(this.handle, name, float);
    if (asFloat !== 0) throw callError("param_get_f32", name, asFloat);
    return float[0]!;
  }

  /** Makes control allocation read its parameters now, and notifies the other modules, which check once per second. */
  applyParameters(): void {
    this.require("control_alloc_update_params", "", this.abi.updateAllocation(this.handle));
    this.require("param_notify", "", this.abi.notifyParams(this.handle));
  }

  loadMission(path: string): void {
    this.require("load_mission_qgc_wpl", path, this.abi.loadMission(this.handle, path));
  }

  /** Returns the layout of a topic, confirmed by the library. */
  layout(topic: string): TopicLayout {
    const size = new Uint32Array(1);
    const noPadding = new Uint32Array(1);
    const hash = new Uint32Array(1);
    const queue = new Uint8Array(1);
    const fields = new BigUint64Array(1);
    const code = this.abi.metadata(this.handle, topic, fields, size, noPadding, hash, queue);
    if (code !== 0 && code !== NO_FIELD_TEXT) throw callError("orb_topic_metadata", topic, code);
    const candidates = [this.folder?.layout(topic), tableLayout(topic)].filter((layout) => layout !== undefined);
    const found = candidates.find((layout) => layout.hash === hash[0]);
    if (found === undefined) {
      throw px4UorbErrors.unknownLayout({
        what: `topic ${topic} has hash 0x${hash[0]!.toString(16)} in the library, but the available definitions give ${
          candidates.map((layout) => `0x${layout.hash.toString(16)}`).join(", ") || "none"
        }${this.folder === undefined ? "" : ` (messages read from ${this.folder.folder})`}`,
        fix: "set PX4_MSG_DIR to the msg folder of the PX4 tree from which this library was built",
      });
    }
    if (found.size !== size[0] || found.sizeNoPadding !== noPadding[0]) {
      throw lockstepErrors.wrongLayout({
        what: `topic ${topic} has ${size[0]} bytes (${noPadding[0]} without padding) in the library, but its definition gives ${found.size} (${found.sizeNoPadding})`,
        fix: "rebuild the library, which was built for a different machine or compiler",
      });
    }
    return found;
  }

  /** Creates a publisher of the given instance. Its first message advertises the topic. */
  publisher<T extends KnownTopic>(topic: T, instance = 0): Publisher<T> {
    if (PX4_PUBLISHES.includes(topic)) {
      throw lockstepErrors.topicTaken({
        what: `topic ${topic} is published by PX4's own modules`,
        fix: "do not publish it",
      });
    }
    const layout = this.layout(topic);
    const pub = new Int32Array(1);
    const given = new Int32Array(1);
    const size = new Uint32Array(1);
    const code = this.abi.createPublisher(this.handle, topic, 0, 0, instance, pub, given, size);
    this.require("orb_create_publisher_ex", `${topic}, instance ${instance}`, code);
    checkSize(topic, layout, size[0]!);
    return new Publisher(this.abi, this.handle, pub[0]!, new TopicBuffer(topic, layout));
  }

  subscriber<T extends KnownTopic>(topic: T, instance = 0): Subscriber<T> {
    const layout = this.layout(topic);
    const sub = new Int32Array(1);
    const size = new Uint32Array(1);
    const code = this.abi.createSubscriber(this.handle, topic, instance, sub, size);
    this.require("orb_create_subscriber", topic, code);
    checkSize(topic, layout, size[0]!);
    return new Subscriber(this.abi, this.handle, sub[0]!, new TopicBuffer(topic, layout));
  }

  /** Steps PX4 once to time `timeUs[0]` of its clock, which must increase. */
  step(timeUs: Float64Array): void {
    const now = timeUs[0]!;
    if (!(now > this.lastUs[0]!) || !Number.isSafeInteger(now)) this.failTime(now);
    this.lastUs[0] = now;
    const code = this.abi.step(this.handle, now);
    if (code !== 0) throw callError("step_uorb", `at ${now} µs`, code);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    isAlive = false;
    this.abi.destroy(this.handle);
  }

  private require(name: string, subject: string, code: number): void {
    if (code !== 0) throw callError(name, subject, code);
  }

  private failTime(now: number): never {
    throw lockstepErrors.timeNotIncreasing({
      what: `a step at ${now} µs was requested after a step at ${this.lastUs[0]} µs`,
      fix: "let PX4's clock start above 0 and increase by whole microseconds",
    });
  }
}

/** Queues its message for the next step. There is one slot, so only the last queued message is published. */
export class Publisher<T extends KnownTopic> {
  readonly message: TopicBuffer<T>;
  private readonly abi: LockstepAbi;
  private readonly handle: Handle;
  private readonly id: number;

  constructor(abi: LockstepAbi, handle: Handle, id: number, message: TopicBuffer<T>) {
    this.abi = abi;
    this.handle = handle;
    this.id = id;
    this.message = message;
  }

  publish(): void {
    const { bytes } = this.message;
    const code = this.abi.queuePublish(this.handle, this.id, bytes, bytes.length);
    if (code !== 0) throw callError("orb_queue_publish", this.message.topic, code);
  }
}

export class Subscriber<T extends KnownTopic> {
  readonly message: TopicBuffer<T>;
  private readonly abi: LockstepAbi;
  private readonly handle: Handle;
  private readonly id: number;
  private readonly updated = new Int32Array(1);
  private wasPublished = false;

  constructor(abi: LockstepAbi, handle: Handle, id: number, message: TopicBuffer<T>) {
    this.abi = abi;
    this.handle = handle;
    this.id = id;
    this.message = message;
  }

  /** Copies the latest message. Returns false if the topic has never been published. */
  read(): boolean {
    if (!this.wasPublished && !this.isUpdated()) return false;
    const { bytes } = this.message;
    const code = this.abi.copy(this.handle, this.id, bytes, bytes.length);
    if (code === NEVER_PUBLISHED) return false;
    if (code !== 0) throw callError("orb_copy", this.message.topic, code);
    this.wasPublished = true;
    return true;
  }

  /** Returns true if there is a newer message than the last copied message. */
  isUpdated(): boolean {
    const code = this.abi.check(this.handle, this.id, this.updated);
    if (code !== 0) throw callError("orb_check", this.message.topic, code);
    return this.updated[0] === 1;
  }
}

function tableLayout(topic: string): TopicLayout | undefined {
  return (KNOWN_TOPICS as readonly string[]).includes(topic) ? knownLayout(topic as KnownTopic) : undefined;
}

function checkSize(topic: string, layout: TopicLayout, size: number): void {
  invariant(layout.size === size, `topic ${topic}: the library's metadata and its publisher disagree on the size`);
}

/** Returns the nine numbers of the library's configuration: mission store in memory, no commander, allocator on. */
function configOf(rates: ModuleRates): Int32Array {
  const { navigatorHz, positionHz, attitudeHz, rateHz, allocatorHz } = rates;
  return Int32Array.of(1, 0, 100, navigatorHz, positionHz, attitudeHz, rateHz, 1, allocatorHz);
}
