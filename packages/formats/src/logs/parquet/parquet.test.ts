/** Parquet logs: exact values through an independent reader, stable bytes, and rejection of incomplete files. */
import fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { SimError } from "@escapement/core";
import { bitsOf, COLUMNS, expectedColumn, hardRow, writeRows } from "../../../../../tests/support/log-rows.ts";
import { MemoryBytes, type ByteSink } from "../../bytes/byte-sink.ts";
import { ParquetSink } from "./sink.ts";
import { readParquet } from "./reader.ts";

const PROVENANCE = { flight: "a1b2c3", note: 'odd "value"\n' };

async function writeLog(count: number, groupRows = 64): Promise<Uint8Array> {
  const bytes = new MemoryBytes();
  await writeRows(new ParquetSink(bytes, PROVENANCE, groupRows), count);
  return bytes.bytes();
}

describe("Parquet logs", () => {
  it.each([0, 1, 63, 64, 65, 500])("preserve every bit of %i rows", async (count) => {
    const table = await readParquet(await writeLog(count));
    expect([...table.columns.keys()]).toEqual(["time_us", ...COLUMNS.map((column) => column.name)]);
    expect([...table.columns.get("time_us")!]).toEqual(Array.from({ length: count }, (_, i) => i * 20_000));
    COLUMNS.forEach(({ name, unit }, i) => {
      expect(bitsOf(table.columns.get(name)!)).toEqual(bitsOf(expectedColumn(i, count)));
      expect(table.units.get(name)).toBe(unit);
    });
    expect(table.provenance).toEqual(PROVENANCE);
  });

  it("contain required doubles for other readers, including −0", async () => {
    const bytes = await writeLog(200);
    const file = bytes.slice().buffer;
    const metadata = parquetMetadata(file);
    expect(metadata.num_rows).toBe(200n);
    expect(metadata.row_groups).toHaveLength(4);
    expect(metadata.schema.slice(1).map(({ type, repetition_type }) => [type, repetition_type])).toEqual(
      Array.from({ length: COLUMNS.length + 1 }, () => ["DOUBLE", "REQUIRED"]),
    );
    const rows = await parquetReadObjects({ file });
    const first = rows.map((row) => row["pos_ned_n_m"] as number);
    expect(bitsOf(first)).toEqual(bitsOf(expectedColumn(0, 200)));
    expect(first.some((value) => Object.is(value, -0))).toBe(true);
  });

  it("are identical for identical flights, at any speed of the byte sink", async () => {
    const memory = new MemoryBytes();
    const slow: ByteSink = {
      write: async (bytes) => {
        await Promise.resolve();
        memory.write(bytes);
      },
      close: () => {},
    };
    await writeRows(new ParquetSink(slow, PROVENANCE, 64), 3000);
    expect(Buffer.compare(memory.bytes(), await writeLog(3000))).toBe(0);
  });

  it("accept a different array for each row", async () => {
    const bytes = new MemoryBytes();
    const sink = new ParquetSink(bytes, PROVENANCE, 64);
    sink.open(COLUMNS);
    for (let i = 0; i < 100; i += 1) sink.row(i * 20_000, hardRow(i, COLUMNS.length).values);
    await sink.close();
    expect(bytes.bytes()).toEqual(await writeLog(100));
  });

  it("are rejected without a crash if cut or damaged", async () => {
    const whole = await writeLog(40);
    const read = async (bytes: Uint8Array) => {
      try {
        await readParquet(bytes);
        return "read";
      } catch (error) {
        expect(error).toBeInstanceOf(SimError);
        return (error as SimError).code;
      }
    };
    const table = await readParquet(whole);
    const dataEnd = whole.length - 8 - new DataView(whole.buffer).getUint32(whole.length - 8, true);
    for (let length = 0; length < whole.length; length += 7)
      expect(await read(whole.subarray(0, length))).toBe("LOG-004");
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = whole.slice();
        changed[at]! ^= flip;
        const outcome = await read(changed);
        if (at < dataEnd) expect(outcome).toBe("LOG-004");
        // Some bytes of the footer are never read. If one of them changes, the result must be the same.
        else if (outcome === "read") expect(await readParquet(changed)).toEqual(table);
        else expect(outcome).toMatch(/^LOG-00[456]$/);
      }),
      { numRuns: 300 },
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(await read(bytes)).toBe("LOG-004");
      }),
    );
  });
});
