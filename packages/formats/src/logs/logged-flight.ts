/** Presents a log of any kind to requirements: signals are found by columns or, in a ULog, by PX4's topics. */
import { columnName, findNamed, type LoggedFlight, type LoggedSignal } from "@escapement/core";
import { TIME_COLUMN, type Table } from "./rows.ts";
import { findUlogSignal, ulogTopicsOf } from "./ulog/signals.ts";

export function loggedFlight(table: Table): LoggedFlight {
  const timesUs = table.columns.get(TIME_COLUMN.name);
  if (timesUs === undefined) {
    return { find: (name) => findUlogSignal(table, name), placeOf: ulogTopicsOf };
  }
  return {
    find: (name) => findColumns(table, timesUs, name),
    placeOf: (name) => {
      const missing = columnsOf(table, name).filter((column) => !table.columns.has(column));
      return missing.length === 0 ? undefined : `the column${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`;
    },
  };
}

function findColumns({ columns }: Table, timesUs: Float64Array, name: string): LoggedSignal | undefined {
  if (findNamed(name) === undefined) return undefined;
  const found = columnsOf({ columns }, name).map((column) => columns.get(column));
  if (found.length === 0 || found.includes(undefined)) return undefined;
  const size = found.length;
  const values = new Float64Array(size * timesUs.length);
  found.forEach((column, i) => column!.forEach((value, row) => (values[row * size + i] = value)));
  return { timesUs, size, values };
}

/** Returns the columns of a signal or a block of the state, for as many rotors or batteries as the log has. */
function columnsOf({ columns }: Pick<Table, "columns">, name: string): string[] {
  const named = findNamed(name);
  if (named === undefined) return [];
  const { size, components, unitName } = named;
  const single = columnName(name, undefined, unitName);
  if (size === 1 || columns.has(single)) return [single];
  if (components !== undefined) return components.map((part) => columnName(name, part, unitName));
  const numbered = (i: number) => columnName(name, String(i), unitName);
  if (size !== undefined) return Array.from({ length: size }, (_, i) => numbered(i + 1));
  let count = 1;
  while (columns.has(numbered(count + 1))) count += 1;
  return Array.from({ length: count }, (_, i) => numbered(i + 1));
}
