/**
 * Settings that change in flight: a change has no effect before its instant. A flight with changes continues from a
 * checkpoint at any boundary, is reproduced by a replay, and has the same bits with and without compiled code.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assemble,
  buildPlant,
  coreRegistry,
  inputLayout,
  mustResolve,
  type PlainObject,
  replayFlight,
  type ResolvedFlight,
  resolveFlight,
  Run,
} from "@escapement/core";
import { definitionAt, settingChanges } from "../../packages/core/src/describe/build/setting-changes.ts";
import { interrupt } from "../contract/checkpoint.ts";
import { EARLY_TAKE_OFF } from "../support/early-take-off.ts";
import { isFullVolume, volume } from "../support/volume.ts";

const resolve = (spec: PlainObject): ResolvedFlight => mustResolve(resolveFlight({ file: "test", spec }, coreRegistry));
const fly = (spec: PlainObject, options = {}) => {
  const run = new Run(resolve(spec), { record: true, ...options });
  const { failure, result } = run.toEndNow();
  if (failure !== undefined) throw failure;
  return { ...result, ...run.recorded() };
};

const [AT_US, END_S] = [1_000_000, 1.8];
/** The beginning of a mission in wind with sensors, in the air at the time of the events. */
const BASE: PlainObject = {
  extends: "mission",
  ...EARLY_TAKE_OFF,
  timeline: { endS: END_S },
  wind: { kind: "dryden", w20Mps: 8 },
  integrator: "rk4",
  sensors: { imu: true, gnss: true, barometer: true },
};
const withEvents = (...scenario: readonly PlainObject[]): PlainObject => ({ ...BASE, scenario });
const changed = (action: PlainObject): PlainObject => withEvents({ atS: AT_US / 1e6, ...action });

/** Each change, and a writer that it affects besides the scenario. */
const CHANGES: readonly [name: string, action: PlainObject, writer: string][] = [
  ["another wind", { wind: { kind: "ou", meanNedMps: [3, 0, 0] } }, "wind"],
  ["the same wind with another parameter", { wind: { w20Mps: 15 } }, "wind"],
  ["a sum of winds", { wind: { kind: "sum", dryden: [{}], constant: [{ windNedMps: [2, 0, 0] }] } }, "wind"],
  ["another estimator", { estimator: "truth" }, "estimator"],
  ["the same estimator with more noise", { estimator: { velSigmaMps: [0.3, 0.3, 0.3] } }, "estimator"],
  ["the same estimator with another delay", { estimator: { delayS: 0.02 } }, "estimator"],
  ["a noisier sensor", { sensor: { kind: "imu", gyroNoiseRadpsPerRtHz: 0.01 } }, "imu"],
  ["a sensor with more latency", { sensor: { kind: "gnss", latencyS: 0.2 } }, "gnss"],
  ["a lighter vehicle", { vehicle: { massKg: 1.2 } }, "outputs"],
  ["another inertia", { vehicle: { inertiaDiagKgM2: [0.05, 0.05, 0.08] } }, "outputs"],
  ["a vehicle with drag", { vehicle: { drag: { linearNSPerM: 0.4, areaM2: [0.02, 0.02, 0.04] } } }, "outputs"],
  ["a worn battery", { vehicle: { batteries: [{ resistanceOhm: 0.1, capacityAh: 2 }] } }, "outputs"],
  ["a bent arm", { vehicle: { rotors: [{ axis: [0.05, 0, 1] }, {}, {}, {}] } }, "outputs"],
  ["other rotors", { vehicle: { propulsion: { level: "reference" } } }, "outputs"],
  ["new random numbers", { reseed: { seed: 8 } }, "wind"],
  ["an adaptive method", { integrator: "rk45" }, "outputs"],
  ["a method of low order", { integrator: "euler" }, "outputs"],
  ["shorter steps", { integrator: { substepUs: 200 } }, "outputs"],
];

const CHECKPOINTS_US = isFullVolume
  ? [AT_US - 655_000, AT_US - 1000, AT_US, AT_US + 1000, AT_US + 123_000, AT_US + 654_000]
  : [AT_US - 1000, AT_US, AT_US + 123_000];
/** Digests of everything up to the instant of a change, before its boundary runs. */
const before = interrupt(resolve(BASE), [AT_US]).continued[0]!.before;
const unchanged = fly(BASE);
const flights = new Map(CHANGES.map(([name, action]) => [name, fly(changed(action))]));

