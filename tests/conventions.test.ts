/** The sanity checks of docs/conventions.md on the built-in iris. Each fails if a sign or a frame is wrong. */
import { describe, expect, it } from "vitest";
import {
  quatAngleBetween,
  quatDerivativeInto,
  quatFromEulerInto,
  quatRotateInto,
  quatYaw,
} from "../packages/core/src/math/index.ts";
import { Bus, TruthWindow } from "../packages/core/src/engine/bus.ts";
import { columnName, inputLayout, SIGNAL_NAMES, signalSpec, sizeOf } from "../packages/core/src/engine/index.ts";
import { unitOf } from "../packages/core/src/quantities/index.ts";
import { buildPlant, coreRegistry, flyFlightNow, mustResolve, type PlainObject, resolveFlight } from "@escapement/core";

const G = 9.80665;
const resolve = (spec: PlainObject) => mustResolve(resolveFlight({ file: "conventions", spec }, coreRegistry));

function rotate(euler: { rollRad?: number; pitchRad?: number; yawRad?: number }, v: readonly number[]): number[] {
  const q = new Float64Array(4);
  const out = new Float64Array(3);
  quatFromEulerInto(q, { rollRad: 0, pitchRad: 0, yawRad: 0, ...euler });
  quatRotateInto(out, q, Float64Array.from(v));
  return [...out];
}

const close = (actual: readonly number[], expected: readonly number[]) =>
  expected.forEach((value, i) => expect(actual[i]).toBeCloseTo(value, 12));

/** The iris at rest in the air. A test changes its state or input, and reads derivatives and outputs. */
class Bench {
  readonly plant = buildPlant(resolve({ extends: "mission" }).definition, coreRegistry);
  readonly x = new Float64Array(this.plant.layout.size);
  readonly u: Float64Array;
  private readonly offsets: Readonly<Record<string, number>>;

  constructor() {
    const { dims } = this.plant;
    const { size, offsets } = inputLayout(dims);
    this.u = new Float64Array(size);
    this.offsets = offsets;
    for (const name of SIGNAL_NAMES) {
      const spec = signalSpec(name);
      if (spec.input === true && typeof spec.initial === "number")
        this.u.fill(spec.initial, offsets[name as never], offsets[name as never] + sizeOf(spec, dims));
    }
    this.plant.initialInto(this.x);
    this.state("posNed").set([0, 0, -50]);
  }

  state(name: string): Float64Array {
    return this.block(this.x, name);
  }

  input(name: string, size: number): Float64Array {
    return this.u.subarray(this.offsets[name], this.offsets[name]! + size);
  }

  derivative(name: string): Float64Array {
    const dx = new Float64Array(this.x.length);
    this.plant.derivativesInto(dx, new Float64Array(1), this.x, this.u);
    return this.block(dx, name);
  }

  outputs(): Record<string, Float64Array> {
    const y = new Bus(this.plant.dims, new TruthWindow(this.plant.layout, this.x)).outputsView();
    this.plant.outputsInto!(y, new Float64Array(1), this.x, this.u);
    return y as never;
  }

  private block(values: Float64Array, name: string): Float64Array {
    const { offset, size } = this.plant.layout.require(name, "this test");
    return values.subarray(offset, offset + size);
  }
}

describe("frames", () => {
  it("[C1] after a drop from rest, d grows as ½ g t² and the downward velocity as g t", () => {
    const airless = {
      extends: "drop",
      vehicle: { extends: "iris", initial: { posNedM: [0, 0, -100] } },
      environment: { gravity: "uniform" },
      timeline: { endS: 0.2 },
    };
    const flown = flyFlightNow(resolve(airless));
    const [start, end] = [0, 0.2].map((t) => flown.signal("posNed").at(t)[2]!);
    const fallen = end! - start!;
    const speed = flown.signal("velNed").at(0.2)[2]!;
    // Drag is still below 1 % here.
    expect(fallen / (0.5 * G * 0.04)).toBeGreaterThan(0.99);
    expect(fallen / (0.5 * G * 0.04)).toBeLessThan(1.001);
    expect(speed / (G * 0.2)).toBeGreaterThan(0.99);
  });

  it("[C2] at rest on its feet an ideal accelerometer reads (0, 0, −g)", () => {
    const flown = flyFlightNow(resolve({ extends: "drop", environment: { gravity: "uniform" } }));
    const force = flown.signal("specificForceBody").at(flown.end.endUs / 1e6);
    expect(force[0]).toBeCloseTo(0, 2);
    expect(force[1]).toBeCloseTo(0, 2);
    expect(force[2]! / -G).toBeCloseTo(1, 2);
  });

  it("[C3] at a yaw of 90°, forward points east", () => close(rotate({ yawRad: Math.PI / 2 }, [1, 0, 0]), [0, 1, 0]));

  it("[C4] positive pitch lifts the nose", () =>
    close(rotate({ pitchRad: 0.3 }, [1, 0, 0]), [Math.cos(0.3), 0, -Math.sin(0.3)]));

  it("[C5] positive roll lowers the right side", () =>
    close(rotate({ rollRad: 0.3 }, [0, 1, 0]), [0, Math.cos(0.3), Math.sin(0.3)]));

  it("[C6] a positive rate about down turns the nose from north to east, and yaw grows", () => {
    const q = Float64Array.of(1, 0, 0, 0);
    const dq = new Float64Array(4);
    quatDerivativeInto(dq, q, Float64Array.of(0, 0, 1));
    const later = q.map((value, i) => value + 0.01 * dq[i]!);
    expect(quatYaw(later)).toBeCloseTo(0.01, 5);
  });

  it("[C14] the identity attitude is (1, 0, 0, 0), and −q is the attitude of q", () => {
    close(rotate({}, [1, 2, 3]), [1, 2, 3]);
    const q = Float64Array.of(0.5, -0.5, 0.5, 0.5);
    expect(
      quatAngleBetween(
        q,
        q.map((value) => -value),
      ),
    ).toBe(0);
  });
});

