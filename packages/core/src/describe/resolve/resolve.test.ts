/** Resolving a spec: all defaults are explicit, the hash covers only the definition, and all errors are reported. */
import { describe, expect, it } from "vitest";
import type { PlainObject } from "../../params/index.ts";
import { isPlainObject } from "../../params/index.ts";
import { codeOf } from "../../../../../tests/support/flights.ts";
import { inertiaEntries } from "../../multirotor/vehicle.ts";
import { canonicalJson } from "../definition/canonical.ts";
import { coreRegistry } from "../registry.ts";
import { type FlightDefinition, hashOf } from "../definition/definition.ts";
import { mustResolve, type Resolution, resolveFlight } from "./resolve.ts";
import { sha256Hex } from "../definition/sha256.ts";

const resolve = (spec: PlainObject): Resolution => resolveFlight({ file: "flight", spec }, coreRegistry);
const definitionOf = (spec: PlainObject): FlightDefinition => mustResolve(resolve(spec)).definition;
const diagnostics = (spec: PlainObject) => resolve(spec).errors.map(({ code, where }) => `${code} ${where.key ?? ""}`);

/** Returns the path and value of every leaf. */
function leaves(value: unknown, path = ""): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((item, i) => leaves(item, `${path}[${i}]`));
  if (isPlainObject(value)) return Object.entries(value).flatMap(([key, item]) => leaves(item, `${path}.${key}`));
  return [[path, value]];
}

describe("an error in the vehicle's own table", () => {
  it("is reported at the description that holds the table", () => {
    const load = (name: string) => (name === "below" ? { file: "below", spec: { vehicle: "iris" } } : undefined);
    const top = { file: "mine.toml", spec: { extends: "below", vehicle: { massKg: 1, replace: ["vehicle"] } } };
    const [error] = resolveFlight(top, coreRegistry, load).errors;
    expect(error!.where).toMatchObject({ file: "mine.toml", key: "vehicle.replace" });
  });
});

describe("defaults", () => {
  const definition = definitionOf({});

  it("have the documented values", () => {
    expect(definition.timeline).toEqual({
      endS: 120,
      autopilotPeriodS: 0.004,
      physicsPeriodS: 0,
      windPeriodS: 0.02,
      logPeriodS: 0.02,
      scenarioPeriodS: 0.004,
    });
    expect([definition.seed, definition.integrator.kind, definition.estimator.kind, definition.autopilot.kind]).toEqual(
      [1, "rk43", "ekf-like", "embedded"],
    );
    expect(definition.wind).toMatchObject({
      kind: "ou",
      params: { meanNedMps: [0, 0, 0], sigmaNedMps: [1.5, 1.5, 0.5], tauS: 3 },
    });
    expect(definition.estimator.params).toMatchObject({
      delayS: 0,
      velSigmaMps: [0.019, 0.019, 0.01],
      velTauS: [0.77, 0.77, 1.8],
      posTauS: [40, 40, 100],
      tiltSigmaRad: 0.0014,
      tiltTauS: 0.8,
      yawSigmaRad: 0.006,
      yawTauS: 5,
      rateSigmaRadps: [0.0032, 0.0032, 0.0032],
    });
    expect(definition.environment.origin).toEqual({ latDeg: 47.397742, lonDeg: 8.545594, altMslM: 488 });
  });

  it("are all explicit in the definition, which is plain JSON, for every built-in flight", () => {
    for (const name of Object.keys(coreRegistry.flights)) {
      const whole = definitionOf({ extends: name });
      expect(JSON.parse(JSON.stringify(whole))).toEqual(whole);
      for (const [path, value] of leaves(whole)) {
        expect(value === undefined, path).toBe(false);
        if (typeof value === "number") expect(Number.isFinite(value), path).toBe(true);
      }
    }
  });

  it("change nothing if they are written out", () => {
    const explicit = { ...definition.timeline };
    expect(
      hashOf(
        definitionOf({
          timeline: explicit,
          seed: 1,
          wind: { kind: "ou", ...definition.wind.params },
          estimator: { kind: "ekf-like", ...definition.estimator.params },
        }),
      ),
    ).toBe(hashOf(definition));
  });

  it("an adaptive integrator gets no physics period, unless one is given", () => {
    expect(definitionOf({ integrator: "rk45" }).timeline.physicsPeriodS).toBe(0);
    expect(definitionOf({ integrator: "rk45", timeline: { physicsPeriodS: 0.002 } }).timeline.physicsPeriodS).toBe(
      0.002,
    );
  });

  it("the delay of a noisy estimate and the scenario's period follow the autopilot's period", () => {
    const timeline = { autopilotPeriodS: 0.005 };
    expect(definitionOf({ timeline }).timeline.scenarioPeriodS).toBe(0.005);
    for (const estimator of ["noisy", { kind: "noisy" }] as const)
      expect(definitionOf({ timeline, estimator }).estimator.params["delayS"]).toBe(0.01);
    expect(definitionOf({ timeline }).estimator.params["delayS"]).toBe(0);
    expect(definitionOf({ estimator: "truth" }).estimator.params).toEqual({ delayS: 0 });
  });

  it("[D15] of a vehicle are the same whether it is named, extended or the default", () => {
    const named = definitionOf({ vehicle: "iris" }).vehicle;
    expect(definitionOf({ extends: "iris" }).vehicle).toEqual(named);
    expect(definitionOf({ vehicle: { extends: "iris", massKg: named.massKg } }).vehicle).toEqual(named);
    expect(definitionOf({}).vehicle).toEqual(named);
  });
});

