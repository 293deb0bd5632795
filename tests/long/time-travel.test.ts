/**
 * Time travel at random boundaries: every built-in flight, every wind, all sensors and every integrator are saved,
 * continued and branched there. The digests must equal those of the uninterrupted flight.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coreRegistry, FlightSession, flyFlightNow, type PlainObject, resolveFlight, SimError } from "@escapement/core";

const SENSORS = Object.fromEntries(coreRegistry.sensors.map(({ name }) => [name, {}]));
const specs: readonly (readonly [name: string, spec: PlainObject])[] = [
  ...Object.keys(coreRegistry.flights).map((name) => [`flight ${name}`, { extends: name }] as const),
  ...coreRegistry.winds.map(({ name }) => [`wind ${name}`, { extends: "mission", wind: { kind: name } }] as const),
  ...coreRegistry.integrators.map(
    ({ name }) => [`integrator ${name}`, { extends: "motor-out", integrator: { kind: name } }] as const,
  ),
  ["all sensors", { extends: "mission", sensors: SENSORS, timeline: { endS: 20 } }],
];
const EVENTS: readonly PlainObject[] = [
  { gust: { velNedMps: [4, 0, 0] } },
  { motorNoise: { motor: 1, sigma: 0.05 } },
  { parameter: { name: "MPC_XY_CRUISE", value: 3 } },
  { land: {} },
  { reseed: { seed: 9 } },
  { wind: { kind: "constant", velNedMps: [0, 5, 0] } },
];

/** Opens a flight; undefined if one of its kinds needs parameters without a default, or does not fit the flight. */
function open(spec: PlainObject): FlightSession | undefined {
  const { resolved } = resolveFlight({ file: "random", spec }, coreRegistry);
  return resolved === undefined ? undefined : new FlightSession(resolved);
}

describe("time travel at random instants", () => {
  it.each(specs.filter(([, spec]) => open(spec) !== undefined))("%s", (_, spec) => {
    const session = open(spec)!;
    session.advance();
    const whole = session.result().digests;
    const endUs = session.nowUs;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: endUs }), fc.integer({ min: 0, max: endUs }), (saveUs, backUs) => {
        session.rewindTo(saveUs);
        const saved = session.save();
        session.rewindTo(backUs);
        session.load(saved);
        session.advance();
        expect(session.result().digests).toEqual(whole);
      }),
      { numRuns: 5 },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Math.max(0, endUs - 1_000_000) }),
        fc.integer({ min: 0, max: 900_000 }),
        fc.constantFrom(...EVENTS),
        fc.constantFrom(...EVENTS),
        (atUs, gapUs, first, second) => {
          let branch: FlightSession;
          try {
            branch = session
              .branch({ atUs, events: [first] })
              .session.branch({ atUs: atUs + gapUs, events: [second] }).session;
          } catch (error) {
            // The flight rejects the event, e.g. because its autopilot has no parameters.
            if (error instanceof SimError) return;
            throw error;
          }
          branch.advance();
          expect(branch.result().digests).toEqual(flyFlightNow(branch.resolved).digests);
        },
      ),
      { numRuns: 3 },
    );
  });
});
