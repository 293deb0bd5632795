/**
 * Turbulence has the right variance and spectrum at every sample period.
 *
 * Each model runs with fixed seeds at 1, 20 and 100 ms. Its spectrum is compared octave by octave with the published
 * one, aliased at the Nyquist frequency as by sampling. Bounds are at least four standard deviations of the estimate. A
 * model discretised by Euler's or Tustin's rule would fail them at 100 ms, and a rational von Kármán filter would have
 * the wrong slope.
 */
import { describe, expect, it } from "vitest";
import { checkParams } from "../../packages/core/src/params/index.ts";
import { windKinds } from "../../packages/core/src/sources/wind/index.ts";
import { bandMean, welch } from "../support/welch.ts";

const count = (periodUs: number) => (periodUs === 1000 ? 1 << 16 : 1 << 15);
const AIRSPEED = 40;
const HEIGHT = 30;

const recorded = new Map<string, Float64Array[]>();

/** Returns longitudinal, lateral and vertical samples, with the mean wind blowing north. */
function record(kind: string, given: object, periodUs: number): Float64Array[] {
  const known = recorded.get(`${kind} ${periodUs}`);
  if (known !== undefined) return known;
  const found = windKinds.find((one) => one.name === kind)!;
  const model = found.make(checkParams(found.params, { ...given }, []) as never, { seed: 11, periodUs });
  const sight = {
    clock: { us: 0, s: 0 },
    posNed: [0, 0, -HEIGHT],
    velNed: [AIRSPEED + 5, 0, 0],
    meanNed: [5, 0, 0],
  };
  const out = new Float64Array(3);
  const series = [0, 1, 2].map(() => new Float64Array(count(periodUs)));
  for (let k = 0; k < count(periodUs); k += 1) {
    model.sampleInto(out, sight);
    for (let i = 0; i < 3; i += 1) series[i]![k] = out[i]!;
  }
  recorded.set(`${kind} ${periodUs}`, series);
  return series;
}

const variance = (x: Float64Array) => x.reduce((sum, v) => sum + v * v, 0) / x.length;

interface Theory {
  readonly sigma: number;
  /** Correlation time: the integral of the correlation function. */
  readonly tauS: number;
  /** One-sided density for unit variance, as a function of frequency times correlation time. */
  readonly shape: (y: number) => number;
}

// Functions of y = f·L/V from MIL-F-8785C, section 3.7.1, with Φ(Ω)dΩ converted to S(f)df.
const drydenAlong = (y: number) => 4 / (1 + (2 * Math.PI * y) ** 2);
const drydenAcross = (y: number) => {
  const o2 = (2 * Math.PI * y) ** 2;
  return (2 * (1 + 3 * o2)) / (1 + o2) ** 2;
};
const karmanAlong = (y: number) => 4 / (1 + (1.339 * 2 * Math.PI * y) ** 2) ** (5 / 6);
const karmanAcross = (y: number) => {
  const o2 = (1.339 * 2 * Math.PI * y) ** 2;
  return (2 * (1 + (8 / 3) * o2)) / (1 + o2) ** (11 / 6);
};

/** Returns the density after sampling, which is the sum over all aliases. */
function aliasedDensity({ sigma, tauS, shape }: Theory, fHz: number, dtS: number): number {
  let sum = shape(fHz * tauS);
  for (let k = 1; k <= 400; k += 1) sum += shape((k / dtS - fHz) * tauS) + shape((k / dtS + fHz) * tauS);
  return sigma * sigma * tauS * sum;
}

const W20 = 10;
const heightFt = HEIGHT / 0.3048;
const heightFactor = 0.177 + 0.000823 * heightFt;
const horizontal = {
  sigma: (0.1 * W20) / heightFactor ** 0.4,
  tauS: (heightFt / heightFactor ** 1.2) * (0.3048 / AIRSPEED),
};
const vertical = { sigma: 0.1 * W20, tauS: HEIGHT / AIRSPEED };

