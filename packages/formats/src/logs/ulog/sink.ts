/**
 * Writes ULog, PX4's own log format, with PX4's topic names and layouts, for PlotJuggler, Flight Review and pyulog.
 *
 * The file starts with definitions (flags, info, formats, parameters) and subscriptions. Then each row adds a record of
 * every topic that is due, in the order of the topic table. Time stamps are flight time plus one second. The last
 * message is a checksum of everything before it; if it is missing, the log was cut short.
 */
import type { Column, Readable, WorldOrigin } from "@escapement/core";
import { BlockWriter } from "../../bytes/block-writer.ts";
import type { ByteSink } from "../../bytes/byte-sink.ts";
import { logErrors } from "../errors.ts";
import { LogSink } from "../log-sink.ts";
import { checkProvenance, RowGuard, type Provenance } from "../rows.ts";
import type { Parameter } from "../../params/params-file.ts";
import { ELEMENTS, formatText, layoutOf, type Element } from "./messages.ts";
import { EventMessages } from "./event-messages.ts";
import type { Cell } from "./cells.ts";
import { topicsOf, type Topic } from "./topics.ts";
import * as wire from "./wire.ts";

export interface UlogOptions {
  readonly provenance?: Provenance;
  /** The flight's origin; without it the log has no global positions. */
  readonly origin?: WorldOrigin;
  /** Name of the projection that turns the flight's metres into degrees; PX4's own if absent. */
  readonly projection?: string;
  /** The autopilot's parameters, with PX4's names. */
  readonly parameters?: readonly Parameter[];
  /** Topics to write; if absent, all topics that the flight can fill. */
  readonly topics?: readonly string[];
}

const SYNC_EVERY_US = 1_000_000;
/** Version 1.17.0 as PX4 encodes a release. */
const PX4_RELEASE = 0x011100ff;
const encoder = new TextEncoder();

interface Slot {
  readonly element: Element;
  readonly offset: number;
  readonly cell: Cell;
}

/** Fills the records of one topic, and decides when to write a record. */
class TopicWriter {
  readonly topic: Topic;
  readonly record: Uint8Array;
  private readonly view: DataView;
  private readonly slots: readonly Slot[];
  private readonly lastRecord: Uint8Array;
  private readonly lastUs = new Float64Array([-Infinity]);

  constructor(topic: Topic) {
    this.topic = topic;
    const layout = layoutOf(topic.message);
    this.record = new Uint8Array(layout.size);
    this.lastRecord = new Uint8Array(layout.size);
    this.view = new DataView(this.record.buffer);
    this.slots = layout.fields.flatMap(({ name, element, offset }) =>
      (topic.fields.get(name) ?? []).map((cell, i) => ({
        element,
        offset: offset + i * ELEMENTS[element].bytes,
        cell,
      })),
    );
  }

  /** Fills the record if the topic is due. Returns true if the record must be written now. */
  fillIfDue(row: Readable, stampUs: number): boolean {
    const { everyUs, onChange, when } = this.topic;
    if (when !== undefined && when(row, stampUs) === 0) return false;
    const waited = stampUs - this.lastUs[0]! >= everyUs || this.lastUs[0] === -Infinity;
    if (!waited && !onChange) return false;
    for (let i = 0; i < this.slots.length; i += 1) this.put(this.slots[i]!, row, stampUs);
    if (!waited && !this.hasChanged()) return false;
    this.lastUs[0] = stampUs;
    this.lastRecord.set(this.record);
    return true;
  }

  /** Returns true if anything but the leading time stamp changed. */
  private hasChanged(): boolean {
    for (let i = 8; i < this.record.length; i += 1) if (this.record[i] !== this.lastRecord[i]) return true;
    return false;
  }

