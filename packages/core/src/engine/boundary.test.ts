/** One boundary: the order of the stages, the values that each part reads, the values that are held, and the errors. */
import { describe, expect, it } from "vitest";
import {
  cart,
  clockCart,
  codeOf,
  commandCart,
  flightOf,
  flyRecorded,
  integrator,
  motor,
  RowSink,
  scalarBlock,
  scenario,
  source,
  springCart,
  U,
  watcher,
  windCart,
} from "../../../../tests/support/flights.ts";
import { InvariantError, SimError } from "../errors/index.ts";
import { Snapshot } from "../snapshot/index.ts";
import { StateLayout } from "../state/index.ts";
import { type Axis, type Clock, everyBoundary, listedAxis, periodicAxis } from "../time/index.ts";
import { DUE_BITS, flightLoop, flyNow, type Plant, type Probe, type SensorSource, STAGES, type View } from "./index.ts";

/** Makes a cart that outputs its state and input, counts evaluations, and jumps to a position given by its command. */
function reportingCart(): Plant & { jumps: number[]; evaluations: number } {
  const plant = {
    ...cart((u) => u[U.motorCommand]!),
    jumps: [] as number[],
    evaluations: 0,
    outputsInto(y: View<"outputs">, timeS: Float64Array, x: Float64Array, u: Float64Array) {
      plant.evaluations += 1;
      y.accNed[0] = x[0]!;
      y.accNed[1] = u[U.motorCommand]!;
      y.accNed[2] = u[U.windNed]!;
      y.airDensity[0] = timeS[0]!;
    },
    jump(x: Float64Array, u: Float64Array) {
      plant.jumps.push(u[U.motorCommand]!);
      x[0] = 100 + u[U.motorCommand]!;
    },
  };
  return plant;
}

describe("observers", () => {
  it("are called at every boundary, or at the first and whenever one of their bits is due", () => {
    const shown: Record<string, number[]> = { all: [], logs: [] };
    const observer = (name: string) => watcher(({ clock }) => void shown[name]!.push(clock.us));
    const logs = { ...observer("logs"), dueMask: DUE_BITS.log };
    flyNow(
      flightOf({
        endUs: 50,
        plant: commandCart(),
        physicsPeriodUs: 10,
        logPeriodUs: 20,
        sinks: [new RowSink()],
        observers: [observer("all"), logs],
      }),
    );
    expect(shown).toEqual({ all: [0, 10, 20, 30, 40, 50], logs: [0, 20, 40, 50] });
  });
});

describe("order", () => {
  it("[L3.1] is scenario, wind, outputs, estimator, telemetry, autopilot, discontinuities, log", () => {
    const order = STAGES.map(({ name }) => name).join(" ");
    expect(order).toBe("scenario wind outputs estimator telemetry autopilot discontinuities log");
  });

  it("[L3.1] [L3.3] is the same at every boundary; sensors run before the estimator, in table order", () => {
    const calls: string[] = [];
    const plant = {
      ...commandCart(),
      outputsInto: () => void calls.push("outputs"),
      jump: () => void calls.push("jump"),
      project: () => (calls.push("project"), 0),
    };
    const record = (word: string) => () => void calls.push(word);
    const flight = flightOf({
      endUs: 10_000,
      plant,
      scenario: scenario(10_000, record("scenario")),
      wind: source("wind", 10_000, record("wind")),
      sensors: [source("imu", 10_000, record("imu")), source("gnss", 10_000, record("gnss"))],
      estimator: source("estimator", 10_000, record("estimator")),
      autopilot: source("autopilot", 10_000, record("autopilot")),
      probes: [{ observe: record("probe") }],
      observers: [watcher(record("observer"))],
      sinks: [Object.assign(new RowSink(), { row: record("row") })],
      logPeriodUs: 10_000,
    });
    flyNow(flight);
    const once = [
      "scenario",
      "wind",
      "outputs",
      "imu",
      "gnss",
      "estimator",
      "probe",
      "autopilot",
      "jump",
      "outputs",
      "observer",
      "row",
    ];
    expect(calls).toEqual([...once, "project", ...once]);
  });

  it("[L3.1] each stage sees the signals that earlier stages wrote at this instant", () => {
    const flown = flyRecorded({
      endUs: 30_000,
      plant: commandCart(),
      scenario: scenario(10_000, (clock, bus) => void (bus.windGustNed[0] = clock.us + 1)),
      wind: source("wind", 10_000, (_clock, bus) => void (bus.windBaseNed[0] = bus.windGustNed[0]! + 1)),
      estimator: source("estimator", 10_000, (_clock, bus) => void (bus.estPosNed[0] = bus.windNed[0]! + 1)),
      autopilot: source("autopilot", 10_000, (_clock, bus) => void (bus.setPosNed[0] = bus.estPosNed[0]! + 1)),
      logPeriodUs: 10_000,
    });
    const expected = [0, 10_000, 20_000, 30_000].map((tUs) => 2 * (tUs + 1) + 1 + 2);
    expect(flown.sink.column("set_pos_ned_n_m")).toEqual(expected);
  });

  it("[L3.1] [L5.2] scenario, wind and outputs reach the autopilot at t0", () => {
    const seen: unknown[] = [];
    const plant: Plant = {
      ...commandCart(),
      outputsInto: (y, _timeS, _x, u) => void (y.batteryVoltage[0] = 12 * u[U.batteryConnected]!),
    };
    flyNow(
      flightOf({
        endUs: 10_000,
        plant,
        scenario: scenario(10_000, (_clock, bus) => {
          bus.windGustNed[0] = 3;
          bus.batteryConnected[0] = 0;
        }),
        wind: source("wind", 10_000, (_clock, bus) => bus.windBaseNed.fill(0)),
        estimator: source("estimator", 10_000, (_clock, bus) => void (bus.estVelNed[0] = bus.windNed[0]!)),
        autopilot: source("autopilot", 10_000, (clock, bus) => {
          seen.push([clock.us, bus.estVelNed[0], bus.batteryVoltage[0]]);
        }),
      }),
    );
    expect(seen[0]).toEqual([0, 3, 0]);
  });
});

