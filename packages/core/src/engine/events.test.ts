/** Events inside an interval: crossings become boundaries; seams only restart the integrator. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cart,
  clockCart,
  codeOf,
  flightOf,
  flyRecorded,
  integrator,
  motor,
  scenario,
  springCart,
  watcher,
} from "../../../../tests/support/flights.ts";
import { isAdaptive, kindNamed } from "../../../../tests/support/dynamics.ts";
import { integratorKinds } from "../integrate/index.ts";
import { replayParts } from "../record/index.ts";
import { dueNames, flyNow, type EventFunctions, type Plant, type ScenarioSource } from "./index.ts";

const kinds = integratorKinds.map(({ name }) => name);

/** Fires whenever the position rises past a threshold; re-arms after it has fallen by the hysteresis. */
class Crossing implements ScenarioSource {
  readonly writer = "scenario";
  readonly axis = scenario("every", () => {}).axis;
  readonly firedUs: number[] = [];
  readonly armed = Float64Array.of(1);
  readonly eventFunctions: EventFunctions;
  private readonly threshold: number;
  private readonly hysteresis: number;

  constructor(threshold: number, options: { hysteresis?: number; sign?: 1 | -1 } = {}) {
    const { hysteresis = 0, sign = 1 } = options;
    this.threshold = sign * threshold;
    this.hysteresis = hysteresis;
    this.value = (x) => sign * x - this.threshold;
    this.eventFunctions = {
      crossingCount: 1,
      crossingsInto: (g, _timeS, x) => void (g[0] = this.value(x[0]!)),
      armed: this.armed,
    };
  }

  private readonly value: (x: number) => number;

  readonly update: ScenarioSource["update"] = (clock, bus) => {
    const value = this.value(bus.truth.whole()[0]!);
    if (this.armed[0] === 1 && value >= 0) {
      this.firedUs.push(clock.us);
      bus.requestCount[0]! += 1;
      this.armed[0] = 0;
    } else if (value < -this.hysteresis) {
      this.armed[0] = 1;
    }
  };

  save: ScenarioSource["save"] = (writer) => writer.numbers(this.armed);
  load: ScenarioSource["load"] = (reader) => reader.numbersInto(this.armed);
}

/** Returns every boundary that ran, as [time, names of the due bits]. */
function boundariesOf(parts: Parameters<typeof flightOf>[0]): [number, string][] {
  const seen: [number, string][] = [];
  flyNow(
    flightOf({
      ...parts,
      observers: [watcher(({ clock, due }) => void seen.push([clock.us, dueNames(due).join(" ")]))],
    }),
  );
  return seen;
}

