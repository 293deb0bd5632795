/**
 * Invariants of the multirotor plant: angular momentum, the energy balance from battery to air, symmetry, equality of q
 * and −q, independence of how an interval is split, and the observed order of the integrators.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StateLayout } from "../../packages/core/src/state/index.ts";
import { inputView, type Scratch, type State, stateView } from "../../packages/core/src/multirotor/memory.ts";
import { multirotorInto } from "../../packages/core/src/multirotor/plant.ts";
import { integrator, referenceEnvironment, Rig, rig, uniformAir } from "../support/plant.ts";

const free = { contact: { enabled: false } };
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const vector = (size: number, min: number, max: number) =>
  fc.array(number(min, max), { minLength: size, maxLength: size });

function unit(q: readonly number[]): number[] {
  const norm = Math.sqrt(q.reduce((sum, part) => sum + part * part, 0));
  return q.map((part) => part / norm);
}

/** Returns the angular momentum of body and rotors in NED. */
function angularMomentum(flown: Rig): number[] {
  const { inertia, rotors } = flown.plant.constants;
  const [w, x, y, z] = flown.get("qBodyToNed") as [number, number, number, number];
  const rate = flown.get("rateBody");
  const [xx, yy, zz, xy, xz, yz] = [...inertia] as [number, number, number, number, number, number];
  const h = [
    xx * rate[0]! + xy * rate[1]! + xz * rate[2]!,
    xy * rate[0]! + yy * rate[1]! + yz * rate[2]!,
    xz * rate[0]! + yz * rate[1]! + zz * rate[2]!,
  ];
  flown.get("rotorSpeed").forEach((speed, i) => {
    const { spinInertia, axis } = rotors[i]!;
    for (let k = 0; k < 3; k += 1) h[k]! += spinInertia * speed * axis[k]!;
  });
  return [
    (1 - 2 * (y * y + z * z)) * h[0]! + 2 * (x * y - w * z) * h[1]! + 2 * (x * z + w * y) * h[2]!,
    2 * (x * y + w * z) * h[0]! + (1 - 2 * (x * x + z * z)) * h[1]! + 2 * (y * z - w * x) * h[2]!,
    2 * (x * z - w * y) * h[0]! + 2 * (y * z + w * x) * h[1]! + (1 - 2 * (x * x + y * y)) * h[2]!,
  ];
}

describe("angular momentum of body and rotors", () => {
  it("is conserved without air while motors change the rotor speeds, with tilted axes and a full inertia tensor", () => {
    fc.assert(
      fc.property(vector(4, -1, 1), vector(3, -4, 4), vector(4, 0, 1), vector(4, 0, 600), (q, rate, duty, speed) => {
        fc.pre(q.reduce((sum, part) => sum + part * part, 0) > 0.1);
        const flown = rig(
          "iris-reference",
          {
            ...free,
            inertiaDiagKgM2: [0.03, 0.035, 0.05],
            inertiaProductsKgM2: [0.002, -0.001, 0.003],
            rotors: [
              { positionM: [0.2, 0.2, 0], axis: [0.2, 0.1, 1], direction: 1, channel: 1 },
              { positionM: [-0.2, -0.2, 0], axis: [0, 0.4, 1], direction: 1, channel: 2 },
              { positionM: [0.2, -0.2, 0], axis: [-0.3, 0, 1], direction: -1, channel: 3 },
              { positionM: [-0.2, 0.2, 0], axis: [1, 0, 0], direction: -1, channel: 4 },
            ],
            propulsion: { inertiaKgM2: 1e-3, reference: { thrustCoefficient: 1e-6 } },
            drag: { linearNSPerM: 0.05, angularNmSPerRad: [0, 0, 0] },
          },
          referenceEnvironment({ atmosphere: uniformAir(0) }),
        ).set({ qBodyToNed: unit(q), rateBody: rate, motorOutput: duty, rotorSpeed: speed });
        const before = angularMomentum(flown);
        flown.fly(integrator("rk45", flown.plant, flown.u, { toleranceScale: 1e-5 }), { us: 10_000, steps: 30 });
        const after = angularMomentum(flown);
        const size = Math.sqrt(before.reduce((sum, part) => sum + part * part, 0)) + 0.1;
        after.forEach((part, k) => expect(Math.abs(part - before[k]!)).toBeLessThan(1e-9 * size));
      }),
      { numRuns: 25 },
    );
  });
});

