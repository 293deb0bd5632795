/** Positions of the mission items in the local frame, for the rings on the track. */
import { type FlightDefinition, missionCommand, missionItemNames, projectionKinds } from "@escapement/core";

export interface Waypoint {
  /** Name of the item, as in the events; only the number for a waypoint. */
  readonly label: string;
  readonly north: number;
  readonly east: number;
  readonly down: number;
}

export function waypointsOf({ mission, environment }: FlightDefinition): Waypoint[] {
  const kind = projectionKinds.find(({ name }) => name === environment.projection);
  if (mission === null || kind === undefined) return [];
  const { origin } = environment;
  const plane = kind.make({} as never, { origin });
  const names = missionItemNames(mission);
  const posNed = new Float64Array(3);
  return mission.items.flatMap(({ command, frame, latDeg, lonDeg, altM }, i) => {
    const isPlace = missionCommand(command)?.position === true && frame !== "mission";
    if (!isPlace || latDeg === null || lonDeg === null || altM === null) return [];
    const altMslM = frame === "amsl" ? altM : origin.altMslM + altM;
    plane.toNedInto(posNed, [latDeg, lonDeg, altMslM]);
    const [north, east, down] = posNed as unknown as [number, number, number];
    const { name, waypoint } = names[i]!;
    return [{ label: waypoint === undefined ? name : String(waypoint), north, east, down }];
  });
}
