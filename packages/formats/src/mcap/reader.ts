/**
 * Reads an MCAP file and verifies every checksum.
 *
 * A complete file is verified as a whole (data section, summary, chunks, attachments) and rejected on any mismatch.
 * From a truncated file, complete chunks and attachments are read, and `missing` describes the rest. Message indices
 * are for other readers and are not used here. The source is read record by record, so memory does not depend on the
 * size of the file.
 */
import { crc32 } from "../bytes/crc32.ts";
import { SimError } from "@escapement/core";
import { type ByteSource, sourceOf } from "../bytes/byte-source.ts";
import { ReadBudget, type ReadLimits } from "../bytes/read-budget.ts";
import { recordingErrors } from "./errors.ts";
import { CDR_HEADER, FOOTER_SIZE, getU64, MAGIC, NS_PER_US, OP, RECORD_HEADER_SIZE } from "./wire.ts";

export interface McapChannel {
  readonly id: number;
  readonly topic: string;
  readonly schemaName: string;
  readonly definition: string;
  readonly metadata: ReadonlyMap<string, string>;
}

/**
 * Called for every message in the order of the file. `payload` is the CDR content without the CDR header, valid until
 * the next chunk; `soFar` contains the channels and attachments before the message.
 */
type MessageVisitor = (channel: McapChannel, tUs: number, payload: Uint8Array, soFar: McapContent) => void;

export interface McapContent {
  readonly channels: ReadonlyMap<number, McapChannel>;
  readonly attachments: ReadonlyMap<string, Uint8Array>;
}

export interface McapFile extends McapContent {
  readonly library: string;
  /** Describes the missing part of a truncated file; absent if the file is complete. */
  readonly missing?: string;
}

const PIECE_BYTES = 1024 * 1024;

export type Decompress = (bytes: Uint8Array, size: number) => Uint8Array;

/** Calls `visit` for each message after the checksum of its chunk has been verified. */
export function readMcap(
  bytes: Uint8Array | ByteSource,
  decompress: Decompress,
  visit: MessageVisitor,
  file: string,
  limits: ReadLimits = {},
): McapFile {
  const steps = mcapSteps(bytes, decompress, visit, file, limits);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Like `readMcap`, but yields after every record. A chunk is one record. */
export function mcapSteps(
  bytes: Uint8Array | ByteSource,
  decompress: Decompress,
  visit: MessageVisitor,
  file: string,
  limits: ReadLimits = {},
): Generator<undefined, McapFile> {
  return new McapReader(sourceOf(bytes), decompress, visit, file, limits).read();
}

/** Reads a record's content from front to back. Reading past its end throws a RangeError. */
class Cursor {
  private readonly view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.view.byteLength - this.at;
  }

  u16(): number {
    this.at += 2;
    return this.view.getUint16(this.at - 2, true);
  }

  u32(): number {
    this.at += 4;
    return this.view.getUint32(this.at - 4, true);
  }

  u64(): number {
    this.at += 8;
    return getU64(this.view, this.at - 8);
  }

  bytes(size: number): Uint8Array {
    if (size > this.left) throw new RangeError("a length exceeds the record");
    this.at += size;
    return new Uint8Array(this.view.buffer, this.view.byteOffset + this.at - size, size);
  }

  text(): string {
    return new TextDecoder("utf-8", { fatal: true }).decode(this.bytes(this.u32()));
  }
}

interface McapRecord {
  readonly opcode: number;
  readonly head: Uint8Array;
  readonly content: Uint8Array;
}

class McapReader implements McapContent {
  private readonly source: ByteSource;
  private readonly decompress: Decompress;
  private readonly visit: MessageVisitor;
  private readonly file: string;
  private readonly budget: ReadBudget;
  private readonly schemas = new Map<number, { name: string; definition: string }>();
  readonly channels = new Map<number, McapChannel>();
  readonly attachments = new Map<string, Uint8Array>();
  private library = "";
  private chunks = 0;
  private hasDataEnd = false;
  /** Checksum of the data section so far. */
  private dataCrc = 0;

