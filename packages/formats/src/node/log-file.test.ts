/** Logs and recordings by file name; compression on another thread gives the same bytes. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Fingerprint, Flight, flyAsync, SimError } from "@escapement/core";
import { DIMS, integrator, motor, springCart } from "../../../../tests/support/flights.ts";
import { bitsOf, expectedColumn, writeRows } from "../../../../tests/support/log-rows.ts";
import { readTable } from "../logs/index.ts";
import { readRecording } from "../recording/index.ts";
import { logKindOfName, openLogFile, openRecordingFile, type RecordingFileOptions } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-logs-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function record(name: string, options: RecordingFileOptions): Promise<Uint8Array> {
  const path = join(folder, name);
  const writer = await openRecordingFile(path, options);
  const plant = springCart();
  const fingerprint = new Fingerprint(DIMS);
  const flight = new Flight({
    plant,
    dims: DIMS,
    endUs: 2_000_000,
    logPeriodUs: 10_000,
    integrator: integrator(),
    autopilot: motor(4000, (tUs) => tUs * 1e-7),
    observers: [fingerprint, writer],
    sinks: [writer],
  });
  writer.prepare({ dims: DIMS, stateBlocks: plant.layout.blocks, digests: () => fingerprint.result() });
  await flyAsync(flight);
  return readFileSync(path);
}

describe("log files", () => {
  it.each(["a.csv", "a.mcap", "a.h5", "a.hdf5", "a.parquet"])("preserve every bit: %s", async (name) => {
    const path = join(folder, `bits-${name}`);
    await writeRows(await openLogFile(path), 100);
    const table = await readTable(readFileSync(path));
    expect(bitsOf(table.columns.get("pos_ned_n_m")!)).toEqual(bitsOf(expectedColumn(0, 100)));
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  it("are rejected if their name has no known extension, and the error lists the known extensions", () => {
    for (const name of ["log", "log.txt", "log.constructor"]) {
      expect(() => logKindOfName(name)).toThrow(SimError);
      expect(() => logKindOfName(name)).toThrow(/FILE-013.*\.csv, \.ulg, \.mcap, \.h5, \.hdf5, \.parquet/);
    }
    expect(logKindOfName("some/where/Log.CSV")).toBe("csv");
  });
});

describe("recording files", () => {
  it("are identical whether compressed inline or on another thread", async () => {
    const inline = await record("inline.mcap", { chunkBytes: 8000 });
    const worker = await record("worker.mcap", { chunkBytes: 8000, inWorker: true });
    expect(Buffer.compare(inline, worker)).toBe(0);
    const { recording, missing } = await readRecording(worker);
    expect(missing).toBeUndefined();
    expect(recording.endUs).toBe(2_000_000);
  });

  it("have separate times for every signal when read as columns", async () => {
    const table = await readTable(await record("columns.mcap", {}));
    expect(table.columns.get("motor_command.time_us")).toHaveLength(501);
    expect(table.columns.get("motor_command_1")![500]).toBe(2_000_000 * 1e-7);
    expect(table.columns.get("position_m")).toHaveLength(201);
    expect(table.provenance["fingerprint"]).toMatch(/^[0-9a-f-]{19}$/);
  });
});
