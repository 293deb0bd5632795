/**
 * Writes consecutive MAVLink 2 frames into one buffer, which is sent as a whole.
 *
 * Frame: 0xFD, payload length, incompatibility and compatibility flags, sequence, system, component, message id (three
 * bytes), payload without its trailing zero bytes (at least one byte remains), checksum with `crc_extra`. Frequent
 * messages are written directly into the view between `begin` and `end`, so a tick allocates nothing.
 */
import { invariant } from "@escapement/core";
import { crcByte, crcOver } from "./checksum.ts";
import { writePayload } from "./message.ts";
import type { Message, MessageValues } from "./message.ts";

export const MAGIC_V1 = 0xfe;
export const MAGIC_V2 = 0xfd;
export const HEADER_V1 = 6;
export const HEADER_V2 = 10;
export const SIGNATURE_LENGTH = 13;
export const SIGNED_FLAG = 0x01;
/** Size of header, longest payload, checksum and signature. */
const MAX_FRAME_BYTES = HEADER_V2 + 255 + 2 + SIGNATURE_LENGTH;

export class FrameWriter {
  readonly systemId: number;
  readonly componentId: number;
  readonly view: DataView;
  /** Bytes written since `clear`. */
  length = 0;
  private readonly bytes: Uint8Array;
  private open: Message | undefined;
  private sequence = 0;

  constructor(options: { systemId: number; componentId: number; capacity?: number }) {
    this.systemId = options.systemId;
    this.componentId = options.componentId;
    this.bytes = new Uint8Array(options.capacity ?? 4 * MAX_FRAME_BYTES);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Starts a frame with a zeroed payload. Returns the offset of the payload in `view`. */
  begin(message: Message): number {
    invariant(this.open === undefined, `frame of ${this.open?.name} was not ended before ${message.name}`);
    invariant(this.length + MAX_FRAME_BYTES <= this.bytes.length, "a MAVLink batch does not fit its buffer");
    this.open = message;
    const { bytes, length: at } = this;
    bytes[at] = MAGIC_V2;
    bytes[at + 2] = 0;
    bytes[at + 3] = 0;
    bytes[at + 4] = this.sequence;
    bytes[at + 5] = this.systemId;
    bytes[at + 6] = this.componentId;
    bytes[at + 7] = message.id & 0xff;
    bytes[at + 8] = (message.id >> 8) & 0xff;
    bytes[at + 9] = (message.id >> 16) & 0xff;
    bytes.fill(0, at + HEADER_V2, at + HEADER_V2 + message.length);
    return at + HEADER_V2;
  }

  end(): void {
    const message = this.open;
    invariant(message !== undefined, "a MAVLink frame was ended that had not begun");
    const { bytes, length: at } = this;
    let payload = message.length;
    while (payload > 1 && bytes[at + HEADER_V2 + payload - 1] === 0) payload -= 1;
    bytes[at + 1] = payload;
    const end = at + HEADER_V2 + payload;
    const crc = crcByte(crcOver(bytes, at + 1, end), message.crcExtra);
    bytes[end] = crc & 0xff;
    bytes[end + 1] = crc >> 8;
    this.length = end + 2;
    this.sequence = (this.sequence + 1) & 0xff;
    this.open = undefined;
  }

  /** Appends a whole message; omitted fields are zero. */
  add<M extends Message>(message: M, values: Partial<MessageValues<M>>): void {
    const at = this.begin(message);
    writePayload(message, this.view, at, values);
    this.end();
  }

  /** Returns the batch as a view of the writer's memory, valid until the next `clear`. */
  window(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Returns a copy of the batch and clears the writer. */
  take(): Uint8Array {
    const copy = this.bytes.slice(0, this.length);
    this.clear();
    return copy;
  }

  clear(): void {
    this.length = 0;
  }
}
