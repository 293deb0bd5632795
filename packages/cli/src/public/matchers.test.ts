/** Matchers for tests of flights: passes, failures and their messages. */
import { beforeAll, describe, expect, it } from "vitest";
import { fly, type FlyResult, readSeries } from "../index.ts";
import "./vitest.ts";

let flight: FlyResult;

beforeAll(async () => {
  const spec = {
    extends: "hover",
    timeline: { endS: 5 },
    requirements: [{ name: "upright", text: "never tilt > 60 deg" }],
  };
  flight = await fly(spec as never);
});

/** Returns the message of a failed expectation. */
function messageOf(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("the expectation did not fail");
}

describe("toMeet", () => {
  it("passes if the requirement holds; with `not`, passes if it is violated", async () => {
    expect(flight).toMeet("never tilt > 60 deg");
    expect(flight).toMeet("always altitude < 3 m", { margin: "20 cm" });
    expect(flight).not.toMeet("eventually altitude > 20 m");
    await expect(fly({ extends: "hover", timeline: { endS: 0.1 } })).resolves.toMeet("altitude < 1 m");
  });

  it("shows the requirement, its margin and the instant", () => {
    const message = messageOf(() => expect(flight).toMeet("always altitude > 1 m during 0 s..2 s"));
    expect(message).toMatch(
      /^expected the flight to meet\n\n {4}always altitude > 1 m during 0 s..2 s\n\nit is violated by \d\.\d+ m {3}altitude > 1 m at \d\.\d{3} s \(was /,
    );
    expect(messageOf(() => expect(flight).not.toMeet("never tilt > 60 deg"))).toMatch(
      /^expected the flight not to meet\n\n {4}never tilt > 60 deg\n\n"upright" holds by \d+(\.\d+)? deg {3}at /,
    );
    expect(messageOf(() => expect(flight).toMeet("altitude < 3 m", { margin: "5 m" }))).toMatch(
      /^expected the flight to meet by at least 5 m\n\n {4}altitude < 3 m\n\nit holds by /,
    );
  });

  it("fails both ways if the requirement is undecided or untested", () => {
    for (const text of ["always altitude > -1 m during 0 s..60 s", "within 2 s after touchdown: landed"]) {
      expect(messageOf(() => expect(flight).toMeet(text))).toMatch(/it is un(decided|tested)/);
      expect(messageOf(() => expect(flight).not.toMeet(text))).toMatch(/it is un(decided|tested)/);
    }
  });

  it("judges a log", async () => {
    const log = await readSeries("tests/fixtures/px4-log/takeoff.ulg");
    expect(log).toMeet("never tilt > 5 deg", { margin: "1 deg" });
    expect(messageOf(() => expect(log).toMeet("wind < 5 m/s"))).toContain("log the topic wind");
  });

  it.each([
    ["CLI-025", () => expect(3).toMeet("landed")],
    ["CLI-025", () => expect(Promise.resolve(flight)).toMeet("landed")],
    ["CLI-025", () => expect(flight).toMeet("altitude < 3 m", { margin: "3 deg" })],
    ["CLI-025", () => expect(flight).toMeet("altitude < 3 m", { margin: "much" })],
    ["CLI-025", () => expect(flight).toMeet("altitude < 3 m and tilt < 9 deg", { margin: "3 deg" })],
    ["REQUIRE-002", () => expect(flight).toMeet("altitud < 3 m")],
  ])("throws %s for anything that it cannot judge", (code, expectation) => {
    expect(expectation).toThrow(expect.objectContaining({ code }) as Error);
  });
});

describe("toHaveFingerprint", () => {
  it("compares the bits of the flight", () => {
    expect(flight).toHaveFingerprint(flight.fingerprint);
    expect(messageOf(() => expect(flight).toHaveFingerprint("fp1:0000-0000-0000-0000"))).toContain(flight.fingerprint);
    expect(() => expect(undefined).toHaveFingerprint("fp1:")).toThrow("not a flight");
  });
});
