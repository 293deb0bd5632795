/**
 * Encodes messages of a live flight as binary WebSocket frames, and decodes them.
 *
 * A frame consists of the length of its head (four bytes, little-endian), the head (JSON), and the arrays of the
 * message. Arrays begin at multiples of eight bytes, so that they can be read in place. In the head, an array is
 * replaced by `{ "$array": [kind, start, length] }`, and NaN, which JSON cannot express, by `{ "$number": "NaN" }`.
 * Infinities are replaced in the same way.
 */
import type { FromWorker } from "../protocol.ts";

const KINDS = { u8: Uint8Array, f32: Float32Array, f64: Float64Array } as const;
type Kind = keyof typeof KINDS;
type Arrays = InstanceType<(typeof KINDS)[Kind]>;
const HEAD_BYTES = 4;
const ALIGNMENT = 8;

function alignUp(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

export function encodeFrame(message: FromWorker): Uint8Array {
  const arrays: { readonly start: number; readonly array: Arrays }[] = [];
  let size = 0;
  const head = JSON.stringify(message, (_, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
    const kind = (Object.keys(KINDS) as Kind[]).find((each) => value instanceof KINDS[each]);
    if (kind === undefined) return value;
    const array = value as Arrays;
    arrays.push({ start: size, array });
    const place = [kind, size, array.length];
    size += alignUp(array.byteLength);
    return { $array: place };
  });
  const text = new TextEncoder().encode(head);
  const body = alignUp(HEAD_BYTES + text.length);
  const frame = new Uint8Array(body + size);
  new DataView(frame.buffer).setUint32(0, text.length, true);
  frame.set(text, HEAD_BYTES);
  for (const { start, array } of arrays) {
    frame.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), body + start);
  }
  return frame;
}

/** Decodes a frame from the server that serves the page. */
export function decodeFrame(frame: ArrayBuffer): FromWorker {
  const length = new DataView(frame).getUint32(0, true);
  const body = alignUp(HEAD_BYTES + length);
  const head = new TextDecoder().decode(new Uint8Array(frame, HEAD_BYTES, length));
  return JSON.parse(head, (_, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    if ("$number" in value) return Number(value.$number);
    if (!("$array" in value)) return value;
    const [kind, start, count] = value.$array as [Kind, number, number];
    return new KINDS[kind](frame, body + start, count);
  }) as FromWorker;
}
