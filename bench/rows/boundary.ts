/**
 * Measures a boundary alone: the engine row with an integrator that leaves the state unchanged, so that only the loop,
 * the stages, the sources and the fingerprint remain.
 */
import { standstill } from "../../packages/core/src/verify/index.ts";
import { recordedCommands, type SceneOptions } from "../scene.ts";
import { flights } from "./engine.ts";
import { measureWithRatios } from "./kernel-steps.ts";
import type { Group, Row } from "./row.ts";

const SECONDS = 60;

const CASES: readonly { readonly row: Row; readonly options: Partial<SceneOptions> }[] = [
  {
    row: {
      name: "boundary alone, as on the engine row",
      about:
        "Commands at every 4th boundary, wind and log at every 20th; outputs if due; fingerprint on; no integration.",
      unit: "ns",
    },
    options: {},
  },
  {
    row: {
      name: "boundary alone, nothing due",
      about: "A boundary of the physics period, at which nothing else is due; fingerprint on; no integration.",
      unit: "ns",
    },
    options: { without: ["wind", "log", "autopilot"] },
  },
  {
    row: {
      name: "boundary alone, nothing due, no fingerprint",
      about: "The same without an observer: the loop, the schedule and the check of the state.",
      unit: "ns",
    },
    options: { without: ["wind", "log", "autopilot"], observers: () => [] },
  },
];

export const boundary: Group = {
  name: "boundary",
  rows: CASES.map(({ row }) => row),
  measure: (effort) => {
    const seconds = effort.isQuick ? 4 : SECONDS;
    const commands = recordedCommands({ seconds });
    const variants = CASES.map(({ row, options }) =>
      flights(row.name, { seconds, commands, integrator: standstill, ...options }, { guessNs: 100 }),
    );
    return measureWithRatios(variants, effort).map(({ ns, ratios }, i) => ({
      row: CASES[i]!.row.name,
      value: ns,
      ratios,
    }));
  },
};