/** Powers that are integrated as extra states: the battery's output, and the losses and work that it supplies. */
const POWERS = ["chemical", "ohmic", "escLoss", "copper", "idle", "bearing", "shaft", "avionics"] as const;

function powers(flown: Rig, w: Scratch, x: State): number[] {
  const { batteries, rotors, rotorCount } = flown.plant.constants;
  const battery = batteries[0]!;
  const sum = Object.fromEntries(POWERS.map((name) => [name, 0])) as Record<(typeof POWERS)[number], number>;
  const current = w.batteryCurrent[0]!;
  const volts = w.busVoltage[0]!;
  const v1 = x.batteryV1[0]!;
  const ohm = 1 / battery.conductance;
  sum.chemical = (w.sourceVoltage[0]! + v1) * current;
  // Losses in the series resistance and in the RC pair, V1²/R1.
  const r1 = battery.inverseC1 / battery.rate1;
  sum.ohmic = current * current * ohm + (v1 * v1) / r1;
  sum.avionics = w.servedPower[0]!;
  for (let i = 0; i < rotorCount; i += 1) {
    const { backEmfConstant: ke, inverseEfficiency, resistance, idleCurrent, friction } = rotors[i]!;
    const speed = x.rotorSpeed[i]!;
    const duty = w.duty[i]!;
    const amps = w.current[i]!;
    sum.escLoss += duty * volts * amps * (inverseEfficiency - 1);
    sum.copper += amps * amps * resistance;
    // When the ESC limits the current, it dissipates the rest of duty·V.
    sum.escLoss += duty * volts * amps - amps * (amps * resistance + ke * speed);
    sum.idle += ke * Math.min(amps, idleCurrent) * speed;
    sum.bearing += friction * speed * speed;
    sum.shaft += w.torque[i]! * speed;
  }
  return POWERS.map((name) => sum[name]);
}

function storedEnergy(flown: Rig): number {
  const { batteries, rotors } = flown.plant.constants;
  const c1 = 1 / batteries[0]!.inverseC1;
  let energy = 0.5 * c1 * flown.get("batteryV1")[0]! ** 2;
  flown.get("rotorSpeed").forEach((speed) => (energy += (0.5 / rotors[0]!.inverseInertia) * speed * speed));
  return energy;
}

describe("energy", () => {
  it.each(["iris-reference", "iris"])(
    "%s: battery = ohmic + ESC + copper + friction + shaft + stored, within 1e-9 per second",
    (name) => {
      const one = { r2Ohm: 0 };
      const flown = rig(name, {
        ...free,
        batteries: [{ ...(rig(name).plant.vehicle.batteries[0] as object), ...one }],
      });
      const { plant } = flown;
      const size = plant.layout.size;
      const { w, vehicle } = flown.views();
      const extra = {
        name: "energy",
        size: POWERS.length,
        unit: "J",
        kind: "vector",
        group: "energy",
        tolerance: { absolute: 1e-10, relative: 0 },
      } as const;
      const layout = new StateLayout([...plant.layout.blocks, extra]);
      const withPowers = {
        layout,
        derivativesInto: (dx: Float64Array, _t: Float64Array, x: Float64Array, u: Float64Array) => {
          const state = stateView(x, vehicle);
          multirotorInto(stateView(dx, vehicle), state, inputView(u, vehicle), w, vehicle);
          dx.set(powers(flown, w, state), size);
        },
      };
      const x = new Float64Array(layout.size);
      x.set(flown.x);
      x[2] = -20;
      const u = flown.u;
      const groups = ["position", "velocity", "attitude", "rate", "actuators", "rotors", "battery", "energy"].map(
        (group) => ({
          group,
          absolute: 1e-10,
          relative: group === "rotors" ? 1e-12 : 0,
        }),
      );
      const method = integrator("rk45", withPowers, u, { groups });
      const before = storedEnergy(flown);
      const span = new Float64Array(2);
      for (let k = 0; k < 20; k += 1) {
        // The duty changes at every boundary, as under an autopilot.
        for (let i = 0; i < 4; i += 1) x[13 + i] = 0.5 + 0.12 * Math.sin(k * 1.7 + i);
        method.restart();
        span[0] = k * 50_000;
        span[1] = span[0] + 50_000;
        method.advance(span, x);
      }
      flown.x.set(x.subarray(0, size));
      const [drawn, ...spent] = Array.from(x.subarray(size));
      const balance = drawn! - spent.reduce((sum, part) => sum + part, 0) - (storedEnergy(flown) - before);
      expect(drawn).toBeGreaterThan(100);
      expect(Math.abs(balance)).toBeLessThan(1e-9 * drawn!);
    },
  );
});

