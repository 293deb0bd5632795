/** A description with errors: its text stays, and a corrected one takes its place. */
import { describe, expect, it } from "vitest";
import { storeInNode, untilFlown } from "../testing/store-in-node.ts";

describe("a rejected description", () => {
  it("is replaced by its corrected text, and cannot be branched with an event", async () => {
    const store = storeInNode();
    const wrong = 'extends = "hover"\nseeed = 3\n';
    const rejected = await store.open(wrong, { name: "mine" });
    expect([rejected.state.peek(), rejected.head.peek(), rejected.given.peek()?.text]).toEqual([
      "rejected",
      undefined,
      wrong,
    ]);
    expect(await store.inject([{ at: "1 s", land: {} }], "land")).toBeUndefined();
    expect(store.state.flights.peek()).toEqual([rejected]);
    const text = 'extends = "hover"\ntimeline.endS = 1\n';
    const corrected = (await store.branch({ kind: "text", text, files: {} }, "edited"))!;
    await untilFlown(corrected);
    expect(store.state.flights.peek()).toEqual([corrected]);
    expect([corrected.name.peek(), corrected.head.peek()?.text]).toEqual(["mine", text]);
  });
});
