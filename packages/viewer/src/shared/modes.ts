/** Names of the flight modes, from the signal table, and their colours on the ribbon and the track. */
import { SIGNALS, valueName } from "@escapement/core";
import { colourOf } from "./colours.ts";

const COLOURS: Readonly<Record<keyof typeof SIGNALS.navState.values, number>> = {
  manual: 7,
  altitude: 6,
  position: 6,
  mission: 0,
  hold: 4,
  return: 1,
  acro: 7,
  descend: 3,
  termination: 3,
  offboard: 5,
  stabilized: 7,
  "take-off": 5,
  land: 2,
};
const OTHER_COLOUR = 7;

export function modeName(mode: number): string {
  return valueName("navState", mode);
}

export function modeColour(mode: number): string {
  return colourOf((COLOURS as Readonly<Record<string, number>>)[modeName(mode)] ?? OTHER_COLOUR);
}
