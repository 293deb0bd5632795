/** Measures the PX4 library in lockstep with our plant: the cost of a flight with PX4's navigator and controllers. */
import { spawnSync } from "node:child_process";
import { bundleCommand } from "../bundle.ts";
import { withFolder } from "../suite.ts";
import { readVariable, type Peer, measureWallS } from "./peer.ts";

const SHORT_S = 1;
const LONG_S = 60;
/** Exit codes of a flight that was completed, or whose time ran out. */
const ACCEPTED = [0, 3];

function fly(command: string, seconds: number): void {
  const args = [command, "fly", "mission", "--autopilot", "px4-lockstep", "--until", String(seconds)];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status === null || !ACCEPTED.includes(status))
    throw new Error(`the flight with the PX4 library failed\n${stderr}`);
}

export const px4Lockstep: Peer = {
  name: "Escapement with the PX4 library",
  needs: "PX4_LOCKSTEP_LIB (the PX4 library for lockstep)",
  work: `The default mission run by the command, with PX4's navigator and controllers as a library in place of the embedded autopilot: the wall time to simulate ${LONG_S} s minus the wall time to simulate ${SHORT_S} s, which excludes start-up.`,
  run: () => {
    if (readVariable("PX4_LOCKSTEP_LIB") === undefined) return undefined;
    return withFolder(async (folder) => {
      const command = await bundleCommand(folder);
      const simulatedS = LONG_S - SHORT_S;
      const shortS = measureWallS(() => fly(command, SHORT_S));
      return { simulatedS, wallS: measureWallS(() => fly(command, LONG_S)) - shortS, steps: 1000 * simulatedS };
    });
  },
};
