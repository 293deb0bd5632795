/** Two threads that multiply numbers, to measure how much faster two threads of this machine are than one. */
import { Worker } from "node:worker_threads";

/** A million multiplications, each of which needs the one before, so that caches and memory do not matter. */
const CODE = `
const { parentPort } = require("node:worker_threads");
let x = 1;
parentPort.on("message", (millions) => {
  for (let i = 0; i < millions * 1e6; i += 1) x = x * 1.0000001 + 1e-9;
  parentPort.postMessage(x);
});`;
const MILLIONS = 30;

export class ThreadPair {
  private readonly workers = [0, 1].map(() => new Worker(CODE, { eval: true }));

  /** Returns the wall time in milliseconds per million multiplications in one thread. */
  one(): Promise<number> {
    return this.work(this.workers.slice(0, 1));
  }

  /** Returns the same for two threads: the time of both, divided by the work of both. */
  both(): Promise<number> {
    return this.work(this.workers);
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  private async work(workers: readonly Worker[]): Promise<number> {
    const began = performance.now();
    await Promise.all(
      workers.map(
        (worker) =>
          new Promise((done) => {
            worker.once("message", done);
            worker.postMessage(MILLIONS);
          }),
      ),
    );
    return (performance.now() - began) / (MILLIONS * workers.length);
  }
}
