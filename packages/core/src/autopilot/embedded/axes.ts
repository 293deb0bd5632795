/** Converts the axes of a body to the body's attitude. */

/**
 * Computes the quaternion of the rotation given by the body's x, y and z axes; `axes` holds their NED components one
 * after the other. A component of at least 0.5 is computed first, and the others are obtained by dividing by it, because
 * dividing by a small component would amplify rounding errors.
 */
export function quaternionOfAxesInto(q: Float64Array, axes: Float64Array): void {
  const xn = axes[0];
  const xe = axes[1];
  const xd = axes[2];
  const yn = axes[3];
  const ye = axes[4];
  const yd = axes[5];
  const zn = axes[6];
  const ze = axes[7];
  const zd = axes[8];
  const trace = xn + ye + zd;
  if (trace > 0) {
    const s = Math.sqrt(trace + 1);
    const h = 0.5 / s;
    q[0] = 0.5 * s;
    q[1] = (yd - ze) * h;
    q[2] = (zn - xd) * h;
    q[3] = (xe - yn) * h;
  } else if (xn >= ye && xn >= zd) {
    const s = Math.sqrt(xn - ye - zd + 1);
    const h = 0.5 / s;
    q[1] = 0.5 * s;
    q[2] = (xe + yn) * h;
    q[3] = (xd + zn) * h;
    q[0] = (yd - ze) * h;
  } else if (ye >= zd) {
    const s = Math.sqrt(ye - zd - xn + 1);
    const h = 0.5 / s;
    q[2] = 0.5 * s;
    q[3] = (yd + ze) * h;
    q[1] = (xe + yn) * h;
    q[0] = (zn - xd) * h;
  } else {
    const s = Math.sqrt(zd - xn - ye + 1);
    const h = 0.5 / s;
    q[3] = 0.5 * s;
    q[1] = (xd + zn) * h;
    q[2] = (yd + ze) * h;
    q[0] = (xe - yn) * h;
  }
}
