/**
 * A user's program that makes a long flight with the PX4 library and ends it on Ctrl-C. It prints a line when it is
 * flying, and the flight time at the end. It is a separate program because the tests send it signals.
 */
import { coreRegistry, mustResolve, resolveFlight } from "@escapement/core";
import { px4Kinds } from "../kinds.ts";
import { flyLockstep } from "../lockstep/child.ts";

const control = new AbortController();
process.on("SIGINT", () => control.abort());
const spec = { extends: "mission", autopilot: "px4-lockstep", wind: "none", timeline: { endS: 100_000 } };
let hasReported = false;
const { end } = await flyLockstep(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry.with(px4Kinds))), {
  signal: control.signal,
  limits: { stopMs: 30_000 },
  onProgress: () => {
    if (!hasReported) process.stdout.write("flying\n");
    hasReported = true;
  },
});
process.stdout.write(`flew ${Math.floor(end.endUs / 1e6)} s\n`);
