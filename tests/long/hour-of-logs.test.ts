/** Memory stays constant while an hour of rows at 250 Hz is written in every log format. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Sink } from "@escapement/core";
import { openLog, type ByteSink, type LogKind } from "@escapement/formats";
import { openLogFile } from "@escapement/formats/node";
import { flightColumns, flightRow } from "../support/flight-columns.ts";

const ROWS = 3600 * 250;
const MEBIBYTE = 1024 * 1024;
const COLUMNS = flightColumns().filter(({ name }) =>
  /^(pos|vel|q_body|rate_body|est_|set_pos|motor_command|battery)/.test(name),
);
const folder = mkdtempSync(join(tmpdir(), "escapement-hour-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Counts the bytes and discards them. */
class CountingSink implements ByteSink {
  readonly sync = true;
  bytes = 0;

  write(bytes: Uint8Array): void {
    this.bytes += bytes.length;
  }

  close(): void {}
}

/** Returns the resident memory after a tenth of the hour, and its maximum during the rest of the hour. */
async function memoryOf(sink: Sink): Promise<{ readonly early: number; readonly max: number }> {
  const rows = Array.from({ length: 512 }, (_, i) => flightRow(COLUMNS, i));
  sink.open(COLUMNS);
  let early = 0;
  let max = 0;
  for (let i = 0; i < ROWS; i += 1) {
    sink.row(i * 4000, rows[i % rows.length]!);
    if (sink.isFull) await sink.drain();
    if (i === ROWS / 10) early = process.memoryUsage().rss;
    if (i > ROWS / 10 && i % 5000 === 0) max = Math.max(max, process.memoryUsage().rss);
  }
  await sink.close();
  return { early, max };
}

describe("an hour at 250 Hz", () => {
  it.each(["csv", "ulog", "mcap", "parquet"] as LogKind[])(
    "needs no more memory than six minutes when written to %s",
    async (kind) => {
      const counted = new CountingSink();
      const { early, max } = await memoryOf(await openLog(kind, counted));
      expect(counted.bytes).toBeGreaterThan(10 * MEBIBYTE);
      expect((max - early) / MEBIBYTE).toBeLessThan(120);
    },
  );

  it("needs no more memory than six minutes when written to an HDF5 file", async () => {
    const { early, max } = await memoryOf(await openLogFile(join(folder, "hour.h5")));
    expect((max - early) / MEBIBYTE).toBeLessThan(120);
  });
});