describe("when sources run", () => {
  it("[L3.4] the scenario runs at the start, whatever its axis, and at its own times", () => {
    const times: number[] = [];
    const late = { ...scenario("every", (clock) => void times.push(clock.us)), axis: listedAxis([7_000]) };
    flyNow(flightOf({ endUs: 20_000, plant: commandCart(), scenario: late, autopilot: motor(5_000, () => 0) }));
    expect(times).toEqual([0, 7_000]);
  });

  it("[L3.2] outputs are evaluated only if the estimator, the autopilot or the log is due", () => {
    const plant = reportingCart();
    const ran: string[] = [];
    flyNow(
      flightOf({
        endUs: 8_000,
        plant,
        autopilot: motor(4_000, () => 0),
        physicsPeriodUs: 1_000,
        logPeriodUs: 8_000,
        observers: [watcher((view) => void (view.outputsRan && ran.push(`${view.clock.us}`)))],
      }),
    );
    expect(ran).toEqual(["0", "4000", "8000"]);
    // The outputs are evaluated once for the autopilot's tick at 4 ms, and twice when a row is logged: before and
    // after the discontinuities.
    expect(plant.evaluations).toBe(5);
  });

  it("[L3.2] a plant without outputs, jump, project or seams can fly", () => {
    expect(flyNow(flightOf({ endUs: 5_000, plant: commandCart(), autopilot: motor(1_000, () => 0) })).boundaries).toBe(
      6,
    );
  });

  it("[L3.3] a sensor off the autopilot's ticks is rejected", () => {
    const withSensor = (axis: Axis) => () =>
      flightOf({
        endUs: 10,
        plant: commandCart(),
        autopilot: motor(4_000, () => 0),
        sensors: [{ ...source("imu", "every", () => {}), axis }],
      });
    expect(codeOf(withSensor(periodicAxis({ periodUs: 6_000 })))).toBe("ENGINE-012");
    expect(codeOf(withSensor(periodicAxis({ periodUs: 8_000, startUs: 1_000 })))).toBe("ENGINE-012");
    expect(codeOf(withSensor(listedAxis([4_000])))).toBe("ENGINE-012");
    expect(codeOf(withSensor(everyBoundary))).toBe("ENGINE-012");
    expect(codeOf(withSensor(periodicAxis({ periodUs: 8_000, startUs: 4_000 })))).toBe("nothing thrown");
  });

  it("[L3.3] sensors run in table order, however they are listed; [L5.1] a second sensor of one type is rejected", () => {
    const order: string[] = [];
    const sensor = (name: "imu" | "barometer" | "gnss") =>
      source(name, 10_000, () => order.push(name)) as unknown as SensorSource;
    const flight = (...sensors: SensorSource[]) => flightOf({ endUs: 0, plant: commandCart(), sensors });
    flyNow(flight(sensor("gnss"), sensor("imu"), sensor("barometer")));
    expect(order).toEqual(["imu", "barometer", "gnss"]);
    expect(codeOf(() => flight(sensor("gnss"), sensor("imu"), sensor("gnss")))).toBe("ENGINE-014");
  });

  it("[L3.5] the autopilot's time increases by exactly its period", () => {
    const times: number[] = [];
    flyNow(
      flightOf({
        endUs: 100_000,
        plant: commandCart(),
        scenario: scenario("every", () => {}, { axis: listedAxis([3, 4_001, 55_555]) }),
        autopilot: motor(4_000, (tUs) => (times.push(tUs), 0)),
        physicsPeriodUs: 700,
      }),
    );
    expect(times).toEqual(Array.from({ length: 26 }, (_, i) => 4_000 * i));
  });

  it("[L3.5] an irregular cadence gives a typed error", () => {
    const make = () => flightOf({ endUs: 100, plant: commandCart(), autopilot: motor(10, () => 0) });
    const flight = make();
    const loop = flightLoop(flight, { markUs: Float64Array.of(50) });
    loop.next();
    const saved = flight.save();
    // The boundary saves [count, clamped channels, last autopilot tick]. Pretend that the last tick was at 39 µs.
    const altered = new Snapshot(
      saved.sections.map(({ name, values }) => ({
        name,
        values: name === "boundary" ? Float64Array.of(values[0]!, 0, 39) : values,
      })),
    );
    const other = make();
    other.load(altered);
    expect(codeOf(() => flyNow(other))).toBe("ENGINE-005");
  });

  it("[L3.1] probes run at autopilot ticks, after the estimator and before the autopilot", () => {
    const seen: unknown[] = [];
    const probe: Probe = { observe: (clock, bus) => void seen.push([clock.us, bus.estPosNed[0], bus.motorCommand[0]]) };
    flyNow(
      flightOf({
        endUs: 20,
        plant: commandCart(),
        estimator: source("estimator", 10, (clock, bus) => void (bus.estPosNed[0] = clock.us)),
        autopilot: motor(10, (tUs) => (tUs + 10) / 100),
        physicsPeriodUs: 5,
        probes: [probe],
      }),
    );
    expect(seen).toEqual([
      [0, 0, 0],
      [10, 10, 0.1],
      [20, 20, 0.2],
    ]);
  });
});