  private put({ element, offset, cell }: Slot, row: Readable, stampUs: number): void {
    const value = cell(row, stampUs);
    const { view } = this;
    switch (element) {
      case "float32":
        view.setFloat32(offset, value, true);
        break;
      case "float64":
        view.setFloat64(offset, value, true);
        break;
      case "uint64":
      case "int64":
        putU64(view, offset, value);
        break;
      case "uint32":
      case "int32":
        view.setInt32(offset, value, true);
        break;
      case "uint16":
      case "int16":
        view.setInt16(offset, value, true);
        break;
      default:
        view.setInt8(offset, value);
    }
  }
}

/** Writes whole microseconds, which are below 2^53, as two halves instead of a BigInt. */
function putU64(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, value % 4294967296, true);
  view.setUint32(offset + 4, Math.floor(value / 4294967296), true);
}

export class UlogSink extends LogSink {
  override readonly holdsParameters = true;
  readonly neverFull: boolean;
  private readonly out: BlockWriter;
  private readonly options: UlogOptions;
  private guard: RowGuard | undefined;
  private writers: readonly TopicWriter[] = [];
  private eventMessages: EventMessages | undefined;
  private readonly nextSyncUs = new Float64Array([-Infinity]);

  constructor(bytes: ByteSink, options: UlogOptions = {}) {
    super();
    checkProvenance(options.provenance ?? {}, []);
    this.out = new BlockWriter(bytes);
    this.neverFull = this.out.isSync;
    this.options = options;
  }

  get isFull(): boolean {
    return this.out.isFull;
  }

  open(columns: readonly Column[]): void {
    const guard = new RowGuard(columns);
    const { topics: wanted, origin, projection = "px4" } = this.options;
    const topics = topicsOf(columns, origin === undefined ? undefined : { origin, projection }).filter(
      (topic) => wanted === undefined || wanted.includes(topic.name),
    );
    if (topics.length === 0) {
      throw logErrors.noColumns({
        what: "none of the columns fills a PX4 topic",
        fix: "use another kind of log, or choose other topics",
      });
    }
    this.guard = guard;
    this.writers = topics.map((topic) => new TopicWriter(topic));
    this.eventMessages = new EventMessages(columns);
    this.writeHeader();
    this.writeInfos();
    const formats = new Set(topics.map((topic) => formatText(topic.name, layoutOf(topic.message))));
    for (const format of formats) this.message(wire.TYPE.format, encoder.encode(format));
    for (const parameter of this.options.parameters ?? []) this.writeParameter(parameter);
    topics.forEach((topic, id) => {
      this.message(
        wire.TYPE.subscription,
        Uint8Array.of(topic.instance, id & 0xff, id >> 8),
        encoder.encode(topic.name),
      );
    });
  }

  row(tUs: number, row: Readable): void {
    this.guard!.check(tUs, row);
    const stampUs = tUs + wire.TIME_OFFSET_US;
    if (stampUs <= 0) {
      throw logErrors.timeNotIncreasing({
        what: `a ULog cannot store the time ${tUs} µs`,
        where: { tUs },
        fix: `start the flight after −${wire.TIME_OFFSET_US} µs`,
      });
    }
    if (stampUs >= this.nextSyncUs[0]!) {
      this.nextSyncUs[0] = stampUs + SYNC_EVERY_US;
      this.message(wire.TYPE.sync, wire.SYNC);
    }
    for (let id = 0; id < this.writers.length; id += 1) {
      const writer = this.writers[id]!;
      if (writer.fillIfDue(row, stampUs)) this.data(id, writer.record);
    }
    for (const { level, text } of this.eventMessages!.messages(row)) this.text(level, stampUs, text);
    this.out.flushIfOld();
  }

  drain(): Promise<void> {
    return this.out.drain();
  }

  protected override async abandon(): Promise<void> {
    await this.out.discard();
  }

  protected override async finish(): Promise<void> {
    if (this.guard === undefined) return this.abandon();
    await this.out.close(() => {
      const value = new Uint8Array(4);
      new DataView(value.buffer).setUint32(0, this.out.checksum(), true);
      this.info(wire.CHECKSUM_KEY, value);
    });
  }