describe.each(CHANGES)("%s", (name, action, affected) => {
  const spec = changed(action);
  const whole = flights.get(name)!;
  const { continued, whole: digests } = interrupt(resolve(spec), CHECKPOINTS_US);

  it("[L8.11] has no effect before its instant", () => {
    expect(continued.find(({ atUs }) => atUs === AT_US)!.before).toBe(before);
  });

  it("[L8.11] has an effect after its instant", () => {
    const others = Object.entries(whole.digests.writers).filter(
      ([writer, digest]) => digest !== unchanged.digests.writers[writer as "wind"],
    );
    expect(others.map(([writer]) => writer)).toEqual(expect.arrayContaining(["scenario", affected]));
    // A changed raw sensor does not affect the motion, because this estimator does not use the raw sensors.
    const changesMotion = !("sensor" in action);
    expect(
      whole
        .signal("state")
        .at(END_S)
        .every((value, i) => value === unchanged.signal("state").at(END_S)[i]),
    ).toBe(!changesMotion);
    expect(whole.events.filter(({ kind }) => kind === "setting").map(({ tUs }) => tUs)).toEqual([AT_US]);
  });

  it("[L9.7] continues from checkpoints before, at and after its instant", () => {
    expect(continued).toHaveLength(CHECKPOINTS_US.length);
    for (const one of continued) expect(one.digests).toBe(digests);
  });

  it("[L9.6] is reproduced by a replay", () => {
    expect(replayFlight(whole.recording).reproduces).toBe(true);
  });
});

describe("compiled code", () => {
  // In `npm test`, skip changes outside the plant, because they do not reach compiled code.
  const changes = CHANGES.filter(([, , affected]) => isFullVolume || affected === "outputs");
  it.each(changes)("gives the same bits as the reference: %s", (name, action) => {
    const compiled = flights.get(name)!;
    expect(compiled.end.code).toMatch(/^compiled/);
    expect(fly(changed(action), { codegen: false }).digests).toEqual(compiled.digests);
  });
});

describe("every integrator", () => {
  it.each(coreRegistry.integrators.map(({ name }) => name))(
    "%s, with a change of the vehicle and of the method itself",
    (kind) => {
      const spec = {
        ...withEvents(
          { at: "1 s", vehicle: { massKg: 1.3 } },
          { at: "1.2 s", integrator: kind === "rk45" ? "rk4" : "rk45" },
          { at: "1.4 s", vehicle: { massKg: 1.6 } },
        ),
        integrator: kind,
        timeline: { endS: END_S, physicsPeriodS: 0.001 },
      };
      const { recording } = fly(spec);
      expect(replayFlight(recording).reproduces).toBe(true);
      const { whole, continued } = interrupt(
        resolve(spec),
        isFullVolume ? [900_000, 1_100_000, 1_300_000, 1_600_000] : [1_100_000, 1_300_000],
      );
      for (const { digests } of continued) expect(digests).toBe(whole);
    },
  );
});

describe("random changes", () => {
  const LAST_MS = 1e3 * END_S - 1;
  const events = fc.array(
    fc.record({
      atS: fc.integer({ min: 0, max: LAST_MS }).map((ms) => ms / 1000),
      change: fc.constantFrom(...CHANGES.map(([, action]) => action)),
    }),
    { minLength: 2, maxLength: 5 },
  );

  it("continue from a checkpoint at any boundary", () => {
    fc.assert(
      fc.property(events, fc.integer({ min: 0, max: LAST_MS }), (list, ms) => {
        const scenario = list.map(({ atS, change }) => ({ atS, ...change }));
        const { resolved } = resolveFlight({ file: "test", spec: { ...BASE, scenario } }, coreRegistry);
        // Skip draws in which two simultaneous changes of the same kind cancel, because they are rejected.
        fc.pre(resolved !== undefined);
        const { whole, continued } = interrupt(resolved!, [ms * 1000]);
        expect(continued[0]!.digests).toBe(whole);
      }),
      { numRuns: volume(6, 40), seed: 17 },
    );
  });
});

describe("reverting a change", () => {
  it("restores the equations", () => {
    const { massKg } = resolve(BASE).definition.vehicle;
    const { definition } = resolve(
      withEvents({ at: "4 s", vehicle: { massKg: 1 } }, { at: "5 s", vehicle: { massKg } }),
    );
    const { plant, dims } = assemble(definition, coreRegistry).flight.parts;
    const { offsets, size } = inputLayout(dims!);
    const x = new Float64Array(plant.layout.size);
    plant.initialInto(x);
    plant.layout.blocks.forEach(({ name, offset, size: count }) => {
      if (name === "rotorSpeed") x.fill(400, offset, offset + count);
      if (name === "posNed") x[offset + 2] = -10;
    });
    const slope = (mask: number) => {
      const [dx, u] = [new Float64Array(x.length), new Float64Array(size)];
      u[offsets.settingChanges] = mask;
      plant.derivativesInto(dx, new Float64Array(1), x, u);
      return [...dx];
    };
    expect(slope(1)).not.toEqual(slope(0));
    // The second change sets the same values as the first one, and clears its bit.
    expect(slope(2)).toEqual(slope(0));
    expect(slope(3)).toEqual(slope(0));
  });

  it("restores the wind", () => {
    const { signal } = fly({
      ...withEvents({ at: "1 s", wind: { windNedMps: [5, 0, 0] } }, { at: "2 s", wind: { windNedMps: [1, 2, 0] } }),
      wind: { kind: "constant", windNedMps: [1, 2, 0] },
      timeline: { endS: 3 },
    });
    const wind = signal("windBaseNed");
    expect([0.98, 1, 1.98, 2, 3].map((tS) => [...wind.at(tS)])).toEqual([
      [1, 2, 0],
      [5, 0, 0],
      [5, 0, 0],
      [1, 2, 0],
      [1, 2, 0],
    ]);
  });
});

