/** The end of the timeline is changed in every form that a text can have, and nothing else changes. */
import { describe, expect, it } from "vitest";
import { readFlightText } from "./flight-text.ts";
import { setTimelineEnd } from "./timeline-text.ts";

const TEXTS = [
  'extends = "hover"\n',
  'extends = "hover"\n\n[[scenario]]\nat = "1 s"\nland = {}\n',
  '# a\n[timeline]\nendS = 20 # short\nlogPeriodS = 0.1\n\n[wind]\nkind = "none"\n',
  '[timeline]\nlogPeriodS = 0.1\n[wind]\nkind = "none"\n',
  '[timeline]\n[wind]\nkind = "none"\n',
  "timeline = { logPeriodS = 0.1 }\n",
  "timeline = {}\n",
  "timeline.logPeriodS = 0.1\nseed = 3\n",
  '{ "extends": "hover", "timeline": { "logPeriodS": 0.1 } }',
];

describe("setTimelineEnd", () => {
  it.each(TEXTS)("changes %j", (text) => {
    const name = text.startsWith("{") ? "flight.json" : "flight.toml";
    const { timeline, ...rest } = readFlightText(text, name).object;
    const after = readFlightText(setTimelineEnd(text, 90.5), name).object;
    expect(after).toEqual({ ...rest, timeline: { ...(timeline as object | undefined), endS: 90.5 } });
    for (const comment of text.match(/#.*/g) ?? []) expect(setTimelineEnd(text, 90.5)).toContain(comment);
  });
});
