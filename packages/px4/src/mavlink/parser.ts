/**
 * Finds MAVLink frames (versions 1 and 2) in a stream of bytes. Never throws, for any input.
 *
 * A frame is accepted only if its checksum is correct. Otherwise the parser drops one byte and continues right after
 * the false start, so it finds a genuine frame inside garbage. Frames of unknown messages are skipped whole if their
 * checksum can be genuine. The handler always receives the same frame object, which is valid only during the call.
 */
import { canEndIn, crcByte, crcOver } from "./checksum.ts";
import { HEADER_V1, HEADER_V2, MAGIC_V1, MAGIC_V2, SIGNATURE_LENGTH, SIGNED_FLAG } from "./frame.ts";
import { readPayload } from "./message.ts";
import type { DecodedValues, Message } from "./message.ts";

export interface Frame {
  readonly message: Message;
  readonly version: 1 | 2;
  readonly sequence: number;
  readonly systemId: number;
  readonly componentId: number;
  /** The payload from offset 0, extended with zeros to the message's full length. */
  readonly payload: DataView;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface ParserStats {
  /** Frames passed to the handler. */
  frames: number;
  /** Whole frames of messages that are not in the dialect. */
  unknown: number;
  /** Frame starts with a wrong checksum or unknown flags. */
  refused: number;
  /** Bytes outside of frames. */
  skipped: number;
}

const CAPACITY = 16_384;

export class FrameParser {
  readonly stats: ParserStats = { frames: 0, unknown: 0, refused: 0, skipped: 0 };
  private readonly known = new Map<number, Message>();
  private readonly bytes = new Uint8Array(CAPACITY);
  private start = 0;
  private end = 0;
  private readonly scratch = new Uint8Array(256);
  private readonly frame: Mutable<Frame>;
  private readonly handle: (frame: Frame) => void;

  constructor(dialect: { readonly [name: string]: Message }, handle: (frame: Frame) => void) {
    for (const name of Object.keys(dialect)) this.known.set(dialect[name]!.id, dialect[name]!);
    this.handle = handle;
    this.frame = {
      message: Object.values(dialect)[0]!,
      version: 2,
      sequence: 0,
      systemId: 0,
      componentId: 0,
      payload: new DataView(this.scratch.buffer),
    };
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.length) {
      if (this.start > 0) this.compact();
      const count = Math.min(CAPACITY - this.end, chunk.length - from);
      this.bytes.set(chunk.subarray(from, from + count), this.end);
      this.end += count;
      from += count;
      this.parse();
    }
  }

  /** Drops an unfinished frame. Call it when a new connection begins. */
  reset(): void {
    this.start = 0;
    this.end = 0;
  }

  /**
   * Treats an unfinished frame as a false start and searches the bytes after it for frames. Call it if the peer will
   * send nothing more.
   */
  discardUnfinished(): void {
    while (this.start < this.end) {
      this.stats.skipped += 1;
      this.start += 1;
      this.parse();
    }
  }

  private compact(): void {
    this.bytes.copyWithin(0, this.start, this.end);
    this.end -= this.start;
    this.start = 0;
  }

  /** Consumes everything except one unfinished frame at the end. */
  private parse(): void {
    const { bytes, stats } = this;
    while (this.start < this.end) {
      const magic = bytes[this.start];
      const used = magic === MAGIC_V2 ? this.tryV2() : magic === MAGIC_V1 ? this.tryV1() : -1;
      if (used === 0) return;
      if (used < 0) {
        stats.skipped += 1;
        this.start += 1;
      } else this.start += used;
    }
  }

  /** Returns the length of the frame at `start`; 0 if more bytes are needed; −1 if there is no frame. */
  private tryV2(): number {
    const { bytes, start, end, stats } = this;
    if (end - start < 3) return 0;
    const flags = bytes[start + 2]!;
    if ((flags & ~SIGNED_FLAG) !== 0) {
      stats.refused += 1;
      return -1;
    }
    const payloadLength = bytes[start + 1]!;
    const length = HEADER_V2 + payloadLength + 2 + ((flags & SIGNED_FLAG) === 0 ? 0 : SIGNATURE_LENGTH);
    if (end - start < length) return 0;
    const id = bytes[start + 7]! | (bytes[start + 8]! << 8) | (bytes[start + 9]! << 16);
    return this.accept(2, id, start + HEADER_V2, payloadLength, start + 4) ? length : -1;
  }

  private tryV1(): number {
    const { bytes, start, end } = this;
    if (end - start < 2) return 0;
    const payloadLength = bytes[start + 1]!;
    const length = HEADER_V1 + payloadLength + 2;
    if (end - start < length) return 0;
    return this.accept(1, bytes[start + 5]!, start + HEADER_V1, payloadLength, start + 2) ? length : -1;
  }

  /** Checks the frame whose payload begins at `at`; sequence, system and component are at `header`. */
  private accept(version: 1 | 2, id: number, at: number, length: number, header: number): boolean {
    const { bytes, frame, scratch, stats } = this;
    const crc = crcOver(bytes, this.start + 1, at + length);
    const received = bytes[at + length]! | (bytes[at + length + 1]! << 8);
    const message = this.known.get(id);
    if (message === undefined ? !canEndIn(crc, received) : crcByte(crc, message.crcExtra) !== received) {
      stats.refused += 1;
      return false;
    }
    if (message === undefined) {
      stats.unknown += 1;
      return true;
    }
    // Drop additional fields, which a newer peer may send.
    const kept = Math.min(length, message.length);
    for (let i = 0; i < kept; i += 1) scratch[i] = bytes[at + i]!;
    scratch.fill(0, kept, message.length);
    frame.message = message;
    frame.version = version;
    frame.sequence = bytes[header]!;
    frame.systemId = bytes[header + 1]!;
    frame.componentId = bytes[header + 2]!;
    stats.frames += 1;
    this.handle(frame);
    return true;
  }
}

/** Returns the values as an object if the frame carries this message. Allocates, so use it for infrequent messages. */
export function valuesOf<M extends Message>(frame: Frame, message: M): DecodedValues<M> | undefined {
  return frame.message.id === message.id ? readPayload(message, frame.payload, 0) : undefined;
}