describe("sample and hold", () => {
  it("[L4.1] the right-hand side sees one input over an interval, at every evaluation", () => {
    const inputs: number[][] = [];
    const plant: Plant = {
      ...springCart(),
      derivativesInto(dx, _timeS, x, u) {
        inputs.at(-1)!.push(u[U.motorCommand]! + u[U.windNed]!);
        dx[0] = x[1]!;
        dx[1] = -100 * x[0]! + u[U.motorCommand]!;
      },
    };
    const flight = flightOf({
      endUs: 50_000,
      plant,
      wind: source("wind", 7_000, (clock, bus) => void (bus.windBaseNed[0] = clock.us)),
      autopilot: motor(10_000, (tUs) => tUs / 1e5),
      integrator: integrator("rk45", { maxStepUs: 1_000 }),
      observers: [watcher(() => void inputs.push([]))],
    });
    const { intervals } = flyNow(flight);
    expect(inputs).toHaveLength(intervals + 1);
    for (const seen of inputs.slice(0, -1)) {
      expect(seen.length).toBeGreaterThan(6);
      expect(new Set(seen).size).toBe(1);
    }
    expect(inputs.at(-1)).toEqual([]);
  });

  it("[L4.1] a command of 0 and then 1 from 50 ms gives 0.05 m/s and 0.00125 m after 100 ms", () => {
    const { flight } = flyRecorded({
      endUs: 100_000,
      plant: commandCart(),
      autopilot: motor(10_000, (t) => (t < 50_000 ? 0 : 1)),
    });
    expect(flight.x[1]).toBeCloseTo(0.05, 12);
    expect(flight.x[0]).toBeCloseTo(0.00125, 12);
  });

  it("[L4.1] wind is held between its ticks: 0, 0, 0.2, 0.2", () => {
    const { sink } = flyRecorded({
      endUs: 300_000,
      plant: windCart(),
      wind: source("wind", 200_000, (clock, bus) => void (bus.windBaseNed[0] = clock.s)),
      autopilot: motor(100_000, () => 0),
      logPeriodUs: 100_000,
    });
    expect(sink.column("wind_ned_n_mps")).toEqual([0, 0, 0.2, 0.2]);
  });

  it("[L5.2] wind is base plus gust at every boundary; a gust without a wind source does not accumulate", () => {
    const gust = scenario(35_000, (clock, bus) => void (bus.windGustNed[0] = clock.us === 35_000 ? 2 : 0));
    const sums: [number, number][] = [];
    const parts = { endUs: 70_000, plant: windCart(), scenario: gust, logPeriodUs: 10_000 };
    const observers = [
      watcher(({ clock, frame, stateSize }) => void sums.push([clock.us, frame[1 + stateSize + U.windNed]!])),
    ];
    flyNow(
      flightOf({ ...parts, observers, wind: source("wind", 20_000, (_clock, bus) => void (bus.windBaseNed[0] = 3)) }),
    );
    for (const [tUs, sum] of sums) expect(sum).toBe(tUs >= 35_000 && tUs < 70_000 ? 5 : 3);
    sums.length = 0;
    flyNow(flightOf({ ...parts, observers, autopilot: motor(1_000, () => 0) }));
    for (const [tUs, sum] of sums) expect(sum).toBe(tUs >= 35_000 && tUs < 70_000 ? 2 : 0);
  });

  it("[L4.2] a gust of 0.03 s lasts exactly three 10 ms ticks: its window is half-open", () => {
    const gust = scenario(
      "every",
      (clock, bus) => void (bus.windGustNed[0] = clock.us >= 1_000_000 && clock.us < 1_030_000 ? 1 : 0),
      { axis: listedAxis([1_000_000, 1_030_000]) },
    );
    const { sink } = flyRecorded({ endUs: 1_100_000, plant: windCart(), scenario: gust, logPeriodUs: 10_000 });
    const blown = sink.timesUs.filter((_, i) => sink.column("wind_ned_n_mps")[i] === 1);
    expect(blown).toEqual([1_000_000, 1_010_000, 1_020_000]);
    // Velocity is the integral of the wind over the window only.
    expect(sink.column("speed_mps").at(-1)).toBeCloseTo(0.03, 12);
  });

  it("[L4.3] a request between autopilot ticks takes effect at the next one", () => {
    const seen: [number, number][] = [];
    flyNow(
      flightOf({
        endUs: 40_000,
        plant: commandCart(),
        scenario: scenario("every", (clock, bus) => void (bus.requestArmed[0] = clock.us >= 15_000 ? 1 : 0), {
          axis: listedAxis([15_000]),
        }),
        autopilot: source("autopilot", 10_000, (clock, bus) => void seen.push([clock.us, bus.requestArmed[0]!])),
      }),
    );
    expect(seen).toEqual([
      [0, 0],
      [10_000, 0],
      [20_000, 1],
      [30_000, 1],
      [40_000, 1],
    ]);
  });

  it("[L8.1] a motor failure at 5 ms ends the first interval at exactly 5 ms, although the autopilot's period is 10 ms", () => {
    const spans: [number, number][] = [];
    const fail = scenario("every", (clock, bus) => void (bus.motorGain[0] = clock.us >= 5_000 ? 0 : 1), {
      axis: listedAxis([5_000]),
    });
    const spy: typeof integrator =
      (...options) =>
      (context) => {
        const inner = integrator(...options)(context);
        const advance = (span: Float64Array, x: Float64Array) => {
          spans.push([span[0]!, span[1]!]);
          return inner.advance(span, x);
        };
        return Object.assign(Object.create(inner) as typeof inner, { advance });
      };
    const gains: number[] = [];
    const plant = cart((u) => (gains.push(u[U.motorGain]!), u[U.motorGain]!));
    flyNow(flightOf({ endUs: 20_000, plant, scenario: fail, autopilot: motor(10_000, () => 0), integrator: spy() }));
    expect(spans).toEqual([
      [0, 5_000],
      [5_000, 10_000],
      [10_000, 20_000],
    ]);
    expect(gains.slice(0, 4)).toEqual([1, 1, 1, 1]);
    expect(gains.slice(4).every((gain) => gain === 0)).toBe(true);
  });
});

