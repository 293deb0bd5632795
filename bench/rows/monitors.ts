/** Measures the cost of requirements: whole missions with and without them, in alternating pairs. */
import { assemble, coreRegistry, type Flight, flyNow, mustResolve, requirement, resolveFlight } from "@escapement/core";
import { measurePairs, processorMs } from "../pairs.ts";
import { TEN_REQUIREMENTS } from "../ten-requirements.ts";
import type { Group, Row } from "./row.ts";

const MISSION: Row = {
  name: "default mission with ten requirements",
  about:
    "The built-in mission, per millisecond of flight, judged by ten requirements with windows, events and units. Least processor time of 40 alternating pairs.",
  unit: "ns",
  base: "the same mission without requirements, same process",
  limit: { of: "base", max: 1.05 },
};
const REQUIREMENT: Row = {
  name: "one requirement of ten, per sample",
  about: "The difference between the two missions of the row above, divided by ten and by the number of samples.",
  unit: "ns",
  limit: { of: "value", max: 60 },
};

const { definition } = mustResolve(resolveFlight({ file: "bench", spec: { extends: "mission" } }, coreRegistry));
const SAMPLES_PER_MS = 1 / (1000 * definition.timeline.autopilotPeriodS);

function loopMs(flight: Flight): number {
  const began = processorMs();
  flyNow(flight);
  return processorMs() - began;
}

export const monitors: Group = {
  name: "monitors",
  rows: [MISSION, REQUIREMENT],
  measure: async (effort) => {
    const judged = { requirements: TEN_REQUIREMENTS.map((text) => requirement(text)) };
    const flownMs = flyNow(assemble(definition, coreRegistry).flight).endUs / 1000;
    const { firstMs, secondMs, ratio } = await measurePairs(
      () => loopMs(assemble(definition, coreRegistry, { judged }).flight),
      () => loopMs(assemble(definition, coreRegistry).flight),
      effort,
    );
    const perMsNs = (1e6 * firstMs) / flownMs;
    const differenceNs = (1e6 * (firstMs - secondMs)) / (flownMs * SAMPLES_PER_MS * TEN_REQUIREMENTS.length);
    return [
      { row: MISSION.name, value: perMsNs, ratios: { base: ratio }, realTime: 1e6 / perMsNs },
      { row: REQUIREMENT.name, value: Math.max(0, differenceNs), ratios: {} },
    ];
  },
};
