/**
 * Measures cold starts: the first flight of a fresh process, and by how much the command's start-up time exceeds the
 * start-up time of bare Node.
 *
 * Each value is the minimum over a few fresh processes. The command is built as it is shipped, including code for
 * the built-in vehicles; a vehicle of a different structure shows the cost of generating code.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ColdFlight, ColdTimes } from "../cold.ts";
import { runJson } from "../run-json.ts";
import { recordedCommands } from "../scene.ts";
import type { Group, Row } from "./row.ts";

/** Environment variable with the path of the built command. */
export const COMMAND_VARIABLE = "BENCH_COMMAND";

const SECONDS = 60;
const FLIGHT = "The first 60 s of the default mission in a fresh process, without assembling";
const ASSEMBLY = "Assembling the resolved flight in a fresh process";
const pack = { capacityAh: 2, ocvSoc: [0, 1], ocvV: [10.8, 12.6], resistanceOhm: 0.06 };

/** The flights; without a vehicle, the engine row. */
const CASES: readonly { readonly vehicle?: unknown; readonly flying?: Row; readonly assembling?: Row }[] = [
  {
    flying: {
      name: "cold: flying, engine row",
      about: "The 60 s of the engine row in a fresh process, without assembling.",
      unit: "ms",
      limit: { of: "value", max: 150 },
    },
  },
  {
    vehicle: "iris",
    flying: {
      name: "cold: flying, iris",
      about: `${FLIGHT}.`,
      unit: "ms",
      limit: { of: "value", max: 150 },
    },
    assembling: { name: "cold: assembling, iris", about: `${ASSEMBLY}.`, unit: "ms" },
  },
  {
    vehicle: "iris-reference",
    flying: { name: "cold: flying, iris-reference", about: `${FLIGHT}.`, unit: "ms" },
  },
  {
    vehicle: { extends: "iris", batteries: [pack, pack, pack] },
    flying: { name: "cold: flying, iris with three batteries", about: `${FLIGHT}.`, unit: "ms" },
    assembling: {
      name: "cold: assembling, iris with three batteries",
      about: `${ASSEMBLY}; the build contains no code for this structure.`,
      unit: "ms",
    },
  },
];

const START_UP: Row = {
  name: "start-up of the command over bare node",
  about: "The time of `escapement --version` minus that of an empty script.",
  unit: "ms",
  limit: { of: "value", max: 100 },
};

const FLY: Row = {
  name: "escapement fly over bare node",
  about: "The wall time of `escapement fly` (the default mission with its summary) minus that of an empty script.",
  unit: "ms",
  limit: { of: "value", max: 600 },
};

function minMs(tries: number, work: () => void): number {
  let min = Infinity;
  for (let i = 0; i < tries; i += 1) {
    const began = performance.now();
    work();
    min = Math.min(min, performance.now() - began);
  }
  return min;
}

/** Returns by how much the time of an `escapement` command exceeds that of an empty script. */
function commandMs(args: readonly string[], tries: number): number {
  const folder = dirname(process.argv[1]!);
  const empty = join(folder, "empty.mjs");
  writeFileSync(empty, "");
  const run = (...all: readonly string[]) => execFileSync(process.execPath, all, { cwd: folder, stdio: "ignore" });
  const bareMs = minMs(tries, () => run(empty));
  return minMs(tries, () => run(...args)) - bareMs;
}

export const cold: Group = {
  name: "cold",
  rows: [...CASES.flatMap(({ flying, assembling }) => [flying, assembling]), START_UP, FLY].filter(
    (row) => row !== undefined,
  ),
  measure: ({ isQuick }) => {
    const tries = isQuick ? 1 : 5;
    const file = join(dirname(process.argv[1]!), "cold.mjs");
    const command = process.env[COMMAND_VARIABLE];
    const commandsFile = join(dirname(process.argv[1]!), "commands.bin");
    writeFileSync(commandsFile, new Uint8Array(recordedCommands({ seconds: SECONDS }).buffer));
    const readings = CASES.flatMap(({ vehicle, flying, assembling }) => {
      const flight: ColdFlight = vehicle === undefined ? { commandsFile } : { vehicle };
      const times = Array.from({ length: tries }, () => runJson<ColdTimes>(file, [JSON.stringify(flight)]));
      const min = (of: keyof ColdTimes) => Math.min(...times.map((each) => each[of]));
      return [
        ...(flying === undefined ? [] : [{ row: flying.name, value: min("flyMs"), ratios: {} }]),
        ...(assembling === undefined ? [] : [{ row: assembling.name, value: min("assembleMs"), ratios: {} }]),
      ];
    });
    if (command === undefined) return readings;
    return [
      ...readings,
      { row: START_UP.name, value: commandMs([command, "--version"], 3 * tries), ratios: {} },
      { row: FLY.name, value: commandMs([command, "fly"], tries), ratios: {} },
    ];
  },
};
