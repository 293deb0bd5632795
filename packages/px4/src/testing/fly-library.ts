/**
 * A user's program that flies for long with the PX4 library, and takes Ctrl-C as a wish to end the flight: says a word
 * once it flies, and how long it flew. A program of its own, because it is there to be sent signals.
 */
import { coreRegistry, mustResolve, resolveFlight } from "@escapement/core";
import { px4Kinds } from "../kinds.ts";
import { flyLockstep } from "../lockstep/child.ts";

const control = new AbortController();
process.on("SIGINT", () => control.abort());
const spec = { extends: "mission", autopilot: "px4-lockstep", wind: "none", timeline: { endS: 100_000 } };
let hasSpoken = false;
const { end } = await flyLockstep(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry.with(px4Kinds))), {
  signal: control.signal,
  limits: { stopMs: 30_000 },
  onProgress: () => {
    if (!hasSpoken) process.stdout.write("flying\n");
    hasSpoken = true;
  },
});
process.stdout.write(`flew ${Math.floor(end.endUs / 1e6)} s\n`);
