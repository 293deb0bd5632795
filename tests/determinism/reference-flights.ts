/**
 * The flights whose fingerprints are committed, and the function that flies them. The same module runs in every runtime
 * of the determinism matrix; runtimes without modules get it as a bundle.
 *
 * Together the flights use every integrator, wind, vehicle, sensor and estimator, every failsafe, contact, the
 * electrical model, located events and subnormal numbers (`coverage.test.ts`). An interpreter such as QuickJS is about
 * ninety times slower than compiled code, so it flies excerpts: the beginning of each short flight, moved into the air.
 * In the long tests, interpreters fly the whole short flights.
 */
import {
  coreRegistry,
  FlightSession,
  flyFlightNow,
  type FingerprintDigests,
  mustResolve,
  type PlainObject,
  type ResolvedFlight,
  resolveFlight,
  Snapshot,
} from "@escapement/core";
import { NEEDED_PARAMS } from "../support/needed-params.ts";

export interface ReferenceFlight {
  readonly name: string;
  readonly spec: PlainObject;
  /** At most 6 simulated seconds. */
  readonly isShort: boolean;
}

/** Settings of an adaptive method, which chooses its own steps. */
const noPhysicsTicks = { timeline: { physicsPeriodS: 0 } };

function short(name: string, spec: PlainObject, endS = 4): ReferenceFlight {
  const timeline = { ...(spec["timeline"] as PlainObject | undefined), endS };
  return { name, spec: { ...spec, timeline }, isShort: true };
}

/** Makes a flight that takes off early and reacts to a failsafe quickly. */
function failsafe(name: string, parameters: PlainObject, scenario: readonly PlainObject[], more: PlainObject = {}) {
  const soon = { COM_SPOOLUP_TIME: 0, MPC_TKO_RAMP_T: 0.5, COM_FAIL_ACT_T: 0.2, ...parameters };
  return short(name, { extends: "mission", autopilot: { parameters: soon }, scenario, ...more }, 5.5);
}

const changed = (at: string, name: string, value: number) => ({ at, parameter: { name, value } });
const lost = (at: string, sensor: string) => ({ at, sensorFault: { sensor, fault: "drop-out" } });

/** Every cause of a failsafe, and every action: hold, return, land, descend and termination. */
const FAILSAFES: readonly ReferenceFlight[] = [
  failsafe("battery-failsafes", {}, [
    changed("3 s", "BAT_LOW_THR", 1),
    changed("3.2 s", "BAT_CRIT_THR", 1),
    changed("3.8 s", "BAT_EMERGEN_THR", 1),
  ]),
  failsafe("attitude-failsafe", { CBRK_FLIGHTTERM: 0, COM_LKDOWN_TKO: 0, FD_FAIL_R: 30, FD_FAIL_P: 30 }, [
    { at: "3.4 s", motorOff: { motor: 1 } },
  ]),
  failsafe("estimate-failsafe", {}, [lost("3 s", "estimator")]),
  failsafe("position-failsafe", {}, [lost("0.1 s", "gnss")], { sensors: { imu: true, gnss: true } }),
  failsafe("fence-failsafe", { GF_ACTION: 3 }, [changed("3.5 s", "GF_MAX_VER_DIST", 0.3)]),
];

export const referenceFlights: readonly ReferenceFlight[] = [
  ...coreRegistry.integrators.map(({ name, stepping }) =>
    short(`mission-start-${name}`, {
      extends: "mission",
      integrator: name,
      ...(stepping === "adaptive" ? noPhysicsTicks : {}),
    }),
  ),
  short("exponential-map", { extends: "mission", integrator: { kind: "rk4", attitude: "exponential" } }),
  short("drop", { extends: "drop" }),
  short("dryden", { extends: "mission", wind: "dryden" }),
  short("von-karman", { extends: "mission", wind: "von-karman" }),
  short("located-crossing", {
    extends: "drop",
    scenario: [{ when: "altitudeM < 0.5", gust: { velNedMps: [5, 0, 0] }, forS: 0.1 }],
  }),
  short("iris-reference", {
    extends: "mission",
    vehicle: "iris-reference",
    environment: { gravity: "uniform", atmosphere: "isa-reference" },
  }),
  ...coreRegistry.winds
    .map(({ name }) => name)
    .filter((name) => !["ou", "dryden", "von-karman"].includes(name))
    .map((wind) =>
      short(`wind-${wind}`, { extends: "mission", wind: { kind: wind, ...NEEDED_PARAMS.winds?.[wind] } }, 2),
    ),
  ...Object.keys(coreRegistry.vehicles)
    .filter((name) => name !== "iris" && name !== "iris-reference")
    .map((vehicle) => short(`vehicle-${vehicle}`, { extends: "mission", vehicle }, 2)),
  short("noisy-estimate", { extends: "mission", estimator: "noisy" }, 2),
  short("every-sensor", {
    extends: "mission",
    sensors: Object.fromEntries(coreRegistry.sensors.map(({ name }) => [name, true])),
  }),
  // A jammed rotor's speed decays through the subnormal numbers to zero. The long steps of an adaptive method would
  // overshoot zero instead, and the speed would become zero in one step.
  short(
    "subnormals",
    {
      extends: "drop",
      integrator: "rk4",
      vehicle: {
        propulsion: { jamTimeS: 0.002 },
        initial: { posNedM: [0, 0, -100], velNedMps: [0, 0, 0], onGround: false, hovering: true },
      },
      timeline: { logPeriodS: 0.004 },
      scenario: [{ at: "10 ms", motorJam: { motor: 1 } }],
    },
    2,
  ),
  ...FAILSAFES,
  { name: "mission", spec: { extends: "mission" }, isShort: false },
  { name: "motor-out", spec: { extends: "motor-out" }, isShort: false },
  { name: "hover", spec: { extends: "hover", timeline: { endS: 20 } }, isShort: false },
];

