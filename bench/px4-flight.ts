/**
 * Flies squares for several minutes with one autopilot, as the first flight of a process, and prints the wall time per
 * millisecond of flight, and the part of this time inside the step function of the PX4 library. `rows/px4.ts` bundles
 * and runs it. Only one autopilot flies in a process, as in the command: V8 makes slower code if two alternate.
 */
import { assemble, coreRegistry, flyNow, mustResolve, resolveFlight } from "@escapement/core";
import { px4Kinds } from "@escapement/px4";
import { LockstepAutopilot } from "../packages/px4/src/lockstep/autopilot.ts";
import { LockstepRuntime } from "../packages/px4/src/lockstep/runtime.ts";

export interface FlightTimes {
  readonly flightNs: number;
  readonly stepNs: number;
}

const CORNERS = [
  { northM: 30, eastM: 0 },
  { northM: 30, eastM: 30 },
  { northM: 0, eastM: 30 },
  { northM: 0, eastM: 0 },
];

function measureFlight(autopilot: string, circuits: number, isStepTimed: boolean): FlightTimes {
  const registry = coreRegistry.with(px4Kinds);
  const legs = Array.from({ length: circuits }, () => CORNERS).flat();
  const items = [
    { takeoff: { altitudeM: 12 } },
    ...legs.map((corner) => ({ waypoint: { ...corner, altitudeM: 12 } })),
    { land: true },
  ];
  const spec = { extends: "mission", autopilot, mission: { items }, timeline: { endS: 600 } };
  const { definition } = mustResolve(resolveFlight({ file: "bench", spec }, registry));
  const { flight } = assemble(definition, registry);
  const pilot = flight.parts.autopilot;
  if (pilot instanceof LockstepAutopilot) pilot.open();
  const inStep = isStepTimed ? sumStepTime() : { ms: 0 };
  const startedMs = performance.now();
  const { endUs } = flyNow(flight);
  const spentMs = performance.now() - startedMs;
  const perFlightMs = (ms: number) => (ms * 1e6) / (endUs / 1000);
  return { flightNs: perFlightMs(spentMs), stepNs: perFlightMs(inStep.ms) };
}

/** Patches `LockstepRuntime.step` so that the time inside it is added to the returned sum. The patch stays in place. */
function sumStepTime(): { ms: number } {
  const spent = { ms: 0 };
  const { step } = LockstepRuntime.prototype;
  LockstepRuntime.prototype.step = function timedStep(timeUs) {
    const startedMs = performance.now();
    step.call(this, timeUs);
    spent.ms += performance.now() - startedMs;
  };
  return spent;
}

const [autopilot = "", circuits = "", steps = ""] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(measureFlight(autopilot, Number(circuits), steps === "timed"))}\n`);
