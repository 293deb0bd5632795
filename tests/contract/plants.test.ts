/**
 * For every plant, derivatives, outputs and seams are pure functions of time, state and input; jump and project are
 * idempotent.
 */
import {
  buildPlant,
  coreRegistry,
  type Dims,
  inputLayout,
  type Plant,
  SIGNAL_NAMES,
  signalSpec,
  sizeOf,
} from "@escapement/core";
import { describe, expect, it } from "vitest";
import { Bus, TruthWindow } from "../../packages/core/src/engine/bus.ts";
import { RandomStream } from "../../packages/core/src/random/index.ts";
import { verificationProblems } from "../../packages/core/src/verify/index.ts";
import { volume } from "../support/volume.ts";
import { vehicleParts } from "./parts.ts";

interface PlantPart {
  readonly name: string;
  readonly dims: Dims;
  readonly make: () => Plant;
}

const ONE: Dims = { rotors: 1, batteries: 1, buses: 1 };

const plants: PlantPart[] = [
  ...verificationProblems.map(({ name, plant }) => ({ name: `verify/${name}`, dims: ONE, make: () => plant })),
  ...vehicleParts().map(({ name, make }) => {
    const plant = () => buildPlant(make().definition, coreRegistry);
    return { name, dims: plant().dims, make: plant };
  }),
];

/** Returns the signal table's initial input with random motor commands and wind. */
function inputOf(dims: Dims, random: RandomStream): Float64Array {
  const { size, offsets } = inputLayout(dims);
  const u = new Float64Array(size);
  for (const name of SIGNAL_NAMES) {
    const spec = signalSpec(name);
    if (spec.input !== true) continue;
    for (let i = 0; i < sizeOf(spec, dims); i += 1)
      u[(offsets as Record<string, number>)[name]! + i] =
        typeof spec.initial === "number" ? spec.initial : spec.initial[i]!;
  }
  for (let i = 0; i < 12; i += 1) u[offsets.motorCommand + i] = random.uniform();
  for (let i = 0; i < 3; i += 1) u[offsets.windNed + i] = 3 * random.gaussian();
  return u;
}

/** Returns a random state near the initial one, with attitudes of unit length. */
function stateOf(plant: Plant, random: RandomStream): Float64Array {
  const x = new Float64Array(plant.layout.size);
  plant.initialInto(x);
  for (const { offset, size, kind } of plant.layout.blocks) {
    const block = x.subarray(offset, offset + size);
    for (let i = 0; i < size; i += 1) block[i]! += 0.05 * (random.uniform() - 0.5);
    if (kind !== "attitude") continue;
    const norm = Math.sqrt(block.reduce((sum, value) => sum + value * value, 0));
    for (let i = 0; i < size; i += 1) block[i]! /= norm;
  }
  return x;
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  double[0] = value;
  bits[0]! += value > 0 ? 1n : -1n;
  return double[0];
}

/** Makes a bus view that receives the outputs. */
function outputsView(plant: Plant, dims: Dims) {
  return new Bus(dims, new TruthWindow(plant.layout, new Float64Array(plant.layout.size))).outputsView();
}

describe.each(plants)("$name", ({ dims, make }) => {
  const plant = make();
  const random = new RandomStream(8, "states");
  const cases = Array.from({ length: 20 }, () => ({
    x: stateOf(plant, random),
    u: inputOf(dims, random),
    t: Float64Array.of(10 * random.uniform()),
  }));

  it("[L10.1] starts in a finite state with attitudes of unit length", () => {
    const x = new Float64Array(plant.layout.size);
    plant.initialInto(x);
    expect(x.every(Number.isFinite)).toBe(true);
    for (const { offset, kind } of plant.layout.blocks) {
      if (kind === "attitude")
        expect(Math.abs(Math.sqrt(x.subarray(offset, offset + 4).reduce((sum, v) => sum + v * v, 0)) - 1)).toBeLessThan(
          1e-12,
        );
    }
  });

  it("[L6.1] the right-hand side is pure: earlier evaluations do not change a result", () => {
    const evaluate = (other: Plant, { x, u, t }: (typeof cases)[number]) => {
      const dx = new Float64Array(x.length);
      other.derivativesInto(dx, t, x, u);
      return dx;
    };
    const forward = cases.map((each) => evaluate(plant, each));
    const copies = cases.map(({ x, u, t }) => [x.slice(), u.slice(), t.slice()]);
    const backward = [...cases]
      .reverse()
      .map((each) => evaluate(plant, each))
      .reverse();
    expect(backward).toEqual(forward);
    // Evaluate in a new plant each time. Building one takes long, so only the long tests do this for every case.
    for (let i = 0; i < cases.length; i += volume(8, 1)) expect(evaluate(make(), cases[i]!)).toEqual(forward[i]);
    expect(cases.map(({ x, u, t }) => [x, u, t])).toEqual(copies);
    expect(forward.every((dx) => dx.every(Number.isFinite))).toBe(true);
  });

  it("[L6.1] outputs and seams are pure and change neither state nor input", () => {
    const evaluate = ({ x, u, t }: (typeof cases)[number]) => {
      const y = outputsView(plant, dims);
      const g = new Float64Array(plant.seamCount ?? 0);
      plant.outputsInto?.(y, t, x, u);
      plant.seamsInto?.(g, t, x, u);
      return { y: y.outputs, g };
    };
    const forward = cases.map(evaluate);
    const copies = cases.map(({ x, u }) => [x.slice(), u.slice()]);
    expect([...cases].reverse().map(evaluate).reverse()).toEqual(forward);
    expect(cases.map(({ x, u }) => [x, u])).toEqual(copies);
    for (const { y } of forward) expect(y.every(Number.isFinite)).toBe(true);
  });

  const box = plant.equations?.clearBounds;
  if (box !== undefined) {
    it("has only negative seams and needs no projection inside its clear bounds", () => {
      const inside = (low: number, high: number) => {
        const fraction = random.uniform();
        if (fraction < 0.2) return nextUp(low);
        return fraction > 0.8 ? -nextUp(-high) : low + (high - low) * fraction;
      };
      for (const { u, t, ...given } of cases) {
        const x = given.x.slice();
        const bound = (value: number) => Math.min(1e4, Math.max(-1e4, value));
        box.states.forEach((i, k) => (x[i] = inside(bound(box.low[k]!), bound(box.high[k]!))));
        const g = new Float64Array(plant.seamCount ?? 0);
        plant.seamsInto?.(g, t, x, u);
        expect(g.every((value) => value < 0)).toBe(true);
        expect(plant.isClearOfEvents?.(x, u)).toBe(true);
        expect(plant.project?.(x)).toBe(0);
      }
    });
  }

  it("[L6.4] jump is idempotent", () => {
    for (const { x, u } of cases) {
      const once = x.slice();
      plant.jump?.(once, u);
      const twice = once.slice();
      plant.jump?.(twice, u);
      expect(twice).toEqual(once);
    }
  });

  it("[L6.3] project is idempotent and returns the number of corrected values", () => {
    for (const { x } of cases) {
      const once = x.slice();
      const corrected = plant.project?.(once) ?? 0;
      expect(once.filter((value, i) => !Object.is(value, x[i])).length).toBe(corrected);
      const twice = once.slice();
      expect(plant.project?.(twice) ?? 0).toBe(0);
      expect(twice).toEqual(once);
    }
  });
});
