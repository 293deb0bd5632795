/**
 * The columns of a log row: every component of the state, then every signal, in table order.
 *
 * A name is in snake_case and ends in its unit if the table below has a suffix for it: `pos_ned_n_m`,
 * `rotor_thrust_1_n`. Every sink gets the whole row and uses the columns it needs.
 */
import type { BusLayout } from "./bus.ts";
import type { Column } from "./contracts.ts";
import { signalSpec } from "../signals/table.ts";

/** Suffixes of units in column names; other units get none. */
const UNIT_SUFFIX: Readonly<Record<string, string>> = {
  m: "m",
  "m/s": "mps",
  "m/s2": "mps2",
  rad: "rad",
  "rad/s": "radps",
  "rad/s2": "radps2",
  N: "n",
  "N.m": "nm",
  "kg.m": "kgm",
  V: "v",
  A: "a",
  K: "k",
  Pa: "pa",
  "kg/m3": "kgpm3",
  W: "w",
  J: "j",
  Gs: "gauss",
  uT: "ut",
  degC: "degc",
  deg: "deg",
  us: "us",
  s: "s",
};

/** A block of a state's layout, or one read from a recording. */
interface NamedBlock {
  readonly name: string;
  readonly size: number;
  readonly unit: string;
  readonly components?: readonly string[];
}

export function rowColumns(state: { readonly blocks: readonly NamedBlock[] }, bus: BusLayout): Column[] {
  const columns: Column[] = [];
  for (const block of state.blocks) {
    for (let i = 0; i < block.size; i += 1) {
      const component = block.size === 1 ? undefined : (block.components?.[i] ?? String(i + 1));
      columns.push({
        name: columnName(block.name, component, block.unit),
        unit: block.unit,
        about: `True state ${block.name}.`,
        signal: block.name,
        component: i,
        writer: "plant",
      });
    }
  }
  for (const { name, size } of bus.signals) {
    const { unit, about, components, writer } = signalSpec(name);
    for (let i = 0; i < size; i += 1) {
      const component = size === 1 ? undefined : (components?.[i] ?? String(i + 1));
      columns.push({ name: columnName(name, component, unit), unit, about, signal: name, component: i, writer });
    }
  }
  return columns;
}

export function columnName(name: string, component: string | undefined, unit: string): string {
  const words = [snakeCase(name)];
  if (component !== undefined) words.push(component);
  const suffix = UNIT_SUFFIX[unit];
  if (suffix !== undefined) words.push(suffix);
  return words.join("_");
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