describe("definition and run settings", () => {
  it("the hash covers the definition and no run settings", () => {
    const hash = (spec: PlainObject) => mustResolve(resolve(spec)).hash;
    const plain = hash({ extends: "mission" });
    expect(hash({ extends: "mission", about: "another sentence" })).toBe(plain);
    expect(hash({ extends: "mission", outputs: { paceX: 1, recording: "a.mcap", logs: [{ file: "b.csv" }] } })).toBe(
      plain,
    );
    expect(hash({ extends: "mission", seed: 2 })).not.toBe(plain);
    expect(hash({ extends: "mission", timeline: { logPeriodS: 0.04 } })).not.toBe(plain);
    expect(hash({ extends: "mission", autopilot: { parameters: { MPC_XY_CRUISE: 4 } } })).not.toBe(plain);
  });

  it("the hash is SHA-256 of the canonical text, which does not depend on the order of keys", () => {
    const { definition, hash } = mustResolve(resolve({ extends: "mission" }));
    expect(hash).toBe(sha256Hex(canonicalJson(definition)));
    const shuffled = Object.fromEntries(Object.entries(definition).reverse()) as unknown as FlightDefinition;
    expect(hashOf(shuffled)).toBe(hash);
  });

  it("SHA-256 has the published test vectors (FIPS 180-4)", () => {
    expect(sha256Hex("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    );
  });

  it("−0 and 0 have different hashes", () => {
    expect(canonicalJson({ a: -0 })).not.toBe(canonicalJson({ a: 0 }));
  });
});

describe("composition", () => {
  it("[D3] accepts every whole microsecond, even above eight seconds", () => {
    for (const seconds of [8.002, 8.3, 9 * 0.001, 123.456789, 0.1 + 0.2]) {
      expect(
        definitionOf({ timeline: { endS: 200 }, scenario: [{ atS: seconds, arm: true }] }).scenario[0],
      ).toMatchObject({
        trigger: { tUs: Math.round(seconds * 1e6) },
      });
    }
  });

  it("[D16] a child may give inertia in a different form from its parent, and inherits the parent's name", () => {
    const full = definitionOf({
      extends: "mission",
      vehicle: { extends: "iris", inertiaKgM2: [0.03, 0, 0, 0, 0.03, 0, 0, 0, 0.05] },
    });
    expect([full.vehicle.inertiaKgM2.length, full.vehicle.inertiaDiagKgM2.length, full.name]).toEqual([
      9,
      0,
      "mission",
    ]);
  });

  it("[D16] a new list of rotors replaces their axes and their number", () => {
    const two = [1, -1].map((direction, i) => ({ positionM: [0, direction * 0.2, 0], direction, channel: i + 1 }));
    expect(definitionOf({ vehicle: { extends: "iris", rotors: two } }).vehicle.rotors.map(({ axis }) => axis)).toEqual([
      [0, 0, 1],
      [0, 0, 1],
    ]);
  });

  it("keys are merged into a vehicle and a wind that the extended flight gives only by name", () => {
    const definition = definitionOf({ extends: "mission", vehicle: { massKg: 1.7 }, wind: { tauS: 2 } });
    expect([definition.vehicle.massKg, definition.vehicle.rotors.length, definition.wind.params["tauS"]]).toEqual([
      1.7, 4, 2,
    ]);
  });

  it("sensors are in the order in which they run; false removes one", () => {
    const given = { sensors: { rangeFinder: true, imu: {}, barometer: true } };
    expect(definitionOf(given).sensors.map(({ kind }) => kind)).toEqual(["imu", "barometer", "rangeFinder"]);
    const child = resolveFlight(
      { file: "child", spec: { extends: "parent", sensors: { imu: false } } },
      coreRegistry,
      (name) => ({ file: name, spec: given }),
    );
    expect(mustResolve(child).definition.sensors.map(({ kind }) => kind)).toEqual(["barometer", "rangeFinder"]);
  });

  it("strictRates: false allows slower autopilots, but no period that is not a multiple of the physics period", () => {
    const slow = { timeline: { autopilotPeriodS: 0.05, windPeriodS: 0.05 } };
    expect(diagnostics(slow)).toEqual(["FLIGHT-019 timeline.autopilotPeriodS"]);
    expect(diagnostics({ ...slow, strictRates: false })).toEqual([]);
    expect(diagnostics({ timeline: { logPeriodS: 0.0155 }, integrator: "rk4", strictRates: false })).toEqual([
      "FLIGHT-012 timeline.logPeriodS",
    ]);
  });

  it("the core reads no files, so naming a file is an error", () => {
    expect(diagnostics({ mission: "a.plan", autopilot: { parametersFile: "b.params" } })).toEqual([
      "FLIGHT-025 mission.file",
      "FLIGHT-025 autopilot.parametersFile",
    ]);
  });

  it("several diagnostics are thrown as one error that contains them all", () => {
    const many = resolve({ seed: -1, timeline: { endS: "x" } });
    expect(codeOf(() => mustResolve(many))).toBe("FLIGHT-001");
    expect(() => mustResolve(many)).toThrow(/2 errors/);
    expect(codeOf(() => mustResolve(resolve({ seed: -1 })))).toBe("FLIGHT-005");
  });
});

describe("written values are read back exactly", () => {
  const definition = definitionOf({
    seed: 42,
    wind: { kind: "ou", meanNedMps: [1, 2, 3], sigmaNedMps: [0.1, 0.2, 0.3], tauS: 4.5 },
    environment: {
      origin: { latDeg: 1.5, lonDeg: -2.5, altMslM: 33 },
      atmosphere: { kind: "us76", qnhPa: 99000 },
      gravity: { kind: "uniform", accelerationMps2: 3.71 },
    },
    timeline: { endS: 12.5, autopilotPeriodS: 0.008, windPeriodS: 0.016, logPeriodS: 0.04, physicsPeriodS: 0.002 },
    estimator: {
      kind: "noisy",
      posSigmaM: [1, 2, 3],
      velSigmaMps: [4, 5, 6],
      yawSigmaRad: 0.7,
      rateSigmaRadps: [7, 8, 9],
      biasTauS: 11,
      delayS: 0.016,
    },
    integrator: { kind: "rk45", toleranceScale: 0.5, groups: [{ group: "rotors", absolute: 1e-4, relative: 1e-5 }] },
    vehicle: {
      extends: "iris",
      propulsion: {
        esc: { efficiency: 0.9, deadzone: 0.03 },
        motor: { kvRpmPerV: 700, resistanceOhm: 0.3, idleCurrentA: 0.4, maxCurrentA: 33 },
      },
    },
  });

  it("of wind, environment, timeline and estimator", () => {
    expect(definition.wind.params).toMatchObject({ meanNedMps: [1, 2, 3], sigmaNedMps: [0.1, 0.2, 0.3], tauS: 4.5 });
    expect(definition.environment).toMatchObject({
      origin: { latDeg: 1.5, lonDeg: -2.5, altMslM: 33 },
      atmosphere: { params: { qnhPa: 99000 } },
      gravity: { params: { accelerationMps2: 3.71 } },
    });
    expect(definition.timeline).toEqual({
      endS: 12.5,
      autopilotPeriodS: 0.008,
      windPeriodS: 0.016,
      logPeriodS: 0.04,
      physicsPeriodS: 0.002,
      scenarioPeriodS: 0.008,
    });
    expect(definition.estimator.params).toMatchObject({
      posSigmaM: [1, 2, 3],
      velSigmaMps: [4, 5, 6],
      yawSigmaRad: 0.7,
      rateSigmaRadps: [7, 8, 9],
      biasTauS: 11,
      delayS: 0.016,
    });
    expect(definition.seed).toBe(42);
  });

  it("of integrator and propulsion; other values of the vehicle are kept", () => {
    expect(definition.integrator.params).toMatchObject({
      toleranceScale: 0.5,
      groups: [{ group: "rotors", controlled: true, absolute: 1e-4, relative: 1e-5 }],
    });
    expect(definition.vehicle.propulsion.esc).toEqual({ efficiency: 0.9, deadzone: 0.03 });
    expect(definition.vehicle.propulsion.motor).toMatchObject({
      kvRpmPerV: 700,
      resistanceOhm: 0.3,
      idleCurrentA: 0.4,
      maxCurrentA: 33,
    });
    expect(definition.vehicle.propulsion.radiusM).toBe(definitionOf({ vehicle: "iris" }).vehicle.propulsion.radiusM);
  });

  it("of both forms of inertia", () => {
    const full = definitionOf({
      vehicle: { extends: "iris", inertiaKgM2: [0.02, 0.001, 0, 0.001, 0.03, 0, 0, 0, 0.04] },
    }).vehicle;
    const parts = definitionOf({
      vehicle: { extends: "iris", inertiaDiagKgM2: [0.02, 0.03, 0.04], inertiaProductsKgM2: [0.001, 0, 0] },
    }).vehicle;
    expect(inertiaEntries(full)).toEqual([0.02, 0.03, 0.04, 0.001, 0, 0]);
    expect(inertiaEntries(parts)).toEqual(inertiaEntries(full));
  });
});

describe("missions", () => {
  it("with named items become the items that a ground station writes, placed around the origin", () => {
    const items = [
      { takeoff: { altitudeM: 10 } },
      { speed: { groundMps: 3 } },
      { waypoint: { northM: 100, eastM: -50, altitudeM: 20, holdS: 2, acceptM: 1, yawDeg: 90 } },
      { loiter: { altitudeM: 5 } },
      { loiter: { altitudeM: 5, holdS: 4 } },
      { delay: { holdS: 3 } },
      { jump: { item: 2, times: 3 } },
      { land: true },
    ];
    const { mission } = definitionOf({ mission: { items } });
    expect(mission!.items.map(({ command }) => command)).toEqual([22, 178, 16, 17, 19, 93, 177, 21]);
    const [, speed, waypoint, , loiter, delay, jump] = mission!.items;
    expect([speed!.p1, speed!.p2, loiter!.p1, delay!.p1, jump!.p1, jump!.p2]).toEqual([1, 3, 4, 3, 2, 3]);
    expect([waypoint!.p1, waypoint!.p2, waypoint!.p4, waypoint!.altM]).toEqual([2, 1, 90, 20]);
    // On PX4's sphere a degree of latitude is 6371000·π/180 m; a degree of longitude is shorter by cos(latitude).
    const perDegree = (6371000 * Math.PI) / 180;
    expect((waypoint!.latDeg! - 47.397742) * perDegree).toBeCloseTo(100, 2);
    expect((waypoint!.lonDeg! - 8.545594) * perDegree * Math.cos((47.397742 * Math.PI) / 180)).toBeCloseTo(-50, 2);
  });

  it("add events for arming, start and end", () => {
    const { scenario } = definitionOf({
      extends: "mission",
      mission: { armAtS: 0.5 },
      scenario: [{ atS: 3, hold: true }],
    });
    expect(scenario.map(({ action }) => action)).toEqual(["arm", "mission", "hold", "stop", "stop", "stop"]);
    expect(scenario[0]!.trigger).toEqual({ at: "time", tUs: 500_000 });
    expect(
      definitionOf({ extends: "mission", stop: { onCrash: false, onLanding: false } }).scenario.map(
        ({ action }) => action,
      ),
    ).toEqual(["arm", "mission"]);
  });

  it("a planned home sets the origin if the description does not", () => {
    const home = { latDeg: -33.9, lonDeg: 18.4, altM: 20 };
    const items = [{ takeoff: { altitudeM: 10 } }, { land: true }];
    expect(definitionOf({ mission: { home, items } }).environment.origin).toEqual({
      latDeg: -33.9,
      lonDeg: 18.4,
      altMslM: 20,
    });
    expect(
      definitionOf({ mission: { home, items }, environment: { origin: { altMslM: 50 } } }).environment.origin.altMslM,
    ).toBe(50);
    expect(diagnostics({ mission: { home, items }, environment: { origin: { latDeg: 10 } } })).toEqual([
      "FLIGHT-023 environment.origin",
    ]);
  });

  it("warn of an item for the climb or descent speed, because the autopilot sets the ground speed instead", () => {
    const codes = (p1: number) => {
      const items = [{ takeoff: { altitudeM: 10 } }, { command: 178, frame: "mission", p1, p2: 3 }, { land: true }];
      return resolve({ mission: { items } }).warnings.map(({ code }) => code);
    };
    expect([codes(1), codes(2), codes(3)]).toEqual([[], ["MISSION-010"], ["MISSION-010"]]);
  });

  it("keep fence and rally points, and warn of items that are skipped", () => {
    const items = [{ takeoff: { altitudeM: 10 } }, { command: 2000, frame: "mission" }, { land: true }];
    const fence = {
      circles: [{ latDeg: 47.4, lonDeg: 8.5, radiusM: 100 }],
      polygons: [{ latsDeg: [47, 48, 48], lonsDeg: [8, 8, 9] }],
    };
    const resolution = resolve({ mission: { items, fence, rally: [{ latDeg: 47.4, lonDeg: 8.5, altM: 20 }] } });
    const { mission } = mustResolve(resolution).definition;
    expect(mission!.fence!.circles[0]).toEqual({
      center: { latDeg: 47.4, lonDeg: 8.5 },
      radiusM: 100,
      inclusion: true,
    });
    expect(mission!.fence!.polygons[0]!.points).toHaveLength(3);
    expect(mission!.rally).toEqual([{ latDeg: 47.4, lonDeg: 8.5, altM: 20 }]);
    expect(resolution.warnings.map(({ code }) => code)).toEqual(["MISSION-007"]);
  });
});

describe("events", () => {
  const events = (...scenario: PlainObject[]) => definitionOf({ scenario, stop: { onCrash: false } }).scenario;

  it("have exact times, in any unit", () => {
    const times = ["30 s", "250 ms", "1.5 min", "17 us", "17 µs", "0.3 ms"].map(
      (at) => events({ at, arm: true })[0]!.trigger,
    );
    expect(times.map((trigger) => (trigger as { tUs: number }).tUs)).toEqual([30e6, 250_000, 90e6, 17, 17, 300]);
  });

  it("snap to the autopilot's next tick, or stay if they are on one", () => {
    const snapped = (atS: number) => (events({ atS, snap: "autopilot", arm: true })[0]!.trigger as { tUs: number }).tUs;
    expect([1, 1.000001, 1.0039, 1.004].map(snapped)).toEqual([1e6, 1_004_000, 1_004_000, 1_004_000]);
  });

  it("keep every field in the definition", () => {
    const [event] = events({
      name: "first-gust",
      note: "As measured on the ridge.",
      when: "altitudeM > 3 and armed == 1",
      from: "1.5 s",
      holdS: 0.5,
      after: "2 s",
      hysteresis: 0.1,
      repeats: true,
      snap: "autopilot",
      forS: 1,
      gust: { velNedMps: [1, 2, 3] },
    });
    expect(event).toEqual({
      name: "first-gust",
      note: "As measured on the ridge.",
      trigger: {
        at: "condition",
        condition: [
          { quantity: "altitudeM", comparator: ">", value: 3 },
          { quantity: "armed", comparator: "==", value: 1 },
        ],
        fromUs: 1_500_000,
        holdUs: 500_000,
        hysteresis: 0.1,
        afterUs: 2e6,
        snapUs: 4000,
      },
      forUs: 1e6,
      repeats: true,
      action: "gust",
      params: { velNedMps: [1, 2, 3], shape: "step" },
    });
  });

  it("take `true` for an action without parameters", () => {
    expect(
      events({ atS: 1, rtl: true }, { atS: 2, batteryOff: {} }).map(({ action, params }) => [action, params]),
    ).toEqual([
      ["rtl", {}],
      ["batteryOff", { battery: 0 }],
    ]);
  });
});

describe("parameter files", () => {
  const given = (values: Record<string, number>, written: PlainObject = {}) =>
    resolveFlight(
      { file: "f", spec: { autopilot: { parametersFile: "my.params", parameters: written } } },
      coreRegistry,
      undefined,
      {
        parameters: () => ({
          value: Object.entries(values).map(([name, value]) => ({ name, value })),
          errors: [],
          warnings: [],
        }),
      },
    );

  it("are overridden by the description, and unused ones are omitted with a warning", () => {
    const resolution = given({ MPC_XY_CRUISE: 3, MPC_Z_V_AUTO_UP: 2, CAL_GYRO0_XOFF: 0.1 }, { MPC_XY_CRUISE: 4 });
    const { parameters } = mustResolve(resolution).definition.autopilot;
    expect(parameters).toMatchObject({ MPC_XY_CRUISE: 4, MPC_Z_V_AUTO_UP: 2 });
    expect(parameters).not.toHaveProperty("CAL_GYRO0_XOFF");
    expect(resolution.warnings.map(({ code, what }) => [code, what])).toEqual([
      ["AUTOPILOT-001", "this autopilot does not have 1 parameter of my.params: CAL_GYRO0_XOFF"],
    ]);
  });
});

describe("parameters of an autopilot", () => {
  const written = { file: "below", spec: { autopilot: { parameters: { MPC_XY_CRUISE: 2, EKF2_GPS_DELAY: 5 } } } };
  const chosenAbove = (autopilot: PlainObject, kinds = coreRegistry) =>
    resolveFlight({ file: "above", spec: { extends: "below", autopilot } }, kinds, (name) =>
      name === "below" ? written : undefined,
    );
  const outside = { ...coreRegistry.autopilots.find(({ name }) => name === "none")!, name: "outside" };

  it("are kept when a layer above names another kind", () => {
    const { definition } = mustResolve(chosenAbove({ kind: "outside" }, coreRegistry.with({ autopilots: [outside] })));
    expect(definition.autopilot.parameters).toEqual({ MPC_XY_CRUISE: 2, EKF2_GPS_DELAY: 5 });
  });

  it("that only the other kind has are omitted with a warning", () => {
    const without = { file: "below", spec: { autopilot: { ...written.spec.autopilot, kind: "outside" } } };
    const kinds = coreRegistry.with({ autopilots: [outside] });
    const resolution = resolveFlight(
      { file: "above", spec: { extends: "below", autopilot: { kind: "embedded", parameters: { MPC_Z_P: 1.1 } } } },
      kinds,
      () => without,
    );
    const { parameters } = mustResolve(resolution).definition.autopilot;
    expect(parameters).toMatchObject({ MPC_XY_CRUISE: 2, MPC_Z_P: 1.1 });
    expect(parameters).not.toHaveProperty("EKF2_GPS_DELAY");
    expect(resolution.warnings.map(({ code, what, where }) => [code, what, where.key])).toEqual([
      [
        "AUTOPILOT-001",
        "this autopilot does not have 1 parameter of the description: EKF2_GPS_DELAY",
        "autopilot.parameters",
      ],
    ]);
  });

  it("with an unknown name are an error if the layer that names the kind sets them", () => {
    const own = { kind: "embedded", parameters: { MPC_XY_CRUSE: 2 } };
    expect(diagnostics({ autopilot: own })).toEqual(["AUTOPILOT-001 autopilot.parameters.MPC_XY_CRUSE"]);
    expect(mustResolve(chosenAbove({ kind: "none" })).definition.autopilot.parameters).toEqual({});
  });
});

describe("everything that is wrong", () => {
  it("is reported in one pass, even if `extends` is wrong", () => {
    const found = diagnostics({
      extends: "mision",
      seeed: 1,
      wind: { kind: "ou", tauS: "long" },
      vehicle: { extends: "iris", massKg: -1 },
      autopilot: { parameters: { MPC_XY_CRUSE: 2 } },
      scenario: [{ atS: 5, parameter: { name: "MPC_Z_PP", value: 1 } }],
    });
    expect(found.map((text) => text.split(" ")[1]).sort()).toEqual([
      "autopilot.parameters.MPC_XY_CRUSE",
      "extends",
      "scenario[0].parameter.name",
      "seeed",
      "vehicle.massKg",
      "wind.tauS",
    ]);
  });

  it("includes events with wrong targets even if the vehicle or the sensors have errors", () => {
    const found = diagnostics({
      vehicle: { extends: "iris", massKg: -1 },
      sensors: { gnss: { periodS: -1 } },
      scenario: [
        { atS: 5, motorOff: { motor: 9 } },
        { atS: 6, batteryOff: { battery: 4 } },
        { atS: 7, parameter: { name: "MPC_Z_PP", value: 1 } },
      ],
    });
    expect(found.map((text) => text.split(" ")[1]).sort()).toEqual([
      "scenario[0].motorOff.motor",
      "scenario[1].batteryOff.battery",
      "scenario[2].parameter.name",
      "sensors.gnss.periodS",
      "vehicle.massKg",
    ]);
  });

  it("does not include keys that might be set by an extended flight that cannot be loaded", () => {
    const found = diagnostics({
      extends: "mision",
      vehicle: { massKg: 2 },
      scenario: [{ atS: 5, motorOff: { motor: 6 } }],
    });
    expect(found).toEqual(["FLIGHT-014 extends"]);
  });
});
