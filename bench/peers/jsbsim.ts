/** Measures JSBSim with its own quadrotor example, from a built checkout. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { readVariable, type Peer, measureWallS } from "./peer.ts";

const SCRIPT = "scripts/Test_F450_Launch.xml";
const SHORT_S = 1;
const LONG_S = 30;
const STEP_S = 0.002;

export const jsbSim: Peer = {
  name: "JSBSim",
  needs: "JSBSIM_DIR (a checkout, built in build/)",
  work: `Its F450 quadrotor with its own control loops (${SCRIPT}, 500 Hz, with its log): the wall time to simulate ${LONG_S} s minus the wall time to simulate ${SHORT_S} s, which excludes start-up.`,
  run: () => {
    const folder = readVariable("JSBSIM_DIR");
    if (folder === undefined) return undefined;
    const program = join(folder, "build/src/JSBSim");
    if (!existsSync(program)) return undefined;
    const made = mkdtempSync(join(tmpdir(), "escapement-jsbsim-"));
    // JSBSim writes its log relative to the root, so without a path the log would stay in the user's checkout.
    const log = relative(folder, join(made, "log.csv"));
    const args = [`--root=${folder}`, `--script=${SCRIPT}`, `--outputlogfile=${log}`];
    const fly = (seconds: number) =>
      measureWallS(() => execFileSync(program, [...args, `--end=${seconds}`], { cwd: made, stdio: "ignore" }));
    try {
      const simulatedS = LONG_S - SHORT_S;
      return { simulatedS, wallS: fly(LONG_S) - fly(SHORT_S), steps: simulatedS / STEP_S };
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  },
};
