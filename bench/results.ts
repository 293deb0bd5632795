/**
 * Reads and writes the committed results (one file per machine with its description, the commit and the worst
 * readings), and compares a run with them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Machine } from "./machine.ts";
import type { Reading } from "./rows/row.ts";

export interface Results {
  readonly machine: Machine;
  readonly commit: string;
  readonly processes: number;
  /** Load of the machine during the run; about 1 if nothing else ran. */
  readonly load: number;
  /** Worst of the processes. */
  readonly rows: readonly Reading[];
}

export function resultsFile({ name }: Machine): string {
  return join("bench/results", `${name}.json`);
}

export function readResults(machine: Machine): Results | undefined {
  const file = resultsFile(machine);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Results) : undefined;
}

export function writeResults(results: Results): string {
  const file = resultsFile(results.machine);
  mkdirSync(dirname(file), { recursive: true });
  const short = (_key: string, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(4)) : value);
  writeFileSync(file, `${JSON.stringify(results, short, 2)}\n`);
  return file;
}

/**
 * Returns the number by which a row is compared between runs: its ratio to C++ or a base if it has one, or its value.
 */
function measureOf({ ratios, value }: Reading): { by: string; found: number } {
  if (ratios.cppO2 !== undefined) return { by: "C++ -O2", found: ratios.cppO2 };
  if (ratios.kernel !== undefined) return { by: "kernel", found: ratios.kernel };
  return ratios.base === undefined ? { by: "value", found: value } : { by: "base", found: ratios.base };
}

/** Returns one line for each row that is new or became at least 5 % slower or faster. */
export function changes(before: readonly Reading[], after: readonly Reading[]): string[] {
  return after.flatMap((reading) => {
    const old = before.find(({ row }) => row === reading.row);
    if (old === undefined) return [`${reading.row}: new`];
    const [then, now] = [measureOf(old), measureOf(reading)];
    const change = now.found / then.found;
    if (then.by !== now.by || !Number.isFinite(change) || Math.abs(change - 1) < 0.05) return [];
    const word = change > 1 ? "slower" : "faster";
    return [
      `${reading.row}: ${then.found.toFixed(2)} → ${now.found.toFixed(2)} (${now.by}), ${word} by ${Math.abs(100 * (change - 1)).toFixed(0)} %`,
    ];
  });
}
