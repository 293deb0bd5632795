/**
 * Converts a thrust into a motor command, both normalised to 0 to 1. PX4's output driver does this, but the PX4
 * lockstep library does not contain that driver.
 *
 * PX4 models thrust as x = f·s² + (1 − f)·s for a motor command s, f = THR_MDL_FAC, and sends s = −b/2a + √(b²/4a² +
 * x/a) with a = f, b = 1 − f. The motor values of the lockstep library are thrusts x. If f = 0, command and thrust are
 * equal.
 */
export function motorCommand(thrust: number, factor: number): number {
  if (!(thrust > 0)) return 0;
  if (factor <= 0) return thrust;
  const half = (1 - factor) / (2 * factor);
  return Math.sqrt(half * half + thrust / factor) - half;
}