describe("air", () => {
  it("[C7] a wind from the south carries a vehicle north", () => {
    const bench = new Bench();
    bench.input("windNed", 3).set([5, 0, 0]);
    expect(bench.derivative("velNed")[0]).toBeGreaterThan(0.01);
    expect(Math.abs(bench.derivative("velNed")[1]!)).toBeLessThan(1e-9);
  });

  it("[C8] flying and facing north in still air, the relative wind is (−v, 0, 0)", () => {
    const bench = new Bench();
    bench.state("velNed").set([7, 0, 0]);
    close([...bench.outputs()["airVelBody"]!], [-7, 0, 0]);
  });
});

describe("rotors and battery", () => {
  /** Sets the rotor speeds; each motor has a duty of 0.7 unless its rotor is stopped. */
  const spinning = (speeds: readonly number[]) => {
    const bench = new Bench();
    bench.state("rotorSpeed").set(speeds);
    const duties = speeds.map((speed) => (speed > 0 ? 0.7 : 0));
    bench.input("motorCommand", 4).set(duties);
    bench.plant.jump?.(bench.x, bench.u);
    bench.state("motorOutput").set(duties);
    return bench;
  };

  it("[C9] running motors discharge the battery: the current is positive and the charge falls", () => {
    const bench = spinning([300, 300, 300, 300]);
    expect(bench.outputs()["batteryCurrent"]![0]).toBeGreaterThan(1);
    expect(bench.derivative("batterySoc")[0]).toBeLessThan(0);
  });

  it("[C10] rotors of direction +1 alone yaw the vehicle to the right", () => {
    expect(spinning([500, 500, 0, 0]).outputs()["rateDotBody"]![2]).toBeGreaterThan(0);
    expect(spinning([0, 0, 500, 500]).outputs()["rateDotBody"]![2]).toBeLessThan(0);
  });

  it("[C11] more thrust on the right side rolls left", () => {
    // Rotors 1 and 4 are on the right.
    expect(spinning([500, 300, 300, 500]).outputs()["rateDotBody"]![0]).toBeLessThan(0);
  });

  it("[C12] more thrust in front pitches up", () => {
    // Rotors 1 and 3 are in front.
    expect(spinning([500, 300, 500, 300]).outputs()["rateDotBody"]![1]).toBeGreaterThan(0);
  });

  it("[C13] thrust acts along −z of the body: more thrust makes the vehicle climb", () => {
    const fall = spinning([0, 0, 0, 0]).outputs()["accNed"]![2]!;
    const climb = spinning([900, 900, 900, 900]).outputs()["accNed"]![2]!;
    expect(fall).toBeCloseTo(9.8, 1);
    expect(climb).toBeLessThan(0);
    const { rotorThrust } = spinning([500, 500, 500, 500]).outputs();
    expect(rotorThrust!.every((thrust) => thrust > 0)).toBe(true);
  });
});

describe("every unit of a signal or a state", () => {
  const { layout } = buildPlant(resolve({ extends: "mission" }).definition, coreRegistry);
  const units = [...new Set([...layout.blocks, ...SIGNAL_NAMES.map(signalSpec)].map(({ unit }) => unit))].sort();
  const withoutPhysicalUnit = ["count", "enum", "flag", "index", "mask", "sensor unit"];

  it("is the end of the names of its columns; if not, add it to `UNIT_SUFFIX` in engine/columns.ts", () => {
    const bare = units.filter((unit) => columnName("x", undefined, unit) === "x");
    expect(bare).toEqual(["1", ...withoutPhysicalUnit]);
  });

  it("is a unit of requirements; if not, add it to `UNITS` in quantities/units.ts", () => {
    expect(units.filter((unit) => unitOf(unit) === undefined)).toEqual(withoutPhysicalUnit);
  });
});
