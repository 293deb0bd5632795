/** A file left by a killed process becomes a complete file; a file that cannot be read is rejected with the reason. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, describe, expect, it, vi } from "vitest";
import { coreRegistry, flyFlightNow, mustResolve, replayFlight, resolveFlight } from "@escapement/core";
import { encodeRecording, logRecording, MemoryBytes, openLog, readRecording, readTable } from "@escapement/formats";
import { openLogFile } from "@escapement/formats/node";
import { addRecover } from "./recover.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-recover-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function recover(...args: string[]): Promise<void> {
  const program = new Command();
  addRecover(program);
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    await program.parseAsync(["node", "escapement", "recover", ...args]);
  } finally {
    write.mockRestore();
  }
}

describe("recover", () => {
  it("makes a complete recording that replays, with the requirements and the digests of every second", async () => {
    const spec = { extends: "drop", timeline: { endS: 2 }, requirements: ["never tilt > 60 deg"] };
    const resolved = mustResolve(resolveFlight({ file: "t", spec }, coreRegistry));
    const { requirements } = resolved.judged;
    const { recording } = flyFlightNow(resolved);
    const memory = new MemoryBytes();
    await encodeRecording(memory, recording, { requirements, chunkBytes: 4000, perSecond: [[0, "first"]] });
    const bytes = memory.bytes();
    const part = join(folder, "flight.mcap.1.part");
    writeFileSync(part, bytes.subarray(0, Math.floor(bytes.length / 2)));
    await recover(part);
    const whole = await readRecording(readFileSync(join(folder, "flight.mcap")));
    expect(whole.missing).toBeUndefined();
    expect(whole.requirements).toEqual(requirements);
    expect(whole.perSecond[0]).toEqual([0, "first"]);
    expect(whole.recording.endUs).toBeGreaterThan(0);
    expect(whole.recording.endUs).toBeLessThan(recording.endUs);
    expect(replayFlight(whole.recording).end.endUs).toBe(whole.recording.endUs);
  });

  it("makes a complete log, and requires a name if the file name does not end in .part", async () => {
    const path = join(folder, "whole.csv");
    const sink = await openLogFile(path);
    sink.open([{ name: "x", unit: "m", about: "A length." }]);
    for (let i = 0; i < 100; i += 1) sink.row(i, Float64Array.of(i));
    await sink.close();
    const cut = join(folder, "cut.csv");
    writeFileSync(cut, readFileSync(path).subarray(0, 500));
    await expect(recover(cut)).rejects.toMatchObject({ fix: "give a name with -o" });
    await recover(cut, "-o", join(folder, "again.csv"));
    const { columns, missing } = await readTable(readFileSync(join(folder, "again.csv")));
    expect(missing).toBeUndefined();
    expect(columns.get("x")!.length).toBeGreaterThan(10);
    await expect(recover(cut, "-o", path)).rejects.toMatchObject({ code: "FILE-020" });
  });

  it("makes a complete ULog with every complete record", async () => {
    const spec = { extends: "drop", timeline: { endS: 0.5 } };
    const { recording } = flyFlightNow(mustResolve(resolveFlight({ file: "t", spec }, coreRegistry)));
    const memory = new MemoryBytes();
    await logRecording(recording, await openLog("ulog", memory));
    const whole = await readTable(memory.bytes(), "ulog");
    const part = join(folder, "log.ulg.1.part");
    writeFileSync(part, memory.bytes().subarray(0, Math.floor(memory.bytes().length / 2)));
    await recover(part);
    const recovered = await readTable(readFileSync(join(folder, "log.ulg")), "ulog");
    expect(recovered.missing).toBeUndefined();
    expect(recovered.provenance["incomplete"]).toMatch(/cut short/);
    const times = (table: typeof whole) => [...table.columns.get("vehicle_attitude.timestamp")!];
    expect(times(recovered).length).toBeGreaterThan(5);
    expect(times(recovered)).toEqual(times(whole).slice(0, times(recovered).length));
  });

  it("reports that a part is empty", async () => {
    const part = join(folder, "nothing.csv.1.part");
    writeFileSync(part, "");
    await expect(recover(part)).rejects.toMatchObject({ code: "CLI-028", fix: "delete it" });
  });

  it("rejects a Parquet log that was cut short", async () => {
    const part = join(folder, "log.parquet.1.part");
    writeFileSync(part, "PAR1 and some rows");
    await expect(recover(part)).rejects.toMatchObject({ code: "LOG-004" });
  });
});
