/**
 * A boundary alone: the engine row with an integrator that leaves the state as it is, so that only the loop, the stages
 * and their speakers are left.
 */
import { standstill } from "../../packages/core/src/verify/index.ts";
import { keptCommands, type SceneOptions } from "../scene.ts";
import { flights } from "./engine.ts";
import { inSteps } from "./kernel-steps.ts";
import type { Group, Row } from "./row.ts";

const SECONDS = 60;

const CASES: readonly { readonly row: Row; readonly options: Partial<SceneOptions> }[] = [
  {
    row: {
      name: "boundary alone, as on the engine row",
      about: "Commands every 4th, wind and log every 20th; outputs where they are due; no integration.",
      unit: "ns",
    },
    options: {},
  },
  {
    row: {
      name: "boundary alone, nothing due",
      about: "A tick of the physics axis and nothing else; no integration.",
      unit: "ns",
    },
    options: { without: ["wind", "log", "autopilot"] },
  },
];

export const boundary: Group = {
  name: "boundary",
  rows: CASES.map(({ row }) => row),
  measure: (effort) => {
    const seconds = effort.isQuick ? 4 : SECONDS;
    const commands = keptCommands({ seconds });
    const variants = CASES.map(({ row, options }) =>
      flights(row.name, { seconds, commands, integrator: standstill, ...options }, { guessNs: 100 }),
    );
    return inSteps(variants, effort).map(({ ns, ratios }, i) => ({ row: CASES[i]!.row.name, value: ns, ratios }));
  },
};
