/** Flights with other seeds: the text of each branch contains its seed, and the branches form one sweep. */
import { describe, expect, it } from "vitest";
import { storeInNode, untilFlown } from "../testing/store-in-node.ts";
import { flySeeds, withSeed } from "./seeds.ts";

describe("other seeds", () => {
  it("replace the seed of a description, or are added before its tables", () => {
    expect(withSeed('extends = "hover"\nseed = 4 # four\n[wind]\nkind = "none"\n', 5)).toBe(
      'extends = "hover"\nseed = 5\n[wind]\nkind = "none"\n',
    );
    expect(withSeed('extends = "hover"\n[own]\nseed = 4\n', 5)).toBe('seed = 5\nextends = "hover"\n[own]\nseed = 4\n');
  });

  it("are flown as one sweep, and each flight has a different fingerprint", async () => {
    const store = storeInNode();
    await untilFlown(await store.open('extends = "hover"\ntimeline.endS = 2\n'));
    await flySeeds(store, 3);
    const flights = store.state.flights.peek();
    for (const flight of flights) await untilFlown(flight);
    expect(flights.map(({ head }) => head.peek()!.definition!.seed)).toEqual([1, 2, 3, 4]);
    expect(new Set(flights.slice(1).map(({ group }) => group)).size).toBe(1);
    expect(new Set(flights.map(({ end }) => end.peek()!.fingerprint)).size).toBe(4);
    await flySeeds(store, Number.NaN);
    expect(store.state.flights.peek().length).toBe(4);
  });
});
