/**
 * Runs every group in fresh processes and takes the worst readings.
 *
 * The measured code is bundled first, like the shipped code; the C++ is compiled once, here. Everything goes into a
 * folder inside node_modules, so that Node finds the packages, and is removed at the end.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundle, bundleCommand } from "./bundle.ts";
import { compileAll } from "./compile-native.ts";
import { COMMAND_VARIABLE } from "./rows/cold.ts";
import { groups } from "./rows/index.ts";
import type { Divisor, Group, Reading } from "./rows/row.ts";
import { runJson } from "./run-json.ts";
import { LIBRARIES_VARIABLE, NATIVE_VARIABLE } from "./yardsticks.ts";

export interface SuiteOptions {
  readonly processes: number;
  readonly isQuick: boolean;
  /** Names of the groups; all by default. */
  readonly only?: readonly string[];
  readonly showProgress?: (line: string) => void;
}

/** Runs `work` with a folder for bundles and libraries, and then removes the folder. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(process.cwd(), "node_modules/.bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function chosenGroups(only: readonly string[] = []): readonly Group[] {
  for (const name of only) {
    if (groups.some((group) => group.name === name)) continue;
    throw new Error(`there is no group "${name}"; there are ${groups.map((group) => group.name).join(", ")}`);
  }
  return only.length === 0 ? groups : groups.filter(({ name }) => only.includes(name));
}

/** Compiles the yardsticks. Returns environment variables with the paths of their sources and libraries. */
export function yardstickVariables(folder: string): Record<string, string> {
  const native = join(process.cwd(), "bench/native");
  return { [NATIVE_VARIABLE]: native, [LIBRARIES_VARIABLE]: JSON.stringify(compileAll(native, folder)) };
}

/** Runs the suite. Returns the readings of every process, in the order in which they ran. */
export async function runSuite({ processes, isQuick, only, showProgress }: SuiteOptions): Promise<Reading[][]> {
  const chosen = chosenGroups(only);
  return withFolder(async (folder) => {
    const file = await bundle("process.ts", folder);
    for (const entry of ["cold.ts", "px4-flight.ts", "browser/engine-in-node.ts"]) await bundle(entry, folder);
    const command = await bundleCommand(join(folder, "command"));
    const variables = { ...yardstickVariables(folder), [COMMAND_VARIABLE]: command };
    const all: Reading[][] = [];
    for (let i = 0; i < processes; i += 1) {
      const readings: Reading[] = [];
      for (const { name, flags = [] } of chosen) {
        showProgress?.(`process ${i + 1} of ${processes}: ${name}`);
        readings.push(...runJson<Reading[]>(file, [name, isQuick ? "quick" : "full"], { flags, variables }));
      }
      all.push(readings);
    }
    return all;
  });
}

/** Returns, for each row, the worst value, the worst of each ratio, and whether any reading differed. */
export function worstOf(processes: readonly (readonly Reading[])[]): Reading[] {
  const names = [...new Set(processes.flat().map(({ row }) => row))];
  return names.map((row) =>
    processes
      .flat()
      .filter((reading) => reading.row === row)
      .reduce(worse),
  );
}

function worse(a: Reading, b: Reading): Reading {
  const divisors = Object.keys({ ...a.ratios, ...b.ratios }) as Divisor[];
  const ratios = divisors.map((key) => [key, Math.max(a.ratios[key] ?? 0, b.ratios[key] ?? 0)]);
  return {
    row: a.row,
    value: Math.max(a.value, b.value),
    ratios: Object.fromEntries(ratios) as Reading["ratios"],
    ...(a.realTime === undefined || b.realTime === undefined ? {} : { realTime: Math.min(a.realTime, b.realTime) }),
    ...(a.differs === true || b.differs === true ? { differs: true } : {}),
  };
}
