/**
 * Derives PX4's message hash, struct offsets and sizes from a declaration.
 *
 * Hash: FNV-1a (32 bit) over `type name\n` of every field in declaration order, arrays as `type[N]`, a nested message
 * followed immediately by its own fields. Layout: fields sorted by element size, largest first, with a stable sort;
 * nested messages last, each aligned to 8; the struct is padded to 8. Equal hashes mean equal declarations and
 * therefore equal layouts, so one comparison with the loaded library is enough.
 */
import { ELEMENT_BYTES, isElement } from "./definition.ts";
import type { Element, FieldDeclaration, MessageDeclaration } from "./definition.ts";
import { px4UorbErrors } from "./errors.ts";

interface FieldLayout {
  readonly element: Element;
  readonly offset: number;
  /** Array length; 0 for a plain value. */
  readonly count: number;
}

export interface TopicLayout {
  readonly topic: string;
  readonly size: number;
  /** Size without the padding at the end. */
  readonly sizeNoPadding: number;
  readonly hash: number;
  readonly queueLength: number;
  /** By name, in struct order; fields of nested messages are named like `current.lat`. */
  readonly fields: ReadonlyMap<string, FieldLayout>;
}

/** Finds a message by its CamelCase name, for nested fields. */
type Lookup = (name: string) => MessageDeclaration | undefined;

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export function layoutOf(message: MessageDeclaration, topic: string, lookup: Lookup): TopicLayout {
  const fields = new Map<string, FieldLayout>();
  const end = layOut(message, lookup, 0, "", fields);
  return {
    topic,
    size: padTo8(end),
    sizeNoPadding: end,
    hash: hashOf(message, lookup),
    queueLength: message.queueLength,
    fields,
  };
}

function hashOf(message: MessageDeclaration, lookup: Lookup): number {
  return fnv1a(declarationText(message, lookup));
}

function declarationText(message: MessageDeclaration, lookup: Lookup): string {
  return message.fields
    .map((field) => {
      const line = `${field.type}${field.count > 0 ? `[${field.count}]` : ""} ${field.name}\n`;
      return isElement(field.type) ? line : line + declarationText(nestedMessage(field, message, lookup), lookup);
    })
    .join("");
}

function fnv1a(text: string): number {
  let hash = FNV_START;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash >>> 0;
}

/** Lays out the fields of a message, beginning at `start`. Returns the offset of their end, without padding. */
function layOut(
  message: MessageDeclaration,
  lookup: Lookup,
  start: number,
  prefix: string,
  out: Map<string, FieldLayout>,
): number {
  const sizeOf = (field: FieldDeclaration) => (isElement(field.type) ? ELEMENT_BYTES[field.type] : 0);
  const sorted = [...message.fields].sort((a, b) => sizeOf(b) - sizeOf(a));
  let at = start;
  for (const field of sorted) {
    const elementCount = Math.max(1, field.count);
    if (isElement(field.type)) {
      out.set(prefix + field.name, { element: field.type, offset: at, count: field.count });
      at += ELEMENT_BYTES[field.type] * elementCount;
      continue;
    }
    const inner = nestedMessage(field, message, lookup);
    for (let i = 0; i < elementCount; i += 1) {
      at = start + padTo8(at - start);
      const name = field.count > 0 ? `${field.name}[${i}]` : field.name;
      const end = layOut(inner, lookup, at, `${prefix}${name}.`, out);
      at += padTo8(end - at);
    }
  }
  return at;
}

function nestedMessage(field: FieldDeclaration, message: MessageDeclaration, lookup: Lookup): MessageDeclaration {
  const found = lookup(field.type);
  if (found !== undefined) return found;
  throw px4UorbErrors.badDeclaration({
    what: `message ${message.name} has a field ${field.name} of the unknown type ${field.type}`,
    fix: `add ${field.type}.msg to the message folder`,
  });
}

function padTo8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
