/**
 * Compresses chunks on another thread, so that the simulation thread only copies rows.
 *
 * The worker's program is a string, because it must run unchanged from sources, from a bundle and in tests; this file
 * resolves the paths of its two libraries. The worker does not keep the process alive.
 * Chunks are in memory that both threads share, so nothing is copied. They are not transferred, because once a thread
 * has transferred a buffer, V8 checks at every access to any typed array whether its buffer is detached, and the
 * simulation takes 50 % longer.
 */
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { Allocate } from "../mcap/chunk.ts";
import type { CompressedChunk, Compressor } from "../mcap/writer.ts";
import { ZSTD_LEVEL } from "../mcap/zstd.ts";

const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
const zstd = require(workerData.zstd);
const { crc32 } = require(workerData.crc);
parentPort.on("message", async ({ id, bytes }) => {
  await zstd.isLoaded;
  const crc = crc32(bytes);
  const records = Uint8Array.from(zstd.compress(bytes, workerData.level));
  parentPort.postMessage({ id, crc, records }, [records.buffer]);
});
`;

/** Allocates memory that the worker can read without a copy. */
export const allocateShared: Allocate = (size) => new Uint8Array(new SharedArrayBuffer(size));

interface Waiting {
  readonly resolve: (chunk: CompressedChunk) => void;
  readonly reject: (error: unknown) => void;
}

export class ZstdWorker {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 0;
  /** The failure that ended the worker. */
  private failure: { readonly error: unknown } | undefined;

  constructor() {
    const { resolve } = createRequire(import.meta.url);
    this.worker = new Worker(PROGRAM, {
      eval: true,
      workerData: { zstd: resolve("@foxglove/wasm-zstd"), crc: resolve("@foxglove/crc"), level: ZSTD_LEVEL },
    });
    this.worker.unref();
    this.worker.on("message", ({ id, crc, records }: CompressedChunk & { id: number }) => {
      this.waiting.get(id)?.resolve({ crc, records });
      this.settle(id);
    });
    this.worker.on("error", (error) => this.fail(error));
    this.worker.on("exit", (code) => this.fail(new Error(`the compressing thread ended with code ${code}`)));
  }

  readonly compress: Compressor = (bytes) =>
    new Promise<CompressedChunk>((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure.error);
      this.nextId += 1;
      this.waiting.set(this.nextId, { resolve, reject });
      // Keep the process alive until the result arrives.
      this.worker.ref();
      this.worker.postMessage({ id: this.nextId, bytes });
    });

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private settle(id: number): void {
    this.waiting.delete(id);
    if (this.waiting.size === 0) this.worker.unref();
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
