/**
 * Defines MAVLink messages by tables: wire layout, `crc_extra`, and a generic codec.
 *
 * A table names the fields in the order of MAVLink's own definition. The wire order is derived from it: base fields
 * sorted by element size, largest first, with a stable sort; then extension fields in the order written. `crc_extra` is
 * the checksum of the message's name, field types and field names, folded to one byte. A peer with a different table
 * therefore rejects the message.
 */
import { CRC_START, crcByte } from "./checksum.ts";

const ELEMENTS = {
  u64: { bytes: 8, mavlink: "uint64_t" },
  i64: { bytes: 8, mavlink: "int64_t" },
  f64: { bytes: 8, mavlink: "double" },
  u32: { bytes: 4, mavlink: "uint32_t" },
  i32: { bytes: 4, mavlink: "int32_t" },
  f32: { bytes: 4, mavlink: "float" },
  u16: { bytes: 2, mavlink: "uint16_t" },
  i16: { bytes: 2, mavlink: "int16_t" },
  u8: { bytes: 1, mavlink: "uint8_t" },
  i8: { bytes: 1, mavlink: "int8_t" },
  char: { bytes: 1, mavlink: "char" },
} as const;
type Element = keyof typeof ELEMENTS;
type FieldType = Element | `${Element}[${number}]`;
type FieldTable = { readonly [name: string]: FieldType };

/** 64-bit integers can be given as number or as bigint, which is exact. Texts end at the first zero byte. */
type FieldValue<T extends FieldType> = T extends `char[${number}]`
  ? string
  : T extends `${"u64" | "i64"}[${number}]`
    ? readonly (bigint | number)[]
    : T extends `${string}[${number}]`
      ? readonly number[]
      : T extends "u64" | "i64"
        ? bigint | number
        : number;

export type MessageValues<M extends Message> =
  M extends Message<infer T> ? { [K in keyof T]: FieldValue<T[K]> } : never;
/** Received values: 64-bit integers are always bigint. */
export type DecodedValues<M extends Message> =
  M extends Message<infer T>
    ? { [K in keyof T]: Exclude<FieldValue<T[K]>, never> extends infer V ? Decoded<V> : never }
    : never;
type Decoded<V> = V extends number ? number : V extends bigint ? bigint : V;

export interface MessageField {
  readonly name: string;
  readonly element: Element;
  /** Number of elements; 0 for a plain value. */
  readonly count: number;
  readonly offset: number;
  readonly extension: boolean;
}

export interface Message<T extends FieldTable = FieldTable> {
  readonly name: string;
  readonly id: number;
  readonly crcExtra: number;
  /** Payload length without extension fields, as version 1 of the protocol sends it. */
  readonly baseLength: number;
  readonly length: number;
  /** In wire order. */
  readonly fields: readonly MessageField[];
  /** Payload offset per field name, for frequent messages. */
  readonly offsets: { readonly [K in keyof T]: number };
}

type Row = readonly [id: number, base: FieldTable, extensions?: FieldTable];
type FieldsOf<R extends Row> = R extends readonly [number, infer B extends FieldTable, infer X extends FieldTable]
  ? B & X
  : R extends readonly [number, infer B extends FieldTable]
    ? B
    : never;

/** Builds messages by name from rows of id, base fields and extension fields. */
export function defineDialect<const T extends { readonly [name: string]: Row }>(
  rows: T,
): { readonly [N in keyof T]: Message<FieldsOf<T[N]>> } {
  const messages = Object.keys(rows).map((name) => [name, makeMessage(name, rows[name]!)] as const);
  return Object.fromEntries(messages) as unknown as { readonly [N in keyof T]: Message<FieldsOf<T[N]>> };
}

function makeMessage(name: string, [id, base, extensions = {}]: Row): Message {
  const baseFields = Object.keys(base).map((key) => ({ name: key, ...parseType(base[key]!), extension: false }));
  baseFields.sort((a, b) => ELEMENTS[b.element].bytes - ELEMENTS[a.element].bytes);
  const allFields = [
    ...baseFields,
    ...Object.keys(extensions).map((key) => ({ name: key, ...parseType(extensions[key]!), extension: true })),
  ];
  let offset = 0;
  let baseLength = 0;
  const fields = allFields.map((field) => {
    const placed = { ...field, offset };
    offset += ELEMENTS[field.element].bytes * Math.max(1, field.count);
    if (!field.extension) baseLength = offset;
    return placed;
  });
  return {
    name,
    id,
    crcExtra: crcExtraOf(name, fields),
    baseLength,
    length: offset,
    fields,
    offsets: Object.fromEntries(fields.map((field) => [field.name, field.offset])),
  };
}

