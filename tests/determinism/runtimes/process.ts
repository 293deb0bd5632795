/** Flies bundled flights in a separate process (Node, Bun, Deno or an engine's shell) and returns their digests. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FlightSet } from "../reference-flights.ts";

const CACHE = fileURLToPath(new URL("../../../.cache/determinism", import.meta.url));

/** The print function; engine shells have no `process`, and their `console` may print nothing. */
const PRINT = "(typeof process === 'undefined' ? print : console.log)";

export interface ProcessRun {
  readonly executable?: string;
  readonly args?: readonly string[];
  readonly flights?: FlightSet;
  /** An expression to evaluate instead of flying the set. */
  readonly call?: string;
}

export async function runInProcess(code: string, options: ProcessRun = {}): Promise<unknown> {
  const { executable = process.execPath, args = [], flights = "all" } = options;
  const { call = `referenceFlights.flyAll("${flights}")` } = options;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "run-"));
  const file = join(folder, "flights.cjs");
  writeFileSync(file, `${code}\n${PRINT}(JSON.stringify(${call}));`);
  try {
    return JSON.parse(await outputOf(executable, [...args, file]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function outputOf(executable: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(executable, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${executable} exited with ${code}: ${errors}`)),
    );
  });
}
