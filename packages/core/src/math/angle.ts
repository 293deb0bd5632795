// Angles: conversion factors, and wrapping into (−π, π].

export const RAD_PER_DEG = 0.017453292519943295;
export const DEG_PER_RAD = 57.29577951308232;

const PI = 3.141592653589793;
const TWO_PI = 6.283185307179586;

/**
 * Returns the same angle in (−π, π]. Angles in this interval are returned unchanged, bit for bit, so small angles lose
 * no precision; for other angles, the floor modulus of θ + π by 2π is used. The remainder operator is exact by
 * definition, so it is portable.
 */
export function wrapPi(angleRad: number): number {
  if (angleRad > -PI && angleRad <= PI) return angleRad;
  const remainder = (angleRad + PI) % TWO_PI;
  const phase = remainder < 0 ? remainder + TWO_PI : remainder;
  return phase <= 0 ? phase + PI : phase - PI;
}