function parseType(type: FieldType): { element: Element; count: number } {
  const match = /^(\w+?)(?:\[(\d+)\])?$/.exec(type)!;
  return { element: match[1] as Element, count: match[2] === undefined ? 0 : Number(match[2]) };
}

function crcExtraOf(name: string, fields: readonly MessageField[]): number {
  let crc = CRC_START;
  const text = (part: string) => {
    for (let i = 0; i < part.length; i += 1) crc = crcByte(crc, part.charCodeAt(i));
  };
  text(`${name} `);
  for (const field of fields) {
    if (field.extension) continue;
    text(`${ELEMENTS[field.element].mavlink} ${field.name} `);
    if (field.count > 0) crc = crcByte(crc, field.count);
  }
  return (crc & 0xff) ^ (crc >> 8);
}

/** Writes a whole payload at `at`; omitted fields are zero. */
export function writePayload<M extends Message>(
  message: M,
  view: DataView,
  at: number,
  values: Partial<MessageValues<M>>,
): void {
  const given = values as { readonly [name: string]: unknown };
  for (const field of message.fields) {
    const value = given[field.name];
    const start = at + field.offset;
    if (field.count === 0) writeElement(view, field.element, start, (value ?? 0) as number | bigint);
    else if (field.element === "char") writeText(view, start, field.count, (value ?? "") as string);
    else {
      const list = (value ?? []) as readonly (number | bigint)[];
      const size = ELEMENTS[field.element].bytes;
      for (let i = 0; i < field.count; i += 1) writeElement(view, field.element, start + i * size, list[i] ?? 0);
    }
  }
}

/** Reads a payload that was extended with zeros to its full length. */
export function readPayload<M extends Message>(message: M, view: DataView, at: number): DecodedValues<M> {
  const values: { [name: string]: unknown } = {};
  for (const field of message.fields) {
    const start = at + field.offset;
    const size = ELEMENTS[field.element].bytes;
    if (field.count === 0) values[field.name] = readElement(view, field.element, start);
    else if (field.element === "char") values[field.name] = readText(view, start, field.count);
    else {
      values[field.name] = Array.from({ length: field.count }, (_, i) =>
        readElement(view, field.element, start + i * size),
      );
    }
  }
  return values as DecodedValues<M>;
}

function writeText(view: DataView, at: number, length: number, text: string): void {
  for (let i = 0; i < length; i += 1) view.setUint8(at + i, i < text.length ? text.charCodeAt(i) & 0xff : 0);
}

function readText(view: DataView, at: number, length: number): string {
  let text = "";
  for (let i = 0; i < length; i += 1) {
    const code = view.getUint8(at + i);
    if (code === 0) break;
    text += String.fromCharCode(code);
  }
  return text;
}

function writeElement(view: DataView, element: Element, at: number, value: number | bigint): void {
  switch (element) {
    case "u64":
      return view.setBigUint64(at, BigInt(value), true);
    case "i64":
      return view.setBigInt64(at, BigInt(value), true);
    case "f64":
      return view.setFloat64(at, Number(value), true);
    case "u32":
      return view.setUint32(at, Number(value), true);
    case "i32":
      return view.setInt32(at, Number(value), true);
    case "f32":
      return view.setFloat32(at, Number(value), true);
    case "u16":
      return view.setUint16(at, Number(value), true);
    case "i16":
      return view.setInt16(at, Number(value), true);
    case "u8":
    case "char":
      return view.setUint8(at, Number(value));
    case "i8":
      return view.setInt8(at, Number(value));
  }
}

function readElement(view: DataView, element: Element, at: number): number | bigint {
  switch (element) {
    case "u64":
      return view.getBigUint64(at, true);
    case "i64":
      return view.getBigInt64(at, true);
    case "f64":
      return view.getFloat64(at, true);
    case "u32":
      return view.getUint32(at, true);
    case "i32":
      return view.getInt32(at, true);
    case "f32":
      return view.getFloat32(at, true);
    case "u16":
      return view.getUint16(at, true);
    case "i16":
      return view.getInt16(at, true);
    case "u8":
    case "char":
      return view.getUint8(at);
    case "i8":
      return view.getInt8(at);
  }
}

const TWO_32 = 4_294_967_296;

/** Writes an integer from 0 to 2^53 as an unsigned 64-bit integer, without a bigint. */
export function writeU64(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / TWO_32);
  view.setUint32(at, value - high * TWO_32, true);
  view.setUint32(at + 4, high, true);
}

/** Reads an unsigned 64-bit integer as a number, exact up to 2^53. */
export function readU64(view: DataView, at: number): number {
  return view.getUint32(at + 4, true) * TWO_32 + view.getUint32(at, true);
}
