/** The words of a log, from rows made by hand. */
import { columnName, SIGNALS, type Column, type SignalName } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { Narrator } from "./narrator.ts";

const column = (name: SignalName) => ({ name: columnName(name, undefined, SIGNALS[name].unit) }) as Column;

function told(name: SignalName, values: readonly number[]): string[] {
  const narrator = new Narrator([column(name)]);
  return values.flatMap((value) => narrator.tell(Float64Array.of(value)).map(({ text }) => text));
}

describe("the words of a log", () => {
  it("tell take-off and landing, but not how things stand at first", () => {
    expect(told("landDetected", [3, 3, 0, 1, 3, 0])).toEqual(["take-off", "landed", "take-off"]);
    expect(told("landDetected", [0, 0, 3])).toEqual(["landed"]);
  });

  it("name every failsafe", () => {
    const words = told("failsafe", [1, 2, 3, 4, 5, 6, 0]);
    expect(words.at(-2)).toBe("failsafe: outside the fence");
    expect(words.at(-1)).toBe("failsafe over");
    for (const text of words) expect(text).not.toMatch(/\d/);
  });
});
