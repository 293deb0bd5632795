/**
 * Parses declarations of uORB messages, both from PX4's `.msg` files and from our own table.
 *
 * A `.msg` line is `type name`, `type[N] name` or `type NAME = value`; comments start with `#`. A comment line `#
 * TOPICS a b c` names the topics of a message. Without such a line, its only topic is the file name in snake_case. This
 * file handles only declarations; layout.ts derives sizes, offsets and PX4's message hash from them.
 */
import { px4UorbErrors } from "./errors.ts";

/** Bytes of one element. */
export const ELEMENT_BYTES = {
  uint64: 8,
  int64: 8,
  float64: 8,
  uint32: 4,
  int32: 4,
  float32: 4,
  uint16: 2,
  int16: 2,
  uint8: 1,
  int8: 1,
  bool: 1,
  char: 1,
} as const;
export type Element = keyof typeof ELEMENT_BYTES;

export interface FieldDeclaration {
  /** An element type, or the name of another message. */
  readonly type: string;
  readonly name: string;
  /** Array length; 0 for a plain value. */
  readonly count: number;
}

export interface MessageDeclaration {
  /** Name of the message in CamelCase, as used by nested fields. */
  readonly name: string;
  readonly topics: readonly string[];
  readonly fields: readonly FieldDeclaration[];
  readonly queueLength: number;
}

export function isElement(type: string): type is Element {
  return Object.hasOwn(ELEMENT_BYTES, type);
}

const FIELD = /^([A-Za-z][\w/]*)(?:\[(\d+)\])?\s+(\w+)$/;
const CONSTANT = /^[A-Za-z]\w*\s+(\w+)\s*=\s*(\S+)/;

/** Reads one field, e.g. `float32[4] q`. */
export function parseField(text: string): FieldDeclaration | undefined {
  const match = FIELD.exec(text.trim());
  if (match === null) return undefined;
  // A nested type may include its package, `px4_msgs/PositionSetpoint`; only the part after the slash counts.
  const type = match[1]!.slice(match[1]!.lastIndexOf("/") + 1);
  return { type, name: match[3]!, count: match[2] === undefined ? 0 : Number(match[2]) };
}

/** Reads a whole `.msg` file. `name` is its file name without the extension. */
export function parseMsg(text: string, name: string, file?: string): MessageDeclaration {
  const fields: FieldDeclaration[] = [];
  const topics: string[] = [];
  let queueLength = 1;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.startsWith("# TOPICS ")) topics.push(...line.slice(9).trim().split(/\s+/));
    const code = line.split("#")[0]!.trim();
    if (code === "") continue;
    const constant = CONSTANT.exec(code);
    if (constant !== null) {
      if (constant[1] === "ORB_QUEUE_LENGTH") queueLength = Number(constant[2]);
      continue;
    }
    const field = parseField(code);
    if (field === undefined) {
      throw px4UorbErrors.badDeclaration({
        what: `"${code}" is neither a field nor a constant of a uORB message`,
        where: { file: file ?? `${name}.msg`, line: index + 1 },
        fix: "write a field as `type name` or `type[N] name`, or use the msg folder of the PX4 tree from which the library was built",
      });
    }
    fields.push(field);
  }
  return { name, topics: topics.length > 0 ? topics : [snakeCase(name)], fields, queueLength };
}

export function snakeCase(camel: string): string {
  return camel.replace(/(?<!^)([A-Z])/g, "_$1").toLowerCase();
}
