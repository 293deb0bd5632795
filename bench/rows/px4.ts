/**
 * Measures a flight of several minutes with the PX4 library, the same flight with the embedded autopilot, and PX4's own
 * step.
 *
 * Each flight has a fresh process, as in the command, and the autopilots alternate; the minimum of a few tries is used.
 * Without PX4_LOCKSTEP_LIB the group has no readings.
 */
import { dirname, join } from "node:path";
import type { FlightTimes } from "../px4-flight.ts";
import { runJson } from "../run-json.ts";
import type { Group, Row } from "./row.ts";

const FLIGHT: Row = {
  name: "circuits, PX4 library",
  about:
    "Wall time per millisecond of flight in a fresh process, with the PX4 library and all digests. The flight is twelve squares with sides of 30 m and takes seven minutes.",
  unit: "ns",
  base: "the same flight with the embedded autopilot",
  realTimeGoal: 150,
};
const STEP: Row = {
  name: "circuits, PX4's own step",
  about: "The time inside the library's step function during that flight, per millisecond of flight.",
  unit: "ns",
  base: "the whole flight with the PX4 library",
};

const CIRCUITS = 12;
const TRIES = 3;

export const px4: Group = {
  name: "px4",
  rows: [FLIGHT, STEP],
  measure: ({ isQuick }) => {
    if ((process.env.PX4_LOCKSTEP_LIB ?? "") === "") {
      process.stderr.write("px4: not measured, because PX4_LOCKSTEP_LIB is not set\n");
      return [];
    }
    const file = join(dirname(process.argv[1]!), "px4-flight.mjs");
    const circuits = String(isQuick ? 1 : CIRCUITS);
    const fly = (...args: readonly string[]) => runJson<FlightTimes>(file, args);
    const timed = fly("px4-lockstep", circuits, "timed");
    let [libraryNs, embeddedNs] = [Infinity, Infinity];
    for (let i = 0; i < (isQuick ? 1 : TRIES); i += 1) {
      libraryNs = Math.min(libraryNs, fly("px4-lockstep", circuits).flightNs);
      embeddedNs = Math.min(embeddedNs, fly("embedded", circuits).flightNs);
    }
    return [
      {
        row: FLIGHT.name,
        value: libraryNs,
        ratios: { base: libraryNs / embeddedNs },
        realTime: 1e6 / libraryNs,
      },
      {
        row: STEP.name,
        value: timed.stepNs,
        ratios: { base: timed.stepNs / timed.flightNs },
        realTime: 1e6 / timed.stepNs,
      },
    ];
  },
};
