/**
 * Makes rows as a campaign would produce them, for tests of summaries, pages and reports: a multirotor that loses a
 * motor in wind. The margins are a smooth function of the varied keys plus noise, so that plots of them show a shape.
 */
import type { Manifest, Row, RowVerdict, VerdictWord } from "@escapement/formats";

const uniform = (low: number, high: number) => ({ uniform: [low, high] });

export const exampleManifest: Manifest = {
  format: 1,
  identity: "c1:3f9a2c71d0e844b5",
  code: "9bb5725a1c20".padEnd(64, "0"),
  judged: "5e".repeat(32),
  name: "gusts over the square",
  file: "gusts.campaign.toml",
  plan: { kind: "sobol", flights: 1024 },
  flights: 1024,
  seed: 1,
  seeds: "per-flight",
  keys: [
    { key: "wind.w20Mps", unit: "m/s", distribution: uniform(3, 15) },
    { key: "vehicle.massKg", unit: "kg", distribution: { normal: { mean: 1.5, sigma: 0.05 }, within: [1.35, 1.65] } },
    { key: "scenario.engineOut.at", unit: "s", distribution: { uniform: ["10 s", "50 s"] } },
    { key: "scenario.engineOut.motorOff.motor", unit: "", distribution: { choice: [1, 2, 3, 4] } },
    { key: "vehicle.batteries[0].soc", unit: "", distribution: { list: [1, 0.6, 0.3] } },
    { key: "estimator.kind", unit: "", distribution: { choice: ["ideal", "noisy"] } },
  ],
  requirements: [
    {
      name: "stays up",
      text: "for 5 s after engineOut: altitude > 2 m",
      severity: "error",
      mustOccur: true,
      unit: "m",
    },
    { name: "never tilt > 60 deg", text: "never tilt > 60 deg", severity: "warning", mustOccur: false, unit: "deg" },
    {
      name: "lands softly",
      text: "within 3 s after touchdown: (speed < 0.5 m/s and tilt < 10 deg)",
      severity: "error",
      mustOccur: false,
      unit: null,
    },
  ],
  measures: [
    { name: "positionErrorMaxM", unit: "m", text: "" },
    { name: "settling", unit: "s", text: "first time (for 2 s: positionError < 50 cm)" },
  ],
  criteria: ["P(stays up) >= 99 % with 95 % confidence"],
  isRepeatable: true,
};

/** Returns a generator of pseudo-random numbers from 0 to `scale`, the same on every machine for a given flight. */
function numbers(k: number): (scale?: number) => number {
  let state = (Math.imul(k + 1, 0x9e3779b1) ^ 0x2545f491) >>> 0;
  return (scale = 1) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (scale * (state >>> 8)) / 2 ** 24;
  };
}

const hex = (next: () => number, digits: number) =>
  Array.from({ length: digits }, () => Math.floor(16 * next()).toString(16)).join("");

/** The predicates of the example's requirements; margins of the last requirement are scaled. */
const PREDICATES = {
  altitude: { predicate: "altitude > 2 m", unit: "m", scale: 1 },
  tilt: { predicate: "tilt > 60 deg", unit: "deg", scale: 10 },
  softSpeed: { predicate: "speed < 0.5 m/s", unit: "m/s", scale: 1 },
  softTilt: { predicate: "tilt < 10 deg", unit: "deg", scale: 10 },
} as const;

export function exampleVerdict(verdict: VerdictWord): RowVerdict {
  const low = verdict === "untested" ? Infinity : -Infinity;
  return { verdict, low, high: Infinity, scaledLow: low, scaledHigh: Infinity, binding: null };
}

/** Makes a verdict with this margin in the predicate's unit. */
export function decidedVerdict(
  margin: number,
  tUs = 1_000_000,
  of: keyof typeof PREDICATES = "altitude",
  isInScales = false,
): RowVerdict {
  const isViolated = margin < 0 || Object.is(margin, -0);
  const { predicate, unit, scale } = PREDICATES[of];
  const scaled = margin / scale;
  const shownMargin = isInScales ? scaled : margin;
  return {
    verdict: isViolated ? "violated" : "holds",
    low: shownMargin,
    high: shownMargin,
    scaledLow: scaled,
    scaledHigh: scaled,
    binding: { predicate, tUs, margin, value: 2 + margin, unit },
  };
}

export function exampleRow(k: number): Row {
  const next = numbers(k);
  const hash = hex(next, 16);
  const w20 = 3 + next(12);
  const mass = 1.35 + (next() + next() + next()) / 10;
  const atS = Math.round(1e6 * (10 + next(40))) / 1e6;
  const motor = 1 + Math.floor(next(4));
  const soc = [1, 0.6, 0.3][Math.floor(next(3))]!;
  const varied = [w20, mass, atS, motor, soc, next() < 0.5 ? "ideal" : "noisy"];
  if (k % 4001 === 4000) {
    const reason = "the flight did not end within 30 s of wall time";
    return { k, hash, fingerprint: "", outcome: "poisoned", reason, endUs: 0, varied, verdicts: [], measures: [] };
  }
  const strain =
    w20 / 15 + (atS > 28 && atS < 36 ? 0.25 : 0) + (motor === 2 ? 0.1 : 0) - 0.1 * soc + 0.3 * (mass - 1.5);
  const up = 4.5 - 4.2 * strain * strain + (next() + next() - 1);
  const tilt = 40 - 28 * strain + 8 * (next() - 0.5);
  const hasCrashed = up < -0.4;
  const bindingUs = Math.round(1e6 * atS) + 4000 * Math.floor(next(1250));
  const softness = 0.4 - 0.5 * next() * strain;
  return {
    k,
    hash,
    fingerprint: `fp1:${hex(next, 4)}-${hex(next, 4)}-${hex(next, 4)}-${hex(next, 4)}`,
    outcome: hasCrashed ? "crashed" : "completed",
    reason: hasCrashed ? "hit the ground at 9.31 m/s" : "the mission is complete",
    endUs: hasCrashed ? bindingUs + 400_000 : 67_000_000,
    varied,
    verdicts: [
      decidedVerdict(up, bindingUs),
      decidedVerdict(tilt, bindingUs + 100_000, "tilt"),
      hasCrashed
        ? exampleVerdict("undecided")
        : k % 17 === 0
          ? exampleVerdict("untested")
          : k % 2 === 0
            ? decidedVerdict(softness, 66_100_000, "softSpeed", true)
            : decidedVerdict(10 * softness, 66_200_000, "softTilt", true),
    ],
    measures: [0.3 + strain * strain + next(0.3), hasCrashed ? null : 2 + 9 * strain * next()],
  };
}

export function* exampleRows(count: number): Generator<Row, void, void> {
  for (let k = 0; k < count; k += 1) yield exampleRow(k);
}
