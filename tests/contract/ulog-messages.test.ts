/** The messages of our ULogs are those of the PX4 bridge, which are compared with PX4 itself: no two tables may drift. */
import { describe, expect, it } from "vitest";
import { layoutOf, MESSAGE_NAMES } from "../../packages/formats/src/logs/ulog/messages.ts";
import { knownLayout, type KnownTopic } from "../../packages/px4/src/uorb/registry.ts";

describe("messages of ULogs", () => {
  it.each(MESSAGE_NAMES)("%s lies in a record as in PX4's memory", (message) => {
    const ours = layoutOf(message);
    const px4 = knownLayout(message as KnownTopic);
    expect(ours.size).toBe(px4.sizeNoPadding);
    const fields = [...px4.fields].map(([name, { element, offset, count }]) => ({ name, element, offset, count }));
    expect(ours.fields.map(({ name, element, offset, count }) => ({ name, element, offset, count }))).toEqual(fields);
  });
});
