/**
 * One message in memory: bytes, a DataView and the offsets of its fields, created once and filled in place every tick.
 *
 * Offsets have their element type, so writing a flag as a float does not compile. They are looked up by name once,
 * when the buffer is created, in the layout that the loaded PX4 confirmed.
 */
import { px4UorbErrors } from "./errors.ts";
import type { Element } from "./definition.ts";
import type { TopicLayout } from "./layout.ts";
import { knownLayout } from "./registry.ts";
import type { ElementOfField, FieldOf, KnownTopic } from "./registry.ts";

/** The byte offset of an element of the given type. */
type OffsetOf<E extends Element> = number & { readonly element: E };

type Offsets<T extends KnownTopic> = { readonly [N in FieldOf<T>]: OffsetOf<ElementOfField<T, N>> };

type Bytes = OffsetOf<"bool" | "uint8" | "int8" | "char">;

const TWO_32 = 4_294_967_296;

export class TopicBuffer<T extends KnownTopic> {
  readonly topic: T;
  readonly bytes: Uint8Array;
  readonly at: Offsets<T>;
  private readonly view: DataView;

  constructor(topic: T, layout: TopicLayout) {
    this.topic = topic;
    this.bytes = new Uint8Array(layout.size);
    this.view = new DataView(this.bytes.buffer);
    this.at = offsetsOf(topic, layout);
  }

  setF32(at: OffsetOf<"float32">, value: number, index = 0): void {
    this.view.setFloat32(at + 4 * index, value, true);
  }

  setF64(at: OffsetOf<"float64">, value: number): void {
    this.view.setFloat64(at, value, true);
  }

  /** Writes an integer from 0 to 2^53. */
  setU64(at: OffsetOf<"uint64">, value: number): void {
    const high = Math.floor(value / TWO_32);
    this.view.setUint32(at, value - high * TWO_32, true);
    this.view.setUint32(at + 4, high, true);
  }

  setU32(at: OffsetOf<"uint32">, value: number): void {
    this.view.setUint32(at, value, true);
  }

  setU8(at: Bytes, value: number): void {
    this.view.setUint8(at, value);
  }

  f32(at: OffsetOf<"float32">, index = 0): number {
    return this.view.getFloat32(at + 4 * index, true);
  }

  f64(at: OffsetOf<"float64">): number {
    return this.view.getFloat64(at, true);
  }

  u64(at: OffsetOf<"uint64">): number {
    return this.view.getUint32(at + 4, true) * TWO_32 + this.view.getUint32(at, true);
  }

  u32(at: OffsetOf<"uint32">): number {
    return this.view.getUint32(at, true);
  }

  i32(at: OffsetOf<"int32">): number {
    return this.view.getInt32(at, true);
  }

  u16(at: OffsetOf<"uint16">): number {
    return this.view.getUint16(at, true);
  }

  u8(at: Bytes): number {
    return this.view.getUint8(at);
  }
}

/** Returns the offsets by name. Throws a typed error if this PX4 lacks a field or has it with a different type. */
function offsetsOf<T extends KnownTopic>(topic: T, layout: TopicLayout): Offsets<T> {
  const offsets: { [name: string]: number } = {};
  for (const [name, wanted] of knownLayout(topic).fields) {
    const found = layout.fields.get(name);
    if (found === undefined || found.element !== wanted.element || found.count < wanted.count) {
      const has = found === undefined ? "no such field" : `it as ${found.element}[${found.count}]`;
      throw px4UorbErrors.missingField({
        what: `topic ${topic} should have ${name} as ${wanted.element}[${wanted.count}], but the loaded PX4 has ${has}`,
        fix: "use PX4 1.17 or main shortly after it",
      });
    }
    offsets[name] = found.offset;
  }
  return offsets as Offsets<T>;
}
