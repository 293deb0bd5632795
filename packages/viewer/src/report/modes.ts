/** PX4's flight modes by number: what they are called and which colour they have on ribbon and track. */
import { colourOf } from "./colours.ts";

const MODES: Readonly<Record<number, readonly [name: string, colour: number]>> = {
  0: ["waiting", 7],
  1: ["altitude", 6],
  2: ["position", 6],
  3: ["mission", 0],
  4: ["hold", 4],
  5: ["return", 1],
  12: ["descend", 3],
  13: ["termination", 3],
  14: ["offboard", 5],
  17: ["take-off", 5],
  18: ["land", 2],
};

export function modeName(mode: number): string {
  return MODES[mode]?.[0] ?? `mode ${mode}`;
}

export function modeColour(mode: number): string {
  return colourOf(MODES[mode]?.[1] ?? 7);
}
