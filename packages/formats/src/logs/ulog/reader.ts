/**
 * Reads ULog files as columns: our own logs and PX4's.
 *
 * A complete log of ours is verified against its checksum. From a truncated log, every complete record is read, and
 * `missing` describes the rest. PX4's own logs have no checksum, so only their structure is checked. Column names are
 * `topic.field`, for array elements `topic.field[2]`, for further instances of a topic `topic_1.field`.
 */
import { crc32 } from "../../bytes/crc32.ts";
import type { SimError } from "@escapement/core";
import { logErrors } from "../errors.ts";
import type { Table } from "../rows.ts";
import * as wire from "./wire.ts";

/** Types of the elements that become columns, and `char`, which does not. */
const ELEMENT_BYTES = {
  uint64_t: 8,
  int64_t: 8,
  double: 8,
  uint32_t: 4,
  int32_t: 4,
  float: 4,
  uint16_t: 2,
  int16_t: 2,
  uint8_t: 1,
  int8_t: 1,
  bool: 1,
  char: 1,
} as const;
type ElementType = keyof typeof ELEMENT_BYTES;

const TWO_32 = 2 ** 32;
const MAX_MESSAGES = 100_000;
const MAX_FIELDS = 200_000;

interface ReadField {
  readonly name: string;
  readonly offset: number;
  readonly type: ElementType;
}

interface Topic {
  readonly name: string;
  readonly fields: readonly ReadField[];
  /** Size without padding at the end. */
  readonly size: number;
  /** Offsets of the records in the file. */
  readonly records: Offsets;
}

/** A growing list of offsets. Making a view per record would take most of the reading time. */
class Offsets {
  private list = new Uint32Array(64);
  count = 0;

  push(offset: number): void {
    if (this.count === this.list.length) {
      const longer = new Uint32Array(2 * this.count);
      longer.set(this.list);
      this.list = longer;
    }
    this.list[this.count] = offset;
    this.count += 1;
  }

  get all(): Uint32Array {
    return this.list.subarray(0, this.count);
  }
}

export function readUlog(bytes: Uint8Array, file = "log.ulg"): Table {
  return new UlogReader(bytes, file).read();
}

