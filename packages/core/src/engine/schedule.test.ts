/** The schedule: which boundary is next and what is due there. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTick, ticksBetween } from "../../../../tests/support/ticks.ts";
import { codeOf } from "../../../../tests/support/flights.ts";
import { Snapshot } from "../snapshot/index.ts";
import {
  everyBoundary,
  listedAxis,
  periodicAxis,
  unionAxis,
  type ListedAxis,
  type PeriodicAxis,
} from "../time/index.ts";
import { type AxisEntry, DUE_BITS, dueNames, Schedule } from "./index.ts";

const { scenario, wind, autopilot, log, physics, imu } = DUE_BITS;

const every = (periodUs: number, due: number): AxisEntry => ({ axis: periodicAxis({ periodUs }), due });
const at = (timesUs: readonly number[], due: number): AxisEntry => ({ axis: listedAxis(timesUs), due });

/** Returns every boundary as [time, names of the due bits]. */
function walk(schedule: Schedule, atBoundary: (schedule: Schedule) => void = () => {}): [number, string][] {
  const seen: [number, string][] = [];
  for (;;) {
    atBoundary(schedule);
    seen.push([schedule.nowUs, dueNames(schedule.due).join(" ")]);
    if (schedule.isLast) return seen;
    schedule.advance();
  }
}

describe("due", () => {
  it("[L3.2] flags exactly the axes with a tick, at the start and at the next boundary", () => {
    const axes = [
      every(10_000, autopilot),
      every(20_000, wind),
      every(10_000, log),
      every(2_000, physics),
      at([0], scenario),
    ];
    const schedule = new Schedule({ startUs: 0, endUs: 20_000, axes });
    expect(dueNames(schedule.due)).toEqual(["scenario", "wind", "autopilot", "log", "physics"]);
    schedule.advance();
    expect(schedule.nowUs).toBe(2_000);
    expect(dueNames(schedule.due)).toEqual(["physics"]);
  });

  it("[L8.1] an event at 5 ms is a boundary although the autopilot ticks every 10 ms; the end is also a boundary, and it is logged", () => {
    const axes = [every(10_000, autopilot), every(20_000, wind), every(20_000, log), at([0, 5_000], scenario)];
    expect(walk(new Schedule({ startUs: 0, endUs: 12_000, axes }))).toEqual([
      [0, "scenario wind autopilot log"],
      [5_000, "scenario"],
      [10_000, "autopilot"],
      [12_000, "log"],
    ]);
  });

  it("[L2.1] axes of 2, 10 and 20 ms are due at exactly the right steps, even after 10 000 steps", () => {
    const schedule = new Schedule({
      startUs: 0,
      endUs: 20_000_000,
      axes: [every(2_000, physics), every(10_000, autopilot), every(20_000, log)],
    });
    let step = 0;
    for (const [tUs, names] of walk(schedule)) {
      expect(tUs).toBe(2_000 * step);
      expect(names).toBe(
        [step % 5 === 0 ? "autopilot" : "", step % 10 === 0 ? "log" : "", "physics"].filter(Boolean).join(" "),
      );
      step += 1;
    }
    expect(step).toBe(10_001);
  });

  it("[L2.1] ten minutes have 300 001 boundaries and 60 001 autopilot ticks 10 ms apart, the last at the end", () => {
    const axes = [every(2_000, physics), every(10_000, autopilot), every(20_000, wind), every(50_000, log)];
    const schedule = new Schedule({ startUs: 0, endUs: 600_000_000, axes });
    let boundaries = 0;
    let ticks = 0;
    let lastUs = -10_000;
    for (;;) {
      boundaries += 1;
      if ((schedule.due & autopilot) !== 0) {
        if (schedule.nowUs - lastUs !== 10_000) expect.fail(`at ${schedule.nowUs} µs`);
        lastUs = schedule.nowUs;
        ticks += 1;
      }
      if (schedule.isLast) break;
      schedule.advance();
    }
    expect([boundaries, ticks, lastUs]).toEqual([300_001, 60_001, 600_000_000]);
  });

  it("[L2.1] [L7.1] for any axes: times strictly increase from start to end, an axis is due exactly at its ticks, the last boundary is logged", () => {
    const periods = fc.record({
      endUs: fc.integer({ min: 0, max: 500_000 }),
      startUs: fc.integer({ min: 0, max: 5_000 }),
      ap: fc.integer({ min: 1_000, max: 100_000 }),
      windPeriod: fc.integer({ min: 1_000, max: 150_000 }),
      logPeriod: fc.integer({ min: 1_000, max: 200_000 }),
      phys: fc.option(fc.integer({ min: 1_000, max: 50_000 })),
      events: fc.array(fc.integer({ min: 0, max: 600_000 }), { maxLength: 10 }),
    });
    fc.assert(
      fc.property(periods, ({ endUs, startUs, ap, windPeriod, logPeriod, phys, events }) => {
        const axes = [every(ap, autopilot), every(windPeriod, wind), every(logPeriod, log), at(events, scenario)];
        if (phys !== null) axes.push(every(phys, physics));
        const schedule = new Schedule({ startUs, endUs: startUs + endUs, axes });
        const seen: number[] = [];
        walk(schedule, ({ nowUs, due, isLast }) => {
          seen.push(nowUs);
          for (const { axis, due: bit } of axes) {
            if (bit === log && isLast) expect(due & log).toBe(log);
            else expect((due & bit) !== 0).toBe(isTick(axis, nowUs));
          }
        });
        expect(seen[0]).toBe(startUs);
        expect(seen.at(-1)).toBe(startUs + endUs);
        expect(seen.every((tUs, i) => i === 0 || tUs > seen[i - 1]!)).toBe(true);
        const ticks = axes.flatMap(({ axis }) =>
          ticksBetween(axis as PeriodicAxis | ListedAxis, startUs, startUs + endUs),
        );
        expect(seen).toEqual([...new Set([startUs, ...ticks, startUs + endUs])].sort((a, b) => a - b));
      }),
      { numRuns: 60 },
    );
  });

  it("[L3.2] an every-boundary axis is always due and adds no boundary; a union is due when any of its axes is", () => {
    const axes = [
      { axis: everyBoundary, due: wind },
      { axis: unionAxis(listedAxis([3]), periodicAxis({ periodUs: 5 })), due: scenario },
      every(4, imu),
    ];
    expect(walk(new Schedule({ startUs: 0, endUs: 6, axes }))).toEqual([
      [0, "scenario wind imu"],
      [3, "scenario wind"],
      [4, "wind imu"],
      [5, "scenario wind"],
      [6, "wind log"],
    ]);
  });

  it("[L7.1] a flight of zero duration is one boundary that is first and last", () => {
    expect(walk(new Schedule({ startUs: 7, endUs: 7, axes: [every(7, autopilot)] }))).toEqual([[7, "autopilot log"]]);
  });

  it("[L10.6] rejects an end before the start, a start before zero and times that are not whole microseconds", () => {
    const codeFor = (startUs: number, endUs: number) => codeOf(() => new Schedule({ startUs, endUs, axes: [] }));
    expect([codeFor(5, 4), codeFor(-1, 4), codeFor(0, 1.5), codeFor(0, Infinity)]).toEqual(Array(4).fill("ENGINE-007"));
  });
});

