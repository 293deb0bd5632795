/** The graft law: a branch continued from a checkpoint of its parent has the digests of the branch flown from t0. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EARLY_TAKE_OFF } from "../../../../../tests/support/early-take-off.ts";
import { codeOf } from "../../../../../tests/support/flights.ts";
import { isFullVolume, volume } from "../../../../../tests/support/volume.ts";
import { coreRegistry } from "../../describe/registry.ts";
import { ACTION_NAMES, type ActionName } from "../../sources/scenario/index.ts";
import { FlightSession, flyFlightNow } from "../index.ts";

/** One event per action. */
const EVENTS: Readonly<Partial<Record<ActionName, object>>> = {
  gust: { velNedMps: [0, 6, -1] },
  windMean: { velNedMps: [3, 0, 0] },
  goto: { posNedM: [5, -5, -9], yawDeg: 45 },
  motorOff: { motor: 1 },
  motorLoss: { motor: 2, gain: 0.8 },
  motorStuck: { motor: 3, duty: 0.6 },
  motorNoise: { motor: 4, sigma: 0.05 },
  motorJam: { motor: 1 },
  propellerImbalance: { motor: 3, imbalanceGmm: 20 },
  propellerChip: { motor: 4, share: 0.1 },
  motorOn: { motor: 2 },
  batteryOff: { battery: 1 },
  batteryOn: { battery: 1 },
  sensorFault: { sensor: "estimator", fault: "stuck" },
  parameter: { name: "MPC_XY_VEL_MAX", value: 3 },
  stop: { outcome: "completed", reason: "enough" },
  wind: { kind: "ou" },
  estimator: { velSigmaMps: [0.2, 0.2, 0.2] },
  sensor: { kind: "gnss", noiseNedM: [1, 1, 1] },
  vehicle: { massKg: 4.2 },
  integrator: { kind: "rk45" },
  reseed: { seed: 8 },
};
const eventOf = (action: ActionName) => ({ [action]: EVENTS[action] ?? {} });

/** A flight with its own conditions, random faults and parameter changes. */
const PARENT = {
  extends: "mission",
  ...EARLY_TAKE_OFF,
  vehicle: "octa",
  wind: { kind: "dryden" },
  sensors: { gnss: true, imu: { imbalanceGmm: 1 } },
  timeline: { endS: 4.5 },
  scenario: [
    { at: "0.8 s", motorNoise: { motor: 2, sigma: 0.02 } },
    { when: "altitudeM > 4", parameter: { name: "MPC_XY_CRUISE", value: 4 } },
    { at: "4 s", motorLoss: { motor: 5, gain: 0.9 } },
    { at: "4.4 s", sticks: {} },
  ],
} as const;

const digestsOf = (session: FlightSession) => {
  session.advance();
  return session.result().digests;
};