it("a change of the mass does not affect rotors that were calibrated to the first weight", () => {
  const vehicle = "iris-reference";
  const { definition } = resolve({ ...withEvents({ at: "4 s", vehicle: { massKg: 1 } }), vehicle });
  const at = (mask: number) => buildPlant(definitionAt(definition, mask, coreRegistry), coreRegistry);
  const thrust = (mask: number) => at(mask).lift().thrustN;
  expect(at(1).vehicle.massKg).toBe(1);
  expect(thrust(1)).toBe(thrust(0));
});

describe("against known solutions", () => {
  const GRAVITY = 9.80665;

  it("a fall: linear drag up to 2 s, then none", () => {
    const [massKg, dragNSPerM, switchS, endS] = [1.5, 0.6, 2, 4];
    const { signal } = fly({
      vehicle: {
        extends: "iris-linear",
        massKg,
        drag: { linearNSPerM: dragNSPerM },
        initial: { posNedM: [0, 0, -500], onGround: false },
      },
      environment: { gravity: { kind: "uniform", accelerationMps2: GRAVITY } },
      wind: "none",
      autopilot: "none",
      timeline: { endS },
      scenario: [{ atS: switchS, vehicle: { drag: { linearNSPerM: 0 } } }],
    });
    const tauS = massKg / dragNSPerM;
    const speedAt = (tS: number): number =>
      tS <= switchS ? GRAVITY * tauS * (1 - Math.exp(-tS / tauS)) : speedAt(switchS) + GRAVITY * (tS - switchS);
    for (const tS of [1, 2, 2.5, 3, 4]) expect(signal("velNed").at(tS)[2]).toBeCloseTo(speedAt(tS), 9);
  });

  it("a hover: the duty becomes the trim duty of the new mass", () => {
    const spec = {
      extends: "hover",
      wind: "none",
      estimator: "truth",
      timeline: { endS: 50 },
      scenario: [{ at: "30 s", vehicle: { massKg: 1.2 } }],
    };
    const { signal, resolved } = fly(spec);
    const plantAt = (mask: number) => buildPlant(definitionAt(resolved.definition, mask, coreRegistry), coreRegistry);
    const dutyOfTrim = (mask: number, tS: number) => {
      const soc = [...signal("batterySoc").at(tS)];
      const v1V = [...signal("batteryV1").at(tS)];
      const altitudeM = resolved.definition.environment.origin.altMslM - signal("posNed").at(tS)[2]!;
      return plantAt(mask).trim({ altitudeM, soc, v1V }).rotors[0]!.duty;
    };
    for (const [mask, tS] of [
      [0, 29.9],
      [1, 49.9],
    ] as const) {
      expect(signal("motorOutput").at(tS)[0]).toBeCloseTo(dutyOfTrim(mask, tS), 2);
    }
    expect(dutyOfTrim(1, 49.9)).toBeLessThan(0.95 * dutyOfTrim(0, 49.9));
  });

  it("[L8.11] a dropped payload takes its momentum with it, so nothing in the state jumps", () => {
    const { signal } = fly(changed({ vehicle: { massKg: 1.2, batteries: [{ capacityAh: 2 }] } }));
    const state = signal("state");
    const atS = AT_US / 1e6;
    const [atDrop, later] = [state.at(atS), state.at(atS + 0.02)];
    // Gravity and a thrust to weight ratio of two change speeds by at most 0.4 m/s in 20 ms.
    for (let i = 3; i < 6; i += 1) expect(Math.abs(later[i]! - atDrop[i]!)).toBeLessThan(0.4);
    const soc = signal("batterySoc");
    expect(Math.abs(soc.at(atS + 0.02)[0]! - soc.at(atS)[0]!)).toBeLessThan(1e-4);
  });

  it("a landing on feet that became longer in the air; feet cannot be added, because each has its own state", () => {
    const drop = (scenario: readonly PlainObject[]) => {
      const { signal } = fly({ extends: "drop", wind: "none", timeline: { endS: 12 }, scenario });
      return signal("posNed").at(12)[2]!;
    };
    const feet = [
      [0.2, 0.2, 0.5],
      [0.2, -0.2, 0.5],
      [-0.2, 0.2, 0.5],
      [-0.2, -0.2, 0.5],
    ].map((positionM) => ({ positionM }));
    const changeTo = (given: readonly PlainObject[]) => [{ at: "0.5 s", vehicle: { contact: { feet: given } } }];
    expect(drop(changeTo(feet))).toBeCloseTo(-0.5, 1);
    expect(drop([])).toBeGreaterThan(-0.4);
    expect(() => drop(changeTo([...feet, { positionM: [0, 0, 0.5] }]))).toThrow(/contactStretch would have 10 values/);
  });
});