describe("visibility", () => {
  it("[L3.6] sources see the state before the jump; scenario and wind see the previous outputs", () => {
    const seen: Record<string, unknown>[] = [];
    let now: Record<string, unknown> = {};
    const truth = (bus: View<"scenario"> | View<"wind"> | View<"estimator">) =>
      bus.truth.block("position", "a test")[0];
    flyNow(
      flightOf({
        endUs: 10_000,
        plant: reportingCart(),
        scenario: scenario(10_000, (_clock, bus) => void (now = { scenario: [truth(bus), bus.accNed[0]] })),
        wind: source("wind", 10_000, (_clock, bus) => void (now.wind = [truth(bus), bus.accNed[0]])),
        estimator: source("estimator", 10_000, (_clock, bus) => void (now.estimator = [truth(bus), bus.accNed[0]])),
        autopilot: motor(10_000, () => 0.5),
        logPeriodUs: 10_000,
        observers: [watcher((view) => void seen.push({ ...now, logged: view.frame[1] }))],
      }),
    );
    const before = 100.5 + 0.5 * 0.5 * 0.01 * 0.01;
    expect(seen[0]).toEqual({ scenario: [0, 0], wind: [0, 0], estimator: [0, 0], logged: 100.5 });
    // At the second boundary, the scenario and the wind still see the outputs evaluated for the log at the first.
    const second = seen[1] as Record<string, [number, number]>;
    expect(second.scenario![0]).toBeCloseTo(before, 12);
    expect(second.scenario![1]).toBe(100.5);
    expect(second.wind![1]).toBe(100.5);
    expect(second.estimator![1]).toBeCloseTo(before, 12);
  });

  it("[D12] [L3.7] a log row describes one instant: its outputs belong to its state and its command", () => {
    const { sink } = flyRecorded({
      endUs: 40_000,
      plant: reportingCart(),
      wind: source("wind", 10_000, (clock, bus) => void (bus.windBaseNed[0] = clock.us)),
      autopilot: motor(10_000, (tUs) => tUs / 1e5),
      logPeriodUs: 5_000,
    });
    expect(sink.column("acc_ned_n_mps2")).toEqual(sink.column("position_m"));
    expect(sink.column("acc_ned_e_mps2")).toEqual(sink.column("motor_command_1"));
    expect(sink.column("acc_ned_d_mps2")).toEqual(sink.column("wind_ned_n_mps"));
    expect(sink.column("air_density_kgpm3")).toEqual(sink.timesUs.map((tUs) => tUs / 1e6));
  });

  it("[L3.7] the estimate that the autopilot received is in the row under its own names", () => {
    const { sink } = flyRecorded({
      endUs: 20_000,
      plant: reportingCart(),
      estimator: source(
        "estimator",
        10_000,
        (_clock, bus) => void (bus.estPosNed[0] = bus.truth.block("position", "it")[0]!),
      ),
      autopilot: motor(10_000, () => 0.25),
      logPeriodUs: 10_000,
    });
    expect(sink.column("position_m")).toEqual([100.25, 100.25, 100.25]);
    expect(sink.column("est_pos_ned_n_m")[0]).toBe(0);
    expect(sink.column("est_pos_ned_n_m")[1]).toBeCloseTo(100.25 + 0.125 * 1e-4, 10);
  });
});

