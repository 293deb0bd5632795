/** Fields for a sweep, which flies several values of one number. */
import type { ParamTable, PlainObject } from "@escapement/core";
import { element } from "../../shared/elements.ts";
import type { Field } from "./fields.ts";

const MAX_FLIGHTS = 24;

export class VaryFields {
  readonly node = element("details", "vary") as HTMLDetailsElement;
  private readonly key = document.createElement("select");
  private readonly count = numberInput("5", "How many flights");
  private readonly from = numberInput("", "From");
  private readonly to = numberInput("", "To");

  constructor(onChange: () => void) {
    this.key.setAttribute("aria-label", "What varies");
    this.node.append(
      element("summary", "", "vary…"),
      element("p", "", this.count, " values of ", this.key),
      element("p", "", "from ", this.from, " to ", this.to),
    );
    this.node.addEventListener("toggle", onChange);
  }

  /** Offers those parameters of an action that a sweep can vary: its numbers, and the lengths of its vectors. */
  offer(fields: readonly Field[], table: ParamTable): void {
    const keys = fields.filter(({ key }) => {
      const type = table[key]?.type;
      return (type === "number" || type === "vector") && key !== "motor" && key !== "battery";
    });
    this.node.hidden = keys.length === 0;
    this.node.open = false;
    this.key.replaceChildren(...keys.map(({ key }) => new Option(key === "velNedMps" ? "speed" : key, key)));
    const first = keys[0]?.read();
    const size = Array.isArray(first) ? Math.hypot(...(first as number[])) : Number(first ?? 1);
    const { min, max } = limitsOf(table, keys[0]?.key);
    this.from.value = String(Math.max(min, Number((0.5 * size).toPrecision(2))));
    this.to.value = String(Math.min(max, Number((1.5 * size).toPrecision(2))));
  }

  /** Returns the parameters once per value of the sweep, or once unchanged if nothing varies. */
  variants(params: PlainObject): PlainObject[] {
    if (!this.node.open || this.node.hidden) return [params];
    const count = Math.max(1, Math.min(MAX_FLIGHTS, Math.round(Number(this.count.value) || 1)));
    const [from, to] = [Number(this.from.value), Number(this.to.value)];
    const key = this.key.value;
    const given = params[key];
    return Array.from({ length: count }, (_, i) => {
      const value = Number((from + ((to - from) * i) / Math.max(1, count - 1)).toPrecision(6));
      return { ...params, [key]: Array.isArray(given) ? scaleTo(given as number[], value) : value };
    });
  }
}

/** Returns the valid range of a parameter. For a vector, whose length is varied, the range is unlimited. */
function limitsOf(table: ParamTable, key = ""): { readonly min: number; readonly max: number } {
  const param = table[key];
  if (param?.type !== "number") return { min: -Infinity, max: Infinity };
  return { min: param.min ?? -Infinity, max: param.max ?? Infinity };
}

/** Scales a vector to a given length. */
function scaleTo(vector: readonly number[], length: number): number[] {
  const size = Math.hypot(...vector) || 1;
  return vector.map((value) => Number(((value * length) / size).toPrecision(6)));
}

function numberInput(value: string, label: string): HTMLInputElement {
  const input = document.createElement("input");
  input.value = value;
  input.inputMode = "decimal";
  input.setAttribute("aria-label", label);
  return input;
}