class UlogReader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly file: string;
  private readonly decoder = new TextDecoder();
  private readonly formats = new Map<string, string>();
  private readonly topics = new Map<number, Topic>();
  private readonly provenance: [string, string][] = [];
  private readonly messages: { readonly stampUs: number; readonly level: number; readonly text: string }[] = [];
  private isOurs = false;
  /**
   * Number of fields to which formats may still expand. Without a limit, nested lists of empty messages could expand to
   * a huge number of fields.
   */
  private budget = MAX_FIELDS;
  private missing: string | undefined;
  /** Offsets at which complete records continue after a partial record. */
  private readonly resumeOffsets: number[] = [];

  constructor(bytes: Uint8Array, file: string) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.file = file;
  }

  read(): Table {
    this.checkHeader();
    const end = this.checkEnd();
    let at = wire.HEADER_SIZE;
    while (at < end) {
      const stop = this.resumeOffsets.length === 0 ? end : (this.resumeOffsets.find((offset) => offset > at) ?? end);
      const next = this.nextAfter(at, stop);
      if (next !== undefined) this.message(this.bytes[at + 2]!, at + wire.MESSAGE_HEADER_SIZE, next);
      else if (stop === end) break;
      at = next ?? stop;
    }
    if (this.isOurs && end === this.bytes.length)
      this.missing ??= "the end: the log was cut short after a complete record";
    if (this.topics.size === 0) this.missing ??= "all data: the log ends before its first topic";
    return this.table();
  }

  private checkHeader(): void {
    if (this.bytes.length < wire.HEADER_SIZE || wire.MAGIC.some((byte, i) => this.bytes[i] !== byte)) {
      throw logErrors.notALog({
        what: "the file does not start with the ULog signature",
        where: { file: this.file },
        fix: "give a .ulg file",
      });
    }
    const version = this.bytes[wire.MAGIC.length]!;
    if (version > wire.FILE_VERSION) {
      throw logErrors.wrongVersion({
        what: `the file has ULog version ${version}, but this program reads ${wire.FILE_VERSION}`,
        where: { file: this.file },
        fix: "convert it with PX4's tools",
      });
    }
  }

  /** Returns the end of the records: before the checksum of a complete log of ours, otherwise the end of the file. */
  private checkEnd(): number {
    const start = this.bytes.length - wire.CHECKSUM_MESSAGE_SIZE;
    if (start < wire.HEADER_SIZE) return this.bytes.length;
    const keyStart = start + wire.MESSAGE_HEADER_SIZE + 1;
    const isChecksum =
      this.bytes[start + 2] === wire.TYPE.info &&
      this.bytes[keyStart - 1] === wire.CHECKSUM_KEY.length &&
      this.view.getUint16(start, true) === wire.CHECKSUM_MESSAGE_SIZE - wire.MESSAGE_HEADER_SIZE &&
      this.text(keyStart, keyStart + wire.CHECKSUM_KEY.length) === wire.CHECKSUM_KEY;
    if (!isChecksum) return this.bytes.length;
    const expected = this.view.getUint32(this.bytes.length - 4, true);
    if (crc32(this.bytes.subarray(0, start)) !== expected) throw this.damagedError("the checksum does not match");
    return start;
  }

  /** Returns the end of the message at `at`, or undefined if it is truncated. */
  private nextAfter(at: number, end: number): number | undefined {
    const next =
      at + wire.MESSAGE_HEADER_SIZE <= end ? at + wire.MESSAGE_HEADER_SIZE + this.view.getUint16(at, true) : Infinity;
    if (next <= end) return next;
    this.missing ??= `the end: the log was cut short ${end - at} bytes into a record`;
    return undefined;
  }

  private message(type: number, start: number, end: number): void {
    switch (type) {
      case wire.TYPE.flagBits:
        this.flagBits(start, end);
        break;
      case wire.TYPE.format:
        this.format(this.text(start, end));
        break;
      case wire.TYPE.info:
        this.info(start, end);
        break;
      case wire.TYPE.subscription:
        this.subscribe(start, end);
        break;
      case wire.TYPE.data:
        this.data(start, end);
        break;
      case wire.TYPE.text:
        this.logText(start, start + 1, end);
        break;
      case wire.TYPE.taggedText:
        this.logText(start, start + 3, end);
        break;
    }
  }

  /** Reads a text message: its level at `start`, then a tag if it has one, and a time stamp at `stampStart`. */
  private logText(start: number, stampStart: number, end: number): void {
    const textStart = stampStart + 8;
    if (textStart > end) throw this.damagedError("a text message is shorter than its header");
    if (this.messages.length === MAX_MESSAGES) return;
    const stampUs = this.view.getUint32(stampStart + 4, true) * TWO_32 + this.view.getUint32(stampStart, true);
    // Levels are the characters 0 to 7.
    this.messages.push({ stampUs, level: this.bytes[start]! - 0x30, text: this.text(textStart, end) });
  }

  /** Records the offsets at which data was appended after a crash. A log with an unknown flag cannot be read safely. */
  private flagBits(start: number, end: number): void {
    const incompatible = this.bytes.subarray(start + 8, Math.min(end, start + 16));
    if (incompatible.every((byte, i) => (i === 0 ? (byte & ~1) === 0 : byte === 0))) {
      for (let at = start + 16; incompatible[0] === 1 && at + 8 <= Math.min(end, start + 40); at += 8) {
        const offset = Number(this.view.getBigUint64(at, true));
        if (offset > 0 && offset < this.bytes.length) this.resumeOffsets.push(offset);
      }
      this.resumeOffsets.sort((a, b) => a - b);
      return;
    }
    throw logErrors.wrongVersion({
      what: "the log uses an unknown feature",
      where: { file: this.file },
      fix: "convert it with PX4's tools",
    });
  }

  private format(text: string): void {
    const colon = text.indexOf(":");
    if (colon < 1) throw this.damagedError("a format has no name");
    this.formats.set(text.slice(0, colon), text.slice(colon + 1));
  }

  private info(start: number, end: number): void {
    const valueStart = start + 1 + (this.bytes[start] ?? 0);
    if (start >= end || valueStart > end) throw this.damagedError("an info message is shorter than its key");
    const match = /^char\[\d+\] (.+)$/.exec(this.text(start + 1, valueStart));
    if (match === null) return;
    const [key, value] = [match[1]!, this.text(valueStart, end)];
    if (key === wire.SIM_NAME_KEY && value === wire.SIM_NAME) this.isOurs = true;
    if (key.startsWith(wire.PROVENANCE_PREFIX)) this.provenance.push([key.slice(wire.PROVENANCE_PREFIX.length), value]);
    else this.provenance.push([key, value]);
  }

  private subscribe(start: number, end: number): void {
    if (end - start < 4) throw this.damagedError("a subscription has no name");
    const [instance, id, topic] = [this.bytes[start]!, this.view.getUint16(start + 1, true), this.text(start + 3, end)];
    const fields: ReadField[] = [];
    const size = this.layOut(topic, "", 0, 0, fields);
    this.topics.set(id, {
      name: instance === 0 ? topic : `${topic}_${instance}`,
      fields,
      size,
      records: new Offsets(),
    });
  }

  /** Lays out the fields of a format, including nested fields. Returns the end offset, without final padding. */
  private layOut(format: string, prefix: string, start: number, depth: number, out: ReadField[]): number {
    const text = this.formats.get(format);
    if (text === undefined || depth > 8)
      throw this.damagedError(`"${format.slice(0, 40)}" is not a format of this log`);
    let at = start;
    let end = start;
    for (const part of text.split(";")) {
      if (part === "") continue;
      const match = /^([A-Za-z_]\w*)(?:\[(\d{1,5})\])? (\w+)$/.exec(part);
      if (match === null) throw this.damagedError(`"${part.slice(0, 40)}" is not a field`);
      const [, type, count, name] = match as unknown as [string, string, string | undefined, string];
      const element = Object.hasOwn(ELEMENT_BYTES, type) ? (type as ElementType) : undefined;
      for (let i = 0; i < (count === undefined ? 1 : Number(count)); i += 1) {
        const path = `${prefix}${name}${count === undefined ? "" : `[${i}]`}`;
        if (element === undefined) at = this.layOut(type, `${path}.`, at, depth + 1, out);
        else {
          if (element !== "char" && !name.startsWith("_padding")) out.push({ name: path, offset: at, type: element });
          at += ELEMENT_BYTES[element];
        }
        this.budget -= 1;
        if (at - start > wire.MAX_PAYLOAD || this.budget < 0)
          throw this.damagedError(`the format "${format.slice(0, 40)}" is implausibly long`);
      }
      if (!name.startsWith("_padding")) end = at;
    }
    // Inside an outer format the size includes padding at the end; in a record it does not.
    return depth === 0 ? end : at;
  }

  private data(start: number, end: number): void {
    const topic = end - start < 2 ? undefined : this.topics.get(this.view.getUint16(start, true));
    if (topic === undefined) throw this.damagedError("a record belongs to no subscription");
    if (end - start - 2 < topic.size) throw this.damagedError(`a record of ${topic.name} is shorter than its format`);
    topic.records.push(start + 2);
  }

  private table(): Table {
    const columns = new Map<string, Float64Array>();
    const units = new Map<string, string>();
    for (const { name: topic, fields, records } of this.topics.values()) {
      for (const { name, offset, type } of fields) {
        columns.set(`${topic}.${name}`, readColumn(type, this.view, records.all, offset));
        if (/(^|\.)timestamp(_sample)?$/.test(name)) units.set(`${topic}.${name}`, "us");
      }
    }
    // A log begins at the time in its header. Our own logs also store it as provenance.
    const startUs = String(this.view.getBigUint64(wire.MAGIC.length + 1, true));
    const provenance = { time_offset_us: startUs, ...Object.fromEntries(this.provenance) };
    const offsetUs = Number(provenance.time_offset_us);
    const messages = this.messages.map(({ stampUs, level, text }) => ({ tUs: stampUs - offsetUs, level, text }));
    return {
      columns,
      units,
      provenance,
      ...(messages.length === 0 ? {} : { messages }),
      ...(this.missing === undefined ? {} : { missing: this.missing }),
    };
  }

  private text(start: number, end: number): string {
    return this.decoder.decode(this.bytes.subarray(start, end));
  }

  private damagedError(what: string): SimError {
    return logErrors.damaged({
      what,
      where: { file: this.file },
      fix: "use another copy of the file, or convert the recording again",
    });
  }
}

