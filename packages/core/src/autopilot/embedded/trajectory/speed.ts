/**
 * Speed limits of a trajectory from distances and corners.
 */

/** tan(α/2) at the largest angle that PX4 uses, π minus the float32 epsilon: a straight line has no corner. */
const MAX_TAN_HALF = 16777216;

/** Elements of a corner: the cosine of the angle α between the legs, the acceleration and the distance. */
export const COS_ANGLE = 0;
export const ACCELERATION = 1;
export const DISTANCE = 2;
/** The largest speed through the corner. */
export const SPEED = 3;
export const CORNER_SIZE = 4;

/**
 * Computes the largest speed through a corner. The circle that touches both legs at distance d from their intersection
 * has radius r = d·tan(α/2), and v² = a·r. tan(α/2) = √((1 − cos α)/(1 + cos α)). Numbers are not passed or returned,
 * because V8 allocates them.
 */
export function computeCornerSpeed(corner: Float64Array): void {
  const c = Math.min(Math.max(corner[COS_ANGLE]!, -1), 1);
  const tanHalf = Math.min(Math.sqrt((1 - c) / (1 + c)), MAX_TAN_HALF);
  corner[SPEED] = Math.sqrt(corner[ACCELERATION]! * corner[DISTANCE]! * tanHalf);
}

/** Returns the stopping distance from a speed, including a reaction time. */
export function brakingDistance(speed: number, acc: number, delayS: number): number {
  return speed * (speed / (2 * acc) + delayS);
}