  constructor(source: ByteSource, decompress: Decompress, visit: MessageVisitor, file: string, limits: ReadLimits) {
    this.source = source;
    this.budget = new ReadBudget(source.size, file, limits);
    this.decompress = decompress;
    this.visit = visit;
    this.file = file;
  }

  *read(): Generator<undefined, McapFile> {
    const magic = this.source.read(0, MAGIC.length);
    if (MAGIC.some((byte, i) => magic[i] !== byte)) {
      throw recordingErrors.notARecording({
        what: "the file does not start with the MCAP signature",
        where: { file: this.file },
        fix: "give a recording made with --record; a log (.csv .ulg .h5 .parquet) opens in `escapement view`",
      });
    }
    this.dataCrc = crc32(magic, this.dataCrc);
    try {
      const summaryStart = this.checkEnd();
      const missing = yield* this.walk(summaryStart);
      const { library, channels, attachments } = this;
      return { library, channels, attachments, ...(missing === undefined ? {} : { missing }) };
    } catch (error) {
      // Other exceptions come from parsing damaged bytes.
      if (error instanceof SimError) throw error;
      throw this.damagedError(error instanceof Error ? error.message : "damaged bytes", error);
    }
  }

  /** Verifies the summary and returns its offset. Returns undefined if the file was cut short. */
  private checkEnd(): number | undefined {
    const { source } = this;
    const magicStart = source.size - MAGIC.length;
    const footerStart = magicStart - FOOTER_SIZE - RECORD_HEADER_SIZE;
    if (footerStart < MAGIC.length) return undefined;
    const magic = source.read(magicStart, MAGIC.length);
    if (MAGIC.some((byte, i) => magic[i] !== byte)) return undefined;
    const footer = this.recordAt(footerStart, magicStart);
    if (footer?.opcode !== OP.footer || footer.content.length !== FOOTER_SIZE) {
      throw this.damagedError("the footer is damaged");
    }
    const cursor = new Cursor(footer.content);
    const summaryStart = cursor.u64();
    cursor.u64();
    const crcStart = magicStart - 4;
    if (summaryStart > footerStart || this.checksum(summaryStart, crcStart) !== cursor.u32()) {
      throw this.damagedError("the checksum of the summary does not match");
    }
    return summaryStart;
  }

  private checksum(start: number, end: number): number {
    let crc = 0;
    for (let at = start; at < end; at += PIECE_BYTES) {
      crc = crc32(this.source.read(at, Math.min(PIECE_BYTES, end - at)), crc);
    }
    return crc;
  }

  /** Reads the data section record by record. Returns a description of what is missing if the file was cut short. */
  private *walk(summaryStart: number | undefined): Generator<undefined, string | undefined> {
    const end = summaryStart ?? this.source.size;
    let at = MAGIC.length;
    while (at < end && !this.hasDataEnd) {
      const record = this.recordAt(at, end);
      if (record === undefined) break;
      this.readRecord(record);
      this.dataCrc = crc32(record.content, crc32(record.head, this.dataCrc));
      at += RECORD_HEADER_SIZE + record.content.length;
      yield;
    }
    if (summaryStart !== undefined) {
      if (!this.hasDataEnd || at !== summaryStart)
        throw this.damagedError("the data section does not end where the summary starts");
      return undefined;
    }
    return this.hasDataEnd
      ? "the summary: all data is complete, but the file ends within its index"
      : `the end: the file was cut short ${end - at} bytes after ${this.chunks} complete chunks`;
  }

  private recordAt(start: number, end: number): McapRecord | undefined {
    if (start + RECORD_HEADER_SIZE > end) return undefined;
    const head = this.source.read(start, RECORD_HEADER_SIZE);
    const length = new Cursor(head.subarray(1)).u64();
    const contentStart = start + RECORD_HEADER_SIZE;
    if (contentStart + length > end) return undefined;
    return { opcode: head[0]!, head, content: this.source.read(contentStart, length) };
  }

