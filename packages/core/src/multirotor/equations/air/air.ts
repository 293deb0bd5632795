/**
 * The vehicle in its air: attitude matrix, density, gravity, the air's velocity past the centre of mass, and the
 * vehicle's angular velocity relative to the air, which itself rotates in rotary gusts.
 *
 * These are the first equations; the others read their results from the scratch array. The attitude is not normalised
 * here, because the integrator keeps it a unit quaternion, and a correction here would hide a failure to do so.
 */
import { quatToMatrixInto } from "../../../math/quat.ts";
import type { Input, Scratch, State, VehicleConstants } from "../../memory.ts";
import { plusTerm } from "../terms.ts";
import { densityInto } from "./density.ts";

export function airInto(w: Scratch, x: State, u: Input, vehicle: VehicleConstants): void {
  quatToMatrixInto(w.rotation, x.qBodyToNed);

  // v_air = wind − v, rotated into body axes by the transpose of the attitude matrix.
  const north = u.windNed[0] - x.velNed[0];
  const east = u.windNed[1] - x.velNed[1];
  const down = u.windNed[2] - x.velNed[2];
  for (let i = 0; i < 3; i += 1) {
    w.airVelocity[i] = w.rotation[i] * north + w.rotation[3 + i] * east + w.rotation[6 + i] * down;
    w.airRate[i] = x.rateBody[i];
  }
  // Skip the rotation of the air if it is zero, because most winds do not rotate the air.
  const gustNorth = u.gustRateNed[0];
  const gustEast = u.gustRateNed[1];
  const gustDown = u.gustRateNed[2];
  if (gustNorth !== 0 || gustEast !== 0 || gustDown !== 0) {
    for (let i = 0; i < 3; i += 1)
      w.airRate[i] -= w.rotation[i] * gustNorth + w.rotation[3 + i] * gustEast + w.rotation[6 + i] * gustDown;
  }

  const h = vehicle.originAltitude - x.posNed[2];
  const scale = plusTerm(1, vehicle.gravity[3], h);
  w.altitude[0] = h;
  w.gravity[0] = (vehicle.gravity[0] + h * (vehicle.gravity[1] + h * vehicle.gravity[2])) / (scale * scale);
  densityInto(w, vehicle);
}