const models: [name: string, kind: string, given: object, theories: Theory[]][] = [
  [
    "ou",
    "ou",
    { sigmaNedMps: [1, 2, 0.5], tauS: 1.5 },
    [1, 2, 0.5].map((sigma) => ({ sigma, tauS: 1.5, shape: drydenAlong })),
  ],
  [
    "dryden",
    "dryden",
    { w20Mps: W20, windFromDeg: 180 },
    [
      { ...horizontal, shape: drydenAlong },
      { ...horizontal, shape: drydenAcross },
      { ...vertical, shape: drydenAcross },
    ],
  ],
  [
    "von Kármán",
    "von-karman",
    { w20Mps: W20, windFromDeg: 180 },
    [
      { ...horizontal, shape: karmanAlong },
      { ...horizontal, shape: karmanAcross },
      { ...vertical, shape: karmanAcross },
    ],
  ],
];

describe.each(models)("%s", (_, kind, given, theories) => {
  it.each([1000, 20000, 100000])("has the published variance and spectrum at %d µs", (periodUs) => {
    const dtS = periodUs / 1e6;
    const series = record(kind, given, periodUs);
    theories.forEach((theory, axis) => {
      const durationS = count(periodUs) * dtS;
      // Relative standard deviation of the variance of a correlated record: √(2·τ/T), at least √(2/N).
      const deviation = Math.sqrt(Math.max((2 * theory.tauS) / durationS, 2 / count(periodUs)));
      const ratio = variance(series[axis]!) / theory.sigma ** 2;
      expect(Math.abs(ratio - 1), `variance on axis ${axis}`).toBeLessThan(4 * deviation);

      const density = welch(series[axis]!, { dtS, segment: 8192 });
      const nyquistHz = 0.5 / dtS;
      for (let fromHz = 16 / (8192 * dtS); fromHz * 2 <= nyquistHz; fromHz *= 2) {
        const toHz = 2 * fromHz;
        const measured = bandMean(density, { dtS, fromHz, toHz });
        let expected = 0;
        for (let k = 0; k < 8; k += 1) expected += aliasedDensity(theory, fromHz * (1 + (k + 0.5) / 8), dtS) / 8;
        const independent = (toHz - fromHz) * durationS;
        const bound = 4.5 / Math.sqrt(independent) + 0.015;
        expect(Math.abs(measured / expected - 1), `axis ${axis}, ${fromHz} Hz`).toBeLessThan(bound);
      }
    });
  });
});

