/** The PX4 library in lockstep with our own plant: what a flight costs with PX4's navigator and controllers in it. */
import { coreRegistry, mustResolve, resolveFlight } from "@escapement/core";
import { flyLockstep, px4Kinds } from "@escapement/px4";
import { named, type Peer, type PeerTimes } from "./peer.ts";

async function flown(endS: number): Promise<PeerTimes> {
  const spec = { extends: "mission", autopilot: "px4-lockstep", timeline: { endS } };
  const resolved = mustResolve(resolveFlight({ file: "bench", spec }, coreRegistry.with(px4Kinds)));
  const began = performance.now();
  const { end } = (await flyLockstep(resolved)) as unknown as { end: { endUs: number; intervals: number } };
  return { simulatedS: end.endUs / 1e6, wallS: (performance.now() - began) / 1000, steps: end.intervals };
}

export const px4Lockstep: Peer = {
  name: "Escapement with the PX4 library",
  needs: "PX4_LOCKSTEP_LIB",
  work: "The default mission with PX4's navigator and controllers as a library in place of the embedded autopilot: the wall time of 60 s less that of 1 s, so that starting its process does not count, best of three.",
  run: async () => {
    if (named("PX4_LOCKSTEP_LIB") === undefined) return undefined;
    let least: PeerTimes | undefined;
    for (let k = 0; k < 3; k += 1) {
      const [short, long] = [await flown(1), await flown(60)];
      const wallS = long.wallS - short.wallS;
      if (least !== undefined && least.wallS <= wallS) continue;
      least = { simulatedS: long.simulatedS - short.simulatedS, wallS, steps: long.steps - short.steps };
    }
    return least;
  },
};
