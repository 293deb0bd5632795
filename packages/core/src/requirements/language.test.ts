/** The language of requirements: the accepted texts, the errors, and random texts that never cause an untyped error. */
import { describe, expect, test } from "vitest";
import { SimError } from "../errors/index.ts";
import { parseMeasure } from "./measure.ts";
import { requirement } from "./requirement.ts";
import { randomTexts } from "../../../../tests/support/requirements/random-texts.ts";

function errorOf(text: string): SimError {
  try {
    requirement(text);
  } catch (error) {
    if (error instanceof SimError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe("a requirement", () => {
  test.each([
    ["always altitude>2m", "always altitude > 2 m"],
    ["altitudeM > 10 and armed == 1", "altitudeM > 10 and armed == 1"],
    ["never tilt > 60 deg during 1 min..2 min", "never tilt > 60 deg during 60 s..120 s"],
    ["for 5 s after engine-out: altitude > 2 m", "for 5 s after engine-out: altitude > 2 m"],
    ["from 500 ms to 2 s after touchdown: speed < 0.1 m/s", "from 500 ms to 2 s after touchdown: speed < 0.1 m/s"],
    ["a-name implies landed", "if a-name then landed"],
    ["always norm(posNed - setPosNed) < 1.5 m", "always norm(posNed - setPosNed) < 1.5 m"],
    ["batteryVoltage[1] > 14 V", "batteryVoltage[1] > 14 V"],
    ["navState is not land", "navState is not land"],
    ["always landDetected is not in the air during 0 s..1 s", "always landDetected is not in the air during 0 s..1 s"],
    ["always (once touching in the last 3 s)", "always once touching in the last 3 s"],
    ["while navState is hold: positionError < 50 cm", "while navState is hold: positionError < 50 cm"],
    ["at 3 s: not (landed or touching)", "at 3 s: not (landed or touching)"],
    ["after missionItem 2: climb > -2 m/s", "after missionItem 2: climb > -2 m/s"],
    ["load < 2 g", "load < 2 g"],
    ["abs(velNed.d) < 3 * 1 m/s", "abs(velNed.d) < 3 * 1 m/s"],
    ["power / batteryVoltageV < 40 A", "power / batteryVoltageV < 40 A"],
    ["after (altitude > 10 m): altitude > 5 m", "after (altitude > 10 m): altitude > 5 m"],
    ["rateBody.x < 90 deg/s", "rateBody.x < 90 deg/s"],
  ])("%j is parsed as %j", (text, canonical) => {
    expect(requirement(text).text).toBe(canonical);
    expect(requirement(canonical).text).toBe(canonical);
  });

  test.each([
    ["tilt < 35 deg landed", "REQUIRE-001", '"landed" is left over', 'join two statements by "and"'],
    ["always altitud > 2 m", "REQUIRE-002", 'no quantity is called "altitud"', 'did you mean "altitude"?'],
    ["always altitude > 2", "REQUIRE-003", '"altitude > 2" compares a length with a bare number', "e.g. 2 m"],
    ["altitude > 3 deg", "REQUIRE-003", "compares a length with an angle", "a length on both sides"],
    ["altitude + tilt > 3 m", "REQUIRE-003", "adds a length to an angle", "a length on both sides"],
    ["posNed > 3 m", "REQUIRE-003", "is a vector of 3", "norm("],
    ["altitude > 2 m during 3..5 s", "REQUIRE-004", "the time 3 has no unit", "3 s, 3 ms or 3 min"],
    ["at 0.3 us: landed", "REQUIRE-004", "0.3 us is not a whole number of microseconds", "round it"],
    ["always altitude", "REQUIRE-006", '"altitude" is a length, not a statement', "altitude < 5 m"],
    ["positionError == 0 m", "REQUIRE-007", "cannot be compared for equality", "abs(positionError - 0 m) < …"],
    ["navState is lnd", "REQUIRE-008", 'navState is never "lnd"', 'did you mean "land"?'],
    ["landed during 5 s..3 s", "REQUIRE-009", "ends before it begins", "swap"],
    ["altitude > 0 m until landed within 3 s", "REQUIRE-010", "does not say from when", '"always …"'],
    ["while within 2 s: landed: armed", "REQUIRE-010", "about one instant", "leave out"],
    ["posNed.q > 1 m", "REQUIRE-002", 'posNed has no component "q"', "n, e, d"],
    ["posNed[4] > 1 m", "REQUIRE-011", "there is no posNed[4]", "from 1 to 3"],
    ["batteryVoltage[0] > 9 V", "REQUIRE-011", "batteryVoltage is numbered from 1", "batteryVoltage[1]"],
    ["never tilt > 60 degrees", "REQUIRE-001", '"degrees" is not a unit', 'write "deg"'],
    ["never rateBody.x > 6 rads/s", "REQUIRE-001", '"rads" is not a unit', 'did you mean "rad/s"?'],
    ["never altitude > 6 furlongs", "REQUIRE-001", '"furlongs" is not a unit', "write e.g. 60 deg"],
    ["never tilt > 60 °", "REQUIRE-001", '"°" has no meaning', 'write "deg"'],
    ["never tilt => 60 deg", "REQUIRE-001", '"=" has no meaning', 'write ">="'],
    ["landed || armed", "REQUIRE-001", '"|" has no meaning', 'write "or"'],
    ["always !armed", "REQUIRE-001", '"!" has no meaning', 'write "not"'],
    ["landed # armed", "REQUIRE-001", '"#" has no meaning', "remove it"],
    ["never altitude > 2 m for 3 s", "REQUIRE-001", '"for" is left over', "before the comparison"],
    ["altitude > 2 m while armed", "REQUIRE-001", '"while" is left over', '"while …: …"'],
    ["Never tilt > 60 deg", "REQUIRE-001", '"tilt" is left over', 'write "never" instead of "Never"'],
    ["tilt > 6 deg AND landed", "REQUIRE-001", '"AND" is left over', 'did you mean "and"?'],
    ["armed == 1 AND landed", "REQUIRE-001", '"AND" is left over', 'did you mean "and"?'],
    ["max tilt < 60 deg", "REQUIRE-001", '"tilt" is left over', "always tilt < …"],
    ["altitude above 2 m", "REQUIRE-001", '"above" is left over', "compare with >"],
    ["", "REQUIRE-001", "the text ends too early", "write"],
    ["after always: landed", "REQUIRE-001", "is a word of the language", "quotation marks"],
    [`${"not ".repeat(400)}landed`, "REQUIRE-013", "nested", "several"],
    [`landed${" or landed".repeat(1200)}`.slice(0, 10_000), "REQUIRE-013", "parts", "several"],
    ["x".repeat(10_001), "REQUIRE-013", "characters", "at most"],
  ])("%j is rejected with %s", (text, code, what, fix) => {
    const error = errorOf(text);
    expect({ code: error.code, what: error.what, fix: error.fix }).toEqual({
      code,
      what: expect.stringContaining(what) as string,
      fix: expect.stringContaining(fix) as string,
    });
    expect(error.where.mark?.column).toBeGreaterThan(0);
  });

  test("with an error is rejected with the place of the error in the text", () => {
    const { mark } = errorOf("always altitude > 2").where;
    expect(mark).toEqual({ text: "always altitude > 2", column: 19, length: 1 });
  });

  test("or measure from random text is accepted, or rejected with a typed error that has a place and a fix", () => {
    for (const text of randomTexts(2000, 1)) {
      for (const read of [requirement, parseMeasure]) {
        try {
          read(text);
        } catch (error) {
          expect(error, text).toBeInstanceOf(SimError);
          expect((error as SimError).where.mark, text).toBeDefined();
          expect((error as SimError).fix, text).not.toBe("");
        }
      }
    }
  });
});
