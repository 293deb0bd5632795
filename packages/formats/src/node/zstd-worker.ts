/**
 * Compresses chunks on another thread, so that the simulation thread only copies rows.
 *
 * The thread's program is a string, because it must run unchanged from sources, from a bundle and in tests. This file
 * resolves the path of its library. All recordings of a process use the same thread: starting one takes longer than
 * compressing a short flight. It does not keep the process alive, and it ends when no recording has used it for a
 * while.
 *
 * A chunk is copied into memory that both threads share, and its compressed form comes back in the same memory. Chunks
 * are not filled in shared memory, because V8 copies to an odd address of shared memory byte by byte. No buffer is
 * transferred: after a transfer, V8 checks at every access to any typed array whether its buffer is detached, and the
 * simulation takes 50 % longer.
 */
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { CompressedChunk, PendingChunk } from "../mcap/compressor.ts";
import { ZSTD_LEVEL } from "../mcap/zstd.ts";
import type { Packing } from "../recording/writer.ts";

/**
 * Indices of the words before the bytes of a chunk: a flag that is 1 when the chunk is compressed, the checksum, and
 * the size, which is that of the compressed form once the flag is 1.
 */
const DONE = 0;
const CRC = 1;
const SIZE = 2;
const HEAD_BYTES = 16;

const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
const { crc32 } = require("node:zlib");
const zstd = require(workerData.zstd);
const chunks = [];
parentPort.on("message", async (message) => {
  if (typeof message !== "number") return void (chunks[message.id] = message);
  await zstd.isLoaded;
  const { head, bytes } = chunks[message];
  const plain = bytes.subarray(0, head[${SIZE}]);
  head[${CRC}] = crc32(plain);
  const records = zstd.compress(plain, workerData.level);
  bytes.set(records);
  head[${SIZE}] = records.length;
  Atomics.store(head, ${DONE}, 1);
});
`;

/** Milliseconds after which a thread that no recording uses is ended. */
const IDLE_MS = 5000;
/** Milliseconds between two checks of a chunk for which the flight waits. */
const POLL_MS = 1;

/** Memory of a chunk, shared by both threads. */
interface SharedChunk {
  /** The thread finds the memory by this number. */
  readonly id: number;
  readonly head: Int32Array;
  readonly bytes: Uint8Array;
}

/** The thread, and the memory that it shares with the calling thread. */
export class ZstdThread {
  /** Number of recordings that use the thread now. */
  users = 0;
  /** Number of recordings that have used the thread so far. */
  uses = 0;
  private readonly worker: Worker;
  private chunkCount = 0;
  private readonly spares: SharedChunk[] = [];
  /** The failure that ended the thread. */
  private failure: { readonly error: unknown } | undefined;

  constructor() {
    const { resolve } = createRequire(import.meta.url);
    this.worker = new Worker(PROGRAM, {
      eval: true,
      workerData: { zstd: resolve("@foxglove/wasm-zstd"), level: ZSTD_LEVEL },
    });
    this.worker.unref();
    this.worker.on("error", (error) => this.fail(error));
    this.worker.on("exit", (code) => this.fail(new Error(`the compressing thread ended with code ${code}`)));
  }

  get hasEnded(): boolean {
    return this.failure !== undefined;
  }

  compress(plain: Uint8Array): PendingChunk {
    const chunk = this.chunkFor(plain.length);
    const { head, bytes } = chunk;
    bytes.set(plain);
    head[DONE] = 0;
    head[SIZE] = plain.length;
    // A number is sent several times faster than a view of memory.
    this.worker.postMessage(chunk.id);
    const result = (): CompressedChunk | undefined => {
      if (Atomics.load(head, DONE) === 1) return { crc: head[CRC]! >>> 0, records: bytes.subarray(0, head[SIZE]) };
      if (this.failure !== undefined) throw this.failure.error;
      return undefined;
    };
    return {
      result,
      wait: async () => {
        while (Atomics.load(head, DONE) === 0 && !this.hasEnded) await sleep(POLL_MS);
      },
      release: () => void this.spares.push(chunk),
    };
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  /** Returns memory for a chunk of this size, and for its compressed form, which may be a little larger. */
  private chunkFor(size: number): SharedChunk {
    const needed = size + Math.ceil(size / 256) + 64;
    const spare = this.spares.pop();
    if (spare !== undefined && spare.bytes.length >= needed) return spare;
    const memory = new SharedArrayBuffer(HEAD_BYTES + needed + Math.ceil(needed / 4));
    const chunk = {
      // The new memory replaces a spare that is too small.
      id: spare?.id ?? this.chunkCount,
      head: new Int32Array(memory, 0, HEAD_BYTES / 4),
      bytes: new Uint8Array(memory, HEAD_BYTES),
    };
    if (spare === undefined) this.chunkCount += 1;
    this.worker.postMessage(chunk);
    return chunk;
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
  }
}

let current: ZstdThread | undefined;

/** Returns functions that compress one recording on the thread of this process, which is started if necessary. */
export function borrowZstdThread(): Packing & { readonly thread: ZstdThread } {
  if (current === undefined || current.hasEnded) current = new ZstdThread();
  const thread = current;
  thread.users += 1;
  thread.uses += 1;
  return {
    thread,
    pack: (bytes) => thread.compress(bytes),
    release: () => {
      thread.users -= 1;
      if (thread.users === 0) endIfUnused(thread, thread.uses);
    },
  };
}

/** Ends the thread after a while, unless a recording has used it since. */
function endIfUnused(thread: ZstdThread, uses: number): void {
  const timer = setTimeout(() => {
    if (thread.uses !== uses) return;
    if (thread === current) current = undefined;
    void thread.end();
  }, IDLE_MS);
  timer.unref();
}
