/**
 * Measures a flight of several minutes with the PX4 library, the same flight with the embedded autopilot, and PX4's own
 * step.
 *
 * The two flights take turns, so that other programs on the machine slow down both. Without PX4_LOCKSTEP_LIB the group
 * has no readings.
 */
import { assemble, coreRegistry, flightLoop, mustResolve, resolveFlight } from "@escapement/core";
import { px4Kinds } from "@escapement/px4";
import { LockstepAutopilot } from "../../packages/px4/src/lockstep/autopilot.ts";
import { LockstepRuntime } from "../../packages/px4/src/lockstep/runtime.ts";
import type { Group, Row } from "./row.ts";

const FLIGHT: Row = {
  name: "circuits, PX4 library",
  about:
    "Wall time per millisecond of flight, with the PX4 library and all digests. The flight is twelve squares with sides of 30 m and takes seven minutes.",
  unit: "ns",
  base: "the same flight with the embedded autopilot, same process",
  realTimeGoal: 150,
};
const STEP: Row = {
  name: "circuits, PX4's own step",
  about: "The time inside the library's step function during that flight, per millisecond of flight.",
  unit: "ns",
  base: "the whole flight with the PX4 library",
};

const CIRCUITS = 12;
const TURN_BOUNDARIES = 1000;
const CORNERS = [
  { northM: 30, eastM: 0 },
  { northM: 30, eastM: 30 },
  { northM: 0, eastM: 30 },
  { northM: 0, eastM: 0 },
];

/** A flight that is flown in slices, and the wall-clock time spent on it. */
class TimedFlight {
  spentMs = 0;
  private readonly turns: ReturnType<typeof flightLoop>;
  private flightMs = 0;

  constructor(autopilot: string, circuits: number) {
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
    this.turns = flightLoop(flight, { breathEvery: TURN_BOUNDARIES });
  }

  /** Flies one turn. Returns false at the end of the flight. */
  next(): boolean {
    const startedMs = performance.now();
    const turn = this.turns.next();
    this.spentMs += performance.now() - startedMs;
    if (turn.done === true) this.flightMs = turn.value.endUs / 1000;
    return turn.done !== true;
  }

  /** Returns nanoseconds of wall time per millisecond of flight. */
  nsPerFlightMs(spentMs: number): number {
    return (spentMs * 1e6) / this.flightMs;
  }
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

export const px4: Group = {
  name: "px4",
  rows: [FLIGHT, STEP],
  measure: ({ isQuick }) => {
    if ((process.env.PX4_LOCKSTEP_LIB ?? "") === "") {
      process.stderr.write("px4: not measured, because PX4_LOCKSTEP_LIB is not set\n");
      return [];
    }
    const circuits = isQuick ? 1 : CIRCUITS;
    const steps = sumStepTime();
    const flights = ["px4-lockstep", "embedded"].map((autopilot) => new TimedFlight(autopilot, circuits));
    const [library, embedded] = flights as [TimedFlight, TimedFlight];
    for (let flying = flights; flying.length > 0;) flying = flying.filter((flight) => flight.next());
    const libraryNs = library.nsPerFlightMs(library.spentMs);
    const stepNs = library.nsPerFlightMs(steps.ms);
    return [
      {
        row: FLIGHT.name,
        value: libraryNs,
        ratios: { base: libraryNs / embedded.nsPerFlightMs(embedded.spentMs) },
        realTime: 1e6 / libraryNs,
      },
      { row: STEP.name, value: stepNs, ratios: { base: stepNs / libraryNs }, realTime: 1e6 / stepNs },
    ];
  },
};