describe("jump and project", () => {
  it("[L6.4] jumps happen only at autopilot ticks, after the command", () => {
    const plant = reportingCart();
    flyNow(flightOf({ endUs: 30_000, plant, autopilot: motor(10_000, (tUs) => tUs / 1e5), physicsPeriodUs: 1_000 }));
    expect(plant.jumps).toEqual([0, 0.1, 0.2, 0.3]);
  });

  it("[L6.3] project runs once per interval, at its end; corrected slots are counted", () => {
    const plant: Plant = {
      ...cart(() => 0, { v: -1 }),
      project(x) {
        if (x[0]! >= 0) return 0;
        x[0] = 0;
        return 1;
      },
    };
    const { end, flight } = flyRecorded({ endUs: 10_000, plant, physicsPeriodUs: 1_000 });
    expect(end.correctedSlots).toBe(10);
    expect(flight.x[0]).toBe(0);
  });
});

describe("ends", () => {
  it("[L7.1] the first and the last boundary run all stages, even if no period divides the duration; nothing is integrated after the end", () => {
    const times = { wind: [] as number[], autopilot: [] as number[] };
    const { end, sink } = flyRecorded({
      endUs: 5_000,
      plant: clockCart(),
      wind: source("wind", 5_000, (clock) => void times.wind.push(clock.us)),
      autopilot: motor(2_500, (tUs) => (times.autopilot.push(tUs), 0)),
      logPeriodUs: 2_000,
    });
    expect(times).toEqual({ wind: [0, 5_000], autopilot: [0, 2_500, 5_000] });
    expect(sink.timesUs).toEqual([0, 2_000, 4_000, 5_000]);
    expect(sink.column("position_m").at(-1)).toBeCloseTo(0.005, 15);
    expect(end).toMatchObject({ endUs: 5_000, boundaries: 5, intervals: 4, stop: 0 });
  });

  it("[L7.1] an adaptive method never steps past the end", () => {
    const { end } = flyRecorded({
      endUs: 5_000,
      plant: springCart(),
      logPeriodUs: 2_000,
      integrator: integrator("rk45"),
    });
    expect(end.endUs).toBe(5_000);
  });

  it("[L7.1] a row at the start shows the initial state exactly", () => {
    const { sink } = flyRecorded({
      endUs: 10_000,
      plant: cart(() => 0, { x: 1, v: 2 }),
      logPeriodUs: 2_000,
      integrator: integrator("euler"),
    });
    expect([sink.timesUs[0], sink.column("position_m")[0], sink.column("speed_mps")[0]]).toEqual([0, 1, 2]);
  });

  it("[L7.2] [L7.3] a stop condition ends the flight at the first boundary at which it holds; that boundary is logged and recorded", () => {
    const stopAt = scenario("every", (clock, bus) => void (bus.stop[0] = clock.us >= 17_000 ? 3 : 0));
    const { end, sink, recording } = flyRecorded({
      endUs: 100_000,
      plant: clockCart(),
      scenario: stopAt,
      autopilot: motor(10_000, () => 0),
      logPeriodUs: 50_000,
    });
    expect(end).toMatchObject({ endUs: 20_000, stop: 3, boundaries: 3, intervals: 2 });
    expect(sink.timesUs).toEqual([0, 20_000]);
    expect(recording.endUs).toBe(20_000);
    expect(sink.column("position_m").at(-1)).toBeCloseTo(0.02, 15);
  });

  it("[L7.2] a stop at a time is a scheduled event: the flight ends there exactly", () => {
    const stopAt = scenario("every", (clock, bus) => void (bus.stop[0] = clock.us >= 17_000 ? 1 : 0), {
      axis: listedAxis([17_000]),
    });
    const { end } = flyRecorded({
      endUs: 100_000,
      plant: clockCart(),
      scenario: stopAt,
      autopilot: motor(10_000, () => 0),
    });
    expect(end.endUs).toBe(17_000);
  });

  it("[L7.2] the last boundary runs all stages: wind, estimator, autopilot and jump run at a stop", () => {
    const plant = reportingCart();
    const { end } = flyRecorded({
      endUs: 100_000,
      plant,
      scenario: scenario("every", (clock, bus) => void (bus.stop[0] = clock.us >= 20_000 ? 1 : 0)),
      autopilot: motor(10_000, (tUs) => tUs / 1e5),
    });
    expect(end.endUs).toBe(20_000);
    expect(plant.jumps).toEqual([0, 0.1, 0.2]);
  });

  it("[L7.4] an output of the autopilot at one boundary can stop the flight at the next", () => {
    const { end } = flyRecorded({
      endUs: 100_000,
      plant: clockCart(),
      scenario: scenario("every", (_clock, bus) => void (bus.stop[0] = bus.missionFinished[0]!)),
      autopilot: source(
        "autopilot",
        10_000,
        (clock, bus) => void (bus.missionFinished[0] = clock.us >= 30_000 ? 1 : 0),
      ),
    });
    expect(end.endUs).toBe(40_000);
  });

  it("[L1.3] a flight can be flown only once", () => {
    const flight = flightOf({ endUs: 10, plant: clockCart() });
    flyNow(flight);
    expect(codeOf(() => flyNow(flight))).toBe("ENGINE-009");
  });

  it("[L1.2] fixed-step physics is a dense axis: one interval per tick; other boundaries split an interval", () => {
    const count = (startUs: number) =>
      flyRecorded({
        endUs: 20_000,
        plant: clockCart(),
        physicsPeriodUs: 2_000,
        autopilot: motor(10_000, () => 0),
        scenario: scenario("every", () => {}, { axis: listedAxis([startUs]) }),
      }).end.intervals;
    expect(count(0)).toBe(10);
    expect(count(3_000)).toBe(11);
  });
});