/** Reads a field of all records. Each type has its own loop: one loop for all types is several times slower. */
function readColumn(type: ElementType, view: DataView, records: Uint32Array, offset: number): Float64Array {
  const count = records.length;
  const out = new Float64Array(count);
  switch (type) {
    case "uint64_t":
      for (let i = 0; i < count; i += 1) {
        const at = records[i]! + offset;
        out[i] = view.getUint32(at + 4, true) * TWO_32 + view.getUint32(at, true);
      }
      break;
    case "int64_t":
      for (let i = 0; i < count; i += 1) {
        const at = records[i]! + offset;
        out[i] = view.getInt32(at + 4, true) * TWO_32 + view.getUint32(at, true);
      }
      break;
    case "double":
      for (let i = 0; i < count; i += 1) out[i] = view.getFloat64(records[i]! + offset, true);
      break;
    case "uint32_t":
      for (let i = 0; i < count; i += 1) out[i] = view.getUint32(records[i]! + offset, true);
      break;
    case "int32_t":
      for (let i = 0; i < count; i += 1) out[i] = view.getInt32(records[i]! + offset, true);
      break;
    case "float":
      for (let i = 0; i < count; i += 1) out[i] = view.getFloat32(records[i]! + offset, true);
      break;
    case "uint16_t":
      for (let i = 0; i < count; i += 1) out[i] = view.getUint16(records[i]! + offset, true);
      break;
    case "int16_t":
      for (let i = 0; i < count; i += 1) out[i] = view.getInt16(records[i]! + offset, true);
      break;
    case "uint8_t":
      for (let i = 0; i < count; i += 1) out[i] = view.getUint8(records[i]! + offset);
      break;
    case "int8_t":
      for (let i = 0; i < count; i += 1) out[i] = view.getInt8(records[i]! + offset);
      break;
    case "bool":
      for (let i = 0; i < count; i += 1) out[i] = view.getUint8(records[i]! + offset) === 0 ? 0 : 1;
      break;
    case "char":
      break;
  }
  return out;
}
