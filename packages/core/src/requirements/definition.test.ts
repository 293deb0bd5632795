/** Compares monitors with the definition of the margin, on random requirements and random signals. */
import { expect, test } from "vitest";
import { readRequirement } from "./requirement.ts";
import { parseRequirement } from "./parser.ts";
import { Definition } from "../../../../tests/support/requirements/definition.ts";
import { verdictOf } from "../../../../tests/support/requirements/held-signals.ts";
import { volume } from "../../../../tests/support/volume.ts";
import { RandomRequirements } from "../../../../tests/support/requirements/random-requirements.ts";

const CASES = volume(300, 1000);

test(`${CASES} random requirements have the margin of the definition, bit for bit, even if they are interrupted and evaluated in short blocks`, () => {
  const random = new RandomRequirements(1);
  let decided = 0;
  for (let i = 0; i < CASES; i += 1) {
    const flight = random.flight();
    const text = random.text();
    const expected = new Definition(flight).margin(parseRequirement(text)) ?? "untested";
    const found = verdictOf(flight, text);
    const shown = `${text} of ${JSON.stringify(flight)}`;
    if (expected === "untested") expect(found.verdict, shown).toBe("untested");
    else expect([found.low, found.high], shown).toEqual(expected);
    const interruptAt = random.below(flight.timesUs.length);
    expect(verdictOf(flight, text, { interruptAt }), shown).toEqual(found);
    expect(verdictOf(flight, text, { interruptAt, blockSize: 1 + random.below(4) }), shown).toEqual(found);
    if (found.verdict === "holds" || found.verdict === "violated") decided += 1;
  }
  // Most requirements must be decided; otherwise they would test little.
  expect(decided).toBeGreaterThan(CASES / 2);
});

test("if an event happens at a sample, the value after the event's microsecond is evaluated too", () => {
  const flight = {
    timesUs: [0, 4, 10, 14],
    signals: { y: { unit: "", values: [-2, 1, 2, 0] } },
    events: { kick: [10] },
  };
  const text = "always (y <= -2 or kick)";
  expect(new Definition(flight).margin(parseRequirement(text))).toEqual([-4, -4]);
  expect(verdictOf(flight, text)).toMatchObject({ verdict: "violated", low: -4, high: -4 });
});

test("canonical text is parsed as the same requirement", () => {
  const random = new RandomRequirements(2);
  for (let i = 0; i < 300; i += 1) {
    const { text } = readRequirement(random.text());
    expect(readRequirement(text).text).toBe(text);
  }
});
