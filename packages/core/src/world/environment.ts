/**
 * The environment of a plant: air at an altitude, gravity at an altitude, the location of the origin, and a ceiling.
 *
 * Atmosphere and gravity models implement these interfaces. Models are constant after assembly and smooth between their
 * break altitudes, so a plant can tabulate them once instead of evaluating them in its equations. Altitudes are
 * geometric metres above mean sea level, positive up.
 */

/** Indices into the array that an atmosphere fills. */
export const AIR_DENSITY = 0;
export const AIR_TEMPERATURE = 1;
export const AIR_PRESSURE = 2;

export interface Atmosphere {
  /** Fills `[density kg/m³, temperature K, pressure Pa]` at `altitudeM[0]`; throws outside the model's range. */
  readonly sampleInto: (out: Float64Array, altitudeM: Float64Array) => void;
  /** Range of altitudes in which the model is defined. */
  readonly minAltitudeM: number;
  readonly maxAltitudeM: number;
  /** Altitudes inside the range at which the formula changes (layer borders), increasing. It is smooth between them. */
  readonly breaksM: readonly number[];
}

/**
 * Gravity acts along local down, with g(h) = (c0 + c1·h + c2·h²) / (1 + c3·h)². This is exact for all our models:
 * uniform (g, 0, 0, 0), spherical (μ/r², 0, 0, 1/r) and the Somigliana formula with its height terms (γ, γ·a, γ·b, 0).
 */
export interface Gravity {
  readonly coefficients: readonly [c0: number, c1: number, c2: number, c3: number];
}

/** Geodetic location of the local NED origin. The plant uses its altitude only. */
interface Origin {
  readonly latDeg: number;
  readonly lonDeg: number;
  readonly altMslM: number;
}

export interface Environment {
  /** Height of a ceiling above the ground, for its effect on the rotors. Absent if there is none. */
  readonly ceilingM?: number;
  readonly atmosphere: Atmosphere;
  readonly gravity: Gravity;
  readonly origin: Origin;
}

/** Returns g in m/s² at an altitude, for assembly and tests. The equations of motion use the same four coefficients. */
export function gravityAt(gravity: Gravity, altitudeM: number): number {
  const [c0, c1, c2, c3] = gravity.coefficients;
  const scale = 1 + c3 * altitudeM;
  return (c0 + altitudeM * (c1 + altitudeM * c2)) / (scale * scale);
}
