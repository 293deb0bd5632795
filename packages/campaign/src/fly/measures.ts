/** The measures that every row has: the extremes of the flight's summary. */
import { type FlightExtremes, measuredExtremes } from "@escapement/core";
import type { Manifest } from "@escapement/formats";

const UNITS: Readonly<Record<keyof FlightExtremes, string>> = {
  altitudeMaxM: "m",
  speedMaxMps: "m/s",
  tiltMaxDeg: "deg",
  distanceMaxM: "m",
  positionErrorRmsM: "m",
  positionErrorMaxM: "m",
  windMeanMps: "m/s",
  windMaxMps: "m/s",
  voltageMinV: "V",
  powerMeanW: "W",
  energyWh: "Wh",
  batteryRemaining: "",
};
const NAMES = Object.keys(UNITS) as readonly (keyof FlightExtremes)[];

export const MEASURES: Manifest["measures"] = NAMES.map((name) => ({ name, unit: UNITS[name], text: "" }));

/** Returns the measures in the order of `MEASURES`; null for those that the flight did not measure. */
export function measuresOf(extremes: FlightExtremes): (number | null)[] {
  const { positionError, wind, battery } = measuredExtremes(extremes);
  const isMeasured: Partial<Record<keyof FlightExtremes, boolean>> = {
    positionErrorRmsM: positionError,
    positionErrorMaxM: positionError,
    windMeanMps: wind,
    windMaxMps: wind,
    voltageMinV: battery,
    powerMeanW: battery,
    energyWh: battery,
    batteryRemaining: battery,
  };
  return NAMES.map((name) => (isMeasured[name] === false ? null : extremes[name]));
}