describe("a branch", () => {
  const parent = FlightSession.open(PARENT as never);
  parent.advance();

  it.each(ACTION_NAMES)("[L11.1] [L11.2] with %s from a checkpoint has the digests of the branch from t0", (action) => {
    const instants = [1_504_000, 2_623_457];
    // Branch with each action at one of the two instants; in the long tests, at both.
    for (const atUs of isFullVolume ? instants : [instants[ACTION_NAMES.indexOf(action) % 2]!]) {
      const branch = parent.branch({ atUs, events: [eventOf(action)] });
      expect(branch.refusal).toBeUndefined();
      expect(digestsOf(branch.session)).toEqual(flyFlightNow(branch.session.resolved).digests);
    }
  });

  it("[L11.7] keeps the memory of its monitors, unless a requirement names an event that differs", () => {
    const requirements = ["never tilt > 20 deg", "for 1 s after motorLoss: altitude > 3 m"];
    const judged = FlightSession.open({ ...PARENT, requirements } as never, { fingerprint: "plant" });
    judged.advance();
    const judge = (action: ActionName) => {
      const branch = judged.branch({ atUs: 2_500_000, events: [eventOf(action)] });
      branch.session.advance();
      const { verdicts, fingerprint } = branch.session.result();
      const whole = flyFlightNow(branch.session.resolved);
      expect({ verdicts, fingerprint }).toEqual({ verdicts: whole.verdicts, fingerprint: whole.fingerprint });
      return branch.refusal?.rule;
    };
    expect([judge("reseed"), judge("gust"), judge("motorLoss")]).toEqual([undefined, undefined, "L11.7"]);
  });

  it("[L11.6] may change a custom sensor whose kind is named differently from its signals", () => {
    const gnss = coreRegistry.sensors.find(({ name }) => name === "gnss")!;
    const registry = coreRegistry.with({ sensors: [{ ...gnss, name: "rtk" }] });
    const session = FlightSession.open(
      { extends: "mission", ...EARLY_TAKE_OFF, sensors: { rtk: true }, timeline: { endS: 2.5 } } as never,
      { registry },
    );
    session.advance();
    const branch = session.branch({ atUs: 1_500_000, events: [{ sensor: { kind: "rtk", noiseNedM: [2, 2, 2] } }] });
    expect(branch.isGrafted).toBe(true);
    expect(digestsOf(branch.session)).toEqual(flyFlightNow(branch.session.resolved, registry).digests);
    expect(digestsOf(branch.session)).not.toEqual(session.result().digests);
  });

  it("[L11.2] may leave out an event that has not happened yet", () => {
    const branch = parent.branch({ atUs: 3_500_000, without: [2] });
    expect(branch.isGrafted).toBe(true);
    expect(digestsOf(branch.session)).toEqual(flyFlightNow(branch.session.resolved).digests);
    expect(codeOf(() => parent.branch({ atUs: 3_500_000, without: [0] }))).toBe("FLIGHT-031");
    expect(codeOf(() => parent.branch({ atUs: 3_500_000, without: [7] }))).toBe("FLIGHT-031");
    expect(codeOf(() => parent.branch({ atUs: 3_500_000, events: [{ at: "2.5 s", rtl: true }] }))).toBe("FLIGHT-031");
    expect(codeOf(() => parent.branch({ atUs: 3_500_000, events: [{ when: "altitudeM > 5", rtl: true }] }))).toBe(
      "FLIGHT-031",
    );
  });

  it("[L11.2] with a conditional event is grafted if the condition is evaluated only from the instant on", () => {
    const events = [{ when: "altitudeM > 5", from: "3.5 s", rtl: true }];
    const branch = parent.branch({ atUs: 3_500_000, events });
    expect(branch.isGrafted).toBe(true);
    expect(digestsOf(branch.session)).toEqual(flyFlightNow(branch.session.resolved).digests);
  });

  it("[L11.5] adds no boundary before the instant, even if it makes the scenario run periodically", () => {
    const stop = { onCrash: false, onLanding: false };
    const plain = FlightSession.open({ extends: "drop", timeline: { endS: 1 }, stop });
    plain.advance();
    const events = [{ gust: { velNedMps: [5, 0, 0], shape: "one-minus-cosine" }, for: "0.3 s" }];
    const branch = plain.branch({ atUs: 500_500, events });
    expect(branch.isGrafted).toBe(true);
    expect(digestsOf(branch.session)).toEqual(flyFlightNow(branch.session.resolved).digests);
  });

  it("[L11.3] [L11.4] with a further event keeps the number and the bit of events that have happened", () => {
    const changes = [1, 2].map((value) => ({
      when: `altitudeM > ${value}`,
      parameter: { name: "MPC_XY_CRUISE", value },
    }));
    const session = FlightSession.open({
      extends: "mission",
      ...EARLY_TAKE_OFF,
      timeline: { endS: 4.5 },
      scenario: changes,
    } as never);
    session.advance();
    const event = { at: "3.5 s", parameter: { name: "MPC_XY_CRUISE", value: 2 } };
    const branch = session.branch({ atUs: 3_500_000, events: [event] });
    expect(branch.refusal).toBeUndefined();
    expect(digestsOf(branch.session)).toEqual(flyFlightNow(branch.session.resolved).digests);
  });

  it("[L11.1] may end later or earlier, but not before the instant", () => {
    const longer = parent.branch({ atUs: 3_500_000, endS: 5.5 });
    expect(longer.isGrafted).toBe(true);
    expect(digestsOf(longer.session)).toEqual(flyFlightNow(longer.session.resolved).digests);
    expect(longer.session.nowUs).toBe(5_500_000);
  });

  it("[L11.6] of another branch has the digests of its flight from t0, and can be rewound before the fork", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            gapUs: fc.integer({ min: 1, max: 1_100_000 }),
            action: fc.constantFrom<ActionName[]>(
              "gust",
              "windMean",
              "motorLoss",
              "motorNoise",
              "hold",
              "rtl",
              "parameter",
              "vehicle",
              "estimator",
              "reseed",
            ),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        fc.integer({ min: 0, max: 4_200_000 }),
        (edits, backUs) => {
          let session = parent;
          let atUs = 500_000;
          for (const { gapUs, action } of edits) {
            atUs += gapUs;
            session = session.branch({ atUs, events: [eventOf(action)] }).session;
          }
          const { digests } = flyFlightNow(session.resolved);
          expect(digestsOf(session)).toEqual(digests);
          session.rewindTo(backUs);
          expect(digestsOf(session)).toEqual(digests);
        },
      ),
      { numRuns: volume(4, 20) },
    );
  });

  it.each([[[{ motorLoss: { motor: 2, gain: 0.8 } }]], [[]]])(
    "continues from its parent if it computes no digests, with the same state (%j)",
    (events) => {
      const atUs = 2_623_457;
      const resolved = parent.resolveBranch({ atUs, events });
      const branches = (["all", "none"] as const).map((fingerprint) =>
        parent.branchTo(resolved, atUs, { options: { fingerprint } }),
      );
      for (const { session } of branches) session.advance(3_500_000);
      const [whole, bare] = branches.map(({ session }) => session);
      expect(branches.map(({ isGrafted }) => isGrafted)).toEqual([true, true]);
      expect([...bare!.flight.frame]).toEqual([...whole!.flight.frame]);
      expect([whole!.result().fingerprint === "", bare!.result().fingerprint]).toEqual([false, ""]);
    },
  );

  it("does not change its parent", () => {
    const { fingerprint } = flyFlightNow(parent.resolved);
    parent.branch({ atUs: 1_000_000, events: [{ motorOff: { motor: 1 } }] }).session.advance();
    parent.advance();
    expect(parent.result().fingerprint).toBe(fingerprint);
  });
});
