/** Tests the time limit of flights with the processor time of this process. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { TimeLimit } from "./time-limit.ts";

/**
 * The number of threads that the limit assumes. It is large enough that the wall-time limit expires before any one
 * thread's share of the processor time reaches the processor-time limit.
 */
const THREADS = 1000;

function burn(cpuMs: number): void {
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < 1000 * cpuMs);
}

it("ends a flight that uses its processor time", async () => {
  let isOver = false;
  const limit = new TimeLimit(
    () => 1,
    () => (isOver = true),
  );
  limit.begin(50);
  while (!isOver) {
    burn(10);
    await setImmediate();
  }
});

it("if a thread gets little processor time, ends its flight at the wall-time limit and not before", async () => {
  let isOver = false;
  const limit = new TimeLimit(
    () => THREADS,
    () => (isOver = true),
  );
  limit.begin(500);
  await sleep(1000);
  expect(isOver).toBe(false);
  while (!isOver) await sleep(100);
});

it("does nothing once end() has been called", async () => {
  const limit = new TimeLimit(
    () => 1,
    () => expect.fail("onOver was called after end()"),
  );
  limit.begin(20);
  limit.end();
  burn(40);
  await sleep(40);
});
