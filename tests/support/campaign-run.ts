/** Inspects campaigns that run as processes: their folders, rows and results. */
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const RESULTS = ["results.parquet", "summary.json", "junit.xml", "report.html"];

/** Returns the hashes of the files that must have the same bytes in every run. */
export function resultHashes(folder: string): readonly (readonly [file: string, hash: string])[] {
  return RESULTS.map((file) => [
    file,
    createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex"),
  ]);
}

/** Returns the rows of a journal as JSON. */
export function journalRows(folder: string): Record<string, unknown>[] {
  return readFileSync(join(folder, "journal.ndjson"), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line.slice(0, line.lastIndexOf("#"))) as Record<string, unknown>);
}

/** Returns the number of rows in the journal so far; 0 if there is no journal. */
export function countRows(folder: string): number {
  try {
    return Math.max(0, readFileSync(join(folder, "journal.ndjson"), "utf8").split("\n").length - 2);
  } catch {
    return 0;
  }
}

/** Waits until a journal has `rows` rows or more, or the process ends. */
export async function untilRows(folder: string, rows: number, child: ChildProcess): Promise<void> {
  while (countRows(folder) < rows && child.exitCode === null && child.signalCode === null) await sleep(20);
}

export async function kill(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill(signal);
  await closed;
}
