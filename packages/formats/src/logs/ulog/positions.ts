/** Fills PX4's two position messages from an estimate or from the true state. */
import { projectionKinds, SIGNALS, type WorldOrigin } from "@escapement/core";
import { headingOf, isSet, nan, now, one, type Cell } from "./cells.ts";
import type { Cells } from "./messages.ts";
import type { GeoReference } from "./topics.ts";

const VALID = SIGNALS.estValid.values;
/** Validity mask with all parts valid, for states without such a mask. */
export const allValid: Cell = () => SIGNALS.estValid.initial;

/** Returns the cells of the local position. `valid` has the bits of `estValid`. */
export function localPosition(
  pos: readonly Cell[],
  vel: readonly Cell[],
  acc: readonly Cell[],
  q: readonly Cell[],
  valid: Cell,
  origin: WorldOrigin | undefined,
): Cells<"vehicle_local_position"> {
  const [x, y, z] = pos as [Cell, Cell, Cell];
  const [vx, vy, vz] = vel as [Cell, Cell, Cell];
  const [ax, ay, az] = acc as [Cell, Cell, Cell];
  const heading = headingOf(q);
  const known: Cells<"vehicle_local_position"> =
    origin === undefined
      ? {}
      : {
          xy_global: one,
          z_global: one,
          ref_timestamp: one,
          ref_lat: () => origin.latDeg,
          ref_lon: () => origin.lonDeg,
          ref_alt: () => origin.altMslM,
        };
  return {
    ...known,
    x,
    y,
    z,
    vx,
    vy,
    vz,
    z_deriv: vz,
    ax,
    ay,
    az,
    heading,
    unaided_heading: heading,
    xy_valid: isSet(valid, VALID.posXy),
    z_valid: isSet(valid, VALID.posZ),
    v_xy_valid: isSet(valid, VALID.velXy),
    v_z_valid: isSet(valid, VALID.velZ),
    heading_good_for_control: isSet(valid, VALID.heading),
    vxy_max: nan,
    vz_max: nan,
    hagl_min: nan,
    hagl_max_z: nan,
    hagl_max_xy: nan,
    timestamp_sample: now,
  };
}

export function globalPosition(
  pos: readonly Cell[],
  valid: Cell,
  geoReference: GeoReference,
): Cells<"vehicle_global_position"> {
  const { origin, projection: name = "px4" } = geoReference;
  const projection = projectionKinds.find((kind) => kind.name === name)!.make({}, { origin });
  const geodetic = new Float64Array(3);
  const ned = new Float64Array(3);
  const at =
    (index: number): Cell =>
    (row, stampUs) => {
      for (let i = 0; i < 3; i += 1) ned[i] = pos[i]!(row, stampUs);
      projection.toGeodeticInto(geodetic, ned);
      return geodetic[index]!;
    };
  return {
    timestamp_sample: now,
    lat: at(0),
    lon: at(1),
    alt: at(2),
    alt_ellipsoid: at(2),
    lat_lon_valid: isSet(valid, VALID.posXy),
    alt_valid: isSet(valid, VALID.posZ),
    eph: one,
    epv: one,
    terrain_alt: nan,
  };
}
