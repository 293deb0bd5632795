/** Chunks that another thread compresses: the limit on pending chunks, and the reuse of their memory. */
import { describe, expect, it } from "vitest";
import { MemoryBytes } from "../bytes/byte-sink.ts";
import type { CompressedChunk } from "./compressor.ts";
import { McapWriter } from "./writer.ts";

const MESSAGE = new Uint8Array(1_000_000);

/** A writer with chunks of a megabyte. The test decides when a chunk is compressed. */
function slowWriter() {
  const waiting: (() => void)[] = [];
  const memory = new Set<ArrayBufferLike>();
  const sink = new MemoryBytes();
  const writer = new McapWriter(sink, {
    library: "test",
    channels: [{ topic: "/a", schemaName: "a", definition: "uint8[] data\n" }],
    compress: (bytes) => {
      memory.add(bytes.buffer);
      let result: CompressedChunk | undefined;
      const finished = new Promise<void>((resolve) => {
        waiting.push(() => {
          result = { crc: 0, records: bytes.slice(0, 10) };
          resolve();
        });
      });
      return { result: () => result, wait: () => finished, release: () => {} };
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
  return {
    writer,
    write,
    waiting,
    allocations: () => memory.size,
    bytes: () => sink.bytes(),
    written: () => sink.bytes().length,
  };
}

describe("chunks that are compressed on another thread", () => {
  it("make the flight wait when eight megabytes are pending, until half of them are written", async () => {
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

  it("reuse their memory for later chunks", async () => {
    const { writer, write, waiting, allocations } = slowWriter();
    const count = () => {
      for (let i = 0; i < 3; i += 1) write();
      return allocations();
    };
    // The chunk that is being filled has not been compressed yet.
    const first = count() + 1;
    for (const compress of waiting.splice(0)) compress();
    await writer.drain();
    await new Promise((done) => setImmediate(done));
    expect(count()).toBe(first);
    for (const compress of waiting) compress();
    await writer.close();
  });

  it("are written when a later chunk ends, without a turn of the event loop", () => {
    const { write, waiting, written } = slowWriter();
    write();
    const before = written();
    for (const compress of waiting.splice(0)) compress();
    write();
    expect(written()).toBeGreaterThan(before);
  });

  it("come before an attachment that follows them", async () => {
    const { writer, write, waiting, bytes } = slowWriter();
    write();
    writer.attach("last.json", "application/json", new TextEncoder().encode("{}"));
    for (const compress of waiting.splice(0)) compress();
    await writer.close();
    const text = new TextDecoder("latin1").decode(bytes());
    expect(text.indexOf("zstd")).toBeGreaterThan(0);
    expect(text.indexOf("last.json")).toBeGreaterThan(text.indexOf("zstd"));
  });
});
