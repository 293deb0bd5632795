/** Texts that all summaries of a flight share, on a terminal or on a page. */
import type { FlightExtremes } from "./summary.ts";

/** Which extremes were measured; the others are zero and have no meaning. */
export interface MeasuredExtremes {
  /** True if a position was commanded. */
  readonly positionError: boolean;
  readonly wind: boolean;
  readonly battery: boolean;
}

export function measuredExtremes(extremes: FlightExtremes): MeasuredExtremes {
  return {
    positionError: extremes.positionErrorMaxM > 0,
    wind: extremes.windMaxMps > 0,
    battery: extremes.voltageMinV > 0,
  };
}

export function autopilotText(kind: string): string {
  return kind === "none" ? "no autopilot" : kind === "function" ? "own autopilot" : `${kind} autopilot`;
}

export function windText(kind: string): string {
  return kind === "none" ? "no wind" : kind === "function" ? "own wind" : `${kind} wind`;
}
