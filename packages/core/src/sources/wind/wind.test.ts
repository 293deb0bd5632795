/** Tests each wind model: golden recurrences, half-open gusts, published scales, and complete snapshots. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { correlationAt } from "../../../../../tests/support/correlation.ts";
import { checkParams } from "../../params/index.ts";
import type { Diagnostic } from "../../params/index.ts";
import { RandomStream } from "../../random/index.ts";
import { Snapshot } from "../../snapshot/index.ts";
import { lowerGamma } from "./gust-component.ts";
import { milScalesInto } from "./mil-turbulence.ts";
import { windKinds } from "./index.ts";
import type { WindModel } from "./index.ts";
import { vonKarmanSpectrum } from "./von-karman.ts";

interface Scene {
  seed?: number;
  periodUs?: number;
  posNed?: readonly number[];
  velNed?: readonly number[];
  meanNed?: readonly number[];
}

function make(name: string, given: object = {}, { seed = 3, periodUs = 10000 }: Scene = {}): WindModel {
  const kind = windKinds.find((one) => one.name === name)!;
  const diagnostics: Diagnostic[] = [];
  const params = checkParams(kind.params, { ...given }, diagnostics);
  expect(diagnostics).toEqual([]);
  return kind.make(params as never, { seed, periodUs });
}

/** Returns samples at the ticks from `from` to `to`. */
function run(model: WindModel, ticks: { from?: number; to: number }, scene: Scene = {}): Float64Array[] {
  const { periodUs = 10000, posNed = [0, 0, -20], velNed = [5, 0, 0], meanNed = [0, 0, 0] } = scene;
  const clock = { us: 0, s: 0 };
  const input = { clock, posNed, velNed, meanNed };
  const rows: Float64Array[] = [];
  for (let k = ticks.from ?? 0; k < ticks.to; k += 1) {
    clock.us = k * periodUs;
    clock.s = clock.us / 1e6;
    const row = new Float64Array(3);
    model.sampleInto(row, input);
    rows.push(row);
  }
  return rows;
}

const numbers = (rows: Float64Array[]) => rows.map((row) => [...row]);

describe("ou", () => {
  it.each([
    [0.1, 5, 0.9801986733067553, 0.1980165671040606],
    [0.001, 3, 0.9996667222160499, 0.0258155862575096],
  ])("obeys its one-step recurrence: dt %d s, τ %d s", (dtS, tauS, phi, s) => {
    const model = make("ou", { sigmaNedMps: [2, 2, 2], tauS }, { periodUs: dtS * 1e6 });
    const rows = run(model, { to: 5 });
    ["n", "e", "d"].forEach((axis, i) => {
      const random = new RandomStream(3, `wind/${axis}`);
      let v = 2 * random.gaussian();
      for (const row of rows) {
        expect(Math.abs(row[i]! - v)).toBeLessThanOrEqual(1e-12);
        v = phi * v + 2 * s * random.gaussian();
      }
    });
  });

  it("[D19] has its initial value at t0, not the value after one step", () => {
    const mean = [1, -2, 3];
    const zero = make("ou", { meanNedMps: mean, start: "zero" });
    expect(numbers(run(zero, { to: 1 }))).toEqual([mean]);
    // In the stationary state, the first value has the full variance over many seeds.
    let sum = 0;
    for (let seed = 0; seed < 4000; seed += 1)
      sum += run(make("ou", { sigmaNedMps: [1, 1, 1] }, { seed }), { to: 1 })[0]![0]! ** 2;
    expect(Math.abs(sum / 4000 - 1)).toBeLessThan(0.1);
  });

  it("[D19] if it starts from zero, its variance grows as σ²·(1 − e^(−2t/τ))", () => {
    const at = [10, 100, 400];
    const sums = at.map(() => 0);
    for (let seed = 0; seed < 2000; seed += 1) {
      const rows = run(make("ou", { sigmaNedMps: [1, 1, 1], tauS: 2, start: "zero" }, { seed }), { to: 401 });
      at.forEach((k, i) => (sums[i]! += rows[k]![0]! ** 2));
    }
    at.forEach((k, i) => {
      const expected = 1 - Math.exp((-2 * k * 0.01) / 2);
      expect(Math.abs(sums[i]! / 2000 / expected - 1)).toBeLessThan(0.13);
    });
  });

  it("has the variance σ² over 2000 s, after the first 50 s, with τ = 1 s, σ = 1 m/s and steps of 10 ms", () => {
    const rows = run(make("ou", { sigmaNedMps: [1, 1, 1], tauS: 1 }), { to: 205000 });
    for (let i = 0; i < 3; i += 1) {
      const late = rows.slice(5000).map((row) => row[i]!);
      const mean = late.reduce((a, b) => a + b, 0) / late.length;
      const variance = late.reduce((a, b) => a + (b - mean) ** 2, 0) / late.length;
      expect(Math.abs(variance - 1)).toBeLessThan(0.1);
    }
  });

  it("has the same statistics at a finer period: ten small steps have the correlation of one large step", () => {
    const correlation = (periodUs: number, lag: number) => {
      const x = run(make("ou", { tauS: 1 }, { periodUs }), { to: 100000 }).map((row) => row[0]!);
      return correlationAt(x, lag);
    };
    expect(Math.abs(correlation(20000, 50) - Math.exp(-1))).toBeLessThan(0.06);
    expect(Math.abs(correlation(200000, 5) - Math.exp(-1))).toBeLessThan(0.03);
  });
});