describe("symmetry", () => {
  it("the x500 mirrored left to right has the mirrored motion", () => {
    fc.assert(
      fc.property(vector(4, 0.3, 0.8), vector(4, 300, 700), vector(3, -3, 3), (duty, speed, wind) => {
        // Rotors: front right, rear left, front left, rear right.
        const mirror = ([a, b, c, d]: readonly number[]) => [c!, d!, a!, b!];
        const rates = (motorOutput: number[], rotorSpeed: number[], windNed: number[]) => {
          const flown = rig("x500", free)
            .set({ motorOutput, rotorSpeed, posNed: [0, 0, -30] })
            .input({ windNed });
          return { velocity: flown.rate("velNed"), rate: flown.rate("rateBody"), speed: flown.rate("rotorSpeed") };
        };
        const here = rates(duty, speed, wind);
        const there = rates(mirror(duty), mirror(speed), [wind[0]!, -wind[1]!, wind[2]!]);
        const near = (a: number, b: number, scale: number) => expect(Math.abs(a - b)).toBeLessThan(1e-10 * scale);
        near(there.velocity[0]!, here.velocity[0]!, 10);
        near(there.velocity[1]!, -here.velocity[1]!, 10);
        near(there.velocity[2]!, here.velocity[2]!, 10);
        near(there.rate[0]!, -here.rate[0]!, 100);
        near(there.rate[1]!, here.rate[1]!, 100);
        near(there.rate[2]!, -here.rate[2]!, 100);
        mirror(here.speed).forEach((value, i) => near(there.speed[i]!, value, 1e4));
      }),
      { numRuns: 50 },
    );
  });

  it("q and −q are the same attitude", () => {
    fc.assert(
      fc.property(vector(4, -1, 1), vector(3, -3, 3), vector(3, -8, 8), (q, rate, velocity) => {
        fc.pre(q.reduce((sum, part) => sum + part * part, 0) > 0.1);
        const state = { rateBody: rate, velNed: velocity, posNed: [0, 0, -0.2], rotorSpeed: [400, 500, 450, 480] };
        const plus = rig("iris").set({ ...state, qBodyToNed: unit(q) });
        const minus = rig("iris").set({ ...state, qBodyToNed: unit(q).map((part) => -part) });
        for (const block of ["velNed", "rateBody", "rotorSpeed", "batterySoc"])
          expect(minus.rate(block)).toEqual(plus.rate(block));
        const [forth, back] = [plus.rate("qBodyToNed"), minus.rate("qBodyToNed")];
        forth.forEach((part, i) => expect(part + back[i]!).toBe(0));
      }),
      { numRuns: 100 },
    );
  });
});

/** Makes a smooth flight: unequal duties well inside every limit, some rotation, constant wind. */
function smooth(): Rig {
  return rig("iris-reference", free)
    .set({
      posNed: [0, 0, -100],
      velNed: [2, -1, 0.5],
      rateBody: [0.4, -0.3, 0.2],
      motorOutput: [0.6, 0.58, 0.59, 0.61],
      rotorSpeed: [210, 205, 215, 200],
    })
    .input({ windNed: [3, 2, -1] });
}

