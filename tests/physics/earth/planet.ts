/**
 * The Earth in inertial space: its figure, rotation and gravitation, without flat-Earth simplifications.
 *
 * Gravitation is attraction alone; the centrifugal part of gravity comes from the rotating frame. With J2, in axes that
 * share the Earth's spin axis (NASA/TM-2015-218675, volume II, equations 29 to 31; Vallado 2013, equation 8-30):
 *   a_x = −GM·x/r³·(1 − 1.5·J2·(a/r)²·(5z²/r² − 1)), a_y likewise,
 *   a_z = −GM·z/r³·(1 − 1.5·J2·(a/r)²·(5z²/r² − 3)).
 */
import { defineParams } from "../../../packages/core/src/params/index.ts";
import type { ParamsOf } from "../../../packages/core/src/params/index.ts";
import { ANY, above, choice, number } from "../../../packages/core/src/params/rows.ts";
import { Ellipsoid, WGS84 } from "../../../packages/core/src/world/geodesy/index.ts";

export const planetParams = defineParams({
  figure: choice(
    ["wgs84", "round"],
    "Figure of the Earth: the WGS-84 ellipsoid with J2, or a sphere with inverse-square attraction.",
    "wgs84",
  ),
  radiusM: number(
    "m",
    above(0),
    "Radius of the round Earth; by default that of the sphere with the area of the ellipsoid.",
    6371007.1809,
  ),
  rotationRadS: number("rad/s", ANY, "Rotation rate; 0 for an Earth that does not rotate.", 7.292115e-5),
  gmM3S2: number("m3/s2", above(0), "Gravitational constant times the mass of the Earth.", 3.986004418e14),
  j2: number("1", ANY, "Second zonal harmonic; unused on a round Earth.", 0.00108262982),
});

export class Planet {
  readonly ellipsoid: Ellipsoid;
  readonly rotationRadS: number;
  private readonly gmM3S2: number;
  /** 1.5·J2·a². */
  private readonly oblatenessM2: number;

  constructor({ figure, radiusM, rotationRadS, gmM3S2, j2 }: ParamsOf<typeof planetParams>) {
    const isRound = figure === "round";
    this.ellipsoid = new Ellipsoid(isRound ? { semiMajorM: radiusM, flattening: 0 } : WGS84);
    this.rotationRadS = rotationRadS;
    this.gmM3S2 = gmM3S2;
    this.oblatenessM2 = isRound ? 0 : 1.5 * j2 * this.ellipsoid.semiMajorM * this.ellipsoid.semiMajorM;
  }

  /** Writes the attraction at `pos` to three cells of `acc` from `at`. */
  gravitationInto(acc: Float64Array, at: number, pos: ArrayLike<number>): void {
    const x = pos[0]!;
    const y = pos[1]!;
    const z = pos[2]!;
    const r2 = x * x + y * y + z * z;
    const pull = -this.gmM3S2 / (r2 * Math.sqrt(r2));
    const flat = this.oblatenessM2 / r2;
    const slope = (5 * z * z) / r2;
    const across = pull * (1 - flat * (slope - 1));
    acc[at] = across * x;
    acc[at + 1] = across * y;
    acc[at + 2] = pull * z * (1 - flat * (slope - 3));
  }
}