describe("errors", () => {
  const bad = (duty: number, commandPolicy?: "strict" | "clamp") => () =>
    flyRecorded({
      endUs: 10_000,
      plant: commandCart(),
      autopilot: motor(10_000, () => duty),
      ...(commandPolicy === undefined ? {} : { commandPolicy }),
    });

  it.each([1.5, -0.1, NaN, Infinity, 1 + Number.EPSILON])("[L10.3] the strict policy rejects a duty of %f", (duty) => {
    expect(codeOf(bad(duty))).toBe("ENGINE-003");
  });

  it("[L10.3] the strict policy reports channel, value and time", () => {
    expect(bad(1.5)).toThrow("motor channel 1 was commanded 1.5, outside [0, 1] (at 0.000000 s, in stage autopilot)");
    const servo = source("autopilot", 10, (_clock, bus) => void (bus.servoCommand[7] = -2));
    expect(() => flyRecorded({ endUs: 10, plant: commandCart(), autopilot: servo })).toThrow(
      "servo channel 8 was commanded -2, outside [-1, 1]",
    );
  });

  it("[L10.3] the clamp policy clamps and counts every channel, and the flight continues", () => {
    const wild = source("autopilot", 5_000, (_clock, bus) => {
      bus.motorCommand.set([NaN, 2, -1, 0.5, -Infinity]);
      bus.servoCommand.set([-3, 1]);
    });
    const { end, flight } = flyRecorded({
      endUs: 10_000,
      plant: commandCart(),
      autopilot: wild,
      commandPolicy: "clamp",
    });
    expect(end.clampedChannels).toBe(15);
    expect([...flight.u.subarray(U.motorCommand, U.motorCommand + 6)]).toEqual([0, 1, 0, 0.5, 0, 0]);
    expect([...flight.u.subarray(U.servoCommand, U.servoCommand + 3)]).toEqual([-1, 1, 0]);
  });

  it("[L10.3] both policies accept the bounds themselves, and -0 keeps its sign", () => {
    for (const policy of ["strict", "clamp"] as const) {
      const { end, flight } = flyRecorded({
        endUs: 10,
        plant: commandCart(),
        autopilot: source("autopilot", 10, (_clock, bus) => {
          bus.motorCommand.set([0, 1, -0]);
          bus.servoCommand.set([-1, 1]);
        }),
        commandPolicy: policy,
      });
      expect(end.clampedChannels).toBe(0);
      expect(Object.is(flight.u[U.motorCommand + 2], -0)).toBe(true);
    }
  });

  it("a command that changes from 0 to -0 counts as a changed input", () => {
    const changes: boolean[] = [];
    flyNow(
      flightOf({
        endUs: 40,
        plant: commandCart(),
        autopilot: source("autopilot", 10, ({ us }, bus) => void (bus.motorCommand[2] = us === 20 ? -0 : 0)),
        observers: [watcher((view) => void changes.push(view.inputChanged))],
      }),
    );
    expect(changes).toEqual([true, false, true, true, false]);
  });

  it("the signals of an idle scenario are not copied into the input; the signals of other sources are", () => {
    const idle: boolean[] = [];
    const gusts: number[] = [];
    const flight = flightOf({
      endUs: 40,
      plant: commandCart(),
      scenario: {
        ...source("scenario", 10, ({ us }, bus) => void (bus.motorOffset[0] = us / 100)),
        get isIdle() {
          return flight.clock.us > 10;
        },
      },
      wind: source("wind", 10, ({ us }, bus) => void (bus.windBaseNed[0] = us)),
      observers: [
        watcher((view) => {
          idle.push(view.isScenarioIdle === true);
          gusts.push(flight.u[U.windNed]!, flight.u[U.motorOffset]!);
        }),
      ],
    });
    flyNow(flight);
    expect(idle).toEqual([false, false, true, true, true]);
    expect(gusts).toEqual([0, 0, 10, 0.1, 20, 0.1, 30, 0.1, 40, 0.1]);
  });

  it("[L10.2] an error names the source that wrote a value that is not finite, and its signals", () => {
    const parts = { endUs: 10, plant: commandCart() };
    const wind = source("wind", 10, (_clock, bus) => void (bus.windBaseNed[1] = NaN));
    expect(() => flyNow(flightOf({ ...parts, wind }))).toThrow(
      "the wind wrote a value that is not finite into windBaseNed",
    );
    const estimator = source("estimator", 10, (_clock, bus) => void (bus.estQBodyToNed[0] = Infinity));
    expect(codeOf(() => flyNow(flightOf({ ...parts, estimator })))).toBe("ENGINE-004");
    const setpoint = source("autopilot", 10, (_clock, bus) => void (bus.setYaw[0] = NaN));
    expect(codeOf(() => flyNow(flightOf({ ...parts, autopilot: setpoint, commandPolicy: "clamp" })))).toBe(
      "ENGINE-004",
    );
    const plant: Plant = { ...commandCart(), outputsInto: (y) => void (y.airDensity[0] = NaN) };
    expect(codeOf(() => flyNow(flightOf({ ...parts, plant, logPeriodUs: 10 })))).toBe("ENGINE-004");
  });

  const explosive = () => cart((u) => (u[U.motorCommand]! > 0 ? Infinity : 0));

  it("[D14] [L10.1] a state that is not finite gives a typed error with the time and a readable dump", () => {
    const run = () =>
      flyNow(
        flightOf({
          endUs: 50_000,
          plant: explosive(),
          autopilot: motor(10_000, (t) => (t < 20_000 ? 0 : 1)),
          integrator: integrator("euler"),
        }),
      );
    expect(codeOf(run)).toBe("STATE-002");
    expect(run).toThrow(
      "the state is not finite: speed\n  position = 0 m\n  speed = Infinity m/s (at 0.030000 s, in stage integrate)",
    );
  });

  it("[D14] [L10.1] an initial state that is not finite is rejected", () => {
    expect(codeOf(() => flyNow(flightOf({ endUs: 10, plant: cart(() => 0, { x: NaN }) })))).toBe("STATE-002");
  });

  it("[L10.1] an attitude whose norm is off by more than 1e-9 gives a typed error, at the start and after a jump", () => {
    const attitude = (w: number, jumpTo?: number): Plant => ({
      layout: new StateLayout([{ ...scalarBlock("qBodyToNed", "1"), size: 4, kind: "attitude" }]),
      initialInto: (x) => x.set([w, 0, 0, 0]),
      derivativesInto: (dx) => void dx.fill(0),
      ...(jumpTo === undefined ? {} : { jump: (x: Float64Array) => void (x[0] = jumpTo) }),
    });
    const run = (plant: Plant) => codeOf(() => flyNow(flightOf({ endUs: 10, plant, autopilot: motor(10, () => 0) })));
    expect(run(attitude(1 + 0.9e-9))).toBe("nothing thrown");
    expect(run(attitude(1 + 1.1e-9))).toBe("STATE-003");
    expect(run(attitude(1, 1 - 1.1e-9))).toBe("STATE-003");
  });

  it("[L10.6] an error without a time gets the time and the stage", () => {
    const failing = source("wind", 10, () => {
      throw new SimError("OWN-001", { what: "it broke", fix: "Fix it." });
    });
    expect(() => flyNow(flightOf({ endUs: 10, plant: commandCart(), wind: failing, startUs: 5 }))).toThrow(
      "OWN-001: it broke (at 0.000010 s, in stage wind). Fix it.",
    );
  });

  it("[L10.6] a violated invariant reports time, stage and state", () => {
    const failing = source("estimator", 10, () => {
      throw new InvariantError("two is odd");
    });
    const run = () => flyNow(flightOf({ endUs: 10, plant: clockCart(), estimator: failing }));
    expect(run).toThrow(InvariantError);
    expect(run).toThrow("two is odd\nat 0.000000 s, in stage estimator; the state was\n  position = 0 m");
  });

  it("[L10.6] an error during integration names the stage integrate", () => {
    const plant: Plant = {
      ...commandCart(),
      derivativesInto() {
        throw new SimError("OWN-002", { what: "no such equation", fix: "Fix it." });
      },
    };
    expect(() => flyNow(flightOf({ endUs: 10, plant }))).toThrow("in stage integrate");
  });
});

describe("clock", () => {
  it("[L2.3] gives sources microseconds and correctly rounded seconds", () => {
    const seen: Clock[] = [];
    flyNow(
      flightOf({
        endUs: 1_100_000,
        plant: clockCart(),
        autopilot: source("autopilot", 100_000, ({ us, s }) => void seen.push({ us, s })),
      }),
    );
    expect(seen.map(({ s }) => s)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1]);
  });
});