function distance(a: Float64Array, b: Float64Array): number {
  return Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0));
}

describe("integration of the coupled plant", () => {
  // Fly 16 ms, while the rotors still settle. Later their decay hides earlier errors, and the order looks too high.
  const truth = smooth();
  truth.fly(integrator("rk45", truth.plant, truth.u, { toleranceScale: 1e12 }), { us: 50, steps: 320 });
  const after = (name: string, us: number) => {
    const flown = smooth();
    // Make adaptive methods take fixed steps: the first trial spans the interval and always passes the tolerance.
    const options = name === "rk4" || name === "euler" ? {} : { toleranceScale: 1e12 };
    flown.fly(integrator(name, flown.plant, flown.u, options), { us, steps: 16_000 / us });
    return distance(flown.x, truth.x);
  };

  it.each([
    ["euler", 1, [400, 200, 100]],
    ["rk4", 4, [1000, 500, 250]],
    ["rk23", 3, [1000, 500, 250]],
    ["rk45", 5, [1000, 500, 250]],
  ] as const)("%s converges with order %i", (name, order, steps) => {
    const [coarse, middle, fine] = steps.map((us) => after(name, us)) as [number, number, number];
    const observed = Math.log2(coarse / fine) / 2;
    expect(observed).toBeGreaterThan(order - 0.2);
    expect(observed).toBeLessThan(order + 0.3);
    expect(middle).toBeLessThan(coarse);
  });

  it("rk4 keeps its order while a hovering vehicle goes from descent to climb", () => {
    const settled = rig("iris", free).set({ posNed: [0, 0, -100], motorOutput: [0.9, 0.9, 0.9, 0.9] });
    settled.fly(integrator("rk4", settled.plant, settled.u), { us: 2000, steps: 1000 });
    const flown = (name: string, us: number, options = {}) => {
      const start = settled.get("rotorSpeed");
      const blocks = { batteryV1: settled.get("batteryV1"), batteryV2: settled.get("batteryV2"), rotorSpeed: start };
      const flight = rig("iris", free).set({
        posNed: [0, 0, -100],
        motorOutput: [0.9, 0.9, 0.9, 0.9],
        velNed: [0, 0, 0.5],
        ...blocks,
      });
      flight.fly(integrator(name, flight.plant, flight.u, options), { us, steps: 96_000 / us });
      return flight;
    };
    const truth = flown("rk45", 250, { toleranceScale: 1e12 });
    expect(truth.get("velNed")[2]).toBeLessThan(-0.3);
    const errors = [4000, 2000, 1000].map((us) => distance(flown("rk4", us).x, truth.x));
    for (let k = 0; k < 2; k += 1) {
      const order = Math.log2(errors[k]! / errors[k + 1]!);
      expect(order).toBeGreaterThan(3.9);
      expect(order).toBeLessThan(4.2);
    }
  });

  it("gives the same flight for any split of an interval into whole microseconds", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 6 }), (cuts) => {
        const ends = [...new Set([...cuts, 60_000])].sort((a, b) => a - b);
        const whole = smooth();
        const split = smooth();
        const options = { toleranceScale: 1e-3 };
        whole.fly(integrator("rk45", whole.plant, whole.u, options), { us: 60_000, steps: 1 });
        const method = integrator("rk45", split.plant, split.u, options);
        let start = 0;
        for (const end of ends) {
          method.advance(Float64Array.of(start, end), split.x);
          start = end;
        }
        for (let i = 0; i < 13; i += 1) expect(Math.abs(whole.x[i]! - split.x[i]!)).toBeLessThan(1e-7);
        for (let i = 17; i < 21; i += 1) expect(Math.abs(whole.x[i]! - split.x[i]!)).toBeLessThan(1e-4);
      }),
      { numRuns: 40 },
    );
  });
});
