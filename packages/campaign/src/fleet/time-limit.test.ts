/** Tests the time limit of flights with the processor time of this process. */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { TimeLimit } from "./time-limit.ts";

/** More threads than cores, so that a share of a limit of processor time takes longer than the limit in wall time. */
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

it("does not end a flight whose thread got little processor time, until the limit of wall time", async () => {
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
