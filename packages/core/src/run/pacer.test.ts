/** The pacer with an injected clock: it sleeps as long as needed, and does not catch up after a long pause. */
import { describe, expect, it } from "vitest";
import { Pacer } from "./pacer.ts";

function paced(factor: number) {
  let nowMs = 1000;
  const slept: number[] = [];
  const pacer = new Pacer(factor, {
    nowMs: () => nowMs,
    sleep: async (ms) => {
      slept.push(ms);
      nowMs += ms;
    },
  });
  return { pacer, slept, pass: (ms: number) => (nowMs += ms), now: () => nowMs };
}

describe("the pacer", () => {
  it("never waits without a pace", async () => {
    const { pacer, slept } = paced(0);
    for (let k = 0; k < 5; k += 1) await pacer.waitUntil(k * 1e6);
    expect(slept).toEqual([]);
    expect(pacer.yieldEvery(0.001)).toBeUndefined();
  });

  it.each([
    [1, 20],
    [4, 5],
    [0.5, 40],
  ])("keeps a factor of %d: a step of 20 ms takes %d ms", async (factor, ms) => {
    const { pacer, now } = paced(factor);
    await pacer.waitUntil(0);
    for (let k = 1; k <= 50; k += 1) await pacer.waitUntil(k * 20_000);
    expect(now() - 1000).toBeCloseTo(50 * ms, 6);
  });

  it("catches up after a short delay, but not after a long pause", async () => {
    const { pacer, slept, pass } = paced(1);
    await pacer.waitUntil(0);
    pass(100);
    await pacer.waitUntil(50_000);
    expect(slept).toEqual([]);
    await pacer.waitUntil(150_000);
    expect(slept).toEqual([50]);
    pass(10_000);
    await pacer.waitUntil(200_000);
    await pacer.waitUntil(220_000);
    expect(slept).toEqual([50, 20]);
  });

  it("yields about every 20 ms of wall-clock time", () => {
    expect([paced(1).pacer.yieldEvery(0.001), paced(10).pacer.yieldEvery(0.001), paced(1).pacer.yieldEvery(0)]).toEqual(
      [20, 200, 5],
    );
  });
});
