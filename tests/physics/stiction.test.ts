/**
 * Static friction: with every integrator, a parked vehicle does not move while the wind pushes with less than μN, and
 * slides by Coulomb's law if the wind pushes harder.
 */
import { describe, expect, it } from "vitest";
import { builtInVehicles } from "../../packages/core/src/describe/vehicles/index.ts";
import { integratorKinds } from "../../packages/core/src/integrate/index.ts";
import type { PlainObject } from "../../packages/core/src/params/index.ts";
import { integrator, rig } from "../support/plant.ts";

const G = 9.80665;
const methods = integratorKinds.map(({ name }) => name);

/** Makes a vehicle on its feet with a horizontal force at its centre of mass, by linear drag in a wind. */
function makePushed(name: string, forceN: number, changes: PlainObject = {}) {
  const drag = { linearNSPerM: 1, areaM2: [0, 0, 0], angularNmSPerRad: [0, 0, 0] };
  return rig(name, { drag, ...changes }).input({ windNed: [forceN, 0, 0] });
}

describe("below μN", () => {
  it.each(methods)("%s: no creep at 0.9 μN", (method) => {
    const flown = makePushed("iris-reference", 0.9 * 0.8 * 1.5 * G);
    const advance = integrator(method, flown.plant, flown.u);
    const span = { us: method === "euler" ? 1000 : 2000, steps: method === "euler" ? 3000 : 1500 };
    flown.fly(advance, span);
    const [north] = flown.get("posNed");
    // The sudden push makes the feet slip and stretch once, by a few millimetres.
    expect(Math.abs(north!)).toBeLessThan(5e-3);
    flown.fly(advance, span);
    const [later] = flown.get("posNed");
    // 1 mm/h is 8e-7 m in three seconds.
    expect(Math.abs(later! - north!)).toBeLessThan(8e-7);
  });

  it.each(Object.keys(builtInVehicles))("%s creeps less than 1 µm per hour in a wind of 10 m/s", (name) => {
    const flown = rig(name).input({ windNed: [6, 8, 0] });
    const advance = integrator("rk4", flown.plant, flown.u);
    flown.fly(advance, { us: 2000, steps: 1000 });
    const start = flown.get("posNed");
    flown.fly(advance, { us: 2000, steps: 500 });
    flown.get("posNed").forEach((value, i) => expect(3600 * Math.abs(value - start[i]!)).toBeLessThan(1e-6));
  });

  it("does not creep under a force that comes and goes", () => {
    const flown = makePushed("iris-reference", 0);
    const advance = integrator("rk4", flown.plant, flown.u);
    const places: number[] = [];
    for (let cycle = 0; cycle < 40; cycle += 1) {
      for (const share of [0.5, 0.1]) {
        flown.input({ windNed: [share * 0.8 * 1.5 * G, 0, 0] });
        flown.fly(advance, { us: 2000, steps: 150 });
      }
      places.push(flown.get("posNed")[0]!);
    }
    expect(Math.abs(places.at(-1)! - places[5]!)).toBeLessThan(1e-9);
  });
});

describe("above μN", () => {
  it.each(methods)("%s: slides with the acceleration of Coulomb's law", (method) => {
    // The force of linear drag decreases with the speed: v̇ = (F − c·v)/m − μg.
    const [force, mass] = [2 * 0.8 * 1.5 * G, 1.5];
    const flown = makePushed("iris-reference", force);
    const advance = integrator(method, flown.plant, flown.u);
    const seconds = 2;
    flown.fly(advance, { us: 1000, steps: 1000 * seconds });
    const limit = force - 0.8 * mass * G;
    const expected = limit * (1 - Math.exp(-seconds / mass));
    // Stretching the springs at the start costs a few millimetres per second.
    expect(Math.abs(flown.get("velNed")[0]! - expected)).toBeLessThan(method === "euler" ? 0.1 : 0.03);
  });

  it.each(methods)("%s: a sliding vehicle stops after v²/(2μg) and stays", (method) => {
    const flown = makePushed("iris-reference", 0, { drag: { linearNSPerM: 0 }, initial: { velNedMps: [2, 0, 0] } });
    const advance = integrator(method, flown.plant, flown.u);
    flown.fly(advance, { us: 1000, steps: 1000 });
    const [stopped] = flown.get("posNed");
    expect(stopped).toBeCloseTo(4 / (2 * 0.8 * G), 2);
    flown.fly(advance, { us: 1000, steps: 1000 });
    expect(Math.abs(flown.get("posNed")[0]! - stopped!)).toBeLessThan(1e-6);
  });
});
