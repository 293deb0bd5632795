/** The layout of a state: offsets, names, dumps, and the error for a missing block. */
import { describe, expect, it } from "vitest";
import { codeOf } from "../../../../tests/support/flights.ts";
import { type Block, StateLayout } from "./index.ts";

const block = (name: string, size: number, more: Partial<Block> = {}): Block => ({
  name,
  size,
  unit: "m",
  kind: "vector",
  group: name,
  tolerance: { absolute: 1e-6, relative: 0 },
  ...more,
});

const layout = new StateLayout([
  block("posNed", 3, { components: ["n", "e", "d"] }),
  block("nothing", 0),
  block("qBodyToNed", 4, { kind: "attitude", unit: "1" }),
  block("batterySoc", 1, { unit: "1" }),
]);

describe("state layout", () => {
  it("places blocks one after the other and omits empty ones", () => {
    expect(layout.size).toBe(8);
    expect(layout.blocks.map(({ name, offset }) => [name, offset])).toEqual([
      ["posNed", 0],
      ["qBodyToNed", 3],
      ["batterySoc", 7],
    ]);
    expect(layout.find("nothing")).toBeUndefined();
  });

  it("names its components", () => {
    expect(layout.componentNames()).toEqual([
      "posNed.n",
      "posNed.e",
      "posNed.d",
      "qBodyToNed.1",
      "qBodyToNed.2",
      "qBodyToNed.3",
      "qBodyToNed.4",
      "batterySoc",
    ]);
  });

  it("[L10.1] dumps a state in readable form", () => {
    expect(layout.dump([1, 2, NaN, 1, 0, 0, 0, 0.5])).toBe(
      "  posNed = 1, 2, NaN m\n  qBodyToNed = 1, 0, 0, 0 1\n  batterySoc = 0.5 1",
    );
  });

  it("[L10.6] reports which part needs which block, and which blocks exist", () => {
    const missing = () => layout.require("rotorSpeed", "the motor temperature sensor");
    expect(codeOf(missing)).toBe("STATE-001");
    expect(missing).toThrow('the motor temperature sensor needs the state "rotorSpeed"');
    expect(missing).toThrow("posNed, qBodyToNed, batterySoc");
  });

  it("rejects a duplicate name and an attitude that is not a quaternion", () => {
    expect(() => new StateLayout([block("a", 1), block("a", 2)])).toThrow("twice");
    expect(() => new StateLayout([block("q", 3, { kind: "attitude" })])).toThrow("four components");
  });
});
