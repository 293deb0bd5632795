/** Chunks that another thread compresses: how many wait, and whose memory is used again. */
import { describe, expect, it } from "vitest";
import { MemoryBytes } from "../bytes/byte-sink.ts";
import { type CompressedChunk, McapWriter } from "./writer.ts";

const MESSAGE = new Uint8Array(1_000_000);

/** A writer with chunks of a megabyte, whose chunks are compressed when the test says so. */
function slowWriter() {
  const waiting: (() => void)[] = [];
  let allocated = 0;
  const writer = new McapWriter(new MemoryBytes(), {
    library: "test",
    channels: [{ topic: "/a", schemaName: "a", definition: "uint8[] data\n" }],
    compress: (bytes) =>
      new Promise<CompressedChunk>((resolve) => {
        waiting.push(() => resolve({ crc: 0, records: bytes.slice(0, 10) }));
      }),
    allocate: (size) => {
      allocated += 1;
      return new Uint8Array(size);
    },
  });
  let tUs = 0;
  const write = () => {
    tUs += 1;
    writer.message(0, tUs, MESSAGE);
    writer.endChunk();
  };
  // The first chunk is stored without compression.
  write();
  return { writer, write, waiting, allocations: () => allocated };
}

describe("chunks that are compressed on another thread", () => {
  it("make the flight wait at eight megabytes, until half of them are written", async () => {
    const { writer, write, waiting } = slowWriter();
    while (!writer.isFull) write();
    expect(waiting).toHaveLength(9);
    let isDrained = false;
    const drained = writer.drain().then(() => (isDrained = true));
    for (const compress of waiting.splice(0, 4)) compress();
    await new Promise((done) => setImmediate(done));
    expect(isDrained).toBe(false);
    waiting.shift()!();
    await drained;
    expect([waiting.length, writer.isFull]).toEqual([4, false]);
    for (const compress of waiting) compress();
    await writer.close();
  });

  it("give their memory to later chunks", async () => {
    const { writer, write, waiting, allocations } = slowWriter();
    const count = () => {
      for (let i = 0; i < 3; i += 1) write();
      return allocations();
    };
    const first = count();
    for (const compress of waiting.splice(0)) compress();
    await writer.drain();
    await new Promise((done) => setImmediate(done));
    expect(count()).toBe(first);
    for (const compress of waiting) compress();
    await writer.close();
  });
});