it("a bias of the estimate that is switched off decays with its time constant", () => {
  const { signal } = fly({
    ...withEvents({ at: "1 s", estimator: { posBiasSigmaM: [0, 0, 0], posSigmaM: [0, 0, 0] } }),
    estimator: { kind: "noisy", posBiasSigmaM: [5, 5, 5], posSigmaM: [0, 0, 0], biasTauS: 0.2, delayS: 0 },
    timeline: { endS: 4 },
  });
  const errorAt = (tS: number) => Math.abs(signal("estPosNed").at(tS)[0]! - signal("posNed").at(tS)[0]!);
  expect(errorAt(1)).toBeGreaterThan(0.1);
  expect(errorAt(2) / errorAt(1)).toBeCloseTo(Math.exp(-1 / 0.2), 3);
  expect(errorAt(4)).toBeLessThan(1e-4);
});

describe("new random numbers", () => {
  it("take effect immediately, and gusts and biases continue from their current values", () => {
    const spec = (scenario: readonly PlainObject[]) => ({
      ...BASE,
      wind: { kind: "ou", tauS: 100 },
      sensors: { imu: { gyroNoiseRadpsPerRtHz: 0, gyroTurnOnRadps: 0.5 } },
      timeline: { endS: 3 },
      scenario,
    });
    const other = fly(spec([{ at: "2 s", reseed: { seed: 8 } }]));
    const same = fly(spec([]));
    const step = (name: "windBaseNed" | "gyroRateBody", from: number, to: number) =>
      other.signal(name).at(to)[0]! - other.signal(name).at(from)[0]!;
    expect(other.signal("windBaseNed").at(2)).toEqual(same.signal("windBaseNed").at(2));
    expect(other.signal("windBaseNed").at(2.02)).not.toEqual(same.signal("windBaseNed").at(2.02));
    // The standard deviation of one step is 0.03 m/s; a new gust would differ by about 2 m/s.
    expect(Math.abs(step("windBaseNed", 2, 2.02))).toBeLessThan(0.15);
    // A bias that was drawn again would differ by about 0.5 rad/s.
    expect(Math.abs(step("gyroRateBody", 1.996, 2))).toBeLessThan(0.05);
  });

  it("change the noise of motors", () => {
    const spec = (more: readonly PlainObject[]) => ({
      ...BASE,
      timeline: { endS: 3 },
      scenario: [{ at: "1 s", motorNoise: { motor: 1, sigma: 0.05 } }, ...more],
    });
    const other = fly(spec([{ at: "2 s", reseed: { seed: 8 } }])).signal("motorOffset");
    const same = fly(spec([])).signal("motorOffset");
    expect(other.at(1.996)).toEqual(same.at(1.996));
    expect(other.at(2)).not.toEqual(same.at(2));
  });
});

describe("the bits of setting changes", () => {
  it("[L8.12] follow the order of the list, so that an appended event does not change the others", () => {
    const first = { when: "altitudeM > 1", vehicle: { massKg: 1.3 } };
    const later = { at: "7 s", vehicle: { massKg: 1.2 } };
    const bits = (...scenario: readonly PlainObject[]) =>
      settingChanges(resolve(withEvents(...scenario)).definition.scenario).map(({ bit, params }) => [
        bit,
        params["massKg"],
      ]);
    expect(bits(first)).toEqual([[1, 1.3]]);
    // Changes are applied in the order of examination, in which timed events come first.
    expect(bits(first, later)).toEqual([
      [2, 1.2],
      [1, 1.3],
    ]);
  });

  it("[L8.12] are the bits of the change that fires last", () => {
    const { signal } = fly({
      ...withEvents(
        { at: "1.5 s", wind: { kind: "constant", windNedMps: [2, 0, 0] } },
        {
          when: "timeS > 1",
          wind: { kind: "constant", windNedMps: [1, 0, 0] },
        },
      ),
    });
    const wind = signal("windBaseNed");
    expect([wind.at(1.2)[0], wind.at(1.8)[0]]).toEqual([1, 2]);
    expect(signal("settingChanges").at(1.8)[0]).toBe(1);
  });
});