describe("crossings", () => {
  it.each(kinds)("[L8.3] are located to the microsecond under %s: x = t passes 3.3335 ms at 3334 µs", (kind) => {
    const crossing = new Crossing(0.0033335);
    const seen = boundariesOf({
      endUs: 20_000,
      plant: clockCart(),
      scenario: crossing,
      autopilot: motor(10_000, () => 0),
      integrator: integrator(kind),
    });
    expect(crossing.firedUs).toEqual([3_334]);
    expect(seen).toEqual([
      [0, "scenario autopilot"],
      [3_334, "scenario inserted"],
      [10_000, "scenario autopilot"],
      [20_000, "scenario autopilot log"],
    ]);
  });

  it("[L8.3] a crossing at a whole microsecond is located there, not one microsecond later", () => {
    const crossing = new Crossing(3);
    flyNow(flightOf({ endUs: 10_000, plant: clockCart(1000), scenario: crossing, integrator: integrator("euler") }));
    expect(crossing.firedUs).toEqual([3_000]);
  });

  it("[L8.3] free fall to any depth is located at the first whole microsecond at which ½gt² has reached the depth", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 4, noNaN: true }),
        fc.constantFrom("rk4", "rk23", "rk45"),
        (depth, kind) => {
          const crossing = new Crossing(depth);
          flyNow(
            flightOf({
              endUs: 1_000_000,
              plant: cart(() => 9.80665),
              scenario: crossing,
              integrator: integrator(kind),
            }),
          );
          const exact = Math.sqrt((2 * depth) / 9.80665) * 1e6;
          expect(crossing.firedUs[0]! - exact).toBeGreaterThan(-1e-6);
          expect(crossing.firedUs[0]! - exact).toBeLessThan(1 + 1e-6);
        },
      ),
    );
  });

  it("[L8.3] an event function with the opposite sign finds a falling value", () => {
    const crossing = new Crossing(0.5, { sign: -1 });
    flyNow(
      flightOf({ endUs: 1_000_000, plant: springCart(Math.PI), scenario: crossing, integrator: integrator("rk45") }),
    );
    // cos(πt) = ½ at a third of a second.
    expect(crossing.firedUs).toEqual([333_334]);
  });

  it("[L8.5] a condition that starts and ends within one step is not found", () => {
    // The value is above the threshold for a quarter of a second within one RK4 step, and below it at both ends.
    const crossing = new Crossing(1.05);
    flyNow(flightOf({ endUs: 1_000_000, plant: cart(() => -8.8, { v: 4.4 }), scenario: crossing }));
    expect(crossing.firedUs).toEqual([]);
    const seen = new Crossing(1.05);
    flyNow(
      flightOf({ endUs: 1_000_000, plant: cart(() => -8.8, { v: 4.4 }), scenario: seen, physicsPeriodUs: 10_000 }),
    );
    expect(seen.firedUs).toHaveLength(1);
  });

  it("[L8.5] a value at its threshold at the start is not a crossing: the condition is already true", () => {
    const crossing = new Crossing(0);
    const seen = boundariesOf({ endUs: 1_000, plant: clockCart(), scenario: crossing });
    expect(crossing.firedUs).toEqual([0]);
    expect(seen.map(([tUs]) => tUs)).toEqual([0, 1_000]);
  });

  it("[L8.6] re-arm only after the value has fallen below the threshold by the hysteresis", () => {
    // cos(2πt) rises through 0.5 at 5/6, 11/6, … s. In between it falls by 1.5, to −1.
    const run = (hysteresis: number) => {
      const crossing = new Crossing(0.5, { hysteresis });
      flyNow(
        flightOf({
          endUs: 4_000_000,
          plant: springCart(2 * Math.PI),
          scenario: crossing,
          physicsPeriodUs: 50_000,
          integrator: integrator("rk45"),
        }),
      );
      return crossing.firedUs;
    };
    expect(run(1.6)).toEqual([0]);
    expect(run(1.4)).toEqual([0, 833_334, 1_833_334, 2_833_334, 3_833_334]);
  });

  it("[L8.3] two crossings at the same microsecond make one boundary, at which both conditions hold", () => {
    const values: number[] = [];
    const eventFunctions: EventFunctions = {
      crossingCount: 2,
      crossingsInto(g, _timeS, x) {
        g[0] = x[0]! - 0.0012341;
        g[1] = x[0]! - 0.0012349;
      },
      armed: [1, 1],
    };
    const both = scenario("every", (clock, bus) => void (clock.us === 1_235 && values.push(bus.truth.whole()[0]!)), {
      eventFunctions,
    });
    const seen = boundariesOf({ endUs: 5_000, plant: clockCart(), scenario: both });
    expect(seen.map(([tUs]) => tUs)).toEqual([0, 1_235, 5_000]);
    expect(values[0]).toBeGreaterThanOrEqual(0.0012349);
  });

  it("[L8.3] of two crossings, the earlier is located first", () => {
    const eventFunctions: EventFunctions = {
      crossingCount: 2,
      crossingsInto(g, _timeS, x) {
        g[0] = x[0]! - 0.0040005;
        g[1] = x[0]! - 0.0020005;
      },
      armed: [1, 1],
    };
    const seen = boundariesOf({
      endUs: 9_000,
      plant: clockCart(),
      scenario: scenario("every", () => {}, { eventFunctions }),
    });
    expect(seen.map(([tUs]) => tUs)).toEqual([0, 2_001, 4_001, 9_000]);
  });

  it("[L3.4] a crossing at a boundary runs the scenario there even if it was not due", () => {
    const times: number[] = [];
    const crossing = new Crossing(10);
    const held: ScenarioSource = {
      ...crossing,
      axis: { kind: "listed", timesUs: new Float64Array(0) },
      update: (clock, bus) => {
        times.push(clock.us);
        crossing.update(clock, bus);
      },
    };
    const seen = boundariesOf({
      endUs: 20_000,
      plant: clockCart(1000),
      scenario: held,
      autopilot: motor(10_000, () => 0),
      integrator: integrator("euler"),
    });
    expect(times).toEqual([0, 10_000]);
    expect(seen[1]).toEqual([10_000, "scenario autopilot"]);
  });

  it.each(kinds)(
    "[L8.4] a located crossing gives under %s the same bits as a flight with that boundary scheduled",
    (kind) => {
      const located = flyRecorded({
        endUs: 1_000_000,
        plant: springCart(),
        scenario: new Crossing(-0.5, { sign: -1 }),
        logPeriodUs: 100_000,
        integrator: integrator(kind),
      });
      const instant = located.recording.boundaries.timesUs.find((_, i) =>
        dueNames(located.recording.boundaries.due[i]!).includes("inserted"),
      )!;
      const scheduled = flyRecorded({
        endUs: 1_000_000,
        plant: springCart(),
        scenario: scenario("every", () => {}, {
          axis: { kind: "listed", timesUs: located.recording.boundaries.timesUs },
        }),
        logPeriodUs: 100_000,
        integrator: integrator(kind),
      });
      expect(instant).toBeGreaterThan(0);
      expect(scheduled.fingerprint.text()).toBe(located.fingerprint.text());
    },
  );

  it("[L8.7] more than 16 between two scheduled boundaries give a typed error with the time", () => {
    const chatter = (count: number): ScenarioSource => {
      const armed = Float64Array.of(1);
      let fired = 0;
      const threshold = () => (fired + 1) * 1e-5 - 1e-12;
      return scenario(
        "every",
        (_clock, bus) => {
          if (bus.truth.whole()[0]! >= threshold()) fired += 1;
          armed[0] = fired < count ? 1 : 0;
        },
        // A series of thresholds 10 µs apart: each is armed as soon as the one before it has been crossed.
        {
          eventFunctions: {
            crossingCount: 1,
            armed,
            crossingsInto: (g, _timeS, x) => void (g[0] = x[0]! - threshold()),
          },
        },
      );
    };
    const run = (count: number) => flyNow(flightOf({ endUs: 10_000, plant: clockCart(), scenario: chatter(count) }));
    expect(run(16).boundaries).toBe(18);
    expect(codeOf(() => run(17))).toBe("ENGINE-002");
    expect(() => run(17)).toThrow(
      "17 crossings were located since the last scheduled boundary (at 0.000170 s, in stage integrate)",
    );
    // A scheduled boundary in between starts a new count.
    const split = flyNow(flightOf({ endUs: 10_000, plant: clockCart(), scenario: chatter(30), physicsPeriodUs: 155 }));
    expect(split.boundaries).toBe(30 + 66);
  });

  it("[L8.4] a trial is undone: its evaluations are counted, but it changes no bit", () => {
    const parts = { endUs: 500_000, plant: springCart(), integrator: integrator("rk45") };
    const plain = flyNow(flightOf(parts));
    const never: EventFunctions = { crossingCount: 1, armed: [1], crossingsInto: (g) => void (g[0] = -1) };
    const watched = flyRecorded({ ...parts, scenario: scenario("every", () => {}, { eventFunctions: never }) });
    const alone = flyRecorded({ ...parts, scenario: scenario("every", () => {}) });
    expect(watched.fingerprint.text()).toBe(alone.fingerprint.text());
    expect(watched.end.stats.accepted).toBe(plain.stats.accepted);
  });
});

