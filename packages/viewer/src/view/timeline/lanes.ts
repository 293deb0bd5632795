/** The lanes of the timeline: one per flight, but only one for all flights of a sweep. */
import type { ViewFlight } from "../store/view-flight.ts";

export interface Lane {
  /** The flights of the lane; the active one comes first. */
  readonly flights: readonly ViewFlight[];
  readonly isSweep: boolean;
}

export function lanesOf(flights: readonly ViewFlight[], activeId: number | undefined): Lane[] {
  const lanes: ViewFlight[][] = [];
  const byGroup = new Map<number, ViewFlight[]>();
  for (const flight of flights) {
    const lane = flight.group === undefined ? undefined : byGroup.get(flight.group);
    if (lane !== undefined) {
      lane.push(flight);
      continue;
    }
    const newLane = [flight];
    lanes.push(newLane);
    if (flight.group !== undefined) byGroup.set(flight.group, newLane);
  }
  return lanes.map((lane) => {
    const active = lane.filter(({ id }) => id === activeId);
    const others = lane.filter(({ id }) => id !== activeId);
    return { flights: [...active, ...others], isSweep: lane.length > 1 || lane[0]?.group !== undefined };
  });
}

/** Returns the flight that the ribbon of a lane shows. */
export function shownOf({ flights }: Lane): ViewFlight {
  return flights[0]!;
}
