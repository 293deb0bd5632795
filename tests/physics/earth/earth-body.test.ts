/** Compares the Earth body with conservation laws and independently known gravity, wind and frames. */
import { describe, expect, it } from "vitest";
import { Bus, TruthWindow } from "../../../packages/core/src/engine/bus.ts";
import { inputLayout } from "../../../packages/core/src/engine/input.ts";
import { integratorKinds } from "../../../packages/core/src/integrate/index.ts";
import { checkParams } from "../../../packages/core/src/params/index.ts";
import type { Diagnostic } from "../../../packages/core/src/params/index.ts";
import { checkReport } from "./check-report.ts";
import { EarthBody, earthBody, type EarthBodyParams } from "./earth-body.ts";
import { Planet, planetParams } from "./planet.ts";
import { WindProfile } from "./wind-profile.ts";

const brick = { massKg: 2, inertiaKgM2: [0.0025, 0.0084, 0.0097] };
const timeS = new Float64Array(1);

function make(given: object, input?: ReturnType<typeof inputLayout>): EarthBody {
  const diagnostics: Diagnostic[] = [];
  const params = checkParams(earthBody.params, { body: brick, ...given }, diagnostics);
  expect(diagnostics).toEqual([]);
  return earthBody.make(params as never, input === undefined ? {} : { input });
}

function fly(plant: EarthBody, seconds: number, intervalS = 1): Float64Array {
  const rk45 = integratorKinds.find((kind) => kind.name === "rk45")!;
  const integrator = rk45.make(checkParams(rk45.params, {}, []) as never, { plant, u: new Float64Array(0) });
  const x = new Float64Array(plant.layout.size);
  plant.initialInto(x);
  const span = new Float64Array(2);
  for (let k = 0; k * intervalS < seconds; k += 1) {
    span[0] = k * intervalS * 1e6;
    span[1] = span[0] + intervalS * 1e6;
    integrator.advance(span, x);
  }
  return x;
}

function outputs(plant: EarthBody, x: Float64Array, u = new Float64Array(0)) {
  const truth = new TruthWindow(plant.layout, x);
  const y = new Bus({ rotors: 0, batteries: 0, buses: 0 }, truth).view("outputs");
  plant.outputsInto(y, timeS, x, u);
  return y;
}

describe("the start", () => {
  it("has the given position, velocity and attitude", () => {
    const start = {
      latDeg: 47,
      lonDeg: -120,
      altM: 1234,
      velNedMps: [30, -20, 5],
      rollDeg: 10,
      pitchDeg: -25,
      yawDeg: 130,
    };
    const plant = make({ start });
    const x = new Float64Array(plant.layout.size);
    plant.initialInto(x);
    const report = checkReport(plant, 0, x, new Float64Array(0));
    expect(report.latitude_deg).toBeCloseTo(47, 11);
    expect(report.longitude_deg).toBeCloseTo(-120, 11);
    expect(report.altitudeMsl_ft * 0.3048).toBeCloseTo(1234, 7);
    expect(report.feVelocity_ft_s_X * 0.3048).toBeCloseTo(30, 9);
    expect(report.feVelocity_ft_s_Y * 0.3048).toBeCloseTo(-20, 9);
    expect(report.feVelocity_ft_s_Z * 0.3048).toBeCloseTo(5, 9);
    expect(report.eulerAngle_deg_Roll).toBeCloseTo(10, 11);
    expect(report.eulerAngle_deg_Pitch).toBeCloseTo(-25, 11);
    expect(report.eulerAngle_deg_Yaw).toBeCloseTo(130, 11);
  });
});

describe("conservation", () => {
  it("conserves the angular momentum of a tumbling brick in inertial space", () => {
    const plant = make({ start: { altM: 9000, rateBodyRadS: [0.2, 0.4, 0.6] } });
    const x = new Float64Array(plant.layout.size);
    plant.initialInto(x);
    const before = momentum(x);
    const after = momentum(fly(plant, 30));
    for (let i = 0; i < 3; i += 1) expect(Math.abs(after[i]! - before[i]!)).toBeLessThan(1e-10);
  });

  it("conserves energy and the axial angular momentum in a dragless fall over an oblate Earth", () => {
    const plant = make({ start: { latDeg: 35, altM: 20000, velNedMps: [100, 50, -80] } });
    const x = new Float64Array(plant.layout.size);
    plant.initialInto(x);
    const before = [energy(x), axial(x)];
    const end = fly(plant, 30);
    expect(Math.abs(energy(end) - before[0]!)).toBeLessThan(1e-3);
    expect(Math.abs(axial(end) / before[1]! - 1)).toBeLessThan(1e-12);
  });
});

describe("beyond the atmosphere", () => {
  const body = { ...brick, dragCoefficient: 0.5, areaM2: 0.01 };

  it("rejects trial steps that leave the atmosphere, like any other failed step", () => {
    const plant = make({ body, start: { altM: 1000, velNedMps: [0, 0, -600] } });
    const [inOne, inMany] = [fly(plant, 30, 30), fly(plant, 30)];
    for (let i = 0; i < 3; i += 1) expect(Math.abs(inOne[i]! - inMany[i]!)).toBeLessThan(1e-3);
  });

  it.each([-10001, 86001])("throws on outputs at %i m", (altM) => {
    const plant = make({ body, start: { altM } });
    const x = new Float64Array(plant.layout.size);
    plant.initialInto(x);
    expect(() => outputs(plant, x)).toThrow(/AIR-001/);
  });
});

