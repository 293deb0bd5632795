/**
 * The memory of the viewer stays within its budget: rows and checkpoints of long flights and of branches. The memory of
 * removed branches is freed. Page and worker share one process here, so the numbers are their sum.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import { storeInNode, untilFlown } from "../../packages/viewer/src/view/testing/store-in-node.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Returns the memory that is in use after a collection, in megabytes. */
async function usedMb(): Promise<number> {
  // Messages that were delivered are freed in a later turn.
  for (let i = 0; i < 3; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

async function open(store: Store, endS: number) {
  const flight = await store.open(`extends = "hover"\n\n[timeline]\nendS = ${endS}\n`);
  await untilFlown(flight);
  return flight;
}

async function branch(store: Store, parent: number, atS: number, speedMps: number) {
  store.activate(parent);
  store.playhead.goTo(atS * 1e6);
  const gust = { at: `${atS} s`, for: "1 s", gust: { velNedMps: [0, speedMps, 0] } };
  const flight = (await store.inject([gust], `gust ${speedMps} m/s`))!;
  await untilFlown(flight);
  return flight;
}

describe("memory of the viewer", () => {
  it("is at most 60 MB for ten minutes of flight", async () => {
    const store = storeInNode();
    await open(store, 2);
    const before = await usedMb();
    const flight = await open(store, 600);
    expect(flight.rowCount.peek()).toBeGreaterThan(29_000);
    expect((await usedMb()) - before).toBeLessThan(60);
  });

  it("grows by at most 40 MB for eight branches of a minute", async () => {
    const store = storeInNode();
    const parent = await open(store, 66);
    await branch(store, parent.id, 6, 1);
    const before = await usedMb();
    for (let i = 0; i < 8; i += 1) await branch(store, parent.id, 6, 2 + i / 4);
    expect(store.state.flights.peek().length).toBe(10);
    expect((await usedMb()) - before).toBeLessThan(40);
  });

  it("does not grow while 200 branches are made and removed", async () => {
    const store = storeInNode();
    const parent = await open(store, 8);
    const makeAndRemove = async (count: number) => {
      for (let i = 0; i < count; i += 1) store.remove((await branch(store, parent.id, 6, 1 + i / 100)).id);
    };
    // Undo keeps the last steps, so fill its list first.
    await makeAndRemove(40);
    const before = await usedMb();
    await makeAndRemove(200);
    expect(store.state.flights.peek().length).toBe(1);
    expect(await usedMb()).toBeLessThan(1.1 * before);
  });
});
