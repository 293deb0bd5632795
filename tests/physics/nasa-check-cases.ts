/**
 * The atmospheric check cases 1 to 10 of NASA/TM-2015-218675, flown with the `earthBody` plant (a rigid body over a
 * rotating Earth), and NASA's end states.
 *
 * Vehicles, initial conditions and winds are those of the report's appendices B and C. The altitude at which cases 2
 * and 3 start, 30 000 ft, is that of the report's text and of all published files. One fixture has end states of cases
 * 1, 2, 4, 6 and 9; the other one has the ranges of all tools in cases 3, 5, 7, 8 and 10 at 10, 20 and 30 s.
 */
import { readFileSync } from "node:fs";
import { checkParams } from "../../packages/core/src/params/index.ts";
import { integratorKinds } from "../../packages/core/src/integrate/index.ts";
import { type CheckReport, checkReport, FOOT_M, SLUG_KG } from "./earth/check-report.ts";
import { earthBody } from "./earth/earth-body.ts";

const DEGREE = Math.PI / 180;
const EARTH_RATE = 7.292115e-5;
const SLUG_FT2 = SLUG_KG * FOOT_M * FOOT_M;
const ft = (...values: number[]) => values.map((value) => value * FOOT_M);

const sphere = {
  massKg: SLUG_KG,
  inertiaKgM2: [3.6 * SLUG_FT2, 3.6 * SLUG_FT2, 3.6 * SLUG_FT2],
  dragCoefficient: 0.1,
  areaM2: 0.1963495 * FOOT_M * FOOT_M,
};
const brick = {
  massKg: 0.155404754 * SLUG_KG,
  inertiaKgM2: [0.00189422 * SLUG_FT2, 0.006211019 * SLUG_FT2, 0.007194665 * SLUG_FT2],
  areaM2: 0.22222 * FOOT_M * FOOT_M,
  spanM: 0.33333 * FOOT_M,
  chordM: 0.66667 * FOOT_M,
};
const highStart = { altM: 30000 * FOOT_M };
const tumbling = { ...highStart, rateBodyRadS: [10 * DEGREE, 20 * DEGREE, 30 * DEGREE] };
const windFromWest = (altitudeFt: number, speedFtS: number) => ({
  altitudeM: altitudeFt * FOOT_M,
  windNedMps: [0, speedFtS * FOOT_M, 0],
});

/** Parameters of each case, by number. */
export const CASES: Readonly<Record<number, object>> = {
  1: { body: { ...sphere, dragCoefficient: 0 }, start: highStart },
  2: { body: brick, start: tumbling },
  3: { body: { ...brick, rollDamping: -1, pitchDamping: -1, yawDamping: -1 }, start: tumbling },
  4: { planet: { figure: "round", rotationRadS: 0 }, body: sphere, start: tumbling },
  5: { planet: { figure: "round" }, body: sphere, start: tumbling },
  6: { body: sphere, start: highStart },
  7: { body: sphere, start: highStart, wind: [windFromWest(0, 20)] },
  8: { body: sphere, start: highStart, wind: [windFromWest(0, -20), windFromWest(30000, 70)] },
  9: { body: sphere, start: { velNedMps: ft(0, 1000, -1000), yawDeg: 90, rateBodyRadS: [0, -EARTH_RATE, 0] } },
  10: { body: sphere, start: { velNedMps: ft(1000, 0, -1000), rateBodyRadS: [EARTH_RATE, 0, 0] } },
};

/** Flies a case for 30 s with a registered integrator. */
export function flyCase(number: number, integrator = "rk45"): CheckReport {
  return flyHistory(number, integrator).get(30)!;
}

/** Flies a case for 30 s in intervals of 0.1 s, and returns the state at every whole second. */
function flyHistory(number: number, integrator: string): Map<number, CheckReport> {
  const diagnostics: never[] = [];
  const plant = earthBody.make(checkParams(earthBody.params, { ...CASES[number] }, diagnostics) as never, {});
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  const kind = integratorKinds.find((one) => one.name === integrator)!;
  const u = new Float64Array(3);
  const flown = kind.make(checkParams(kind.params, {}, []) as never, { plant, u });
  const x = new Float64Array(plant.layout.size);
  plant.initialInto(x);
  const span = new Float64Array(2);
  const reports = new Map<number, CheckReport>();
  for (let tUs = 0; tUs < 30e6; tUs += 100000) {
    span[0] = tUs;
    span[1] = tUs + 100000;
    flown.advance(span, x);
    if (span[1] % 1e6 === 0) reports.set(span[1] / 1e6, checkReport(plant, span[1] / 1e6, x, u));
  }
  return reports;
}

/** One of our results, and the range of the published ones. */
export interface Comparison extends PublishedRange {
  readonly timeS: number;
  readonly ours: number;
}

/** Compares cases 3, 5, 7, 8 and 10 at 10, 20 and 30 s with the range of all tools that report the column. */
export function historyComparisons(): Comparison[] {
  const text = readFileSync(new URL("../fixtures/nasa-6dof-ranges.csv", import.meta.url), "utf8");
  const [, ...rows] = text.trim().split(/\r?\n/);
  const histories = new Map<number, Map<number, CheckReport>>();
  return rows.map((row) => {
    const [number, timeS, column, low, high] = row.split(",") as [string, string, keyof CheckReport, string, string];
    const history = histories.get(Number(number)) ?? flyHistory(Number(number), "rk45");
    histories.set(Number(number), history);
    return {
      case: Number(number),
      timeS: Number(timeS),
      column,
      low: Number(low),
      high: Number(high),
      slack: slackOf(column, Number(high)),
      ours: history.get(Number(timeS))![column],
    };
  });
}

export interface PublishedRange {
  readonly case: number;
  readonly column: keyof CheckReport;
  readonly low: number;
  readonly high: number;
  /** Distance that a result may lie outside the range. */
  readonly slack: number;
}

/** Returns the range of sims 04, 05 and 06 at 30 s, one entry per case and column. */
export function publishedRanges(): PublishedRange[] {
  const text = readFileSync(new URL("../fixtures/nasa-6dof-check-cases.csv", import.meta.url), "utf8");
  const [head, ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const ranges: PublishedRange[] = [];
  for (const number of [1, 2, 4, 6, 9]) {
    const own = rows.filter((row) => Number(row[0]!.slice(6, 8)) === number && ["04", "05", "06"].includes(row[1]!));
    for (const column of head!.slice(4) as (keyof CheckReport)[]) {
      const values = own.map((row) => Number(row[head!.indexOf(column)]));
      const low = Math.min(...values);
      const high = Math.max(...values);
      ranges.push({ case: number, column, low, high, slack: slackOf(column, high) });
    }
  }
  return ranges;
}

function slackOf(column: string, size: number): number {
  if (column === "altitudeMsl_ft") return 0.001;
  if (column === "longitude_deg" || column === "latitude_deg") return 1e-7;
  if (column.startsWith("feVelocity")) return 1e-4;
  if (column.startsWith("eulerAngle") || column.startsWith("bodyAngularRate")) return 0.001;
  return 1e-6 * Math.abs(size);
}