describe("motion relative to the ground", () => {
  it("falls with normal gravity: attraction and centrifugal acceleration together", () => {
    for (const [latDeg, gravity] of [
      [0, 9.7803253359],
      [90, 9.8321849378],
    ] as const) {
      const plant = make({ start: { latDeg, velNedMps: [0, 0, 0] } });
      const x = new Float64Array(plant.layout.size);
      plant.initialInto(x);
      const { accNed } = outputs(plant, x);
      // J2 alone omits the higher harmonics, which are a few parts per million.
      expect(Math.abs(accNed[2]! / gravity - 1)).toBeLessThan(2e-5);
      expect(Math.abs(accNed[0]!) + Math.abs(accNed[1]!)).toBeLessThan(1e-9);
    }
  });

  it("deflects both a northward flight and a falling body to the east (Coriolis)", () => {
    const plant = make({ start: { latDeg: 45, velNedMps: [100, 0, 0] } });
    const x = new Float64Array(plant.layout.size);
    plant.initialInto(x);
    expect(outputs(plant, x).accNed[1]).toBeCloseTo(2 * 7.292115e-5 * 100 * Math.SQRT1_2, 7);
  });

  it("responds equally to wind from the bus and from its own profile", () => {
    const input = inputLayout({ rotors: 0, batteries: 0, buses: 0 });
    const body = { ...brick, dragCoefficient: 1, areaM2: 0.1 };
    const own = make({ body, wind: [{ altitudeM: 0, windNedMps: [3, -4, 1] }] });
    const bussed = make({ body }, input);
    const x = new Float64Array(own.layout.size);
    own.initialInto(x);
    const u = new Float64Array(input.size);
    u.set([3, -4, 1], input.offsets.windNed);
    expect([...outputs(bussed, x, u).airVelBody]).toEqual([...outputs(own, x).airVelBody]);
    expect(outputs(own, x).airVelBody[0]).toBeCloseTo(3, 12);
    expect(outputs(own, x).specificForceBody[1]).toBeCloseTo((-0.5 * 1.225 * 26 ** 0.5 * 0.1 * 4) / 2, 4);
  });
});

describe("the model's parts", () => {
  it("the wind profile is linear between its knots and constant beyond", () => {
    const profile = new WindProfile([
      { altitudeM: 100, windNedMps: [1, 0, 0] },
      { altitudeM: 200, windNedMps: [3, 10, -1] },
    ]);
    const work = new Float64Array(4);
    const at = (altitudeM: number) => {
      work[0] = altitudeM;
      profile.sampleInto(work, 1, 0);
      return [...work.subarray(1)];
    };
    expect(at(0)).toEqual([1, 0, 0]);
    expect(at(150)).toEqual([2, 5, -0.5]);
    expect(at(999)).toEqual([3, 10, -1]);
  });

  it("a round planet attracts by the inverse square law", () => {
    const planet = new Planet(checkParams(planetParams, { figure: "round" }, []) as EarthBodyParams["planet"]);
    const acc = new Float64Array(3);
    planet.gravitationInto(acc, 0, [3e6, 4e6, 12e6]);
    expect(Math.hypot(...acc) / (3.986004418e14 / 169e12)).toBeCloseTo(1, 14);
  });

  it("[L10] rejects an unordered profile and a body without inertia", () => {
    const knot = { altitudeM: 5, windNedMps: [0, 0, 0] };
    expect(() => make({ wind: [knot, knot] })).toThrow(/knot 2/);
    expect(() => make({ body: { massKg: 1, inertiaKgM2: [1, 0, 1] } })).toThrow(/moment of inertia/);
  });
});

/** Returns the angular momentum in inertial axes. */
function momentum(x: Float64Array): number[] {
  const [w, a, b, c] = [x[6]!, x[7]!, x[8]!, x[9]!];
  const h = brick.inertiaKgM2.map((moment, i) => moment * x[10 + i]!);
  const rows = [
    [1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b)],
    [2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)],
    [2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b)],
  ];
  return rows.map((row) => row[0]! * h[0]! + row[1]! * h[1]! + row[2]! * h[2]!);
}

/** Returns the energy per kilogram: ½v² − GM/r·(1 − ½·J2·(a/r)²·(3 sin²φ′ − 1)). */
function energy(x: Float64Array): number {
  const r2 = x[0]! ** 2 + x[1]! ** 2 + x[2]! ** 2;
  const j = 0.5 * 0.00108262982 * (6378137 ** 2 / r2) * ((3 * x[2]! ** 2) / r2 - 1);
  return 0.5 * (x[3]! ** 2 + x[4]! ** 2 + x[5]! ** 2) - (3.986004418e14 / Math.sqrt(r2)) * (1 - j);
}

function axial(x: Float64Array): number {
  return x[0]! * x[4]! - x[1]! * x[3]!;
}
