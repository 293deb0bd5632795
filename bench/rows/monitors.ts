/** Measures the cost of requirements: whole missions with and without them. */
import { assemble, coreRegistry, type Flight, flyNow, mustResolve, requirement, resolveFlight } from "@escapement/core";
import { forFlights, measure, type Variant } from "../measure.ts";
import type { Group, Row } from "./row.ts";

/** Ten requirements of every kind: whole flight, windows, events, nested windows, mixed units, flags. */
const REQUIREMENTS = [
  "never tilt > 60 deg",
  "altitude > -1 m",
  "always altitude > 2 m during 20 s..50 s",
  "positionError < 3 m and groundSpeed < 12 m/s",
  "after takeoff: batteryRemaining > 50 %",
  "if tilt > 10 deg then within 3 s: tilt < 8 deg",
  "for 10 s after takeoff: climb < 3 m/s",
  "while armed: batteryVoltageV > 10",
  "within 60 s after missionItem 1: for 1 s: positionError < 1 m",
  "eventually landed",
];

const ROW: Row = {
  name: "default mission with ten requirements",
  about: "The built-in mission, per millisecond of flight, judged by ten requirements with windows, events and units.",
  unit: "ns",
  base: "the same mission without requirements, same process",
  limit: { of: "base", max: 1.05 },
};

const { definition } = mustResolve(resolveFlight({ file: "bench", spec: { extends: "mission" } }, coreRegistry));

/** Makes a variant whose unit is a millisecond of flight. */
function missions(name: string, make: () => Flight): Variant {
  let flight: Flight;
  return { name, guessNs: 4000, prepare: () => (flight = make()), run: () => flyNow(flight).endUs / 1000 };
}

export const monitors: Group = {
  name: "monitors",
  rows: [ROW],
  measure: (effort) => {
    const judged = { requirements: REQUIREMENTS.map((text) => requirement(text)) };
    const variants = [
      missions("judged", () => assemble(definition, coreRegistry, { judged }).flight),
      missions("plain", () => assemble(definition, coreRegistry).flight),
    ];
    const [judgedNs, plainNs] = measure(variants, forFlights(effort));
    return [{ row: ROW.name, value: judgedNs!, ratios: { base: judgedNs! / plainNs! }, realTime: 1e6 / judgedNs! }];
  },
};
