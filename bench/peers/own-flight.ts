/** Flies the default mission five times and prints the times as JSON. `escapement.ts` bundles and runs it. */
import { assemble, coreRegistry, flyNow, mustResolve, resolveFlight } from "@escapement/core";
import { type PeerTimes, measureWallS } from "./peer.ts";

const FLIGHTS = 5;

const { definition } = mustResolve(resolveFlight({ file: "bench", spec: { extends: "mission" } }, coreRegistry));
const times = Array.from({ length: FLIGHTS }, (): PeerTimes => {
  const { flight } = assemble(definition, coreRegistry);
  let endUs = 0;
  let intervals = 0;
  const seconds = measureWallS(() => ({ endUs, intervals } = flyNow(flight)));
  return { simulatedS: endUs / 1e6, wallS: seconds, steps: intervals };
});
process.stdout.write(`${JSON.stringify(times)}\n`);
