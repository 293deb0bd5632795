/** Measures MuJoCo, a general rigid-body engine, from the system's library. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMPILER } from "../compile-native.ts";
import { readVariable, type Peer } from "./peer.ts";

const SECONDS = 10;

export const muJoCo: Peer = {
  name: "MuJoCo",
  needs:
    "its headers and library (MUJOCO_DIR with include and lib, or in the system's default folders) and a C++ compiler",
  work: `A free rigid body with four thrusters, no motors, battery, air or contact: RK4 in steps of 1 ms, ${SECONDS} s, mj_step alone.`,
  run: () => {
    const folder = readVariable("MUJOCO_DIR");
    if (folder === undefined && !existsSync("/usr/include/mujoco/mujoco.h")) return undefined;
    const made = mkdtempSync(join(tmpdir(), "escapement-mujoco-"));
    try {
      const searchPaths =
        folder === undefined ? [] : [`-I${folder}/include`, `-L${folder}/lib`, `-Wl,-rpath,${folder}/lib`];
      const program = join(made, "peer");
      execFileSync(COMPILER, ["-O2", "-o", program, "bench/peers/mujoco.cpp", ...searchPaths, "-lmujoco"]);
      const steps = 1000 * SECONDS;
      const wallS = Number(execFileSync(program, [String(steps), join(made, "model.xml")], { encoding: "utf8" }));
      return { simulatedS: SECONDS, wallS, steps };
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  },
};
