/**
 * MAVLink's frame numbers and ours: the one place where both mission formats translate between them.
 * 5 and 6 are the integer twins of 0 and 3 and mean the same in a file.
 */
import type { MissionFrame } from "@escapement/core";

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

/** What to say of a frame that is not read. */
export function frameComplaint(mavFrame: number): { readonly what: string; readonly fix: string } {
  const terrain = mavFrame === 10 || mavFrame === 11;
  return {
    what: terrain ? `frame ${mavFrame} is relative to terrain` : `frame ${mavFrame} is not known`,
    fix: `${terrain ? "the ground is flat here; " : ""}use 3 (relative to home), 0 (AMSL) or 2 (no position)`,
  };
}
