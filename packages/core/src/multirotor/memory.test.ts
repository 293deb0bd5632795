/** Tests the memory map: every number has its own cell, and views return the constants that were packed. */
import { describe, expect, it } from "vitest";
import { rig } from "../../../../tests/support/plant.ts";
import { FIXED_N, FIXED_P, MAX_COUNTS, SCRATCH_MAP, VEHICLE_MAP, vehicleConstants } from "./memory.ts";

/** Returns the cells of a map by path, without the numbers that share cells on purpose. */
function cells(map: unknown, path = ""): [path: string, cell: number][] {
  if (typeof map === "number") return [[path, map]];
  if (ArrayBuffer.isView(map)) return [...(map as Float64Array)].map((cell, i) => [`${path}[${i}]`, cell]);
  return Object.entries(map as object).flatMap(([key, value]) => cells(value, `${path}.${key}`));
}

describe("the memory map of the multirotor", () => {
  it("has one number per cell, except for those of different propulsion levels", () => {
    for (const map of [VEHICLE_MAP, { ...SCRATCH_MAP, outputs: SCRATCH_MAP.outputs.subarray(0, 1) }]) {
      const level = /\.rotors\.\d+\.(linear|reference)\./;
      const found = cells(map).filter(([path]) => !level.test(path));
      const at = new Map<number, string>();
      for (const [path, cell] of found) {
        expect(at.get(cell), path).toBeUndefined();
        at.set(cell, path);
      }
      expect(found.length).toBeGreaterThan(100);
    }
  });

  it("keeps everything except the density table inside the fixed part", () => {
    for (const [path, cell] of cells(VEHICLE_MAP)) {
      const isAir = path.startsWith(".air") && path.includes("[") ? true : path.startsWith(".airSegments");
      if (isAir) continue;
      expect(cell, path).toBeLessThan(FIXED_P);
      expect(cell, path).toBeGreaterThanOrEqual(-FIXED_N);
    }
  });

  it("has space for the largest vehicle", () => {
    expect(VEHICLE_MAP.rotors.length).toBe(MAX_COUNTS.rotors);
    expect(VEHICLE_MAP.batteries[0]!.curveSoc.length).toBe(MAX_COUNTS.knots);
    expect(SCRATCH_MAP.inPlane.length).toBe(3 * MAX_COUNTS.rotors);
  });

  it("gives every packing its own serial number, so that views of refilled arrays are detected", () => {
    const [one, other] = [rig("iris").plant, rig("iris").plant];
    expect(one.constants.serial).not.toBe(other.constants.serial);
    expect(vehicleConstants(one.packed.p, one.packed.n).serial).toBe(one.constants.serial);
  });
});
