/** The page reads the parts of its address, and changes only the time and the flight in it. */
import { describe, expect, it } from "vitest";
import { storeInNode, untilFlown } from "../testing/store-in-node.ts";
import { readAddress, withInstant } from "./address.ts";
import { makeLink, openLink } from "./link.ts";

describe("the address", () => {
  it("carries a token, a built-in flight and a time to the microsecond", () => {
    expect(readAddress("#k=a-B_9&flight=motor-out&t=24.004001")).toEqual({
      token: "a-B_9",
      flight: "motor-out",
      tUs: 24_004_001,
    });
    expect(readAddress("")).toEqual({});
    expect(readAddress("#e1.xyz&t=3")).toEqual({ tUs: 3_000_000 });
  });

  it("ignores parts that are not well-formed", () => {
    expect(readAddress('#k=&flight=a"b&t=-1')).toEqual({});
    expect(readAddress("#t=1e3")).toEqual({});
    expect(readAddress("#t=1.0000001")).toEqual({});
  });

  it("keeps its other parts when the time changes", () => {
    expect(withInstant("#k=token", 24_400_000, undefined)).toBe("#k=token&t=24.4");
    expect(withInstant("#k=token&flight=hover&t=1", 2_000_001, "mission")).toBe("#k=token&flight=mission&t=2.000001");
    expect(withInstant("#e1.abc&t=7", 0, undefined)).toBe("#e1.abc&t=0");
  });

  it("opens a link at the time in the address, not at the time inside the link", async () => {
    const store = storeInNode();
    await untilFlown(await store.open('extends = "hover"\ntimeline.endS = 1\n', { name: "short" }));
    const made = await makeLink(store.state, "0.0.0", "http://127.0.0.1/");
    if ("whyNot" in made) throw new Error(made.whyNot);
    const other = storeInNode();
    expect(await openLink(other, withInstant(made.link, 400_001, undefined).slice(1))).toBe(true);
    await untilFlown(other.state.flights.peek()[0]!);
    expect(other.state.nowUs.peek()).toBe(400_001);
  });
});
