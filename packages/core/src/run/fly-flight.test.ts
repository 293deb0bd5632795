/** Signals of a flight that has ended can be read by name at any time of the flight. Wrong names and times are errors. */
import { describe, expect, it } from "vitest";
import { motor } from "../../../../tests/support/flights.ts";
import { flyFlight, flyFlightNow, recordingRun } from "./fly-flight.ts";
import { coreRegistry } from "../describe/registry.ts";
import { mustResolve, resolveFlight } from "../describe/resolve/resolve.ts";
import { unchecked } from "../describe/spec/spec.ts";

const spec = { extends: "drop", timeline: { endS: 0.1 } };
const flight = flyFlightNow(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)));

describe("a signal", () => {
  it.each(["posNed", "motorCommand", "windNed", "state"] as const)("%s is found by its name", (name) => {
    expect(flight.signal(name).at("50 ms").length).toBeGreaterThan(2);
  });

  it("that is misspelled gets a suggestion, even from the blocks of the state", () => {
    expect(() => flight.signal(unchecked("posNd"))).toThrow(/RECORD-003.*"posNd".*did you mean "posNed"\?/);
    expect(() => flight.signal(unchecked("windNedd"))).toThrow(/did you mean "windNed"\?/);
    expect(() => flight.signal(unchecked("nothing like it"))).toThrow(/one of: .*motorCommand.*posNed.*windNed/);
  });

  it("holds its last value until the end of the flight, and has no value after the end", () => {
    const { at } = flight.signal("posNed");
    expect(at(0.1)).toEqual(at("100 ms"));
    expect(() => at("900 s")).toThrow(/RECORD-011.*900 s.*ended at 0\.1 s/);
    expect(() => at(0.100001)).toThrow(/RECORD-011/);
  });

  it("rejects a time as text without a unit, as files do", () => {
    expect(() => flight.signal("posNed").at("0.05")).toThrow(/FLIGHT-004.*"0.05" is not a time.*"30 s" or 30/);
  });
});

describe("the recording of a flight", () => {
  const resolved = mustResolve(resolveFlight({ file: "test", spec }, coreRegistry));

  it("is made once, when it is first read", () => {
    const flown = flyFlightNow(resolved);
    const before = Object.getOwnPropertyDescriptor(flown, "recording")!;
    expect(before.get).toBeTypeOf("function");
    expect(flown.recording).toBe(flown.recording);
    expect({ ...flown }.recording).toBe(flown.recording);
  });

  it("does not change when its flight is rewound before the recording is first read", () => {
    const run = recordingRun(resolved, {});
    const start = run.flight.save();
    run.toEndNow();
    const flown = run.recorded();
    run.rewind(start);
    expect(flown.recording).toEqual(flight.recording);
  });

  it("does not include boundaries after it was requested", () => {
    const run = recordingRun(resolved, { yieldEvery: 10 });
    expect(run.toNextPause()).toBe("yield");
    const part = run.recorded();
    const count = run.flight.boundary.count;
    while (run.toNextPause() !== "end");
    expect(part.recording.boundaries.timesUs).toHaveLength(count);
    expect(run.recorded().recording).toEqual(flight.recording);
  });
});

describe("a flight that is not recorded", () => {
  it("has the result of a recorded one, without signals", async () => {
    const lean = await flyFlight({ extends: "drop", timeline: { endS: 0.1 } }, { record: false });
    const { recording, signal, judge, ...result } = flight;
    expect([recording, signal, judge]).not.toContain(undefined);
    expect(lean).toEqual(result);
  });

  it("throws the error that ends it", async () => {
    const autopilot = () => motor(4000, () => NaN);
    await expect(flyFlight({ extends: "drop" }, { record: false, autopilot })).rejects.toThrow(/ENGINE-/);
  });
});
