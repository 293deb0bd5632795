/**
 * A user's program that makes a long flight with the given stock PX4 and handles no signals. It prints a line when it
 * is flying. It is a separate program because the tests kill it.
 */
import { dirname, join } from "node:path";
import { coreRegistry, mustResolve, resolveFlight } from "@escapement/core";
import { px4Kinds } from "../kinds.ts";
import { flySitl } from "../sitl/fly-sitl.ts";

const binary = process.argv[2]!;
const registry = coreRegistry.with(px4Kinds);
const sensors = { imu: {}, magnetometer: {}, barometer: {}, gnss: {} };
const spec = { extends: "hover", autopilot: "px4-sitl", sensors, timeline: { endS: 600 } };
let hasReported = false;
await flySitl(mustResolve(resolveFlight({ file: "test", spec }, registry)), {
  registry,
  run: { program: { binary, etc: join(dirname(binary), "..", "etc") } },
  onPause: () => {
    if (!hasReported) process.stdout.write("flying\n");
    hasReported = true;
  },
});
