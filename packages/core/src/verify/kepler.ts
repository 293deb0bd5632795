/**
 * The Kepler problem, r̈ = −μ r/|r|³, starting at periapsis in a plane tilted against all axes.
 *
 * Position from the eccentric anomaly E: t √(μ/a³) = E − e sin E, r = a (cos E − e) p̂ + a √(1−e²) sin E q̂. Energy
 * v²/2 − μ/r and angular momentum r × v are invariants. With e = 0 the orbit is circular with a period of 2π seconds.
 * The flight ends at a whole microsecond, and is compared with the solution at that time, not at 2π.
 */
import type { Plant } from "../engine/index.ts";
import { cos, sin } from "../math/index.ts";
import { StateLayout } from "../state/index.ts";
import { block, type Invariant, type VerificationProblem } from "./problem.ts";

const MU = 1;
const SEMI_MAJOR = 1;
/** Unit vectors along periapsis and a quarter turn further: (2, 2, 1)/3 and (−2, 1, 2)/3. */
const P = [2 / 3, 2 / 3, 1 / 3] as const;
const Q = [-2 / 3, 1 / 3, 2 / 3] as const;

function kepler(options: { name: string; about: string; eccentricity: number; stepUs: number }): VerificationProblem {
  const { eccentricity: e, ...rest } = options;
  const side = Math.sqrt(1 - e * e);
  const meanRate = Math.sqrt(MU / (SEMI_MAJOR * SEMI_MAJOR * SEMI_MAJOR));
  const solutionInto = (x: Float64Array, tUs: number): void => {
    const anomaly = eccentricAnomaly(meanRate * (tUs / 1e6), e);
    const anomalyRate = meanRate / (1 - e * cos(anomaly));
    const along = SEMI_MAJOR * (cos(anomaly) - e);
    const across = SEMI_MAJOR * side * sin(anomaly);
    const alongRate = -SEMI_MAJOR * sin(anomaly) * anomalyRate;
    const acrossRate = SEMI_MAJOR * side * cos(anomaly) * anomalyRate;
    for (let i = 0; i < 3; i += 1) {
      x[i] = along * P[i]! + across * Q[i]!;
      x[3 + i] = alongRate * P[i]! + acrossRate * Q[i]!;
    }
  };
  const plant: Plant = {
    layout: new StateLayout([
      block({ name: "position", size: 3, unit: "m" }),
      block({ name: "velocity", size: 3, unit: "m/s" }),
    ]),
    initialInto: (x) => solutionInto(x, 0),
    derivativesInto(dx, _timeS, x) {
      const square = x[0]! * x[0]! + x[1]! * x[1]! + x[2]! * x[2]!;
      const factor = -MU / (square * Math.sqrt(square));
      for (let i = 0; i < 3; i += 1) {
        dx[i] = x[3 + i]!;
        dx[3 + i] = factor * x[i]!;
      }
    },
  };
  return { ...rest, plant, endUs: 6_280_000, sampleUs: 20_000, solutionInto, invariants: keplerInvariants(side) };
}

function keplerInvariants(side: number): Invariant[] {
  const energy = (x: Float64Array): number => {
    const r = Math.sqrt(x[0]! * x[0]! + x[1]! * x[1]! + x[2]! * x[2]!);
    return 0.5 * (x[3]! * x[3]! + x[4]! * x[4]! + x[5]! * x[5]!) - MU / r;
  };
  const momentum = (i: number) => (x: Float64Array) => {
    const j = (i + 1) % 3;
    const k = (i + 2) % 3;
    return x[j]! * x[3 + k]! - x[k]! * x[3 + j]!;
  };
  const momentumScale = Math.sqrt(MU * SEMI_MAJOR) * side;
  return [
    { name: "energy", unit: "J/kg", scale: MU / (2 * SEMI_MAJOR), valueOf: energy },
    ...["x", "y", "z"].map((axis, i) => ({
      name: `angular momentum ${axis}`,
      unit: "m2/s",
      scale: momentumScale,
      valueOf: momentum(i),
    })),
  ];
}

/** Solves E − e sin E = M by Newton's iteration from E = M + e sin M, which converges for every e below 0.97. */
function eccentricAnomaly(mean: number, e: number): number {
  let anomaly = mean + e * sin(mean);
  for (let round = 0; round < 12; round += 1) {
    anomaly -= (anomaly - e * sin(anomaly) - mean) / (1 - e * cos(anomaly));
  }
  return anomaly;
}

export const circularOrbit = kepler({
  name: "Kepler orbit, circular",
  about: "r'' = -r/|r|^3 on a circle",
  eccentricity: 0,
  stepUs: 10_000,
});

export const eccentricOrbit = kepler({
  name: "Kepler orbit, e = 0.6",
  about: "r'' = -r/|r|^3 on an ellipse: sixteen times the force at periapsis",
  eccentricity: 0.6,
  stepUs: 5_000,
});
