/**
 * Speed limits of a trajectory from distances and corners.
 */

/** tan(α/2) at the largest angle that PX4 uses, π minus the float32 epsilon: a straight line has no corner. */
const MAX_TAN_HALF = 16777216;

/**
 * Returns the largest speed through a corner. The circle that touches both legs at distance d from their intersection
 * has radius r = d·tan(α/2), with α the angle between the legs, and v² = a·r. tan(α/2) = √((1 − cos α)/(1 + cos α)).
 */
export function cornerSpeed(cosAngle: number, acc: number, distance: number): number {
  const c = Math.min(Math.max(cosAngle, -1), 1);
  const tanHalf = Math.min(Math.sqrt((1 - c) / (1 + c)), MAX_TAN_HALF);
  return Math.sqrt(acc * distance * tanHalf);
}

/** Returns the stopping distance from a speed, including a reaction time. */
export function brakingDistance(speed: number, acc: number, delayS: number): number {
  return speed * (speed / (2 * acc) + delayS);
}