  private writeHeader(): void {
    const header = new Uint8Array(wire.HEADER_SIZE);
    header.set(wire.MAGIC);
    header[wire.MAGIC.length] = wire.FILE_VERSION;
    putU64(new DataView(header.buffer), 8, wire.TIME_OFFSET_US);
    this.out.bytes(header);
    this.message(wire.TYPE.flagBits, new Uint8Array(wire.FLAG_BITS_SIZE));
  }

  private writeInfos(): void {
    this.textInfo("sys_name", "PX4");
    this.textInfo("ver_hw", "ESCAPEMENT");
    this.textInfo("ver_sw", "0".repeat(40));
    this.textInfo("ver_sw_branch", "simulated by Escapement");
    this.textInfo(wire.SIM_NAME_KEY, wire.SIM_NAME);
    this.numberInfo("ver_sw_release", PX4_RELEASE);
    this.numberInfo("ver_data_format", 2);
    this.textInfo(`${wire.PROVENANCE_PREFIX}time_offset_us`, String(wire.TIME_OFFSET_US));
    for (const [key, value] of Object.entries(this.options.provenance ?? {})) {
      this.textInfo(`${wire.PROVENANCE_PREFIX}${key}`, value);
    }
  }

  private textInfo(key: string, text: string): void {
    const value = encoder.encode(text);
    this.info(`char[${value.length}] ${key}`, value);
  }

  private numberInfo(key: string, number: number): void {
    const value = new Uint8Array(4);
    new DataView(value.buffer).setUint32(0, number, true);
    this.info(`uint32_t ${key}`, value);
  }

  private info(key: string, value: Uint8Array): void {
    this.writeKeyed(wire.TYPE.info, key, value);
  }

  private writeParameter({ name, value, type }: Parameter): void {
    const bytes = new Uint8Array(4);
    const view = new DataView(bytes.buffer);
    if (type === "float") view.setFloat32(0, value, true);
    else view.setInt32(0, value, true);
    this.writeKeyed(wire.TYPE.parameter, `${type === "float" ? "float" : "int32_t"} ${name}`, bytes);
  }

  private writeKeyed(type: number, key: string, value: Uint8Array): void {
    const keyBytes = encoder.encode(key);
    if (keyBytes.length > 255 || 1 + keyBytes.length + value.length > wire.MAX_PAYLOAD) {
      throw logErrors.badProvenance({ what: `"${key.slice(0, 40)}" is too long for a ULog`, fix: "shorten it" });
    }
    this.message(type, Uint8Array.of(keyBytes.length), keyBytes, value);
  }

  private message(type: number, ...parts: readonly Uint8Array[]): void {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    this.head(type, size);
    for (const part of parts) this.out.bytes(part);
  }

  private data(id: number, record: Uint8Array): void {
    const { out } = this;
    this.head(wire.TYPE.data, 2 + record.length);
    out.view.setUint16(out.at, id, true);
    out.block.set(record, out.at + 2);
    out.at += 2 + record.length;
  }

  private text(level: number, stampUs: number, text: string): void {
    const bytes = encoder.encode(text);
    const { out } = this;
    this.head(wire.TYPE.text, 9 + bytes.length);
    out.view.setUint8(out.at, 0x30 + level);
    putU64(out.view, out.at + 1, stampUs);
    out.block.set(bytes, out.at + 9);
    out.at += 9 + bytes.length;
  }

  /** Writes the header of a message and reserves space for all of it, so that blocks end between messages. */
  private head(type: number, size: number): void {
    const { out } = this;
    out.reserve(wire.MESSAGE_HEADER_SIZE + size);
    out.view.setUint16(out.at, size, true);
    out.view.setUint8(out.at + 2, type);
    out.at += wire.MESSAGE_HEADER_SIZE;
  }
}
