/** Measures Escapement for comparison: the suite's default mission, bundled, in a fresh process. */
import { bundle } from "../bundle.ts";
import { runJson } from "../run-json.ts";
import { withFolder } from "../suite.ts";
import { best, type Peer, type PeerTimes } from "./peer.ts";

export const escapement: Peer = {
  name: "Escapement, default mission",
  needs: "nothing",
  work: "Iris (momentum level) on its default mission: rk43 with at least one step per tick of the embedded autopilot at 250 Hz, wind, scenario, all digests; flying time only, best of five in one process.",
  run: () =>
    withFolder(async (folder) => {
      const file = await bundle("peers/own-flight.ts", folder);
      return best(runJson<PeerTimes[]>(file, []));
    }),
};
