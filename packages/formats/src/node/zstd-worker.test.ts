/** The compressing thread: shared by the recordings of a process, and replaced after it has ended. */
import { describe, expect, it } from "vitest";
import { crc32 } from "../bytes/crc32.ts";
import { loadZstd } from "../mcap/zstd.ts";
import { borrowZstdThread, ZstdThread } from "./zstd-worker.ts";

const plain = (length: number) => Uint8Array.from({ length }, (_, i) => (i * i) >>> 3);

describe("the compressing thread", () => {
  it("compresses chunks of any size, several at once, with their checksums", async () => {
    const thread = new ZstdThread();
    const { decompress } = await loadZstd();
    const chunks = [3, 100_000, 0, 5000].map(plain);
    const pending = chunks.map((bytes) => thread.compress(bytes));
    for (const [i, chunk] of chunks.entries()) {
      await pending[i]!.wait();
      const { crc, records } = pending[i]!.result()!;
      expect(crc).toBe(crc32(chunk));
      expect(decompress(records.slice(), chunk.length)).toEqual(Buffer.from(chunk));
    }
    await thread.end();
  });

  it("reuses the memory of a chunk, even for chunks that do not get smaller", async () => {
    const thread = new ZstdThread();
    const { decompress } = await loadZstd();
    // A generator of bytes without a pattern.
    let state = 1;
    const noise = Uint8Array.from({ length: 10_000 }, () => (state = (state * 48_271) % 2_147_483_647) >>> 9);
    const buffers = new Set<ArrayBufferLike>();
    for (let i = 0; i < 3; i += 1) {
      const pending = thread.compress(noise);
      await pending.wait();
      const { records } = pending.result()!;
      expect(records.length).toBeGreaterThan(noise.length);
      expect(decompress(records.slice(), noise.length)).toEqual(Buffer.from(noise));
      buffers.add(records.buffer);
      pending.release();
    }
    expect(buffers.size).toBe(1);
    await thread.end();
  });

  it("reports an error for earlier and later chunks after it has ended", async () => {
    const thread = new ZstdThread();
    await thread.end();
    const pending = thread.compress(Uint8Array.of(1, 2, 3));
    await pending.wait();
    expect(() => pending.result()).toThrow(/compressing thread ended/);
  });

  it("is shared by all recordings", async () => {
    const [a, b] = [borrowZstdThread(), borrowZstdThread()];
    expect(a.thread).toBe(b.thread);
    await a.release!();
    await b.release!();
    const c = borrowZstdThread();
    expect(c.thread).toBe(a.thread);
    await c.release!();
    await c.thread.end();
    const d = borrowZstdThread();
    expect(d.thread).not.toBe(a.thread);
    await d.release!();
    await d.thread.end();
  });
});
