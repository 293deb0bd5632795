/**
 * Measures the default mission with the default settings (embedded autopilot, scenario, fingerprint), relative to the
 * engine row.
 *
 * Whole flights alternate. The mission also runs with iris-reference, the plant of the engine row, to show what the
 * other parts of the flight add.
 */
import {
  assemble,
  type AssembleOptions,
  coreRegistry,
  type Flight,
  flyNow,
  mustResolve,
  resolveFlight,
} from "@escapement/core";
import { forFlights, type Variant } from "../measure.ts";
import { recordedCommands, scene } from "../scene.ts";
import { measureWithRatios } from "./kernel-steps.ts";
import type { Group, Row } from "./row.ts";

const SECONDS = 60;

interface Case {
  readonly row: Row;
  readonly vehicle: string;
  readonly options?: AssembleOptions;
}

const BASE = "engine row, compiled, same process";

const CASES: readonly Case[] = [
  {
    row: {
      name: "default mission, iris",
      about: "The built-in mission with embedded autopilot and all digests, per millisecond of flight.",
      unit: "ns",
      base: BASE,
      limit: { of: "base", max: 2 },
      realTimeGoal: 800,
    },
    vehicle: "iris",
  },
  {
    row: {
      name: "default mission, iris-reference",
      about: "The same with the plant of the engine row.",
      unit: "ns",
      base: BASE,
      limit: { of: "base", max: 2 },
    },
    vehicle: "iris-reference",
  },
  {
    row: {
      name: "default mission, iris, plant digest only",
      about: "The same with one digest instead of one per writer.",
      unit: "ns",
      base: BASE,
    },
    vehicle: "iris",
    options: { fingerprint: "plant" },
  },
  {
    row: {
      name: "default mission, iris, no fingerprint",
      about: "The same without digests.",
      unit: "ns",
      base: BASE,
    },
    vehicle: "iris",
    options: { fingerprint: "none" },
  },
];

/** Makes a variant that flies whole missions, because phases differ too much for slices to be compared. */
function missions({ row, vehicle, options = {} }: Case): Variant {
  const spec = { extends: "mission", vehicle };
  const { definition } = mustResolve(resolveFlight({ file: "bench", spec }, coreRegistry));
  return wholeFlights(row.name, () => assemble(definition, coreRegistry, options).flight);
}

/** Makes a variant whose unit is a millisecond of flight. */
function wholeFlights(name: string, make: () => Flight): Variant {
  let flight: Flight;
  return {
    name,
    guessNs: 2000,
    prepare: () => (flight = make()),
    run: () => flyNow(flight).endUs / 1000,
  };
}

export const mission: Group = {
  name: "mission",
  rows: CASES.map(({ row }) => row),
  measure: (effort) => {
    const seconds = effort.isQuick ? 4 : SECONDS;
    const commands = recordedCommands({ seconds });
    const engine = wholeFlights("engine", () => scene({ seconds, commands }).flight);
    const [base, ...measured] = measureWithRatios([engine, ...CASES.map(missions)], forFlights(effort));
    return measured.map(({ ns, ratios }, i) => ({
      row: CASES[i]!.row.name,
      value: ns,
      ratios: { ...ratios, base: ns / base!.ns },
      realTime: 1e6 / ns,
    }));
  },
};
