/** Conversion of seconds, axes in integers, and the clock. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTick, ticksBetween } from "../../../../tests/support/ticks.ts";
import { codeOf } from "../../../../tests/support/flights.ts";
import {
  everyBoundary,
  firstTickAtOrAfter,
  FlightClock,
  listedAxis,
  lowerBound,
  periodicAxis,
  secondsToUs,
  unionAxis,
  usToSeconds,
} from "./index.ts";
import { volume } from "../../../../tests/support/volume.ts";

describe("seconds to microseconds", () => {
  it("[D3] [L2.2] accepts the milliseconds of the first hour, written and computed as k times dt", () => {
    for (let k = 0; k <= 3_600_000; k += volume(7, 1)) {
      if (secondsToUs(k / 1000) !== 1000 * k) expect.fail(`${k / 1000} s`);
      if (secondsToUs(k * 0.001) !== 1000 * k) expect.fail(`${k} · 0.001 s`);
    }
  });

  it("[D3] [L2.2] accepts times that are inexact in binary, and rejects half microseconds", () => {
    for (const seconds of [8.002, 8.3, 8.8, 9.3, 9 * 0.001, 199.999, 12345.678901]) {
      expect(secondsToUs(seconds)).toBe(Math.round(seconds * 1e6));
    }
    for (const seconds of [0.0000015, 5e-7, 1e-7, 0.1234567, 1 / 3, 8.0000005]) {
      expect(codeOf(() => secondsToUs(seconds))).toBe("TIME-001");
    }
  });

  it("[L2.2] rejects values that are not finite or too large", () => {
    for (const seconds of [NaN, Infinity, -Infinity, 1e8, -1e8]) {
      expect(codeOf(() => secondsToUs(seconds))).toBe("TIME-002");
    }
    expect(secondsToUs(99_999_999.999999)).toBe(99_999_999_999_999);
  });

  it("[L2.2] never gives −0", () => {
    expect(Object.is(secondsToUs(-0), 0)).toBe(true);
    expect(Object.is(secondsToUs(0), 0)).toBe(true);
  });

  it("[L2.3] round-trips every microsecond", () => {
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 }), (us) => {
        expect(secondsToUs(usToSeconds(us))).toBe(us + 0);
      }),
    );
  });

  it("[L2.3] converts by division: 0.1 s is exact, while multiplying by 1e-6 falls short", () => {
    expect(usToSeconds(100_000)).toBe(0.1);
    expect(100_000 * 1e-6).toBeLessThan(0.1);
    const clock = new FlightClock();
    clock.set(1_100_000);
    expect(clock.s).toBe(1.1);
    expect(clock.us).toBe(1_100_000);
  });

  it("suggests the nearest microsecond", () => {
    expect(() => secondsToUs(0.0000015, "delay")).toThrow("delay of 0.0000015 s is not a whole number of microseconds");
    expect(() => secondsToUs(0.0000015)).toThrow("use 0.000002 s, which is the nearest");
  });
});

describe("axes", () => {
  it("[L2.1] periodic ticks come from integers: the millionth is exact", () => {
    const axis = periodicAxis({ periodUs: 3_333, startUs: 7 });
    expect(firstTickAtOrAfter(axis, 7 + 3_333 * 1_000_000)).toBe(7 + 3_333 * 1_000_000);
    expect(firstTickAtOrAfter(axis, 7 + 3_333 * 1_000_000 + 1)).toBe(7 + 3_333 * 1_000_001);
    expect(firstTickAtOrAfter(axis, -50)).toBe(7);
  });

  it("[L2.1] agrees with a list of the same ticks, for any period, start and time", () => {
    const whole = fc.integer({ min: 1, max: 5_000 });
    fc.assert(
      fc.property(
        whole,
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 0, max: 40_000 }),
        (periodUs, startUs, tUs) => {
          const axis = periodicAxis({ periodUs, startUs });
          const listed = listedAxis(ticksBetween(axis, 0, 50_000));
          expect(firstTickAtOrAfter(axis, tUs)).toBe(firstTickAtOrAfter(listed, tUs));
          expect(isTick(axis, tUs)).toBe(isTick(listed, tUs));
        },
      ),
    );
  });

  it("lists are sorted and have no duplicates; there is no tick after the last one", () => {
    const axis = listedAxis([30, 10, 20, 10]);
    expect([...axis.timesUs]).toEqual([10, 20, 30]);
    expect(firstTickAtOrAfter(axis, 31)).toBe(Infinity);
    expect(ticksBetween(axis, 11, 30)).toEqual([20, 30]);
    expect(lowerBound(axis.timesUs, 20)).toBe(1);
  });

  it("a union is due when any of its axes is, including those of nested unions", () => {
    const axis = unionAxis(listedAxis([5]), unionAxis(periodicAxis({ periodUs: 10 })));
    expect([0, 5, 7, 10].map((tUs) => isTick(axis, tUs))).toEqual([true, true, false, true]);
    expect(isTick(unionAxis(everyBoundary), 3)).toBe(true);
  });

  it("rejects periods and times that are not whole microseconds", () => {
    expect(codeOf(() => periodicAxis({ periodUs: 0 }))).toBe("TIME-003");
    expect(codeOf(() => periodicAxis({ periodUs: 1.5 }))).toBe("TIME-003");
    expect(codeOf(() => periodicAxis({ periodUs: 10, startUs: 0.5 }))).toBe("TIME-003");
    expect(codeOf(() => listedAxis([1, NaN]))).toBe("TIME-003");
    expect(codeOf(() => listedAxis([2 ** 53]))).toBe("TIME-003");
  });
});
