/**
 * Tests the estimators: exact delay, the first sample while the delay line fills, the freeze fault, statistics, and
 * independent random streams.
 */
import { describe, expect, it } from "vitest";
import { SENSORS, SIGNALS, type Source, type View } from "../../engine/index.ts";
import { checkParams } from "../../params/index.ts";
import { Snapshot } from "../../snapshot/index.ts";
import { FlightClock, periodicAxis } from "../../time/index.ts";
import { codeOf } from "../../../../../tests/support/flights.ts";
import { volume } from "../../../../../tests/support/volume.ts";
import { DelayLine } from "./delay-line.ts";
import { estimatorKinds } from "./estimator.ts";

const PERIOD_US = 4000;
const FAULTS = SIGNALS.sensorFaultKind.values;
const VALID = SIGNALS.estValid.values;
const ALL_VALID = Object.values(VALID).reduce((sum, bit) => sum + bit, 0);
const BLOCKS = { posNed: 3, velNed: 3, qBodyToNed: 4, rateBody: 3 } as const;
const ESTIMATES = ["estPosNed", "estVelNed", "estAccNed", "estQBodyToNed", "estRateBody", "estRateDotBody"] as const;

/** A true state that tests can set, and the estimate published for it. */
class Bench {
  readonly truth = {
    posNed: new Float64Array(3),
    velNed: new Float64Array(3),
    qBodyToNed: Float64Array.of(1, 0, 0, 0),
    rateBody: new Float64Array(3),
  };
  readonly signals: Record<string, Float64Array> = {
    accNed: new Float64Array(3),
    rateDotBody: new Float64Array(3),
    sensorFaultKind: new Float64Array(SENSORS.length),
    estPosNed: new Float64Array(3),
    estVelNed: new Float64Array(3),
    estAccNed: new Float64Array(3),
    estQBodyToNed: new Float64Array(4),
    estRateBody: new Float64Array(3),
    estRateDotBody: new Float64Array(3),
    estValid: new Float64Array(1),
  };
  private readonly view = {
    ...this.signals,
    truth: { block: (name: keyof typeof BLOCKS) => this.truth[name] },
  } as unknown as View<"estimator">;
  private readonly clock = new FlightClock();

  advance(source: Source<"estimator">): void {
    source.update(this.clock, this.view);
    this.clock.set(this.clock.us + PERIOD_US);
  }

  step(source: Source<"estimator">): number[] {
    this.advance(source);
    return ESTIMATES.flatMap((name) => [...this.signals[name]!]);
  }

  freeze(isFrozen: boolean): void {
    this.fault("estimator", isFrozen ? "stuck" : "healthy");
  }

  fault(sensor: (typeof SENSORS)[number], kind: keyof typeof FAULTS): void {
    this.signals["sensorFaultKind"]![SENSORS.indexOf(sensor)] = FAULTS[kind];
  }

  get valid(): number {
    return this.signals["estValid"]![0]!;
  }
}

function make(
  name: string,
  given: Record<string, unknown> = {},
  { seed = 1, periodUs = PERIOD_US } = {},
): Source<"estimator"> {
  const kind = estimatorKinds.find((candidate) => candidate.name === name)!;
  const params = checkParams(kind.params, given, []);
  return kind.make(params as never, { seed, periodUs, axis: periodicAxis({ periodUs }) });
}

const noNoise = {
  posSigmaM: [0, 0, 0],
  velSigmaMps: [0, 0, 0],
  yawSigmaRad: 0,
  rateSigmaRadps: [0, 0, 0],
  rateBiasSigmaRadps: [0, 0, 0],
};

