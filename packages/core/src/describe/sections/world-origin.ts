/**
 * One world origin: environment, autopilot, sensors and mission all refer to it.
 *
 * If the description does not set the origin, the planned home of a mission does. If both are given, they must agree.
 * The mission must begin near the origin; otherwise it would be flown far from the place that it was planned for.
 */
import { RAD_PER_DEG } from "../../math/angle.ts";
import { checkParams, type Diagnostic, isPlainObject, type PlainObject } from "../../params/index.ts";
import { cos } from "../../math/index.ts";
import { originParams, projectionKinds, type WorldOrigin } from "../../world/geodesy/index.ts";
import type { GeoPosition } from "../../autopilot/mission.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { Place } from "./goto-spec.ts";
import type { ResolvedMission } from "./mission-spec.ts";
import type { FlightDefinition } from "../definition/definition.ts";

const METRES_PER_DEGREE = 111_195;
/** The largest allowed distance between the planned home and the origin. */
const MAX_HOME_DISTANCE_M = 100;
const MAX_HOME_HEIGHT_DIFFERENCE_M = 50;
/** The largest allowed distance between the first item and the origin: PX4's default. */
const MAX_FIRST_ITEM_DISTANCE_M = 10_000;

/** Returns the environment section. Coordinates that it does not have come from the planned home. */
export function withHome(environment: PlainObject, { latDeg, lonDeg, altM }: Partial<GeoPosition>): PlainObject {
  const origin = environment["origin"] ?? {};
  if (!isPlainObject(origin)) return environment;
  const home = { latDeg, lonDeg, altMslM: altM };
  const found: Diagnostic[] = [];
  checkParams(originParams, home, found);
  return found.length === 0 ? { ...environment, origin: { ...home, ...origin } } : environment;
}

/** Returns the origin and the projection of an environment; undefined if the environment has errors. */
export function placeOf(environment: FlightDefinition["environment"] | undefined): Place | undefined {
  const origin = environment?.origin;
  const kind = projectionKinds.find(({ name }) => name === environment?.projection);
  return origin === undefined || kind === undefined
    ? undefined
    : { origin, projection: kind.make({} as never, { origin }) };
}

export function checkOrigin({ home, items }: ResolvedMission, origin: WorldOrigin, diagnostics: Diagnostics): void {
  if (home !== null) {
    const distance = distanceM(home, origin);
    const height = Math.abs(home.altM - origin.altMslM);
    if (distance > MAX_HOME_DISTANCE_M || height > MAX_HOME_HEIGHT_DIFFERENCE_M) {
      diagnostics.add(
        "worldOrigin",
        "environment.origin",
        `the mission was planned for a home ${lengthText(distance)} away and ${lengthText(height)} above or below the origin`,
        `leave environment.origin out, or set it to latDeg = ${home.latDeg}, lonDeg = ${home.lonDeg}, altMslM = ${home.altM}`,
      );
      return;
    }
  }
  const index = items.findIndex(
    ({ frame, latDeg, lonDeg }) => frame !== "mission" && latDeg !== null && lonDeg !== null,
  );
  if (index < 0) return;
  const first = items[index] as { latDeg: number; lonDeg: number };
  const distance = distanceM(first, origin);
  if (distance <= MAX_FIRST_ITEM_DISTANCE_M) return;
  diagnostics.add(
    "worldOrigin",
    `mission.items[${index}]`,
    `the first position of the mission lies ${lengthText(distance)} from the origin`,
    `set environment.origin near latDeg = ${first.latDeg}, lonDeg = ${first.lonDeg}`,
  );
}

/** Returns the flat-earth distance, which is accurate enough to detect a distant position. */
function distanceM(a: { latDeg: number; lonDeg: number }, b: { latDeg: number; lonDeg: number }): number {
  const north = (a.latDeg - b.latDeg) * METRES_PER_DEGREE;
  const lonDifferenceDeg = a.lonDeg - b.lonDeg;
  const east =
    (lonDifferenceDeg - 360 * Math.round(lonDifferenceDeg / 360)) * METRES_PER_DEGREE * cos(b.latDeg * RAD_PER_DEG);
  return Math.sqrt(north * north + east * east);
}

function lengthText(metres: number): string {
  return metres >= 1000 ? `${(metres / 1000).toFixed(0)} km` : `${metres.toFixed(0)} m`;
}
