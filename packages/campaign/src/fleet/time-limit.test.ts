/** Tests the time limit of flights with the processor time of this process. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { TimeLimit } from "./time-limit.ts";

/** So many threads that the wall-time limit expires before one thread's share of processor time reaches its limit. */
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

it("ends a flight whose thread got little processor time only at the limit of wall time", async () => {
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

it("does not end a flight that ended before", async () => {
  const limit = new TimeLimit(
    () => 1,
    () => expect.fail("the limit was not ended"),
  );
  limit.begin(20);
  limit.end();
  burn(40);
  await sleep(40);
});
