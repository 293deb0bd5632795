/** Measures RotorPy, a Python simulator with rotor drag, from a checkout, with numpy and scipy. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { readVariable, type Peer } from "./peer.ts";

const SECONDS = 4;
const STEP_S = 0.004;

export const rotorPy: Peer = {
  name: "RotorPy",
  needs: "ROTORPY_DIR (a checkout; PYTHON for a different interpreter), with numpy and scipy",
  work: `Hummingbird on a circle of 5 m radius with its SE3 controller, ${SECONDS} s in steps of 4 ms, each of which is one call to scipy's RK45. Only the loop is timed.`,
  run: () => {
    const folder = readVariable("ROTORPY_DIR");
    if (folder === undefined) return undefined;
    const script = join(process.cwd(), "bench/peers/rotorpy.py");
    const args = [script, folder, String(SECONDS), String(STEP_S)];
    const wallS = Number(execFileSync(readVariable("PYTHON") ?? "python3", args, { encoding: "utf8" }));
    return { simulatedS: SECONDS, wallS, steps: SECONDS / STEP_S };
  },
};
