/** Our ULog messages match those of the PX4 bridge, which a different test compares with PX4 itself. */
import { describe, expect, it } from "vitest";
import { layoutOf, MESSAGE_NAMES } from "../../packages/formats/src/logs/ulog/messages.ts";
import { knownLayout, type KnownTopic } from "../../packages/px4/src/uorb/registry.ts";

describe("ULog messages", () => {
  it.each(MESSAGE_NAMES)("%s has the layout of PX4's struct", (message) => {
    const ours = layoutOf(message);
    const px4 = knownLayout(message as KnownTopic);
    expect(ours.size).toBe(px4.sizeNoPadding);
    const fields = [...px4.fields].map(([name, { element, offset, count }]) => ({ name, element, offset, count }));
    expect(ours.fields.map(({ name, element, offset, count }) => ({ name, element, offset, count }))).toEqual(fields);
  });
});
