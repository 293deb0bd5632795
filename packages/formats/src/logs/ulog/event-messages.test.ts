/** Log messages, from hand-made rows. */
import { columnName, SIGNALS, type Column, type SignalName } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { EventMessages } from "./event-messages.ts";

const column = (name: SignalName) => ({ name: columnName(name, undefined, SIGNALS[name].unit) }) as Column;

function textsOf(name: SignalName, values: readonly number[]): string[] {
  const eventMessages = new EventMessages([column(name)]);
  return values.flatMap((value) => eventMessages.messages(Float64Array.of(value)).map(({ text }) => text));
}

describe("log messages", () => {
  it("report lift-off and landing, but not the initial state", () => {
    expect(textsOf("landDetected", [3, 3, 0, 1, 3, 0])).toEqual(["lift-off", "landed", "lift-off"]);
    expect(textsOf("landDetected", [0, 0, 3])).toEqual(["landed"]);
  });

  it("contain the name of every failsafe", () => {
    const words = textsOf("failsafe", [...Object.values(SIGNALS.failsafe.values).slice(1), 0]);
    expect(words.at(-2)).toBe("failsafe: outside the fence");
    expect(words.at(-1)).toBe("failsafe over");
    for (const text of words) expect(text).not.toMatch(/\d/);
  });
});
