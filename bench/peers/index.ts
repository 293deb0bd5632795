/**
 * `npm run bench -- peers`: runs every simulator that is installed, in several passes, and prints the best run of each.
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
import { best, type Peer, type PeerResult } from "./peer.ts";
import { px4Lockstep } from "./px4-lockstep.ts";
import { px4Sih } from "./px4-sih.ts";
import { rotorPy } from "./rotorpy.ts";

export const peers: readonly Peer[] = [escapement, px4Lockstep, px4Sih, jsbSim, muJoCo, rotorPy];

const PASSES = 3;

/** Runs every simulator once. The first pass prints which simulators are missing. */
async function runAll(isFirst: boolean, out: (text: string) => void): Promise<PeerResult[]> {
  const found: PeerResult[] = [];
  for (const { name, needs, work, run } of peers) {
    try {
      const times = await run();
      if (times !== undefined) found.push({ name, work, ...times });
      else if (isFirst) out(`${name}: not found; needs ${needs}`);
    } catch (error) {
      out(`${name}: could not be run: ${(error as Error).message}`);
    }
  }
  return found;
}

export async function runPeers(options: { shouldWrite: boolean; out: (text: string) => void }): Promise<void> {
  const { shouldWrite, out } = options;
  const built = commit();
  const all: PeerResult[] = [];
  for (let k = 0; k < PASSES; k += 1) all.push(...(await runAll(k === 0, out)));
  const names = [...new Set(all.map(({ name }) => name))];
  const found = names.map((name) => best(all.filter((each) => each.name === name)));
  const results: PeerResults = { machine: machine(), commit: built, peers: found };
  out(`\n${peersTable(results)}`);
  if (!shouldWrite) return;
  mkdirSync(PEER_RESULTS, { recursive: true });
  writeFileSync(join(PEER_RESULTS, `${results.machine.name}.json`), `${JSON.stringify(results, undefined, 2)}\n`);
  writePage(process.cwd());
}