/** An initial state in the air, moving and turning, so that every equation has work from the first step. */
const IN_THE_AIR = {
  posNedM: [0, 0, -6],
  velNedMps: [1, -2, 0.5],
  rollPitchYawRad: [0.1, -0.2, 1],
  rateBodyRadS: [0.3, 0.2, -0.4],
  onGround: false,
  hovering: true,
};

/** Length of an excerpt. It is short because interpreters are slow; the long tests fly whole short flights in one. */
const EXCERPT_S = 0.1;
/** Lengths of longer excerpts, so that drops reach the ground and sensors have more than one sample. */
const LONGER_S: Readonly<Record<string, number>> = { drop: 0.6, "located-crossing": 0.6, "every-sensor": 0.25 };

/** The beginning of each short flight, moved into the air. The drop already starts there. */
const excerpts: readonly ReferenceFlight[] = referenceFlights
  .filter(({ isShort }) => isShort)
  .map(({ name, spec }) => {
    const isDrop = spec["extends"] === "drop";
    const timeline = { ...(spec["timeline"] as PlainObject), endS: LONGER_S[name] ?? EXCERPT_S };
    const vehicle = { extends: spec["vehicle"] ?? "iris", initial: IN_THE_AIR };
    return { name, spec: { ...spec, timeline, ...(isDrop ? {} : { vehicle }) }, isShort: true };
  });

/** `sample` is every fifth excerpt. */
export type FlightSet = "all" | "short" | "excerpts" | "sample";

const SETS: Readonly<Record<FlightSet, readonly ReferenceFlight[]>> = {
  all: referenceFlights,
  short: referenceFlights.filter(({ isShort }) => isShort),
  excerpts,
  sample: excerpts.filter((_, i) => i % 5 === 0),
};

export function resolveReference({ spec, name }: ReferenceFlight): ResolvedFlight {
  return mustResolve(resolveFlight({ file: `reference ${name}`, spec }, coreRegistry));
}

export function flyReference(reference: ReferenceFlight, codegen = true): FingerprintDigests {
  return flyFlightNow(resolveReference(reference), coreRegistry, { codegen }).recording.digests;
}

export function namesOf(set: FlightSet): string[] {
  return SETS[set].map(({ name }) => name);
}

/**
 * Flies a set, or the named flights in it, and returns their digests by name. In a sample, code is generated only for
 * the first flight: in an interpreter, generating a vehicle's code takes longer than flying an excerpt.
 */
export function flyAll(set: FlightSet, names = namesOf(set)): Record<string, FingerprintDigests> {
  return Object.fromEntries(
    SETS[set]
      .filter(({ name }) => names.includes(name))
      .map((reference, i) => [reference.name, flyReference(reference, set !== "sample" || i === 0)]),
  );
}

/**
 * Checkpoints in the middle of flights, as JSON. Numbers are stored as integer words, because JSON does not keep −0.
 */
export type SavedFlights = Readonly<
  Record<string, readonly { readonly name: string; readonly words: readonly number[] }[]>
>;

/** Flies the first half of each short flight and saves it there. */
export function saveHalfway(): SavedFlights {
  return Object.fromEntries(
    SETS.short.map((reference) => {
      const session = new FlightSession(resolveReference(reference));
      session.advance(Math.floor(session.flight.schedule.endUs / 2));
      const { sections } = session.save();
      return [
        reference.name,
        sections.map(({ name, values }) => ({ name, words: Array.from(new Uint32Array(values.slice().buffer)) })),
      ];
    }),
  );
}

/** Returns the digests of saved short flights, continued from checkpoints that a different runtime may have saved. */
export function continueAll(saved: SavedFlights): Record<string, FingerprintDigests> {
  return Object.fromEntries(
    SETS.short.flatMap((reference) => {
      const checkpoint = saved[reference.name];
      if (checkpoint === undefined) return [];
      const resolved = resolveReference(reference);
      const session = new FlightSession(resolved);
      const sections = checkpoint.map(({ name, words }) => ({
        name,
        values: new Float64Array(Uint32Array.from(words).buffer),
      }));
      session.load(new Snapshot(sections, resolved.hash));
      session.advance();
      return [[reference.name, session.result().digests]];
    }),
  );
}

/** Flies some short flights in pieces, back and forth, and a branch of each. Returns the digests of both. */
export function travelAll(): Record<
  string,
  { readonly whole: FingerprintDigests; readonly branch: FingerprintDigests }
> {
  return Object.fromEntries(
    SETS.short
      .filter((_, i) => i % 5 === 0)
      .map((reference) => {
        const session = new FlightSession(resolveReference(reference));
        const { endUs } = session.flight.schedule;
        session.advance(Math.floor(endUs / 2));
        session.rewindTo(Math.floor(endUs / 4));
        session.advance();
        const whole = session.result().digests!;
        const atUs = Math.min(Math.floor(endUs / 3), session.nowUs);
        const branch = session.branch({ atUs, events: [{ windMean: { velNedMps: [1, 2, 0] } }] });
        branch.session.advance();
        return [reference.name, { whole, branch: branch.session.result().digests! }];
      }),
  );
}
