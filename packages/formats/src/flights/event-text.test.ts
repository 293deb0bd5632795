/** Edits of the events in a flight file: the edited text has the intended events, and comments are kept. */
import { describe, expect, it } from "vitest";
import type { PlainObject } from "@escapement/core";
import { addEvents, eventToml, flightFileName, listEvents, removeEvent, replaceEvent } from "./event-text.ts";
import { readFlightText } from "./flight-text.ts";

const TABLES = `# A windy day.
extends = "mission"  # the base

[[scenario]]
# The first gust.
at = "10 s"   # early
gust = { velNedMps = [0, 5, 0] }
for = "2 s"

# A motor.
[[scenario]]
when = "altitudeM > 5 # 3"
[scenario.motorLoss]
motor = 2
gain = 0.5

[wind]
kind = "none"
`;
const LIST = `scenario = [
  { at = "10 s", land = true }, # first
  { at = "20 s", rtl = true },
]
`;
const JSON_TEXT = '{ "extends": "mission", "scenario": [{ "at": "10 s", "land": true }] }';
const added: PlainObject = { at: "24.4 s", for: "4 s", gust: { velNedMps: [0, 9, 0], shape: "step" } };

const objectOf = (text: string) => readFlightText(text, flightFileName(text)).object;
const eventsOf = (text: string) => (objectOf(text)["scenario"] ?? []) as readonly PlainObject[];
const comments = (text: string) => text.match(/# (?!3")[^\n]*/g) ?? [];

describe.each([
  ["written as tables", TABLES],
  ["written as a list", LIST],
  ["in JSON", JSON_TEXT],
  ["of a text without events", 'extends = "mission"\n'],
  ["of an empty text", ""],
])("events %s", (_form, text) => {
  const before = eventsOf(text);

  it("can be added", () => {
    const edited = addEvents(text, [added, { at: "30 s", hold: true }]);
    expect(eventsOf(edited)).toEqual([...before, added, { at: "30 s", hold: true }]);
    expect(comments(edited)).toEqual(comments(text));
    expect({ ...objectOf(edited), scenario: 0 }).toEqual({ ...objectOf(text), scenario: 0 });
    expect(listEvents(edited)).toHaveLength(before.length + 2);
  });

  it("can be replaced and removed one by one", () => {
    for (const index of before.keys()) {
      const replaced = replaceEvent(text, index, added);
      expect(eventsOf(replaced)).toEqual(before.map((event, i) => (i === index ? added : event)));
      expect(new Set(comments(replaced))).toEqual(new Set(comments(text)));
      const removed = removeEvent(text, index);
      expect(eventsOf(removed)).toEqual(before.filter((_, i) => i !== index));
      expect(new Set(comments(removed))).toEqual(new Set(comments(text)));
    }
  });
});

describe("an empty list of events", () => {
  it("still removes the events of the extended flight after an event is added", () => {
    const text = 'extends = "motor-out"\nscenario = []\n';
    expect(objectOf(addEvents(text, [added]))).toEqual({
      extends: "motor-out",
      replace: ["scenario"],
      scenario: [added],
    });
    const known = 'replace = "wind"\nwind = "none"\nscenario = []\n';
    expect(objectOf(addEvents(known, [added]))["replace"]).toEqual(["wind", "scenario"]);
  });

  it("is not left behind when the last event is removed", () => {
    const text = 'extends = "motor-out"\nscenario = [{ at = "10 s", land = true }]\nseed = 3\n';
    expect(removeEvent(text, 0)).toBe('extends = "motor-out"\nseed = 3\n');
  });
});

it("an event is written as a table under its heading", () => {
  expect(eventToml(added)).toBe(
    '[[scenario]]\nat = "24.4 s"\nfor = "4 s"\ngust = { velNedMps = [0, 9, 0], shape = "step" }\n',
  );
});
