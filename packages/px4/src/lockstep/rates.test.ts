/**
 * The limiter's actual periods, compared with measurements of the real library and with a simulation of the limiter.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeRates, rateReports, REFERENCE_RATES, assertExactRates } from "./rates.ts";
import { motorCommand } from "./thrust-curve.ts";

/** Imitates the library's limiter: a module runs if it has never run or if its period has passed. */
function runsOf(requestedHz: number, stepUs: number, steps: number): number[] {
  const periodUs = requestedHz > 0 ? Math.trunc(1e6 / requestedHz) : 0;
  const runs: number[] = [];
  let last = 0;
  for (let k = 1; k <= steps; k += 1) {
    const now = k * stepUs;
    if (periodUs === 0 || last === 0 || now - last >= periodUs) {
      runs.push(now);
      last = now;
    }
  }
  return runs;
}

describe("module rates", () => {
  it("match measurements: at 4 ms, a requested 100 Hz gives 83.3 Hz, and 20 Hz gives 19.23 Hz", () => {
    const [navigator, position, attitude] = rateReports(REFERENCE_RATES, 4000);
    expect(navigator).toMatchObject({ realPeriodUs: 52_000, exact: false });
    expect(position).toMatchObject({ realPeriodUs: 12_000, exact: false });
    expect(attitude).toMatchObject({ realPeriodUs: 4000, exact: true });
    expect(position!.realHz).toBeCloseTo(83.33, 2);
    expect(rateReports(REFERENCE_RATES, 2000)[1]).toMatchObject({ realPeriodUs: 10_000, exact: true });
  });

  it("agree with a simulation of the limiter for any rate and step", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1200 }), fc.integer({ min: 200, max: 20_000 }), (hz, stepUs) => {
        const runs = runsOf(hz, stepUs, 200);
        const report = rateReports({ ...REFERENCE_RATES, rateHz: hz }, stepUs)[3]!;
        const gaps = new Set(runs.slice(1).map((run, i) => run - runs[i]!));
        if (gaps.size > 0) expect([...gaps]).toEqual([report.realPeriodUs]);
      }),
    );
  });

  it("are rejected when strict, with every module named", () => {
    const reports = rateReports(REFERENCE_RATES, 4000);
    expect(describeRates(reports)).toHaveLength(2);
    expect(() => assertExactRates(reports)).toThrow(/LOCKSTEP-010.*navigator.*19\.23 Hz.*position.*83\.33 Hz/);
    expect(() =>
      assertExactRates(rateReports({ ...REFERENCE_RATES, navigatorHz: 25, positionHz: 125 }, 4000)),
    ).not.toThrow();
  });
});

describe("thrust curve", () => {
  it("is the inverse of PX4's thrust model, and has no effect at factor 0", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (thrust, factor) => {
          const s = motorCommand(thrust, factor);
          expect(factor * s * s + (1 - factor) * s).toBeCloseTo(thrust, 12);
        },
      ),
    );
    expect(motorCommand(0.4, 0)).toBe(0.4);
    expect([motorCommand(Number.NaN, 0), motorCommand(-0.1, 0.3), motorCommand(Number.NaN, 0.3)]).toEqual([0, 0, 0]);
    expect(motorCommand(1, 0.7)).toBeCloseTo(1, 12);
  });
});
