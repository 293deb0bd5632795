/**
 * Logs read by programs that share no code with ours: Arrow's Parquet reader (Rust, compiled to WebAssembly), jsfive
 * (an HDF5 reader that does not use the HDF5 library) and Foxglove's MCAP reader with its ROS message decoder. Other
 * tests read ULog with Foxglove's reader, and HDF5 with h5dump.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { McapIndexedReader, type McapTypes } from "@mcap/core";
import { tableFromIPC } from "apache-arrow";
import { File as JsFiveFile } from "jsfive";
import { readParquet as readByArrow } from "parquet-wasm";
import { afterAll, describe, expect, it } from "vitest";
import { bitsOf, COLUMNS, expectedColumn, writeRows } from "../../../../tests/support/log-rows.ts";
import { loadZstd } from "../mcap/zstd.ts";
import { openLogFile } from "../node/index.ts";

const ROWS = 9000;
const PROVENANCE = { flight: "a1b2c3", seed: "7" };
const folder = mkdtempSync(join(tmpdir(), "escapement-others-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function writeLog(name: string): Promise<Buffer> {
  const path = join(folder, name);
  await writeRows(await openLogFile(path, { provenance: PROVENANCE }), ROWS);
  return readFileSync(path);
}

/** Checks that columns have, bit for bit, the values that were written. */
function expectColumns(columnOf: (name: string) => ArrayLike<number>): void {
  COLUMNS.forEach(({ name }, i) =>
    expect([name, bitsOf(columnOf(name))]).toEqual([name, bitsOf(expectedColumn(i, ROWS))]),
  );
  expect(Array.from(columnOf("time_us"))).toEqual(Array.from({ length: ROWS }, (_, i) => i * 20_000));
}

describe("independent readers", () => {
  it("read Parquet: every bit, required doubles, and the metadata", async () => {
    const table = tableFromIPC(readByArrow(await writeLog("a.parquet")).intoIPCStream());
    expect(table.numRows).toBe(ROWS);
    expect(table.schema.fields.map(({ name, type, nullable }) => [name, String(type), nullable])).toEqual(
      ["time_us", ...COLUMNS.map(({ name }) => name)].map((name) => [name, "Float64", false]),
    );
    expectColumns((name) => table.getChild(name)!.toArray() as Float64Array);
    expect(table.schema.metadata.get("flight")).toBe("a1b2c3");
    expect(table.schema.metadata.get("columns")).toContain('"unit":"m/s"');
  });

  it("read HDF5: every bit, units and provenance", async () => {
    const bytes = await writeLog("a.h5");
    const file = new JsFiveFile(new Uint8Array(bytes).buffer, "a.h5");
    expectColumns((name) => file.get(name).value as number[]);
    expect(file.get("pos_ned_n_m").attrs["unit"]).toBe("m");
    expect([file.attrs["flight"], file.attrs["seed"]]).toEqual(["a1b2c3", "7"]);
  });

  it("read MCAP: every bit, by the index and the schema in the file", async () => {
    const bytes = await writeLog("a.mcap");
    const { decompress } = await loadZstd();
    const reader = await McapIndexedReader.Initialize({
      readable: {
        size: async () => BigInt(bytes.length),
        read: async (offset: bigint, size: bigint) =>
          new Uint8Array(bytes.subarray(Number(offset), Number(offset + size))),
      },
      decompressHandlers: { zstd: (packed: Uint8Array, size: bigint) => decompress(packed, Number(size)) },
    });
    const schema = reader.schemasById.get([...reader.channelsById.values()][0]!.schemaId)!;
    const decoder = new MessageReader(parse(new TextDecoder().decode(schema.data), { ros2: true }));
    const messages: McapTypes.TypedMcapRecords["Message"][] = [];
    for await (const message of reader.readMessages()) messages.push(message);
    const decoded = messages.map(({ data }) => decoder.readMessage<Record<string, number>>(data));
    expectColumns((name) =>
      name === "time_us" ? messages.map(({ logTime }) => Number(logTime) / 1000) : decoded.map((row) => row[name]!),
    );
    expect(reader.statistics?.messageCount).toBe(BigInt(ROWS));
  });
});