describe("insertion", () => {
  const fresh = () => new Schedule({ startUs: 0, endUs: 100, axes: [every(50, autopilot)] });

  it("[L8.2] becomes a boundary at which the scenario is due, marked as inserted", () => {
    const schedule = fresh();
    schedule.insert(30);
    schedule.insert(70);
    schedule.insert(30);
    expect(walk(schedule)).toEqual([
      [0, "autopilot"],
      [30, "scenario inserted"],
      [50, "autopilot"],
      [70, "scenario inserted"],
      [100, "autopilot log"],
    ]);
  });

  it("[L3.4] at an existing boundary makes the scenario due there, and adds no second boundary", () => {
    const schedule = fresh();
    schedule.insert(50);
    schedule.insert(100);
    expect(walk(schedule)).toEqual([
      [0, "autopilot"],
      [50, "scenario autopilot"],
      [100, "scenario autopilot log"],
    ]);
  });

  it("[L8.2] at or before the present gives a typed error with both times; so does a fraction", () => {
    const schedule = fresh();
    schedule.advance();
    expect(codeOf(() => schedule.insert(50))).toBe("ENGINE-001");
    expect(codeOf(() => schedule.insert(49))).toBe("ENGINE-001");
    expect(codeOf(() => schedule.insert(50.5))).toBe("ENGINE-001");
    expect(() => schedule.insert(20)).toThrow("requested at 20 µs, but the flight is already at 50 µs");
    schedule.insert(51);
    const nextUs = new Float64Array(1);
    schedule.peekInto(nextUs, 0);
    expect(nextUs[0]).toBe(51);
  });

  it("[L8.2] after the end is stored but never reached", () => {
    const schedule = fresh();
    schedule.insert(101);
    expect(walk(schedule).map(([tUs]) => tUs)).toEqual([0, 50, 100]);
    expect(Snapshot.of({ save: (writer) => schedule.save(writer), load: () => {} }).sections[1]!.values).toContain(101);
  });
});

describe("memory", () => {
  it("[L9.7] after saving and loading at any boundary, the same boundaries follow, inserted ones included", () => {
    const make = () =>
      new Schedule({ startUs: 0, endUs: 60, axes: [every(20, autopilot), at([7, 33], scenario), every(15, log)] });
    const insertions = (schedule: Schedule) => {
      if (schedule.nowUs === 15) for (const tUs of [16, 33, 40, 41, 99]) schedule.insert(tUs);
    };
    const whole = walk(make(), insertions);
    for (let i = 0; i < whole.length; i += 1) {
      const first = make();
      for (let k = 0; k < i; k += 1) {
        insertions(first);
        first.advance();
      }
      const saved = Snapshot.of({ save: (writer) => first.save(writer), load: () => {} });
      const second = make();
      saved.into({ save: () => {}, load: (reader) => second.load(reader) });
      expect(walk(second, insertions)).toEqual(whole.slice(i));
    }
  });

  it("[L7.2] an early end is the last boundary, and logged", () => {
    const schedule = new Schedule({ startUs: 0, endUs: 100, axes: [every(10, autopilot)] });
    const seen = walk(schedule, () => {
      if (schedule.nowUs === 30) schedule.endHere();
    });
    expect(seen.at(-1)).toEqual([30, "autopilot log"]);
    expect(schedule.endUs).toBe(30);
  });
});