describe("gust", () => {
  const active = (rows: Float64Array[]) => rows.flatMap((row, k) => (row[0] === 0 ? [] : [k]));

  it("is on for exactly 3 ticks: at 1.0 s for 0.03 s, dt 10 ms", () => {
    const rows = run(make("gust", { startS: 1, lengthS: 0.03, amplitudeNedMps: [4, 0, 0] }), { to: 200 });
    expect(active(rows)).toEqual([100, 101, 102]);
    expect(rows[101]![0]).toBe(4);
  });

  it("[L4] is half-open for every start, length and period", () => {
    const whole = (max: number) => fc.integer({ min: 1, max });
    fc.assert(
      fc.property(whole(500), whole(500), whole(40), (startMs, lengthMs, periodMs) => {
        const periodUs = periodMs * 1000;
        const model = make("gust", { startS: startMs / 1000, lengthS: lengthMs / 1000 });
        const rows = run(model, { to: Math.ceil(1100 / periodMs) }, { periodUs });
        const expected = rows.flatMap((_, k) =>
          k * periodMs >= startMs && k * periodMs < startMs + lengthMs ? [k] : [],
        );
        expect(active(rows)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it("one-minus-cosine rises to its amplitude in the middle and ends at zero; a rise stays", () => {
    const given = { startS: 0.1, lengthS: 0.2, amplitudeNedMps: [2, 0, -4] };
    const pulse = run(make("gust", { ...given, shape: "one-minus-cosine" }), { to: 50 });
    expect(numbers([pulse[10]!])[0]!.map(Math.abs)).toEqual([0, 0, 0]);
    expect(pulse[20]![0]).toBeCloseTo(2, 14);
    expect(pulse[15]![2]).toBeCloseTo(-2, 14);
    expect(pulse[30]![0]).toBe(0);
    const rise = run(make("gust", { ...given, shape: "rise" }), { to: 50 });
    expect(rise[20]![0]).toBeCloseTo(1, 14);
    expect(rise[30]![0]).toBe(2);
    expect(rise[49]![2]).toBe(-4);
  });
});

describe("shear", () => {
  const speedAt = (given: object, heightM: number) => {
    const [row] = run(make("shear", given), { to: 1 }, { posNed: [0, 0, -heightM] });
    return Math.hypot(...row!);
  };

  it("follows the logarithm: its speed at the reference height, zero at the roughness length, constant above the top", () => {
    expect(speedAt({ speedMps: 7 }, 6.096)).toBeCloseTo(7, 12);
    expect(speedAt({}, 0.04572)).toBe(0);
    expect(speedAt({}, -1)).toBe(0);
    expect(speedAt({ speedMps: 1 }, 60.96)).toBeCloseTo(Math.log(200 / 0.15) / Math.log(20 / 0.15), 12);
    expect(speedAt({}, 5000)).toBe(speedAt({}, 304.8));
  });

  it("follows the power law", () => {
    const given = { law: "power", speedMps: 10, referenceHeightM: 10 };
    expect(speedAt(given, 80)).toBeCloseTo(10 * 8 ** (1 / 7), 12);
    expect(speedAt(given, 0)).toBe(0);
  });

  it("blows away from the given direction", () => {
    const [row] = run(make("shear", { windFromDeg: 270 }), { to: 1 });
    expect(row![1]).toBeGreaterThan(0);
    expect(Math.abs(row![0]!)).toBeLessThan(1e-14);
    expect(() => make("shear", { referenceHeightM: 0.01 })).toThrow(/WIND-001/);
  });
});

describe("turbulence by MIL-F-8785C", () => {
  const scalesAt = (heightFt: number, highLengthFt = 1750) => {
    const scales = new Float64Array(6);
    scales[0] = heightFt * 0.3048;
    milScalesInto(scales, { w20Mps: 10, exceedance: "1e-3", highLengthFt });
    return [...scales].map((value, i) => (i < 3 ? value : value / 0.3048));
  };

  it("has the specified intensities and lengths at low height", () => {
    const base = 0.177 + 0.000823 * 100;
    const [su, sv, sw, lu, lv, lw] = scalesAt(100);
    expect(sw).toBeCloseTo(1, 14);
    expect(su).toBeCloseTo(1 / base ** 0.4, 13);
    expect(sv).toBe(su);
    expect(lu).toBeCloseTo(100 / base ** 1.2, 10);
    expect(lv).toBe(lu);
    expect(lw).toBeCloseTo(100, 10);
  });

  it("is isotropic from 1000 ft on, linear between 1000 and 2000 ft, and follows figure 7 above", () => {
    expect(scalesAt(1000).map((value) => Math.round(value * 1e9) / 1e9)).toEqual([1, 1, 1, 1000, 1000, 1000]);
    const at2000 = scalesAt(2000);
    const sigma = (9.6 + (250 / 2000) * (10.6 - 9.6)) * 0.3048;
    [sigma, sigma, sigma, 1750, 1750, 1750].forEach((value, i) => expect(at2000[i]).toBeCloseTo(value, 10));
    const middle = scalesAt(1500);
    [(1 + sigma) / 2, 1375].forEach((value, i) => expect(middle[3 * i]).toBeCloseTo(value, 10));
    expect(scalesAt(7500)[0]).toBeCloseTo(10.1 * 0.3048, 12);
    expect(scalesAt(1e5)[0]).toBe(0);
    expect(scalesAt(2001, 2500)[3]).toBeCloseTo(2500, 9);
  });

  it("von Kármán is a sum of Dryden spectra within 0.7 % over five decades", () => {
    const { rates, variances } = vonKarmanSpectrum();
    expect(variances.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 14);
    for (let exponent = -2; exponent <= 4.5; exponent += 0.05) {
      const o = 10 ** exponent;
      const x = (1.339 * o) ** 2;
      const part = (shape: (a: number) => number) => rates.reduce((sum, a, i) => sum + variances[i]! * shape(a), 0);
      const along = part((a) => a / (a * a + o * o)) * (1 + x) ** (5 / 6);
      const across =
        (part((a) => (a * (a * a + 3 * o * o)) / (a * a + o * o) ** 2) * (1 + x) ** (11 / 6)) / (1 + (8 / 3) * x);
      expect(Math.abs(along - 1)).toBeLessThan(0.007);
      expect(Math.abs(across - 1)).toBeLessThan(0.007);
    }
  });

  it("the incomplete gamma function is accurate from 1e-12 to 50, across the change of formula", () => {
    // Compute γ(n, x) as an integral, by Simpson's rule on a fine grid.
    const integral = (n: number, x: number) => {
      const steps = 4000;
      let sum = 0;
      for (let k = 0; k <= steps; k += 1) {
        const t = (x * k) / steps;
        sum += (k === 0 || k === steps ? 1 : k % 2 === 1 ? 4 : 2) * t ** (n - 1) * Math.exp(-t);
      }
      return (sum * x) / steps / 3;
    };
    for (const n of [2, 3] as const) {
      for (const x of [1e-12, 1e-5, 0.01, 0.7, 1.999999, 2.000001, 6, 50]) {
        expect(Math.abs(lowerGamma(n, x) / integral(n, x) - 1)).toBeLessThan(1e-8);
      }
    }
  });

  it.each(["dryden", "von-karman"])("%s: variance does not depend on the airspeed, even if it changes", (name) => {
    const model = make(name, { w20Mps: 10 });
    const input = { clock: { us: 0, s: 0 }, posNed: [0, 0, -10], velNed: [0, 0, 0], meanNed: [0, 0, 0] };
    const row = new Float64Array(3);
    let sum = 0;
    const ticks = 60000;
    for (let k = 0; k < ticks; k += 1) {
      input.velNed[0] = 30 + 29 * Math.sin(k / 50);
      model.sampleInto(row, input);
      sum += row[2]! ** 2;
    }
    expect(Math.abs(sum / ticks - 1)).toBeLessThan(0.15);
  });

  it.each(["dryden", "von-karman"])(
    "%s: a hover without mean wind has the turbulence of a mean wind of W20",
    (name) => {
      const given = { w20Mps: 7.7, windFromDeg: 180 };
      const calm = run(make(name, given), { to: 50 }, { velNed: [0, 0, 0] });
      const windy = run(make(name, given), { to: 50 }, { velNed: [0, 0, 0], meanNed: [7.7, 0, 0] });

      calm.forEach((row, k) => row.forEach((value, i) => expect(value).toBeCloseTo(windy[k]![i]!, 12)));
    },
  );

  it("rotates its axes with the mean wind or the track", () => {
    const still = run(make("dryden", { windFromDeg: 180 }), { to: 1 })[0]!;
    const east = run(make("dryden", { windFromDeg: 180 }), { to: 1 }, { meanNed: [0, 8, 0] })[0]!;
    expect(east[1]).toBeCloseTo(still[0]!, 14);
    expect(east[0]).toBeCloseTo(-still[1]!, 14);
    const track = run(make("dryden", { axes: "track" }), { to: 1 }, { velNed: [0, 20, 0] })[0]!;
    expect(track[1]).toBeCloseTo(still[0]!, 14);
    const held = run(make("dryden", { axes: "track", windFromDeg: 180 }), { to: 1 }, { velNed: [0, 2, 0] })[0]!;
    expect(held[0]).toBeCloseTo(still[0]!, 14);
  });
});

describe("sum", () => {
  it("adds its parts, and each has its own random stream", () => {
    const ouPart = { sigmaNedMps: [1, 0, 0] };
    const alone = run(make("sum", { ou: [ouPart] }), { to: 200 });
    const gusty = run(make("sum", { gust: [{ startS: 0.5, lengthS: 0.5 }], ou: [ouPart] }), { to: 200 });
    // The random part is the same with and without the gust.
    gusty.forEach((row, k) => expect(row[0]).toBe((k >= 50 && k < 100 ? 5 : 0) + alone[k]![0]!));
    const two = run(make("sum", { ou: [ouPart, ouPart] }), { to: 5 });
    two.forEach((row, k) => expect(row[0]! - alone[k]![0]!).not.toBe(alone[k]![0]));
  });

  it("steady parts advect the turbulence: a hover in wind differs from a hover in still air", () => {
    const parts = { dryden: [{ windFromDeg: 180 }] };
    const slow = run(make("sum", parts), { to: 2 }, { velNed: [0, 0, 0] });
    const carried = run(
      make("sum", { ...parts, constant: [{ windNedMps: [60, 0, 0] }] }),
      { to: 2 },
      { velNed: [0, 0, 0] },
    );
    expect(carried[0]![0]! - 60).toBeCloseTo(slow[0]![0]!, 12);
    expect(Math.abs(carried[1]![2]! - carried[0]![2]!)).toBeGreaterThan(2 * Math.abs(slow[1]![2]! - slow[0]![2]!));
  });

  it("does not depend on the order of its parts", () => {
    const parts = { shear: [{}], ou: [{}], vonKarman: [{}], constant: [{ windNedMps: [1, 2, 3] }] };
    const reversed = Object.fromEntries(Object.entries(parts).reverse());
    expect(numbers(run(make("sum", parts), { to: 20 }))).toEqual(numbers(run(make("sum", reversed), { to: 20 })));
  });
});

describe("every kind", () => {
  /** The keys of a sum: the kinds that can be its parts, in camel case. */
  const partKeys = Object.keys(windKinds.find(({ name }) => name === "sum")!.params);
  const everything = {
    ...Object.fromEntries(partKeys.map((key) => [key, [{}]])),
    ou: [{}, {}],
    vonKarman: [{ axes: "track" }],
  };
  const cases = [...windKinds.map((kind) => [kind.name, {}] as const), ["sum", everything] as const];
  const firstSamples = (name: string, given: object = {}, scene: Scene = {}) =>
    numbers(run(make(name, given, scene), { to: 20 }));

  it.each(cases)("%s %j: save, load and continue gives equal bits", (name, given) => {
    const moving = (k: number): Scene => ({ posNed: [0, 0, -5 - 3 * k], velNed: [4 + k, 2 * k, -1] });
    const model = make(name, given);
    for (let k = 0; k < 61; k += 1) run(model, { from: k, to: k + 1 }, moving(k));
    const snapshot = Snapshot.of(model);
    const other = make(name, given);
    run(other, { to: 7 }, { velNed: [0, 50, 0] });
    snapshot.into(other);
    for (let k = 61; k < 130; k += 1) {
      const ticks = { from: k, to: k + 1 };
      expect(numbers(run(other, ticks, moving(k)))).toEqual(numbers(run(model, ticks, moving(k))));
    }
    expect(Snapshot.of(other)).toEqual(Snapshot.of(model));
  });

  it.each(windKinds.map((kind) => kind.name))("%s gives the same wind for the same seed", (name) => {
    expect(firstSamples(name)).toEqual(firstSamples(name));
  });

  const randomParts = partKeys.filter((key) => {
    const sum = { [key]: [{}] };
    return !isDeepStrictEqual(firstSamples("sum", sum), firstSamples("sum", sum, { seed: 4 }));
  });

  it("gusts of turbulence differ from seed to seed", () => {
    expect(randomParts).toEqual(expect.arrayContaining(["ou", "dryden", "vonKarman"]));
  });

  it.each(randomParts)(
    "%s: two parts of a sum have different random numbers, from streams named after `stream`",
    (key) => {
      const twice = firstSamples("sum", { [key]: [{}] }).map((row) => row.map((value) => 2 * value));
      expect(firstSamples("sum", { [key]: [{}, {}] })).not.toEqual(twice);
    },
  );

  it.each([
    ["ou", { sigmaNedMps: [0, 0, 0] }],
    ["ou", { start: "zero" }],
    ["dryden", { w20Mps: 0 }],
    ["von-karman", { w20Mps: 0 }],
  ])("%s %j: draws do not depend on parameters", (name, quiet) => {
    const counts = (given: object) => {
      const model = make(name, given);
      run(model, { to: 9 });
      // A stream saves one whole number, its number of draws; all other saved numbers are fractional or zero.
      return [...Snapshot.of(model).sections[0]!.values].filter((value) => Number.isInteger(value) && value > 8);
    };
    expect(counts(quiet)).toEqual(counts({}));
    expect(counts(quiet).length).toBe(3);
  });
});
