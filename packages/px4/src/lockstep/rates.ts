/**
 * The rates at which the library's modules actually run.
 *
 * The limiter runs a module when at least trunc(1e6 / rate) µs have passed since the module's last run. So the actual
 * period is the requested period rounded up to whole steps: 100 Hz requested with a 4 ms step becomes 83.3 Hz. A rate
 * of 0 or less means every step.
 */
import { lockstepErrors } from "./errors.ts";

export interface ModuleRates {
  readonly navigatorHz: number;
  readonly positionHz: number;
  /** Rate at which the position estimate is published. The flight tasks have no limiter; they run at each estimate. */
  readonly flightTaskHz: number;
  readonly attitudeHz: number;
  readonly rateHz: number;
  readonly allocatorHz: number;
}

export interface RateReport {
  readonly module: string;
  readonly requestedHz: number;
  /** Period that the limiter uses. */
  readonly periodUs: number;
  /** Period at which the module actually runs. */
  readonly realPeriodUs: number;
  readonly realHz: number;
  readonly exact: boolean;
}

/** The rates of the reference flights. */
export const REFERENCE_RATES: ModuleRates = {
  navigatorHz: 20,
  positionHz: 100,
  flightTaskHz: 0,
  attitudeHz: 250,
  rateHz: 250,
  allocatorHz: 250,
};

const MODULES: readonly (keyof ModuleRates)[] = [
  "navigatorHz",
  "positionHz",
  "attitudeHz",
  "rateHz",
  "allocatorHz",
  "flightTaskHz",
];

export function rateReports(rates: ModuleRates, stepUs: number): RateReport[] {
  return MODULES.map((key) => {
    const requestedHz = rates[key];
    const periodUs = requestedHz > 0 ? Math.trunc(1e6 / requestedHz) : 0;
    const realPeriodUs = Math.max(1, Math.ceil(periodUs / stepUs)) * stepUs;
    return {
      module: key.replace(/Hz$/, ""),
      requestedHz,
      periodUs,
      realPeriodUs,
      realHz: 1e6 / realPeriodUs,
      exact: periodUs === 0 || realPeriodUs === 1e6 / requestedHz,
    };
  });
}

/** Returns one sentence per module that does not run at the requested rate. */
export function describeRates(reports: readonly RateReport[]): string[] {
  return reports
    .filter((report) => !report.exact)
    .map(
      ({ module, requestedHz, realHz, realPeriodUs }) =>
        `${module} should run at ${requestedHz} Hz but runs at ${realHz.toFixed(2)} Hz (every ${realPeriodUs / 1000} ms)`,
    );
}

export function assertExactRates(reports: readonly RateReport[]): void {
  const inexact = describeRates(reports);
  if (inexact.length === 0) return;
  throw lockstepErrors.rate({
    what: inexact.join("; "),
    fix: "choose rates whose periods are whole multiples of the autopilot's period, or set strictRates = false",
  });
}