  private readRecord({ opcode, content }: McapRecord): void {
    switch (opcode) {
      case OP.header: {
        const cursor = new Cursor(content);
        cursor.text();
        this.library = cursor.text();
        break;
      }
      case OP.attachment:
        this.readAttachment(content);
        break;
      case OP.chunk:
        this.readChunk(content);
        break;
      case OP.messageIndex:
        break;
      case OP.dataEnd:
        if (this.dataCrc !== new Cursor(content).u32()) {
          throw this.damagedError("the checksum of the data section does not match");
        }
        this.hasDataEnd = true;
        break;
      default:
        throw this.damagedError(`an unexpected record of kind ${opcode}`);
    }
  }

  private readAttachment(content: Uint8Array): void {
    const body = content.subarray(0, content.length - 4);
    const crc = new Cursor(content.subarray(content.length - 4)).u32();
    if (crc32(body) !== crc) throw this.damagedError("the checksum of an attachment does not match");
    const cursor = new Cursor(body);
    cursor.u64();
    cursor.u64();
    const name = cursor.text();
    cursor.text();
    this.attachments.set(name, cursor.bytes(cursor.u64()));
  }

  private readChunk(content: Uint8Array): void {
    const cursor = new Cursor(content);
    cursor.u64();
    cursor.u64();
    const size = cursor.u64();
    const crc = cursor.u32();
    const compression = cursor.text();
    const packed = cursor.bytes(cursor.u64());
    this.budget.spend(size);
    if (compression !== "" && compression !== "zstd")
      throw this.damagedError(`a chunk has the unknown compression "${compression}"`);
    const plain = compression === "" ? packed : this.decompress(packed, size);
    if (plain.length !== size || crc32(plain) !== crc) {
      throw this.damagedError(`the checksum of chunk ${this.chunks} does not match`);
    }
    this.readRecords(plain);
    this.chunks += 1;
  }

  private readRecords(plain: Uint8Array): void {
    for (let at = 0; at < plain.length;) {
      const head = new Cursor(plain.subarray(at));
      const opcode = plain[at]!;
      head.bytes(1);
      const content = head.bytes(head.u64());
      if (opcode === OP.message) this.readMessage(content);
      else if (opcode === OP.schema) this.readSchema(content);
      else if (opcode === OP.channel) this.readChannel(content);
      else throw this.damagedError(`an unexpected record of kind ${opcode} in a chunk`);
      at += RECORD_HEADER_SIZE + content.length;
    }
  }

  private readSchema(content: Uint8Array): void {
    const cursor = new Cursor(content);
    const id = cursor.u16();
    const name = cursor.text();
    cursor.text();
    this.schemas.set(id, { name, definition: cursor.text() });
  }

  private readChannel(content: Uint8Array): void {
    const cursor = new Cursor(content);
    const id = cursor.u16();
    const schema = this.schemas.get(cursor.u16());
    const topic = cursor.text();
    const encoding = cursor.text();
    if (schema === undefined || encoding !== "cdr") throw this.damagedError(`channel ${topic} has no known schema`);
    const metadata = new Map<string, string>();
    for (const pairs = new Cursor(cursor.bytes(cursor.u32())); pairs.left > 0;)
      metadata.set(pairs.text(), pairs.text());
    this.channels.set(id, { id, topic, schemaName: schema.name, definition: schema.definition, metadata });
  }

  private readMessage(content: Uint8Array): void {
    const cursor = new Cursor(content);
    const channel = this.channels.get(cursor.u16());
    cursor.u32();
    const ns = cursor.u64();
    cursor.u64();
    if (channel === undefined || cursor.u32() !== CDR_HEADER) throw this.damagedError("a message has no known channel");
    this.visit(channel, ns / NS_PER_US, content.subarray(cursor.at), this);
  }

  private damagedError(what: string, cause?: unknown): SimError {
    return recordingErrors.damaged({
      what,
      where: { file: this.file },
      fix: "use another copy of the file, or record the flight again",
      cause,
    });
  }
}
