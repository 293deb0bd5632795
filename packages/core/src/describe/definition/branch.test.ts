/**
 * A branch keeps the sections of its parent and resolves only its events. The result is the same as if all sections
 * were resolved.
 */
import type { PlainObject } from "../../params/index.ts";
import { describe, expect, it } from "vitest";
import { flightErrors } from "../errors.ts";
import { coreRegistry } from "../registry.ts";
import { mustResolve, resolveFlight } from "../resolve/resolve.ts";
import { SimError } from "../../errors/index.ts";
import { type BranchEdit, resolveBranch } from "./branch.ts";
import type { FlightDefinition, ResolvedFlight } from "./definition.ts";

const resolve = (spec: PlainObject) => mustResolve(resolveFlight({ file: "flight", spec }, coreRegistry));

/** Returns the flight as if it had been read from a file, so that its branches resolve all sections. */
function fromFile(flight: ResolvedFlight): ResolvedFlight {
  return { ...flight, definition: JSON.parse(JSON.stringify(flight.definition)) as FlightDefinition };
}

function outcome(parent: ResolvedFlight, edit: BranchEdit) {
  try {
    return resolveBranch(parent, edit);
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    return { code: error.code, what: error.what, where: error.where, fix: error.fix };
  }
}

const PARENTS: readonly PlainObject[] = [
  { extends: "mission" },
  { extends: "drop", stop: { onCrash: false } },
  {
    extends: "mission",
    vehicle: "octa",
    sensors: { gnss: true },
    scenario: [
      { name: "out", at: "20 s", motorOff: { motor: 1 } },
      { when: "altitudeM > 4", parameter: { name: "MPC_XY_CRUISE", value: 4 } },
      { at: "30 s", wind: { kind: "dryden" } },
    ],
  },
];
const EVENTS: readonly (readonly PlainObject[])[] = [
  [],
  [{ gust: { velNedMps: [0, 5, 0] }, for: "3 s" }],
  [{ vehicle: { massKg: 2 } }, { at: "41 s", integrator: { kind: "rk45" } }],
  [{ motorJam: { motor: 2 } }, { sensorFault: { sensor: "estimator", fault: "stuck" } }],
  [{ parameter: { name: "MPC_XY_CRUISE", value: 3 } }],
  // Lists with errors: in the events themselves, in events that do not fit the vehicle, and in parts that result from a
  // change.
  [{ gust: { velNedMps: [0, 5] } }],
  [{ motorOff: { motor: 9 } }, { parameter: { name: "MPC_XY_CRUISES", value: 3 } }],
  [{ sensorFault: { sensor: "baro", fault: "stuck" } }],
  [{ vehicle: { rotors: [] } }],
  [{ name: "out", at: "50 s", motorOff: { motor: 1 } }],
];

describe("a branch of a flight", () => {
  it.each(PARENTS.flatMap((parent) => EVENTS.map((events) => [parent, events] as const)))(
    "of %j with %j is the same whether its parent was resolved here or read from a file",
    (spec, events) => {
      const parent = resolve(spec);
      const edit = { atUs: 40_000_000, events };
      expect(outcome(parent, edit)).toEqual(outcome(fromFile(parent), edit));
    },
  );

  it("keeps the sections of its parent, even if the parent is itself a branch", () => {
    const parent = resolve({ extends: "mission" });
    const child = resolveBranch(parent, { atUs: 1_000_000, events: [{ hold: true }] });
    const grandchild = resolveBranch(child, { atUs: 2_000_000, events: [{ land: true }], without: [] });
    expect(grandchild.definition.vehicle).toBe(parent.definition.vehicle);
    expect(grandchild.definition.scenario.length).toBe(parent.definition.scenario.length + 2);
    const longer = resolveBranch(parent, { atUs: 1_000_000, endS: 90, name: "longer" });
    expect([longer.definition.timeline.endS, longer.definition.name]).toEqual([90, "longer"]);
  });

  it.each([
    ["adds", { events: [{ atS: 1, land: true }] }, "scenario", "give it a time from 40 s on"],
    ["leaves out", { without: [0] }, "without", "keep the event, or begin the branch before it can happen"],
  ])("is rejected if it %s an event that happens before it begins", (verb, edit, key, fix) => {
    const parent = resolve({ extends: "hover", scenario: [{ atS: 1, hold: true }] });
    const rejected = outcome(parent, { atUs: 40_000_000, ...edit });
    expect(rejected).toMatchObject({ code: flightErrors.badBranch.code, where: { key }, fix });
    expect(rejected).toHaveProperty("what", expect.stringContaining(`which it ${verb}, happens at 1 s`));
  });
});
