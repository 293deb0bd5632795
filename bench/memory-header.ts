/**
 * Writes the C++ header `memory.h` for native/plant.cpp: the offset of every constant of the vehicle in the plant's
 * arrays p (numbers) and n (counts, codes and offsets).
 *
 * It is written from the declarations in packages/core/src/multirotor/memory.ts when the C++ is compiled. Names follow
 * the declarations: `vehicle.inverseMass` is P_INVERSE_MASS, `rotors[i].axis` is P_ROTOR + i * ROTOR_STRIDE +
 * ROTOR_AXIS, `rotors[i].bus` is N_ROTOR_BUS + i, and the offset of a block of the state is a constant such as
 * X_POS_NED or, if it depends on the vehicle, an element of n, such as n[N_OFFSETS_ROTOR_SPEED].
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { VEHICLE_MAP } from "../packages/core/src/multirotor/memory.ts";
import type { Multirotor } from "../packages/core/src/multirotor/plant.ts";

const SINGULAR: Readonly<Record<string, string>> = {
  rotors: "rotor",
  batteries: "battery",
  buses: "bus",
  points: "point",
  airSegments: "airSegment",
};

/** The first blocks of every state; their offsets do not depend on the vehicle. */
const LEADING = ["posNed", "velNed", "qBodyToNed", "rateBody", "motorOutput"] as const;

const upper = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();

function constantsOf(map: unknown, name: string, first = 0): string[] {
  if (typeof map === "number" || ArrayBuffer.isView(map)) {
    const cell = typeof map === "number" ? map : (map as Float64Array)[0]!;
    if (cell < 0) return [`N_${name} = ${-1 - cell}`];
    return [first === 0 ? `P_${name} = ${cell}` : `${name} = ${cell - first}`];
  }
  return Object.entries(map as object).flatMap(([key, value]) => {
    if (!Array.isArray(value)) return constantsOf(value, name === "" ? upper(key) : `${name}_${upper(key)}`, first);
    const table = upper(SINGULAR[key]!);
    const [start, next] = value.map((element) => firstCell(element)) as [number, number];
    return [`P_${table} = ${start}`, `${table}_STRIDE = ${next - start}`, ...constantsOf(value[0], table, start)];
  });
}

function firstCell(map: unknown): number {
  if (typeof map === "number") return map;
  return ArrayBuffer.isView(map) ? (map as Float64Array)[0]! : firstCell(Object.values(map as object)[0]);
}

/** Writes `memory.h` for a plant into a folder. */
export function writeMemoryHeader(folder: string, { constants }: Multirotor): void {
  const blocks = LEADING.map((name) => `X_${upper(name)} = ${constants.offsets[name]}`);
  const lines = [...blocks, ...constantsOf(VEHICLE_MAP, "")].map((line) => `  ${line},`);
  writeFileSync(join(folder, "memory.h"), `#pragma once\nenum {\n${lines.join("\n")}\n};\n`);
}
