/**
 * Measures PX4's own simulation in hardware (SIH) in its SITL binary, at full speed.
 *
 * The simulated time is the difference of two readings of PX4's lockstep clock by `px4-listener`. PX4 opens sockets on
 * every interface, so it runs in a separate network namespace, for which `unshare` must be permitted.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readVariable, type Peer, type PeerTimes } from "./peer.ts";

const START_S = 6;
const MEASURED_S = 8;
/** SIH integrates once per gyro sample. */
const STEP_HZ = 250;

/** Returns PX4's simulated time in seconds. */
function clockS(bin: string, folder: string): number {
  const listener = join(dirname(bin), "px4-listener");
  const text = execFileSync(listener, ["vehicle_local_position", "-n", "1"], { cwd: folder, encoding: "utf8" });
  return Number(/timestamp: (\d+)/.exec(text)![1]) / 1e6;
}

async function run(): Promise<PeerTimes | undefined> {
  const bin = readVariable("PX4_SITL_BIN");
  if (bin === undefined) return undefined;
  const etc = readVariable("PX4_SITL_ETC") ?? join(dirname(dirname(bin)), "etc");
  const folder = mkdtempSync(join(tmpdir(), "escapement-sih-"));
  const env = { ...process.env, PX4_SIM_MODEL: "sihsim_quadx", PX4_SIM_SPEED_FACTOR: "1000" };
  let failure: Error | undefined;
  const px4 = spawn("unshare", ["-n", bin, "-d", "-i", "0", "-w", folder, etc], { cwd: folder, env, stdio: "ignore" });
  const gone = new Promise((resolve) => px4.once("close", resolve));
  px4.once("error", (error) => (failure = error));
  try {
    await sleep(1000 * START_S);
    if (failure !== undefined) throw failure;
    if (px4.exitCode !== null) throw new Error(`PX4 ended with code ${px4.exitCode}`);
    execFileSync(join(dirname(bin), "px4-commander"), ["takeoff"], { cwd: folder, stdio: "ignore" });
    await sleep(2000);
    const [fromS, began] = [clockS(bin, folder), performance.now()];
    await sleep(1000 * MEASURED_S);
    const simulatedS = clockS(bin, folder) - fromS;
    return { simulatedS, wallS: (performance.now() - began) / 1000, steps: simulatedS * STEP_HZ };
  } finally {
    px4.kill();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  }
}

export const px4Sih: Peer = {
  name: "PX4 SIH",
  needs: "PX4_SITL_BIN (PX4's SITL binary; PX4_SITL_ETC for its start scripts)",
  work: `The X quadrotor of PX4's simulation in hardware (SIH), with all of PX4 around it (estimator, commander, logger), after take-off, speed factor 1000: simulated time over wall time, measured for ${MEASURED_S} s.`,
  run,
};
