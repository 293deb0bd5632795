/**
 * A JSON value with its path. Members are read by type. If a member is missing or has the wrong type, the view reports
 * it with key and line, and reading continues.
 */
import type { Where } from "@escapement/core";
import { fileErrors } from "../text/file-errors.ts";
import type { Findings } from "../text/findings.ts";
import type { JsonNode } from "../text/json.ts";
import type { Lines } from "../text/text.ts";

export class JsonView {
  readonly value: unknown;
  private readonly node: JsonNode;
  private readonly lines: Lines;
  private readonly path: string;
  private readonly findings: Findings;

  constructor(node: JsonNode, lines: Lines, path: string, findings: Findings) {
    this.node = node;
    this.value = node.value;
    this.lines = lines;
    this.path = path;
    this.findings = findings;
  }

  isObject(): boolean {
    return this.node.members !== undefined;
  }

  /** Returns key and line of this value, or of a member if it exists. */
  where(key?: string): Pick<Where, "key" | "line"> {
    const member = key === undefined ? undefined : this.get(key);
    if (member !== undefined) return member.where();
    const line = this.lines.at(this.node.start).line;
    return this.path === "" ? { line } : { key: this.path, line };
  }

  get(key: string): JsonView | undefined {
    const member = this.node.members?.get(key);
    return member === undefined ? undefined : this.child(member.node, this.path === "" ? key : `${this.path}.${key}`);
  }

  requireObject(): boolean {
    if (this.isObject()) return true;
    this.report("is not an object", "write { … }");
    return false;
  }

  object(key: string): JsonView | undefined {
    const view = this.require(key);
    return view?.requireObject() === true ? view : undefined;
  }

  list(key: string): JsonView[] | undefined {
    const view = this.require(key);
    if (view === undefined) return undefined;
    if (view.node.items === undefined) {
      view.report("is not a list", "write [ … ]");
      return undefined;
    }
    return view.node.items.map((item, index) => view.child(item, `${view.path}[${index}]`));
  }

  text(key: string): string | undefined {
    return this.readTyped(key, "string", "is not a string") as string | undefined;
  }

  number(key: string): number | undefined {
    return this.readTyped(key, "number", "is not a number") as number | undefined;
  }

  flag(key: string): boolean | undefined {
    return this.readTyped(key, "boolean", "is not true or false") as boolean | undefined;
  }

  numbers(key: string, options: NumbersOptions): number[] | undefined {
    return this.require(key)?.ownNumbers(options);
  }

  /** Returns this value as a list of numbers. */
  ownNumbers({ size, nullIsNan = false }: NumbersOptions): number[] | undefined {
    const items = this.node.items;
    const isNumber = (value: unknown) => typeof value === "number" || (nullIsNan && value === null);
    if (items?.length === size && items.every((item) => isNumber(item.value))) {
      return items.map((item) => (item.value === null ? NaN : (item.value as number)));
    }
    this.report(
      `is not a list of ${size} numbers`,
      `write ${size} numbers${nullIsNan ? ", with null for each that is not given" : ""}`,
    );
    return undefined;
  }

  private readTyped(key: string, type: "string" | "number" | "boolean", what: string): unknown {
    const view = this.require(key);
    if (view === undefined) return undefined;
    if (typeof view.value === type) return view.value;
    view.report(what, `write a ${type}`);
    return undefined;
  }

  private require(key: string): JsonView | undefined {
    const view = this.get(key);
    if (view === undefined)
      this.findings.error(fileErrors.missingKey, `"${key}" is missing`, `add "${key}"`, this.where());
    return view;
  }

  private report(what: string, fix: string): void {
    this.findings.error(
      fileErrors.wrongType,
      `${this.path === "" ? "the file" : `"${this.path}"`} ${what}`,
      fix,
      this.where(),
    );
  }

  private child(node: JsonNode, path: string): JsonView {
    return new JsonView(node, this.lines, path, this.findings);
  }
}

interface NumbersOptions {
  readonly size: number;
  readonly nullIsNan?: boolean;
}
