/** The mission's positions on the local plane: waypoints, rally points, and the limits of its fence. */
import { type FlightDefinition, missionCommand, missionItemNames, projectionKinds } from "@escapement/core";

export interface Waypoint {
  /** Name of the item as in the events; for a waypoint, only its number. */
  readonly label: string;
  readonly north: number;
  readonly east: number;
  readonly down: number;
}

/** A limit of the fence. The vehicle must stay inside it if `isInclusion` is set, and outside it if not. */
export interface FenceLine {
  readonly isInclusion: boolean;
  /** North and east of each corner in metres; the last corner equals the first. */
  readonly points: readonly (readonly [north: number, east: number])[];
}

const CIRCLE_POINTS = 96;

type ToNed = (latDeg: number, lonDeg: number, altMslM: number) => readonly [north: number, east: number, down: number];

/** Returns the projection of a flight; undefined if its kind is unknown. */
function projectionOf({ environment }: FlightDefinition): ToNed | undefined {
  const kind = projectionKinds.find(({ name }) => name === environment.projection);
  if (kind === undefined) return undefined;
  const plane = kind.make({} as never, { origin: environment.origin });
  const posNed = new Float64Array(3);
  return (...place) => {
    plane.toNedInto(posNed, place);
    return [posNed[0]!, posNed[1]!, posNed[2]!];
  };
}

export function waypointsOf(definition: FlightDefinition): Waypoint[] {
  const { mission, environment } = definition;
  const toNed = projectionOf(definition);
  if (mission === null || toNed === undefined) return [];
  const { altMslM: groundM } = environment.origin;
  const names = missionItemNames(mission);
  return mission.items.flatMap(({ command, frame, latDeg, lonDeg, altM }, i) => {
    const isPlace = missionCommand(command)?.position === true && frame !== "mission";
    if (!isPlace || latDeg === null || lonDeg === null || altM === null) return [];
    const [north, east, down] = toNed(latDeg, lonDeg, frame === "amsl" ? altM : groundM + altM);
    const { name, waypoint } = names[i]!;
    return [{ label: waypoint === undefined ? name : String(waypoint), north, east, down }];
  });
}

export function rallyPointsOf(definition: FlightDefinition): Waypoint[] {
  const toNed = projectionOf(definition);
  if (definition.mission === null || toNed === undefined) return [];
  return definition.mission.rally.map(({ latDeg, lonDeg, altM }, i) => {
    const [north, east, down] = toNed(latDeg, lonDeg, definition.environment.origin.altMslM + altM);
    return { label: `rally ${i + 1}`, north, east, down };
  });
}

export function fenceLinesOf(definition: FlightDefinition): FenceLine[] {
  const fence = definition.mission?.fence ?? null;
  const toNed = projectionOf(definition);
  if (fence === null || toNed === undefined) return [];
  const onPlane = ({ latDeg, lonDeg }: { readonly latDeg: number; readonly lonDeg: number }) => {
    const [north, east] = toNed(latDeg, lonDeg, definition.environment.origin.altMslM);
    return [north, east] as const;
  };
  const polygons = fence.polygons.map(({ points, inclusion }) => {
    const corners = points.map(onPlane);
    return { isInclusion: inclusion, points: [...corners, ...corners.slice(0, 1)] };
  });
  const circles = fence.circles.map(({ center, radiusM, inclusion }) => {
    const [north, east] = onPlane(center);
    const points = Array.from({ length: CIRCLE_POINTS + 1 }, (_, i) => {
      const angle = (2 * Math.PI * i) / CIRCLE_POINTS;
      return [north + radiusM * Math.cos(angle), east + radiusM * Math.sin(angle)] as const;
    });
    return { isInclusion: inclusion, points };
  });
  return [...polygons, ...circles];
}
