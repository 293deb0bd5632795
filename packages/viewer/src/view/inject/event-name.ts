/** Makes scenario events from the fields of a form, and short names for the branches that they make. */
import { type ActionName, isEffect, type PlainObject } from "@escapement/core";
import type { EventSpec } from "../protocol.ts";

export interface Draft {
  readonly action: ActionName;
  readonly atUs: number;
  readonly params: PlainObject;
  /** Duration of the effect; empty for the rest of the flight. */
  readonly durationText: string;
}

export function eventOf({ action, atUs, params, durationText }: Draft): EventSpec {
  return {
    at: `${atUs / 1e6} s`,
    ...(isEffect(action) && durationText !== "" ? { for: durationText } : {}),
    [action]: params,
  };
}

const NAMES: Partial<Readonly<Record<ActionName, (params: PlainObject) => string>>> = {
  gust: (p) => `gust ${sizeText(p["velNedMps"])} m/s`,
  windMean: (p) => `wind +${sizeText(p["velNedMps"])} m/s`,
  motorOff: (p) => `motor ${String(p["motor"])} off`,
  motorLoss: (p) => `motor ${String(p["motor"])} at ${Math.round(100 * Number(p["gain"]))} %`,
  motorStuck: (p) => `motor ${String(p["motor"])} stuck at ${String(p["duty"])}`,
  motorNoise: (p) => `motor ${String(p["motor"])} noisy`,
  motorJam: (p) => `motor ${String(p["motor"])} jammed`,
  propellerChip: (p) => `propeller ${String(p["motor"])} chipped`,
  propellerImbalance: (p) => `propeller ${String(p["motor"])} unbalanced`,
  motorOn: (p) => `motor ${String(p["motor"])} healthy`,
  batteryOff: (p) => `battery ${String(p["battery"])} off`,
  batteryOn: (p) => `battery ${String(p["battery"])} on`,
  sensorFault: (p) => `${String(p["sensor"])} ${String(p["fault"])}`,
  parameter: (p) => `${String(p["name"])} = ${String(p["value"])}`,
  reseed: (p) => `seed ${String(p["seed"])}`,
  rtl: () => "return",
  takeoff: () => "take off",
  sticks: () => "fly by sticks",
  goto: (p) => `go to ${(p["posNedM"] as readonly number[]).join(", ")}`,
};

export function branchName({ action, params }: Pick<Draft, "action" | "params">): string {
  return NAMES[action]?.(params) ?? action;
}

function sizeText(vector: unknown): string {
  return String(Number(Math.hypot(...(vector as readonly number[])).toFixed(1)));
}