describe("the delay", () => {
  it("is exact: the output is the sample of three ticks ago; during the first three ticks, the first sample", () => {
    const bench = new Bench();
    const source = make("truth", { delayS: 0.012 });
    const seen = Array.from({ length: 11 }, (_, k) => {
      bench.truth.posNed[0] = k;
      return bench.step(source)[0];
    });
    expect(seen).toEqual([0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("applies to every part of the estimate", () => {
    const bench = new Bench();
    const source = make("truth", { delayS: 0.004 });
    bench.truth.posNed.set([1, 2, 3]);
    bench.truth.velNed.set([4, 5, 6]);
    bench.truth.qBodyToNed.set([0, 1, 0, 0]);
    bench.truth.rateBody.set([7, 8, 9]);
    bench.signals["accNed"]!.set([10, 11, 12]);
    bench.signals["rateDotBody"]!.set([13, 14, 15]);
    const first = bench.step(source);
    expect(first).toEqual([1, 2, 3, 4, 5, 6, 10, 11, 12, 0, 1, 0, 0, 7, 8, 9, 13, 14, 15]);
    for (const part of Object.values(bench.truth)) part.fill(0);
    expect(bench.step(source)).toEqual(first);
  });

  it("[ESTIMATOR-001] that is not a whole number of periods is rejected, and the error names the two nearest", () => {
    expect(codeOf(() => make("truth", { delayS: 0.015 }))).toBe("ESTIMATOR-001");
    expect(() => make("noisy", { delayS: 0.01 })).toThrow(/0\.008 s or 0\.012 s/);
    expect(() => make("truth", { delayS: 0.01 }, { periodUs: 10_000 })).not.toThrow();
  });

  it("a delay line works over many cycles of its buffer", () => {
    const line = new DelayLine(3, 1);
    const row = new Float64Array(1);
    for (let k = 0; k < 1000; k += 1) {
      row[0] = k;
      line.exchange(row);
      expect(row[0]).toBe(Math.max(0, k - 3));
    }
  });
});

describe("the freeze fault", () => {
  it("holds the published estimate; afterwards the delay is the same as before", () => {
    const bench = new Bench();
    const source = make("truth", { delayS: 0.008 });
    const seen = Array.from({ length: 12 }, (_, k) => {
      bench.truth.posNed[0] = k;
      bench.freeze(k >= 4 && k < 8);
      return bench.step(source)[0];
    });
    expect(seen).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 6, 7, 8, 9]);
  });

  it("consumes the same random draws: the noise after a freeze equals the noise without one", () => {
    const run = (isFrozen: boolean) => {
      const bench = new Bench();
      const source = make("noisy");
      return Array.from({ length: 40 }, (_, k) => {
        bench.freeze(isFrozen && k >= 10 && k < 20);
        return bench.step(source);
      });
    };
    expect(run(true).slice(20)).toEqual(run(false).slice(20));
    expect(run(true)[15]).toEqual(run(true)[9]);
  });
});

describe("noise", () => {
  const COUNT = volume(5000, 20_000);
  const samples = (given: Record<string, unknown>, seed = 1) => {
    const bench = new Bench();
    const source = make("noisy", { ...noNoise, delayS: 0, ...given }, { seed });
    return Array.from({ length: COUNT }, () => bench.step(source));
  };
  const deviation = (values: readonly number[]) =>
    Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  // The standard deviation of n draws has itself a standard deviation of σ/√(2n); the bounds are five times that.
  const bound = 5 / Math.sqrt(2 * COUNT);

  it("white noise has the standard deviation of each axis", () => {
    const rows = samples({ posSigmaM: [0.1, 0.2, 0.4], velSigmaMps: [1, 2, 4], rateSigmaRadps: [0.01, 0.02, 0.04] });
    [0.1, 0.2, 0.4, 1, 2, 4].forEach((sigma, i) =>
      expect(Math.abs(deviation(rows.map((row) => row[i]!)) / sigma - 1)).toBeLessThan(bound),
    );
    [0.01, 0.02, 0.04].forEach((sigma, i) =>
      expect(Math.abs(deviation(rows.map((row) => row[13 + i]!)) / sigma - 1)).toBeLessThan(bound),
    );
  });

  it("yaw noise rotates about the world's down axis and keeps a unit quaternion", () => {
    const rows = samples({ yawSigmaRad: 0.05 });
    const yaw = rows.map((row) => 2 * Math.atan2(row[12]!, row[9]!));
    expect(Math.abs(deviation(yaw) / 0.05 - 1)).toBeLessThan(bound);
    for (const row of rows.slice(0, 100)) {
      expect(Math.hypot(...row.slice(9, 13))).toBeCloseTo(1, 14);
      expect([row[10], row[11]]).toEqual([0, 0]);
    }
  });

  it("yaw noise does not change the tilt: the yaw error multiplies from the left", () => {
    const bench = new Bench();
    // At a pitch of 40°, the world's vertical in body axes must stay the same.
    const half = (20 * Math.PI) / 180;
    bench.truth.qBodyToNed.set([Math.cos(half), 0, Math.sin(half), 0]);
    const [w, x, y, z] = bench.step(make("noisy", { ...noNoise, yawSigmaRad: 0.3 })).slice(9, 13) as [
      number,
      number,
      number,
      number,
    ];
    const down = [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
    [-Math.sin(2 * half), 0, Math.cos(2 * half)].forEach((value, i) => expect(down[i]).toBeCloseTo(value, 14));
  });

  it("switching off one noise does not change the others", () => {
    const all = samples({ posSigmaM: [1, 1, 1], velSigmaMps: [1, 1, 1] }).slice(0, 50);
    const without = samples({ velSigmaMps: [1, 1, 1] }).slice(0, 50);
    expect(without.map((row) => row.slice(3, 6))).toEqual(all.map((row) => row.slice(3, 6)));
    const withBias = samples({ velSigmaMps: [1, 1, 1], posBiasSigmaM: [3, 3, 3] }).slice(0, 50);
    expect(withBias.map((row) => row.slice(3, 6))).toEqual(without.map((row) => row.slice(3, 6)));
    expect(withBias[10]!.slice(0, 3)).not.toEqual(without[10]!.slice(0, 3));
  });

  it("a different seed gives different noise", () => {
    expect(samples({ posSigmaM: [1, 1, 1] }, 2)[0]).not.toEqual(samples({ posSigmaM: [1, 1, 1] }, 1)[0]);
  });
});

describe("the errors of an EKF", () => {
  /** Component of the published row, sampled every `everyTicks`. */
  const series = (
    component: number,
    count: number,
    everyTicks: number,
    given: Record<string, unknown> = {},
    seed = 1,
  ) => {
    const bench = new Bench();
    const source = make("ekf-like", given, { seed });
    return Float64Array.from({ length: count }, () => {
      for (let k = 1; k < everyTicks; k += 1) bench.advance(source);
      return bench.step(source)[component]!;
    });
  };
  const moment = (x: Float64Array, lag: number) => {
    let sum = 0;
    for (let i = lag; i < x.length; i += 1) sum += x[i]! * x[i - lag]!;
    return sum / (x.length - lag);
  };
  const defaults = checkParams(estimatorKinds[0].params, {}, []) as {
    velSigmaMps: number[];
    velTauS: number[];
    posTauS: number[];
    tiltSigmaRad: number;
    tiltTauS: number;
    yawSigmaRad: number;
    yawTauS: number;
    rateSigmaRadps: number[];
  };

  // A sample of length L has about L/(2·T_c) independent values, T_c = ∫ρ² = 5T/4 for a second-order process. The
  // variance then has the relative standard deviation √(2·2·T_c/L); the bounds are four times that.
  it.each([
    ["velocity north", 3, defaults.velSigmaMps[0]!, defaults.velTauS[0]!],
    ["velocity down", 5, defaults.velSigmaMps[2]!, defaults.velTauS[2]!],
    ["tilt about north", 10, defaults.tiltSigmaRad / 2, defaults.tiltTauS],
    ["yaw", 12, defaults.yawSigmaRad / 2, defaults.yawTauS],
  ])(
    "the error of %s has the size and autocorrelation of a second-order Gauss–Markov process",
    (_, at, sigma, tauS) => {
      const everyTicks = Math.round((tauS / 4) * 250);
      const x = series(at, volume(1000, 4000), everyTicks);
      const stepS = (everyTicks * PERIOD_US) / 1e6;
      const bound = 4 * Math.sqrt((4 * 1.25 * tauS) / (x.length * stepS));
      const variance = moment(x, 0);
      expect(Math.abs(variance / sigma ** 2 - 1)).toBeLessThan(bound);
      for (const lag of [1, 2, 4, 8, 16]) {
        const ratio = (lag * stepS) / tauS;
        expect(Math.abs(moment(x, lag) / sigma ** 2 - (1 + ratio) * Math.exp(-ratio))).toBeLessThan(bound);
      }
    },
  );

  it("the position error is the leaky integral of the velocity error, with its variance", () => {
    const tauS = 0.5;
    const pullS = 5;
    const given = { velSigmaMps: [1, 0, 0], velTauS: [tauS, 1, 1], posTauS: [pullS, 1, 1] };
    const everyTicks = 100;
    const p = series(0, volume(2500, 10_000), everyTicks, given);
    const ratio = tauS / pullS;
    const expected = (tauS * pullS * (2 + ratio)) / (1 + ratio) ** 2;
    const lengthS = (p.length * everyTicks * PERIOD_US) / 1e6;
    expect(Math.abs(moment(p, 0) / expected - 1)).toBeLessThan(4 * Math.sqrt((4 * pullS) / lengthS));

    const bench = new Bench();
    const source = make("ekf-like", given);
    const rows = Array.from({ length: 2000 }, () => bench.step(source));
    for (let k = 1; k < rows.length; k += 1) {
      const mean = (i: number) => (rows[k]![i]! + rows[k - 1]![i]!) / 2;
      const slope = (i: number) => (rows[k]![i]! - rows[k - 1]![i]!) / (PERIOD_US / 1e6);
      expect(slope(0)).toBeCloseTo(mean(3) - mean(0) / pullS, 3);
      // The acceleration error is the derivative of the velocity error, whose own slope jumps when the noise is drawn.
      expect(Math.abs(slope(3) - mean(6))).toBeLessThan(0.1);
    }
  });

  it("the noise of body rates is white", () => {
    const x = series(13, volume(5000, 20_000), 1);
    const sigma = defaults.rateSigmaRadps[0]!;
    expect(Math.abs(Math.sqrt(moment(x, 0)) / sigma - 1)).toBeLessThan(5 / Math.sqrt(2 * x.length));
    for (const lag of [1, 2, 10]) expect(Math.abs(moment(x, lag)) / sigma ** 2).toBeLessThan(5 / Math.sqrt(x.length));
  });

  it("the first estimate is drawn from the same distribution as the later ones", () => {
    const count = volume(500, 2000);
    const first = Array.from({ length: count }, (_, seed) => new Bench().step(make("ekf-like", {}, { seed })));
    const deviationOf = (i: number) => Math.sqrt(first.reduce((sum, row) => sum + row[i]! ** 2, 0) / count);
    const bound = 5 / Math.sqrt(2 * count);
    expect(Math.abs(deviationOf(3) / defaults.velSigmaMps[0]! - 1)).toBeLessThan(bound);
    const ratio = defaults.velTauS[0]! / defaults.posTauS[0]!;
    const posSigma =
      defaults.velSigmaMps[0]! *
      Math.sqrt((defaults.velTauS[0]! * defaults.posTauS[0]! * (2 + ratio)) / (1 + ratio) ** 2);
    expect(Math.abs(deviationOf(0) / posSigma - 1)).toBeLessThan(bound);
  });

  it("the default estimate is smooth: between two ticks, the velocity changes by no more than its derivative allows", () => {
    const x = series(3, 5000, 1);
    const slope = defaults.velSigmaMps[0]! / defaults.velTauS[0]!;
    for (let i = 1; i < x.length; i += 1) {
      expect(Math.abs(x[i]! - x[i - 1]!)).toBeLessThan((6 * slope * PERIOD_US) / 1e6);
    }
  });

  it("switching off one error does not change the others", () => {
    const rows = (given: Record<string, unknown>) => {
      const bench = new Bench();
      const source = make("ekf-like", given);
      return Array.from({ length: 100 }, () => bench.step(source));
    };
    const all = rows({});
    const still = rows({ velSigmaMps: [0, 0, 0] });
    expect(still.map((row) => row.slice(9, 16))).toEqual(all.map((row) => row.slice(9, 16)));
    const level = rows({ tiltSigmaRad: 0, yawSigmaRad: 0, rateSigmaRadps: [0, 0, 0] });
    expect(level.map((row) => row.slice(0, 9))).toEqual(all.map((row) => row.slice(0, 9)));
    expect(level[50]!.slice(9, 16)).toEqual([1, 0, 0, 0, 0, 0, 0]);
  });

  it("the estimate drifts without aiding, and afterwards has the same errors as without the outage", () => {
    const rows = (hasOutage: boolean) => {
      const bench = new Bench();
      const source = make("ekf-like");
      return Array.from({ length: 3000 }, (_, k) => {
        bench.fault("gnss", hasOutage && k >= 500 && k < 2500 ? "drop-out" : "healthy");
        return bench.step(source);
      });
    };
    const aided = rows(false);
    const dropped = rows(true);
    expect(dropped.slice(0, 500)).toEqual(aided.slice(0, 500));
    expect(dropped.slice(2500)).toEqual(aided.slice(2500));
    const drift = dropped[2499]!.map((value, i) => value - aided[2499]![i]!);
    expect(Math.hypot(drift[3]!, drift[4]!)).toBeGreaterThan(0.02);
    expect(Math.hypot(drift[0]!, drift[1]!)).toBeGreaterThan(0.05);
    // The barometer still aids the height.
    expect([drift[2], drift[5]]).toEqual([0, 0]);
    // During the outage, the acceleration error is the whole derivative of the velocity error.
    const slope = (dropped[1500]![3]! - dropped[1499]![3]!) / (PERIOD_US / 1e6);
    expect(Math.abs(slope - (dropped[1500]![6]! + dropped[1499]![6]!) / 2)).toBeLessThan(0.002);
  });
});

describe("validity flags", () => {
  const TICKS_PER_S = 1e6 / PERIOD_US;
  /** Returns the flags over time, as runs of the same value with the tick at which each began. */
  const runs = (kind: string, faults: (bench: Bench, tick: number) => void, ticks: number) => {
    const bench = new Bench();
    const source = make(kind);
    const seen: [number, number][] = [];
    for (let k = 0; k < ticks; k += 1) {
      faults(bench, k);
      bench.advance(source);
      if (seen.at(-1)?.[1] !== bench.valid) seen.push([k, bench.valid]);
    }
    return seen;
  };
  const NO_HORIZONTAL = ALL_VALID - VALID.posXy - VALID.velXy;

  it.each(["ekf-like", "noisy", "truth"])("%s: everything is valid without faults", (kind) => {
    expect(runs(kind, () => {}, 20 * TICKS_PER_S)).toEqual([[0, ALL_VALID]]);
  });

  it.each(["ekf-like", "noisy", "truth"])(
    "%s: dead reckoning is valid for five seconds, and aiding restores it",
    (kind) => {
      const outage = (bench: Bench, k: number) =>
        bench.fault("gnss", k >= 250 && k < 10 * TICKS_PER_S ? "drop-out" : "healthy");
      expect(runs(kind, outage, 12 * TICKS_PER_S)).toEqual([
        [0, ALL_VALID],
        [250 + 5 * TICKS_PER_S, NO_HORIZONTAL],
        [10 * TICKS_PER_S, ALL_VALID],
      ]);
    },
  );

  it("height is lost only if both barometer and satellite navigation are lost", () => {
    const outage = (bench: Bench, k: number) => {
      bench.fault("baro", k >= 250 ? "drop-out" : "healthy");
      bench.fault("gnss", k >= 500 ? "drop-out" : "healthy");
    };
    expect(runs("ekf-like", outage, 10 * TICKS_PER_S)).toEqual([
      [0, ALL_VALID],
      [500 + 5 * TICKS_PER_S, VALID.attitude + VALID.heading + VALID.rates],
    ]);
  });

  it("attitude is lost one second after the accelerometer, and the rates too after the gyroscope", () => {
    const without = (sensor: "gyro" | "accel") =>
      runs("ekf-like", (bench, k) => bench.fault(sensor, k >= 250 ? "drop-out" : "healthy"), 1000);
    expect(without("accel")).toEqual([
      [0, ALL_VALID],
      [500, VALID.rates],
    ]);
    expect(without("gyro")).toEqual([
      [0, ALL_VALID],
      [500, 0],
    ]);
  });

  it("an estimator that drops out publishes nothing and is stale after one second; a stuck one stays valid", () => {
    const outage = (kind: "drop-out" | "stuck") =>
      runs("ekf-like", (bench, k) => bench.fault("estimator", k >= 250 && k < 700 ? kind : "healthy"), 1000);
    expect(outage("drop-out")).toEqual([
      [0, ALL_VALID],
      [500, 0],
      [700, ALL_VALID],
    ]);
    expect(outage("stuck")).toEqual([[0, ALL_VALID]]);
  });

  it("a drop-out holds the last estimate", () => {
    const bench = new Bench();
    const source = make("truth");
    const seen = Array.from({ length: 6 }, (_, k) => {
      bench.truth.posNed[0] = k;
      bench.fault("estimator", k >= 2 && k < 4 ? "drop-out" : "healthy");
      return bench.step(source)[0];
    });
    expect(seen).toEqual([0, 1, 1, 1, 4, 5]);
  });
});

describe("save, load and continue", () => {
  it.each(["ekf-like", "noisy", "truth"])("%s continues with the same bits", (name) => {
    const given = name === "noisy" ? { posBiasSigmaM: [1, 1, 1], delayS: 0.012 } : { delayS: 0.012 };
    const run = (source: Source<"estimator">, bench: Bench, from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => {
        bench.truth.posNed[0] = from + i;
        bench.fault("gnss", "drop-out");
        return bench.step(source);
      });
    const bench = new Bench();
    const source = make(name, given);
    run(source, bench, 0, 17);
    const saved = Snapshot.of(source);
    const rest = run(source, bench, 17, 40);
    const again = make(name, given);
    saved.into(again);
    expect(run(again, new Bench(), 17, 40)).toEqual(rest);
  });
});
