/**
 * Code shared by both mission formats: MAVLink's frame numbers, and the core's diagnostics with file and line.
 * Frames 5 and 6 are the integer variants of 0 and 3 and mean the same in a file.
 */
import {
  checkMission,
  missionErrors,
  type Mission,
  type MissionFrame,
  type MissionPlace,
  type Where,
} from "@escapement/core";
import type { Findings } from "../text/findings.ts";

const FRAMES: { readonly [frame: number]: MissionFrame } = {
  0: "amsl",
  2: "mission",
  3: "relative",
  5: "amsl",
  6: "relative",
};

export function frameOf(mavFrame: number): MissionFrame | undefined {
  return FRAMES[mavFrame];
}

export function mavFrameOf(frame: MissionFrame): number {
  return frame === "amsl" ? 0 : frame === "relative" ? 3 : 2;
}

/** Returns the error text for a frame that is not supported. */
export function unsupportedFrame(mavFrame: number): { readonly what: string; readonly fix: string } {
  const terrain = mavFrame === 10 || mavFrame === 11;
  return {
    what: terrain ? `frame ${mavFrame} is relative to terrain` : `frame ${mavFrame} is unknown`,
    fix: `use 3 (relative to home), 0 (AMSL) or 2 (no position)${terrain ? "; terrain is not modelled" : ""}`,
  };
}

/** Adds the diagnostics of the core's mission check, with their lines in the file. */
export function diagnose(
  mission: Mission,
  findings: Findings,
  locate: (place: MissionPlace) => Omit<Where, "file">,
): void {
  for (const { name, what, fix, place, fatal } of checkMission(mission)) {
    const where = locate(place);
    if (fatal) findings.error(missionErrors[name], what, fix, where);
    else findings.warn(missionErrors[name], what, fix, where);
  }
}
