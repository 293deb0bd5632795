/**
 * Speeds that a trajectory may have, from distances and corners: small pure functions.
 */

/** tan(α/2) at the largest angle PX4 works with, π less float32's epsilon: a straight line has no corner. */
const STRAIGHT = 16777216;

/**
 * Largest speed through a corner: the circle that touches both legs at the given distance from their meeting point has
 * the radius d·tan(α/2), α the angle between the legs, and v² = a·r. tan(α/2) = √((1 − cos α)/(1 + cos α)).
 */
export function cornerSpeed(cosAngle: number, acc: number, distance: number): number {
  const c = Math.min(Math.max(cosAngle, -1), 1);
  const tanHalf = Math.min(Math.sqrt((1 - c) / (1 + c)), STRAIGHT);
  return Math.sqrt(acc * distance * tanHalf);
}

/** Distance to stop from a speed, with a reaction time. */
export function brakingDistance(speed: number, acc: number, delayS: number): number {
  return speed * (speed / (2 * acc) + delayS);
}
