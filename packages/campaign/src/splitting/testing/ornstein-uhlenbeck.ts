/**
 * A process with known first-passage probabilities: the stationary Ornstein–Uhlenbeck process in steps of 0.1
 * correlation times, 100 steps long. P(max > level) follows from its transition kernel with the values above the level
 * cut off, by Gauss–Legendre quadrature with 600 and 900 nodes (numpy; both agree to 12 digits).
 */
import type { RandomStream } from "@escapement/core";
import type { SplittingProcess } from "./split-once.ts";

export const PASSAGES = [
  { level: 3.5535291466375893, probability: 1e-2 },
  { level: 4.156794371179172, probability: 1e-3 },
  { level: 5.143622296661884, probability: 1e-5 },
] as const;

const STEPS = 100;
const DECAY = Math.exp(-0.1);
const NOISE_SCALE = Math.sqrt(1 - DECAY * DECAY);

export function ornsteinUhlenbeck(random: RandomStream): SplittingProcess<Float64Array> {
  const flyFrom = (path: Float64Array, from: number): Float64Array => {
    for (let i = from; i <= STEPS; i += 1)
      path[i] = i === 0 ? random.gaussian() : DECAY * path[i - 1]! + NOISE_SCALE * random.gaussian();
    return path;
  };
  return {
    start: () => flyFrom(new Float64Array(STEPS + 1), 0),
    branch: (parent, level) => flyFrom(parent.slice(), parent.findIndex((x) => x > level) + 1),
    scoreOf: (path) => Math.max(...path),
  };
}
