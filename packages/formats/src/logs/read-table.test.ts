/** One flight in every log format: each reader returns the same numbers. */
import { describe, expect, it } from "vitest";
import { SimError } from "@escapement/core";
import { flightColumns, flightRow } from "../../../../tests/support/flight-columns.ts";
import { bitsOf, COLUMNS, writeRows } from "../../../../tests/support/log-rows.ts";
import { LOG_KINDS, MemoryBytes, openLog, readTable, type LogKind } from "./index.ts";

const EXACT_KINDS = LOG_KINDS.filter((kind) => kind !== "ulog");
const PROVENANCE = { flight: "abc" };

async function writeLog(kind: LogKind, rows: number): Promise<Uint8Array> {
  const bytes = new MemoryBytes();
  await writeRows(await openLog(kind, bytes, { provenance: PROVENANCE }), rows);
  return bytes.bytes();
}

async function codeOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    expect(error).toBeInstanceOf(SimError);
    return (error as SimError).code;
  }
  return "none";
}

describe("every log format", () => {
  it("preserves every bit if it stores float64", async () => {
    const tables = await Promise.all(EXACT_KINDS.map(async (kind) => readTable(await writeLog(kind, 300))));
    for (const table of tables) {
      expect([...table.columns.keys()]).toEqual(["time_us", ...COLUMNS.map((column) => column.name)]);
      expect([...table.units]).toEqual([...tables[0]!.units]);
      expect(table.provenance).toEqual(PROVENANCE);
      for (const [name, values] of tables[0]!.columns) expect(bitsOf(table.columns.get(name)!)).toEqual(bitsOf(values));
    }
  });

  it("rounds to the topic's type if it is ULog", async () => {
    const columns = flightColumns();
    const bytes = new MemoryBytes();
    const sink = await openLog("ulog", bytes);
    sink.open(columns);
    for (let i = 0; i < 30; i += 1) sink.row(i * 4000, flightRow(columns, i));
    await sink.close();
    const table = await readTable(bytes.bytes());
    const index = columns.findIndex(({ name }) => name === "est_pos_ned_e_m");
    const expected = Array.from({ length: 30 }, (_, i) => Math.fround(flightRow(columns, i)[index]!));
    expect([...table.columns.get("vehicle_local_position.y")!]).toEqual(expected);
  });

  it("rejects bytes that are unknown or of a different format", async () => {
    expect(await codeOf(() => readTable(Uint8Array.of(1, 2, 3, 4)))).toBe("LOG-005");
    expect(await codeOf(() => readTable(new Uint8Array(0)))).toBe("LOG-005");
    const csv = await writeLog("csv", 1);
    for (const kind of ["ulog", "hdf5"] as const) expect(await codeOf(() => readTable(csv, kind))).toBe("LOG-005");
    expect(await codeOf(() => readTable(csv, "parquet"))).toBe("LOG-004");
  });
});

describe("a sink for selected rows and columns", () => {
  it("keeps every n-th row, and columns in the requested order", async () => {
    const bytes = new MemoryBytes();
    await writeRows(await openLog("csv", bytes, { every: 3, columns: ["armed", "pos_ned_n_m"] }), 10);
    const table = await readTable(bytes.bytes());
    expect([...table.columns.keys()]).toEqual(["time_us", "armed", "pos_ned_n_m"]);
    expect([...table.columns.get("time_us")!]).toEqual([0, 60_000, 120_000, 180_000]);
    expect(table.units.get("armed")).toBe("flag");
  });

  it("suggests the nearest name for a misspelled column", async () => {
    const sink = await openLog("csv", new MemoryBytes(), { columns: ["pos_ned_n"] });
    await expect(async () => sink.open(COLUMNS)).rejects.toThrow(/LOG-002.*did you mean "pos_ned_n_m"/);
  });
});
