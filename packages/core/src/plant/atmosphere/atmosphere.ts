/**
 * The air at an altitude: the contract of every atmosphere, met by the plant's right-hand side and by its outputs.
 *
 * The altitude goes in through the cell that the density comes out of, because a fractional number passed through a
 * call that is not inlined is boxed. Altitude means height above mean sea level, which here is the ellipsoid: no geoid.
 */
export interface Atmosphere {
  /** In: `air[0]` altitude in m. Out: `[densityKgM3, temperatureK, pressurePa]`. */
  sampleInto(air: Float64Array): void;
  /** The hot form. In: `air[0]` altitude in m. Out: `air[0]` density in kg/m³; the next two cells may be overwritten. */
  densityInto(air: Float64Array): void;
}
