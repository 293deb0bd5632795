/**
 * Packing chunks on another thread, so that the flying one only copies rows.
 *
 * The worker's program is a text, because it must run the same from sources, from a bundle and in tests; it finds its
 * two libraries by the paths resolved here. It never keeps the process alive.
 *
 * Chunks are copied to it, not handed over: once a thread has given away a buffer, V8 looks whether it is still there at
 * every access to any typed array, and everything that flies takes half as long again.
 */
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { Packed, Packer } from "../mcap/writer.ts";
import { ZSTD_LEVEL } from "../mcap/zstd.ts";

const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
const zstd = require(workerData.zstd);
const { crc32 } = require(workerData.crc);
parentPort.on("message", async ({ id, bytes }) => {
  await zstd.isLoaded;
  const crc = crc32(bytes);
  const packed = Uint8Array.from(zstd.compress(bytes, workerData.level));
  parentPort.postMessage({ id, crc, packed }, [packed.buffer]);
});
`;

interface Waiting {
  readonly resolve: (packed: Packed) => void;
  readonly reject: (error: unknown) => void;
}

export class ZstdWorker {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 0;
  /** Why there is nobody left to pack. */
  private death: { readonly error: unknown } | undefined;

  constructor() {
    const { resolve } = createRequire(import.meta.url);
    this.worker = new Worker(PROGRAM, {
      eval: true,
      workerData: { zstd: resolve("@foxglove/wasm-zstd"), crc: resolve("@foxglove/crc"), level: ZSTD_LEVEL },
    });
    this.worker.unref();
    this.worker.on("message", ({ id, crc, packed }: Packed & { id: number }) => {
      this.waiting.get(id)?.resolve({ crc, packed });
      this.settle(id);
    });
    this.worker.on("error", (error) => this.fail(error));
    this.worker.on("exit", (code) => this.fail(new Error(`the compressing thread ended with code ${code}`)));
  }

  readonly pack: Packer = (bytes) =>
    new Promise<Packed>((resolve, reject) => {
      if (this.death !== undefined) return reject(this.death.error);
      this.nextId += 1;
      this.waiting.set(this.nextId, { resolve, reject });
      // Somebody waits for the answer now.
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
    this.death ??= { error };
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
