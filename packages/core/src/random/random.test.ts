/** Random streams: known answers, independence, statistics, published quantiles. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { correlationAt } from "../../../../tests/support/correlation.ts";
import { Snapshot } from "../snapshot/index.ts";
import { GaussMarkov, normalQuantile, philox4x32, RandomStream } from "./index.ts";

describe("Philox4x32-10", () => {
  // The known-answer vectors of the Random123 distribution: counter, key, result.
  it.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ])("[L6.2] gives the known answer for counter %j", (counter, key, expected) => {
    const block = Uint32Array.from(counter);
    philox4x32(block, key[0]!, key[1]!);
    expect([...block]).toEqual(expected);
  });
});

const draws = (stream: RandomStream, count: number) => Array.from({ length: count }, () => stream.uniform());

describe("streams", () => {
  it("[L6.2] do not depend on the order in which they are built or used", () => {
    const [a, b] = [new RandomStream(7, "wind"), new RandomStream(7, "imu")];
    const mixed = Array.from({ length: 20 }, () => [a.uniform(), b.uniform()] as const);
    expect(mixed.map(([, second]) => second)).toEqual(draws(new RandomStream(7, "imu"), 20));
    expect(mixed.map(([first]) => first)).toEqual(draws(new RandomStream(7, "wind"), 20));
  });

  it("[L6.2] of neighbouring seeds and of similar names share no numbers", () => {
    const streams = [
      [1, "wind"],
      [2, "wind"],
      [1, "estimator"],
      [2, "estimator"],
      [1, "scenario/1"],
      [1, "scenario/2"],
      [1, ""],
      [1 + 2 ** 32, "wind"],
    ] as const;
    const all = streams.flatMap(([seed, name]) => draws(new RandomStream(seed, name), 500));
    expect(new Set(all).size).toBe(all.length);
  });

  it("[L6.2] of different names are uncorrelated", () => {
    const names = ["wind", "imu", "gnss", "estimator", "barometer"];
    const columns = names.map((name) => {
      const values = new Float64Array(20_000);
      new RandomStream(3, name).gaussiansInto(values);
      return values;
    });
    for (let i = 0; i < names.length; i += 1) {
      for (let j = 0; j < i; j += 1) {
        const mean = columns[i]!.reduce((sum, value, k) => sum + value * columns[j]![k]!, 0) / 20_000;
        // One standard deviation is 1/√20000 = 0.0071.
        expect(Math.abs(mean)).toBeLessThan(0.0071 * 4);
      }
    }
  });

  it("reject a seed that is not an integer from 0 to 2^53 − 1", () => {
    for (const seed of [-1, 0.5, NaN, 2 ** 53]) expect(() => new RandomStream(seed, "x")).toThrow("seed");
  });

  it("[L9.7] continue after save and load, from any draw", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50 }), (before) => {
        const stream = new RandomStream(11, "stream");
        draws(stream, before);
        const saved = Snapshot.of(stream);
        const rest = draws(stream, 7);
        const other = new RandomStream(11, "stream");
        saved.into(other);
        expect(draws(other, 7)).toEqual(rest);
      }),
    );
  });

  it("[L6.2] can go to any draw by its number", () => {
    const inOrder = draws(new RandomStream(5, "vary"), 40);
    const stream = new RandomStream(5, "vary");
    for (const n of [39, 0, 1, 17, 16, 2, 39]) {
      stream.seek(n);
      expect(stream.uniform()).toBe(inOrder[n]);
    }
  });

  it("continue past block 2^32 without repeating", () => {
    const stream = new RandomStream(1, "long");
    stream.seek(2 ** 33);
    const far = stream.uniform();
    stream.seek(0);
    expect(stream.uniform()).not.toBe(far);
  });
});

describe("uniform", () => {
  const values = draws(new RandomStream(2, "uniform"), 100_000);

  it("lies strictly between 0 and 1", () => {
    expect(Math.min(...values.slice(0, 50_000))).toBeGreaterThan(0);
    expect(Math.max(...values.slice(0, 50_000))).toBeLessThan(1);
  });

  it("fills 100 bins evenly: chi-squared within its 1e-6 bounds", () => {
    const bins = new Float64Array(100);
    for (const value of values) bins[Math.floor(100 * value)]! += 1;
    const chi2 = bins.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chi2).toBeGreaterThan(43);
    expect(chi2).toBeLessThan(185);
  });

  it("consecutive draws are uncorrelated", () => {
    const lag = values.slice(1).reduce((sum, value, i) => sum + (value - 0.5) * (values[i]! - 0.5), 0) / values.length;
    expect(Math.abs(lag * 12)).toBeLessThan(4 / Math.sqrt(values.length));
  });
});

describe("gaussian", () => {
  it("inverts the normal distribution at published quantiles (Wichura 1988; Abramowitz & Stegun 26.2)", () => {
    const published = [
      [0.25, -0.6744897501960817],
      [0.001, -3.090232306167814],
      [1e-20, -9.262340089798408],
      [0.975, 1.959963984540054],
      [0.84134474606854293, 1],
      [0.99, 2.326347874040841],
      [0.5, 0],
    ] as const;
    for (const [p, z] of published)
      expect(Math.abs(normalQuantile(p) - z)).toBeLessThan(4e-15 * Math.max(1, Math.abs(z)));
  });

  it("is odd about one half", () => {
    for (const p of [0.01, 0.07, 0.1, 0.3, 0.4999]) expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(p), 12);
  });

  it("has mean 0, variance 1, skew 0 and kurtosis 3", () => {
    const values = new Float64Array(200_000);
    new RandomStream(5, "normal").gaussiansInto(values);
    const moment = (power: number) => values.reduce((sum, value) => sum + value ** power, 0) / values.length;
    expect(Math.abs(moment(1))).toBeLessThan(4 / Math.sqrt(values.length));
    expect(Math.abs(moment(2) - 1)).toBeLessThan(4 * Math.sqrt(2 / values.length));
    expect(Math.abs(moment(3))).toBeLessThan(4 * Math.sqrt(15 / values.length));
    expect(Math.abs(moment(4) - 3)).toBeLessThan(4 * Math.sqrt(96 / values.length));
  });

  it("[L6.2] consumes one draw per value", () => {
    const [a, b] = [new RandomStream(9, "n"), new RandomStream(9, "n")];
    for (let i = 0; i < 1000; i += 1) expect(a.gaussian()).toBe(normalQuantile(b.uniform()));
  });
});

describe("a Gauss–Markov process", () => {
  const bias = (seed: number, periodUs: number) =>
    new GaussMarkov({ sigma: [2], tauS: 0.5, periodS: periodUs / 1e6, random: new RandomStream(seed, "bias") });

  it("starts stationary and stays so: variance σ² at every step", () => {
    const sums = [0, 0, 0];
    for (let seed = 0; seed < 4000; seed += 1) {
      const process = bias(seed, 100_000);
      for (let k = 0; k < 20; k += 1) {
        process.step();
        const at = [0, 5, 19].indexOf(k);
        if (at >= 0) sums[at]! += process.value[0]! * process.value[0]!;
      }
    }
    // The standard deviation of a sample variance over n samples is σ²·√(2/n).
    for (const sum of sums) expect(Math.abs(sum / 4000 / 4 - 1)).toBeLessThan(5 * Math.sqrt(2 / 4000));
  });

  it("has the autocorrelation e^(−t/τ) at every step size", () => {
    const correlation = (periodUs: number, lag: number) => {
      const process = bias(3, periodUs);
      const values = Array.from({ length: 60_000 }, () => {
        process.step();
        return process.value[0]!;
      });
      return correlationAt(values, lag);
    };
    expect(Math.abs(correlation(50_000, 10) - Math.exp(-1))).toBeLessThan(0.05);
    expect(Math.abs(correlation(250_000, 2) - Math.exp(-1))).toBeLessThan(0.03);
  });
});
