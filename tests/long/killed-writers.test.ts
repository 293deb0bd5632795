/** Logs and recordings of a process that is killed at various moments are readable, and contain the right values. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SimError } from "@escapement/core";
import { readRecording, readTable } from "@escapement/formats";
import { flightColumns, flightRow } from "../support/flight-columns.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
// The folder is inside the repository, so that Node finds the libraries that are not in the bundle.
const CACHE = `${root}.cache/killed-writers`;
const KILLS = 50;
const COLUMNS = flightColumns();
const folders: string[] = [];

beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true });
  const build = await rolldown({
    input: `${root}tests/support/log-child.ts`,
    platform: "node",
    resolve: { conditionNames: ["source", "import", "node", "default"] },
    external: [/^node:/, /^@foxglove\//, "h5wasm", /^h5wasm\//],
    logLevel: "silent",
  });
  await build.write({ dir: CACHE, format: "esm", entryFileNames: "child.mjs" });
  await build.close();
});
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Starts a writer, kills it `afterMs` after its flight began, and returns its folder. */
function runAndKill(afterMs: number, packing: "worker" | "inline"): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "escapement-killed-"));
  folders.push(folder);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`${CACHE}/child.mjs`, folder, packing], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), afterMs));
    child.once("exit", (code, signal) => {
      if (signal === "SIGKILL") resolve(folder);
      else reject(new Error(`the writer exited with ${code} before it was killed`));
    });
  });
}

async function rowsOf(folder: string, file: string): Promise<number> {
  const table = await readTable(readFileSync(join(folder, file)));
  expect(table.missing).toContain("the end");
  if (file.endsWith(".csv")) {
    const times = table.columns.get("time_us")!;
    COLUMNS.forEach(({ name }, column) => {
      const values = table.columns.get(name)!;
      for (let i = 0; i < values.length; i += 97) {
        if (!Object.is(values[i], flightRow(COLUMNS, i)[column])) throw new Error(`${name}, row ${i}: ${values[i]}`);
      }
    });
    return times.length;
  }
  const motors = table.columns.get("actuator_motors.control[0]")!;
  const index = COLUMNS.findIndex(({ name }) => name === "motor_command_1");
  motors.forEach((value, i) => {
    if (value !== Math.fround(flightRow(COLUMNS, i)[index]!)) throw new Error(`record ${i}: ${value}`);
  });
  return motors.length;
}

describe("killed writers", () => {
  it.each(["inline", "worker"] as const)("leave readable files with %s compression", async (packing) => {
    let recovered = 0;
    let logged = 0;
    for (let n = 0; n < KILLS / 2; n += 1) {
      const folder = await runAndKill(n * 7, packing);
      for (const file of ["log.csv", "log.ulg"]) {
        if (readFileSync(join(folder, file)).length > 0) logged += await rowsOf(folder, file);
      }
      if (!existsSync(join(folder, "flight.mcap"))) continue;
      try {
        const { recording, missing } = await readRecording(readFileSync(join(folder, "flight.mcap")));
        expect(missing).toContain("the end");
        const command = recording.streams.find(({ name }) => name === "motorCommand")!;
        command.timesUs.forEach((tUs, i) => expect(command.values[12 * i]).toBe((tUs % 1_000_000) * 1e-6));
        recovered += 1;
      } catch (error) {
        // The writer was killed before the first chunk was complete.
        expect((error as SimError).code).toMatch(/^RECORDING-00[13]$/);
      }
    }
    expect(recovered).toBeGreaterThan(10);
    expect(logged).toBeGreaterThan(100);
  });
});
