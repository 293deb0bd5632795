/**
 * The estimators: exact delay, first sample while the delay fills, freeze, statistics, and independent random streams.
 */
import { describe, expect, it } from "vitest";
import { SENSORS, type Source, type View } from "../../engine/index.ts";
import { checkParams } from "../../params/index.ts";
import { Snapshot } from "../../snapshot/index.ts";
import { FlightClock, periodicAxis } from "../../time/index.ts";
import { codeOf } from "../../../../../tests/support/flights.ts";
import { DelayLine } from "./delay-line.ts";
import { estimatorKinds } from "./estimator.ts";

const PERIOD_US = 4000;
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
  };
  private readonly view = {
    ...this.signals,
    truth: { block: (name: keyof typeof BLOCKS) => this.truth[name] },
  } as unknown as View<"estimator">;
  private readonly clock = new FlightClock();

  step(source: Source<"estimator">): number[] {
    source.update(this.clock, this.view);
    this.clock.set(this.clock.us + PERIOD_US);
    return ESTIMATES.flatMap((name) => [...this.signals[name]!]);
  }

  freeze(isFrozen: boolean): void {
    this.signals["sensorFaultKind"]![SENSORS.indexOf("estimator")] = isFrozen ? 1 : 0;
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

const quietNoise = {
  posSigmaM: [0, 0, 0],
  velSigmaMps: [0, 0, 0],
  yawSigmaRad: 0,
  rateSigmaRadps: [0, 0, 0],
  rateBiasSigmaRadps: [0, 0, 0],
};

describe("the delay", () => {
  it("is exact: the sample of three ticks ago, the first one held until then", () => {
    const bench = new Bench();
    const source = make("truth", { delayS: 0.012 });
    const seen = Array.from({ length: 11 }, (_, k) => {
      bench.truth.posNed[0] = k;
      return bench.step(source)[0];
    });
    expect(seen).toEqual([0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("carries every part of the estimate together", () => {
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

  it("[ESTIMATOR-001] that is no whole number of periods is refused with the two nearest", () => {
    expect(codeOf(() => make("truth", { delayS: 0.015 }))).toBe("ESTIMATOR-001");
    expect(() => make("noisy", { delayS: 0.01 })).toThrow(/0\.008 s or 0\.012 s/);
    expect(() => make("truth", { delayS: 0.01 }, { periodUs: 10_000 })).not.toThrow();
  });

  it("a delay line goes round many times without losing count", () => {
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
  it("holds what is published; afterwards the delay is as long as before", () => {
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
  const COUNT = 20_000;
  const samples = (given: Record<string, unknown>, seed = 1) => {
    const bench = new Bench();
    const source = make("noisy", { ...quietNoise, delayS: 0, ...given }, { seed });
    return Array.from({ length: COUNT }, () => bench.step(source));
  };
  const deviation = (values: readonly number[]) =>
    Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  // The standard deviation of a sample deviation of n draws is σ/√(2n); the bounds are five times that.
  const bound = 5 / Math.sqrt(2 * COUNT);

  it("white noise has the deviation of each axis", () => {
    const rows = samples({ posSigmaM: [0.1, 0.2, 0.4], velSigmaMps: [1, 2, 4], rateSigmaRadps: [0.01, 0.02, 0.04] });
    [0.1, 0.2, 0.4, 1, 2, 4].forEach((sigma, i) =>
      expect(Math.abs(deviation(rows.map((row) => row[i]!)) / sigma - 1)).toBeLessThan(bound),
    );
    [0.01, 0.02, 0.04].forEach((sigma, i) =>
      expect(Math.abs(deviation(rows.map((row) => row[13 + i]!)) / sigma - 1)).toBeLessThan(bound),
    );
  });

  it("yaw noise turns about the world's down axis and leaves a unit quaternion", () => {
    const rows = samples({ yawSigmaRad: 0.05 });
    const yaw = rows.map((row) => 2 * Math.atan2(row[12]!, row[9]!));
    expect(Math.abs(deviation(yaw) / 0.05 - 1)).toBeLessThan(bound);
    for (const row of rows.slice(0, 100)) {
      expect(Math.hypot(...row.slice(9, 13))).toBeCloseTo(1, 14);
      expect([row[10], row[11]]).toEqual([0, 0]);
    }
  });

  it("tilted vehicles keep their tilt: the yaw error multiplies from the left", () => {
    const bench = new Bench();
    // Pitched by 40°: the world's vertical in body axes must stay the same.
    const half = (20 * Math.PI) / 180;
    bench.truth.qBodyToNed.set([Math.cos(half), 0, Math.sin(half), 0]);
    const [w, x, y, z] = bench.step(make("noisy", { ...quietNoise, yawSigmaRad: 0.3 })).slice(9, 13) as [
      number,
      number,
      number,
      number,
    ];
    const down = [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
    [-Math.sin(2 * half), 0, Math.cos(2 * half)].forEach((value, i) => expect(down[i]).toBeCloseTo(value, 14));
  });

  it("one noise switched off shifts no other", () => {
    const all = samples({ posSigmaM: [1, 1, 1], velSigmaMps: [1, 1, 1] }).slice(0, 50);
    const without = samples({ velSigmaMps: [1, 1, 1] }).slice(0, 50);
    expect(without.map((row) => row.slice(3, 6))).toEqual(all.map((row) => row.slice(3, 6)));
    const withBias = samples({ velSigmaMps: [1, 1, 1], posBiasSigmaM: [3, 3, 3] }).slice(0, 50);
    expect(withBias.map((row) => row.slice(3, 6))).toEqual(without.map((row) => row.slice(3, 6)));
    expect(withBias[10]!.slice(0, 3)).not.toEqual(without[10]!.slice(0, 3));
  });

  it("other seeds are other noise", () => {
    expect(samples({ posSigmaM: [1, 1, 1] }, 2)[0]).not.toEqual(samples({ posSigmaM: [1, 1, 1] }, 1)[0]);
  });
});

describe("save → load → continue", () => {
  it.each(["noisy", "truth"])("%s goes on with the same bits", (name) => {
    const given = name === "noisy" ? { posBiasSigmaM: [1, 1, 1], delayS: 0.012 } : { delayS: 0.012 };
    const run = (source: Source<"estimator">, bench: Bench, from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => {
        bench.truth.posNed[0] = from + i;
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
