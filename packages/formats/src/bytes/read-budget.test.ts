/**
 * Small files that unpack to far more data are rejected, and the limit can be raised. Files that were cut short are
 * read in part.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { flightColumns, flightRow } from "../../../../tests/support/flight-columns.ts";
import { MemoryBytes } from "./byte-sink.ts";
import { openLog, readTable } from "../logs/index.ts";
import type { Compressor } from "../mcap/compressor.ts";
import { McapWriter } from "../mcap/writer.ts";
import { loadCompressor } from "../mcap/zstd.ts";
import { BoundaryBatch } from "../recording/batch.ts";
import { readRecording } from "../recording/index.ts";

const COLUMN = { name: "x", unit: "m", about: "A length." };
let compress: Compressor;
beforeAll(async () => {
  compress = await loadCompressor();
});

/** Returns a log of zeros: `chunks` chunks of `megabytes` each. */
async function bomb(chunks: number, megabytes: number): Promise<Uint8Array> {
  const memory = new MemoryBytes();
  const mcap = new McapWriter(memory, {
    library: "bomb",
    channels: ["/log", "/note"].map((topic) => ({
      topic,
      schemaName: "escapement/msg/Log",
      definition: "float64 x\n",
    })),
    compress,
  });
  const head = { logVersion: 1, columns: [COLUMN], provenance: {} };
  mcap.attach("log.json", "application/json", new TextEncoder().encode(JSON.stringify(head)));
  const payload = new Uint8Array(megabytes * 1e6);
  // The first chunk of a file is not compressed.
  mcap.message(1, 0, new Uint8Array(8));
  mcap.endChunk();
  for (let i = 0; i < chunks; i += 1) {
    mcap.message(0, i, payload);
    mcap.endChunk();
  }
  await mcap.close();
  return memory.bytes();
}

describe("a decompression bomb", () => {
  it("of one large chunk, or of many, is rejected", async () => {
    const large = await bomb(1, 70);
    expect(large.length).toBeLessThan(1e6);
    await expect(readTable(large, "mcap")).rejects.toMatchObject({ code: "FILE-025" });
    await expect(readTable(large, "mcap", "x", { maxBytes: 1e9 })).rejects.toMatchObject({ code: "RECORDING-002" });
    const many = await bomb(8, 2);
    await expect(readTable(many, "mcap", "x", { maxBytes: 1e7 })).rejects.toMatchObject({ code: "FILE-025" });
    await expect(readTable(many, "mcap", "x", { maxBytes: 2e7 })).rejects.toMatchObject({ code: "RECORDING-002" });
  });

  it("as a recording is rejected", async () => {
    const memory = new MemoryBytes();
    const mcap = new McapWriter(memory, {
      library: "bomb",
      channels: ["boundaries", "digest", "state"].map((topic) => ({
        topic: `/${topic}`,
        schemaName: "escapement/msg/State",
        definition: "float64 x\n",
      })),
      compress,
    });
    mcap.attach("recording.json", "application/json", new TextEncoder().encode("{}"));
    mcap.message(0, 0, new BoundaryBatch().encode());
    mcap.endChunk();
    for (let i = 0; i < 8; i += 1) {
      mcap.message(2, i, new Uint8Array(2e7));
      mcap.endChunk();
    }
    await mcap.close();
    await expect(readRecording(memory.bytes())).rejects.toMatchObject({ code: "FILE-025" });
  });

  it("as a Parquet file with a changed footer is rejected, or only its actual rows are read", async () => {
    const memory = new MemoryBytes();
    const sink = await openLog("parquet", memory);
    sink.open([COLUMN]);
    for (let i = 0; i < 100; i += 1) sink.row(i, Float64Array.of(0));
    await sink.close();
    const bytes = memory.bytes();
    // Set each byte of the footer to 0x7f in turn. This enlarges, among others, the counts of rows.
    for (let at = bytes.length - 200; at < bytes.length - 8; at += 1) {
      const strange = bytes.slice();
      strange[at] = 0x7f;
      await expect(readTable(strange, "parquet").then(({ columns }) => columns.get("x")!.length))
        .resolves.toBe(100)
        .catch(() => expect(readTable(strange, "parquet")).rejects.toMatchObject({ name: "SimError" }));
    }
  });
});

describe("a ULog that is cut anywhere after its header", () => {
  it("is read as far as possible, with a text that says what is missing", async () => {
    const memory = new MemoryBytes();
    const sink = await openLog("ulog", memory);
    const flight = flightColumns();
    sink.open(flight);
    for (let i = 0; i < 2; i += 1) sink.row(i * 20_000, Float64Array.from(flightRow(flight, i)));
    await sink.close();
    const bytes = memory.bytes();
    const whole = await readTable(bytes, "ulog");
    for (let length = 16; length < bytes.length; length += 7) {
      const { missing, columns } = await readTable(bytes.slice(0, length), "ulog");
      expect([length, missing]).toEqual([length, expect.any(String)]);
      expect(columns.size).toBeLessThanOrEqual(whole.columns.size);
    }
  });
});
