/**
 * `npm run bench -- peers`: the simulators that are present, one after the other in one run, as a table.
 *
 * With `--write` the numbers go to bench/results/peers and into docs/benchmarks.md.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commit, machine } from "../machine.ts";
import { PEER_RESULTS, type PeerResults, peersTable, writePage } from "../page.ts";
import { escapement } from "./escapement.ts";
import { jsbSim } from "./jsbsim.ts";
import { muJoCo } from "./mujoco.ts";
import type { Peer, PeerResult } from "./peer.ts";
import { px4Lockstep } from "./px4-lockstep.ts";
import { px4Sih } from "./px4-sih.ts";
import { rotorPy } from "./rotorpy.ts";

export const peers: readonly Peer[] = [escapement, px4Lockstep, px4Sih, jsbSim, muJoCo, rotorPy];

export async function runPeers({ isWritten, out }: { isWritten: boolean; out: (text: string) => void }): Promise<void> {
  const found: PeerResult[] = [];
  for (const { name, needs, work, run } of peers) {
    try {
      const times = await run();
      if (times === undefined) out(`${name}: not found; needs ${needs}`);
      else found.push({ name, work, ...times });
    } catch (error) {
      out(`${name}: could not be run: ${(error as Error).message}`);
    }
  }
  const results: PeerResults = { machine: machine(), commit: commit(), peers: found };
  out(`\n${peersTable(results)}`);
  if (!isWritten) return;
  mkdirSync(PEER_RESULTS, { recursive: true });
  writeFileSync(join(PEER_RESULTS, `${results.machine.name}.json`), `${JSON.stringify(results, undefined, 2)}\n`);
  writePage(process.cwd());
}