describe.each([
  ["dryden", drydenAcross],
  ["von-karman", karmanAcross],
] as const)("rotary gusts of %s", (kind, across) => {
  const SPAN = 4;
  /** p, q and r, with the mean wind blowing north. */
  const rates = (periodUs: number) => {
    const found = windKinds.find((one) => one.name === kind)!;
    const context = { seed: 5, periodUs, spanM: SPAN };
    const model = found.make(checkParams(found.params, { w20Mps: W20 }, []) as never, context);
    const sight = {
      clock: { us: 0, s: 0 },
      posNed: [0, 0, -HEIGHT],
      velNed: [AIRSPEED + 5, 0, 0],
      meanNed: [5, 0, 0],
    };
    const series = [0, 1, 2].map(() => new Float64Array(count(periodUs)));
    const out = new Float64Array(3);
    for (let k = 0; k < count(periodUs); k += 1) {
      model.sampleInto(out, sight);
      out.fill(0);
      model.addGustRate!(out);
      for (let i = 0; i < 3; i += 1) series[i]![k] = out[i]!;
    }
    return series;
  };
  /** One-sided densities over frequency from MIL-F-8785C, section 3.7.5: Φ(Ω)dΩ = S(f)df with Ω = 2πf/V. */
  const lagged = (spans: number, f: number) => {
    const omega = (2 * Math.PI * f) / AIRSPEED;
    return omega ** 2 / (1 + ((spans * SPAN * omega) / Math.PI) ** 2);
  };
  const density = [
    (f: number) => {
      const omega = (2 * Math.PI * f) / AIRSPEED;
      const phi =
        ((vertical.sigma ** 2 / HEIGHT) * 0.8 * ((Math.PI * HEIGHT) / (4 * SPAN)) ** (1 / 3)) /
        (1 + ((4 * SPAN * omega) / Math.PI) ** 2);
      return (phi * 2 * Math.PI) / AIRSPEED;
    },
    (f: number) => lagged(4, f) * vertical.sigma ** 2 * vertical.tauS * across(f * vertical.tauS),
    (f: number) => lagged(3, f) * horizontal.sigma ** 2 * horizontal.tauS * across(f * horizontal.tauS),
  ];

  it.each([1000, 20000])("have the spectra of the standard at %d µs", (periodUs) => {
    const dtS = periodUs / 1e6;
    rates(periodUs).forEach((series, axis) => {
      const measured = welch(series, { dtS, segment: 8192 });
      for (let fromHz = 16 / (8192 * dtS); fromHz * 16 <= 0.5 / dtS; fromHz *= 2) {
        const toHz = 2 * fromHz;
        let expected = 0;
        for (let k = 0; k < 8; k += 1) expected += density[axis]!(fromHz * (1 + (k + 0.5) / 8)) / 8;
        const independent = (toHz - fromHz) * count(periodUs) * dtS;
        const bound = 4.5 / Math.sqrt(independent) + 0.03;
        const ratio = bandMean(measured, { dtS, fromHz, toHz }) / expected;
        expect(Math.abs(ratio - 1), `axis ${axis}, ${fromHz} Hz`).toBeLessThan(bound);
      }
    });
  });

  it("are about the axes of the wind, whatever its direction", () => {
    const found = windKinds.find((one) => one.name === kind)!;
    const make = () =>
      found.make(checkParams(found.params, { w20Mps: W20 }, []) as never, { seed: 5, periodUs: 20000, spanM: SPAN });
    const [north, east] = [make(), make()];
    const sight = (mean: number[]) => ({
      clock: { us: 0, s: 0 },
      posNed: [0, 0, -HEIGHT],
      velNed: [0, 0, 0],
      meanNed: mean,
    });
    const [a, b, wind] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
    for (let k = 0; k < 100; k += 1) {
      north.sampleInto(wind, sight([8, 0, 0]));
      east.sampleInto(wind, sight([0, 8, 0]));
      a.fill(0);
      b.fill(0);
      north.addGustRate!(a);
      east.addGustRate!(b);
    }
    expect(a.every((rate) => rate !== 0)).toBe(true);
    expect([b[1], -b[0]!, b[2]]).toEqual([...a]);
  });

  it("are zero if the vehicle has no span, or if they are switched off", () => {
    const found = windKinds.find((one) => one.name === kind)!;
    for (const [given, spanM] of [
      [{}, 0],
      [{ rotaryGusts: false }, 1],
    ] as const) {
      const model = found.make(checkParams(found.params, { ...given }, []) as never, {
        seed: 5,
        periodUs: 20000,
        spanM,
      });
      const out = new Float64Array(3);
      model.sampleInto(out, { clock: { us: 0, s: 0 }, posNed: [0, 0, -9], velNed: [0, 0, 0], meanNed: [0, 0, 0] });
      out.fill(0);
      model.addGustRate!(out);
      expect([...out]).toEqual([0, 0, 0]);
    }
  });
});

describe("slopes", () => {
  /** Slope of log density over log frequency, by least squares over octaves. */
  const slope = (x: Float64Array, options: { dtS: number; fromHz: number; octaves: number }) => {
    const { dtS, fromHz, octaves } = options;
    const density = welch(x, { dtS, segment: 8192 });
    let sumXY = 0;
    let sumXX = 0;
    for (let k = 0; k < octaves; k += 1) {
      const position = k - (octaves - 1) / 2;
      sumXY += position * Math.log2(bandMean(density, { dtS, fromHz: fromHz * 2 ** k, toHz: fromHz * 2 ** (k + 1) }));
      sumXX += position * position;
    }
    return sumXY / sumXX;
  };

  it("von Kármán falls with −5/3 and Dryden with −2, far above the corner and far below the Nyquist frequency", () => {
    const given = { w20Mps: W20, windFromDeg: 180 };
    for (const axis of [0, 1, 2]) {
      const bands = { dtS: 0.001, fromHz: 2, octaves: 5 };
      expect(Math.abs(slope(record("von-karman", given, 1000)[axis]!, bands) + 5 / 3)).toBeLessThan(0.08);
      expect(Math.abs(slope(record("dryden", given, 1000)[axis]!, bands) + 2)).toBeLessThan(0.08);
    }
  });

  it("von Kármán keeps its slope up to the Nyquist frequency of a 20 ms period", () => {
    const vertical20 = record("von-karman", { w20Mps: W20, windFromDeg: 180 }, 20000)[2]!;
    expect(Math.abs(slope(vertical20, { dtS: 0.02, fromHz: 0.75, octaves: 3 }) + 5 / 3)).toBeLessThan(0.08);
  });
});
