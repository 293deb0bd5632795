/**
 * Gravity: the acceleration of free fall at an altitude, along the local down. What a plant adds to its forces.
 *
 * All kinds are one formula over the height h above a zero level, g = (c0 + c1·h + c2·h²)/(1 + e·h)², so that a
 * right-hand side meets one shape of object whatever was chosen. The altitude goes in through the cell that the
 * acceleration comes out of, because a fractional number passed through a call that is not inlined is boxed.
 */
export interface Gravity {
  /** In: `cell[0]` altitude above mean sea level in m. Out: `cell[0]` acceleration downward in m/s². */
  downInto(cell: Float64Array): void;
}

export interface HeightTerms {
  /** Altitude of h = 0. */
  readonly zeroM?: number;
  readonly c0: number;
  readonly c1?: number;
  readonly c2?: number;
  readonly e?: number;
}

export class HeightGravity implements Gravity {
  /** `[zeroM, c0, c1, c2, e]` */
  private readonly terms: Float64Array;

  constructor({ zeroM = 0, c0, c1 = 0, c2 = 0, e = 0 }: HeightTerms) {
    this.terms = Float64Array.of(zeroM, c0, c1, c2, e);
  }

  downInto(cell: Float64Array): void {
    const t = this.terms;
    const h = cell[0]! - t[0]!;
    const s = 1 + t[4]! * h;
    cell[0] = (t[1]! + h * (t[2]! + h * t[3]!)) / (s * s);
  }
}