/** Makes a ball on a floor with a spring force, so that the equations change at contact. */
function bouncing(start: { x: number; v?: number }, floors: readonly number[] = [0]): Plant {
  return {
    ...cart(() => 0, start),
    derivativesInto(dx, _timeS, x) {
      dx[0] = x[1]!;
      dx[1] = -9.80665 + (x[0]! < 0 ? -4000 * x[0]! : 0);
    },
    seamCount: floors.length,
    seamsInto: (g, _timeS, x) => floors.forEach((floor, i) => void (g[i] = x[0]! - floor)),
  };
}

describe("seams", () => {
  it.each(kinds)("[L8.8] under %s are counted, run no stage, are not recorded, and do not call project", (kind) => {
    let projected = 0;
    const plant: Plant = { ...bouncing({ x: 0.1 }), project: () => ((projected += 1), 0) };
    const { end, recording } = flyRecorded({
      endUs: 600_000,
      plant,
      physicsPeriodUs: 20_000,
      integrator: integrator(kind, kind === "euler" || kind === "rk4" ? { substepUs: 1_000 } : {}),
    });
    expect(end.stats.seams).toBeGreaterThanOrEqual(4);
    expect(end.boundaries).toBe(31);
    expect(recording.boundaries.timesUs).toHaveLength(31);
    expect(projected).toBe(30);
  });

  it("[L8.8] the integrator stops at the microsecond of touchdown and conserves energy far better than without seams", () => {
    const energy = (x: Float64Array) => 0.5 * x[1]! * x[1]! + 9.80665 * x[0]! + (x[0]! < 0 ? 2000 * x[0]! * x[0]! : 0);
    const drift = (seams: boolean) => {
      const plant = bouncing({ x: 0.1 });
      const { seamsInto: _, seamCount: __, ...withoutSeams } = plant;
      const { flight } = flyRecorded({
        endUs: 2_000_000,
        plant: seams ? plant : withoutSeams,
        physicsPeriodUs: 20_000,
        integrator: integrator("rk4", { substepUs: 2_000 }),
      });
      return Math.abs(energy(flight.x) - 0.980665);
    };
    expect(drift(true)).toBeLessThan(drift(false) / 10);
  });

  it("[L8.9] are stepped over and counted after the first 16 between two scheduled boundaries", () => {
    // 40 floors 1 mm apart, passed in one interval at 1 m/s, in steps of 0.1 ms.
    const floors = Array.from({ length: 40 }, (_, i) => 0.0005 + i / 1000);
    const plant: Plant = {
      ...clockCart(),
      seamCount: 40,
      seamsInto: (g, _timeS, x) => floors.forEach((floor, i) => void (g[i] = x[0]! - floor)),
    };
    const run = (physicsPeriodUs?: number) =>
      flyNow(
        flightOf({
          endUs: 50_000,
          plant,
          integrator: integrator("rk4", { substepUs: 100 }),
          ...(physicsPeriodUs === undefined ? {} : { physicsPeriodUs }),
        }),
      );
    expect(run()).toMatchObject({ passedSeams: 24, stats: { seams: 16 } });
    expect(run(10_000)).toMatchObject({ passedSeams: 0, stats: { seams: 40 } });
  });

  it("[L8.8] the recorded boundaries are the same under another integrator, which may locate other seams", () => {
    const times = (kind: string) => {
      const { recording } = flyRecorded({
        endUs: 400_000,
        plant: bouncing({ x: 0.1 }),
        physicsPeriodUs: 100_000,
        integrator: integrator(kind),
      });
      return [...recording.boundaries.timesUs];
    };
    expect(times("rk45")).toEqual(times("rk23"));
  });

  it.each(kinds.filter((kind) => kind !== "euler"))(
    "[L8.4] [L9.6] a crossing after a seam replays to the same bits under %s",
    (kind) => {
      // The seam and the crossing are in one long step. The instant at which the seam is located depends on the step,
      // and so on the end of the interval.
      const plant: Plant = { ...springCart(), seamCount: 1, seamsInto: (g, _timeS, x) => void (g[0] = x[0]! - 0.3) };
      const eventFunctions: EventFunctions = {
        crossingCount: 1,
        armed: [1],
        crossingsInto: (g, _timeS, x) => void (g[0] = -0.2 - x[0]!),
      };
      const parts = {
        plant,
        logPeriodUs: 390_000,
        integrator: integrator(kind, isAdaptive(kindNamed(kind)) ? { toleranceScale: 1e6 } : {}),
      };
      const live = flyRecorded({ ...parts, endUs: 780_000, scenario: scenario("every", () => {}, { eventFunctions }) });
      expect(dueNames(live.recording.boundaries.due[1]!)).toContain("inserted");
      expect(live.end.stats.seams).toBeGreaterThan(0);
      const replayed = flyRecorded({ ...parts, ...replayParts(live.recording, plant.layout) });
      expect(replayed.fingerprint.text()).toBe(live.fingerprint.text());
      expect(replayed.end.stats.seams).toBe(live.end.stats.seams);
    },
  );
});
