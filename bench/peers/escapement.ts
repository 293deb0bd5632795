/** Measures Escapement itself, for comparison: a bundled program flies the default mission in a fresh process. */
import { bundle } from "../bundle.ts";
import { runJson } from "../run-json.ts";
import { withFolder } from "../suite.ts";
import { best, type Peer, type PeerTimes } from "./peer.ts";

export const escapement: Peer = {
  name: "Escapement, default mission",
  needs: "nothing",
  work: 'The default mission with the Iris (propulsion level "momentum"), the embedded autopilot at 250 Hz, wind, the scenario and all digests. The integrator, rk43, takes at least one step per autopilot tick. The time is the wall time of the flight without its assembly, best of five in one process.',
  run: () =>
    withFolder(async (folder) => {
      const file = await bundle("peers/own-flight.ts", folder);
      return best(runJson<PeerTimes[]>(file, []));
    }),
};
