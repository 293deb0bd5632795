/** Index constants stand in the modules that use them; each must say what the memory map says. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AIR, BATTERY, BUS, CODES, N, P, POINT, ROTOR, W, W_SIZE, X } from "./memory.ts";

const MAP: Record<string, number> = {
  ...X,
  ...N,
  ...P,
  ...W,
  ...CODES,
  ...ROTOR,
  ...BATTERY,
  ...BUS,
  ...POINT,
  ...AIR,
};
/** The momentum level names its own places from R_A on. */
const OWN: Record<string, number> = Object.fromEntries(
  [
    "R_AREA",
    "R_LIFT",
    "R_PITCH",
    "R_INV_STALL",
    "R_INDUCED",
    "R_PROFILE",
    "R_IN_PLANE",
    "R_GROUND",
    "R_HOVER_INFLOW",
  ].map((name, i) => [name, ROTOR.R_A + i]),
);
const FOLDER = new URL("./", import.meta.url);

describe("the memory map of the multirotor", () => {
  const files = ["", "actuators/", "body/", "contact/", "power/", "rotors/"].flatMap((folder) =>
    readdirSync(new URL(folder || ".", FOLDER))
      .filter((name) => name.endsWith(".ts") && !name.includes("test") && name !== "multirotor-layout.ts")
      .map((name) => folder + name),
  );
  const seen = files.flatMap((file) => {
    const text = readFileSync(new URL(file, FOLDER), "utf8");
    return [
      ...text.matchAll(/^const ((?:[A-Z]|ROTOR|BATTERY|BUS|POINT|AIR|LEVEL|ACTUATOR)_[A-Z0-9_]+) = (-?\d+);$/gm),
    ].map(([, name, value]) => [file, name!, Number(value)] as const);
  });

  it("is repeated rightly in every module", () => {
    expect(seen.length).toBeGreaterThan(100);
    for (const [file, name, value] of seen) expect([file, name, { ...MAP, ...OWN }[name]]).toEqual([file, name, value]);
  });

  it("has no two places in one array that overlap", () => {
    const blocks = [
      [W.W_ROTATION, 9],
      [W.W_AIR, 3],
      [W.W_RHO, 1],
      [W.W_GRAVITY, 1],
      [W.W_ALTITUDE, 1],
      [W.W_FORCE, 3],
      [W.W_MOMENT, 3],
      [W.W_SPIN, 3],
      [W.W_CONTACT, 3],
      [W.W_CONTACT_MOMENT, 3],
      [W.W_DUTY, 12],
      [W.W_THRUST, 12],
      [W.W_TORQUE, 12],
      [W.W_CURRENT, 12],
      [W.W_IN_PLANE, 36],
      [W.W_VOLTAGE, 8],
      [W.W_LOAD, 8],
      [W.W_SERVED, 8],
      [W.W_SOURCE, 8],
      [W.W_CONDUCTANCE, 8],
      [W.W_LIMIT, 8],
      [W.W_BATTERY_CURRENT, 8],
      [W.W_STATUS, 1],
      [W.W_JAMMED, 1],
      [W.W_BACK_EMF, 12],
      [W.W_INDUCED, 12],
      [W.W_INFLOW, 12],
      [W.W_CLIMB, 12],
      [W.W_ACROSS, 12],
      [W.W_ADVANCE, 12],
      [W.W_ANGLE, 12],
      [W.W_SLOPE, 12],
      [W.W_MOVED, 12],
      [W.W_BLADE, 12],
      [W.W_STALL, 12],
      [W.W_RELIEF, 12],
      [W.W_INV_INFLOW, 12],
      [W.W_OUTPUTS, 4 * 8 + 3 * 12 + 2 * 8 + 3 + 5 * 3],
    ] as const;
    const used = new Set<number>();
    for (const [offset, size] of blocks) {
      for (let i = 0; i < size; i += 1) {
        expect(used.has(offset + i)).toBe(false);
        used.add(offset + i);
      }
    }
    expect(Math.max(...used)).toBeLessThan(W_SIZE);
    expect(P.P_ROTOR + 12 * ROTOR.ROTOR_STRIDE).toBeLessThanOrEqual(P.P_BATTERY);
    expect(P.P_BATTERY + 8 * BATTERY.BATTERY_STRIDE).toBeLessThanOrEqual(P.P_BUS);
    expect(P.P_BUS + 8 * BUS.BUS_STRIDE).toBeLessThanOrEqual(P.P_POINT);
    expect(P.P_POINT + 32 * POINT.POINT_STRIDE).toBeLessThanOrEqual(P.P_AIR);
    expect(BATTERY.B_SLOPE + 12).toBeLessThanOrEqual(BATTERY.BATTERY_STRIDE);
  });
});
