/** Makes the columns of a whole flight, and rows of plausible values for them. */
import { BusLayout, rowColumns, StateLayout, type Block, type Column, type Dims } from "@escapement/core";

const DIMS: Dims = { rotors: 4, batteries: 2, buses: 1 };

function block(name: string, size: number, unit: string, components: readonly string[]): Block {
  const kind = name === "qBodyToNed" ? "attitude" : "vector";
  return { name, size, unit, kind, group: "position", tolerance: { absolute: 1, relative: 1 }, components };
}

export function flightColumns(dims: Dims = DIMS): Column[] {
  const state = new StateLayout([
    block("posNed", 3, "m", ["n", "e", "d"]),
    block("velNed", 3, "m/s", ["n", "e", "d"]),
    block("qBodyToNed", 4, "1", ["w", "x", "y", "z"]),
    block("rateBody", 3, "rad/s", ["x", "y", "z"]),
    block("rotorSpeed", dims.rotors, "rad/s", ["1", "2", "3", "4"]),
  ]);
  return rowColumns(state, new BusLayout(dims));
}

/** Makes values that differ from column to column and row to row; flags, counts and enums are integers. */
export function flightRow(columns: readonly Column[], i: number): Float64Array {
  return Float64Array.from(columns, ({ unit, name }, column) => {
    if (name === "setpoint_valid") return i % 512;
    if (name === "gyro_count" || name === "baro_count") return i + 1;
    if (name === "land_detected") return i < 10 ? 3 : 0;
    if (unit === "flag") return Math.floor(i / 10) % 2;
    if (["enum", "index", "count", "mask"].includes(unit)) return Math.floor(i / 7) % 6;
    return Math.sin(column * 1.7 + i * 0.13) * (column + 1);
  });
}
