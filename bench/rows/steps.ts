/**
 * Measures the right-hand side, a step of RK4 (1 ms) and an interval of RK45 (4 ms), once per way of evaluating the
 * equations (`ways.ts`).
 *
 * Every slice starts away from hover, rotating, in wind, so that nothing is trivially zero. All variants of
 * iris-reference must end in the same state bit for bit.
 */
import { inputLayout } from "../../packages/core/src/engine/index.ts";
import { codeFor } from "../../packages/core/src/run/code.ts";
import type { Evaluation } from "../../packages/core/src/integrate/contract.ts";
import { type Multirotor, restingInput } from "../../packages/core/src/multirotor/plant.ts";
import { measure, type Effort, type Variant } from "../measure.ts";
import { integratorFor, vehicle } from "../scene.ts";
import { areSame, type Yardstick } from "../yardstick.ts";
import { yardsticks } from "../yardsticks.ts";
import type { Group, Reading, Row } from "./row.ts";
import { checkWay, FORBID_CODEGEN_FLAGS, type Way, WAYS } from "./ways.ts";

type Method = "rhs" | "rk4" | "rk45";
const METHODS: readonly Method[] = ["rhs", "rk4", "rk45"];
const STEP_US = { rhs: 0, rk4: 1000, rk45: 4000 } as const;
const GUESS_NS = { rhs: 150, rk4: 600, rk45: 2000 } as const;
/** Number of units after which final states are compared. For the integrators it is two seconds of flight. */
const COMPARED = { rhs: 10, rk4: 2000, rk45: 500 } as const;

interface Start {
  readonly plant: Multirotor;
  readonly x: Float64Array;
  readonly u: Float64Array;
}

/** A variant that returns its final state. */
interface StateVariant extends Variant {
  readonly result: () => Float64Array;
}

interface Subject {
  readonly row: Row;
  readonly method: Method;
  readonly vehicle: string;
  readonly way: Way;
}

const WHAT = {
  rhs: "right-hand side",
  rk4: "RK4 step of 1 ms",
  rk45: "RK45 interval of 4 ms",
} as const;
/** Maximum ratios to C++ -O2: with code generated for the vehicle, and without code generation. */
const LIMITS: Readonly<Record<Method, readonly [number, number] | undefined>> = {
  rhs: undefined,
  rk4: [1, 1.5],
  rk45: [1.15, 1.8],
};

function subject(method: Method, name: string, way: Way): Subject {
  const limits = name === "iris-reference" ? LIMITS[method] : undefined;
  const { text } = WAYS[way];
  const row: Row = {
    name: `${WHAT[method]}, ${name}, ${text}`,
    about: `${WHAT[method]} of ${name} (${name === "iris" ? "momentum" : "reference"} level), ${text}.`,
    unit: "ns",
    ...(limits === undefined ? {} : { limit: { of: "cppO2", max: limits[way === "compiled" ? 0 : 1] } }),
  };
  return { row, method, vehicle: name, way };
}

function start(name: string): Start {
  const plant = vehicle(name, {
    initial: { onGround: false, hovering: true, posNedM: [0, 0, -60], velNedMps: [1, -0.5, 0.2] },
  });
  const x = new Float64Array(plant.layout.size);
  plant.initialInto(x);
  x.set([0.2, -0.1, 0.3], plant.layout.find("rateBody")!.offset);
  const u = restingInput(plant.dims);
  u.set([3, 1, -0.5], inputLayout(plant.dims).offsets.windNed);
  return { plant, x, u };
}

function ours({ row, method, vehicle: name, way }: Subject): StateVariant {
  const { plant, x, u } = start(name);
  const { codegen } = WAYS[way];
  if (method === "rhs") return rhsVariant(row.name, { plant, x, u }, codegen);
  const code = codeFor(plant, codegen);
  const integrator = integratorFor(method, code.addTo({ plant, u }));
  checkWay(way, code.text);
  const us = STEP_US[method];
  const x0 = x.slice();
  const span = new Float64Array(2);
  return {
    name: row.name,
    guessNs: GUESS_NS[method],
    prepare: () => {
      x.set(x0);
      integrator.restart();
      span[1] = 0;
    },
    run: (units) => {
      for (let k = 0; k < units; k += 1) {
        span[0] = span[1]!;
        span[1] = span[0]! + us;
        integrator.advance(span, x);
      }
      return units;
    },
    result: () => x,
  };
}

/**
 * Makes a variant of the right-hand side. The compiled variant is the evaluation whose scratch array the outputs read.
 */
function rhsVariant(name: string, { plant, x, u }: Start, codegen: boolean): StateVariant {
  const dx = new Float64Array(plant.layout.size);
  const timeS = new Float64Array(1);
  const evaluation = codegen ? evaluationOf(plant) : undefined;
  const run = (units: number) => {
    for (let k = 0; k < units; k += 1) {
      // The derivatives do not depend on x[0]. It changes, because a repeated state would not be evaluated again.
      x[0] = k;
      if (evaluation === undefined) plant.derivativesInto(dx, timeS, x, u);
      else evaluation.evaluate(timeS, x, u);
    }
    return units;
  };
  return { name, guessNs: GUESS_NS.rhs, run, result: () => evaluation?.slope.subarray(0, dx.length) ?? dx };
}

/** Returns the compiled evaluation, whose results the plant's outputs use, or undefined if there is no code. */
function evaluationOf(plant: Multirotor): Evaluation | undefined {
  let adopted: Evaluation | undefined;
  const adopt = (evaluation: Evaluation) => (adopted = evaluation);
  codeFor(Object.create(plant, { equations: { value: { ...plant.equations, adopt } } }) as Multirotor);
  return adopted;
}

function theirs(yardstick: Yardstick, method: Method, { x, u }: Start): StateVariant {
  const x0 = x.slice();
  const dx = new Float64Array(x.length);
  return {
    name: yardstick.name,
    guessNs: GUESS_NS[method],
    prepare: () => x.set(x0),
    run: (units) => {
      if (method === "rhs") yardstick.derivatives(dx, x, u, units);
      else if (method === "rk4") yardstick.rk4(x, u, units, STEP_US.rk4);
      else yardstick.rk45(x, u, units, STEP_US.rk45);
      return units;
    },
    result: () => (method === "rhs" ? dx : x),
  };
}

function resultOf(flown: StateVariant, units: number): Float64Array {
  flown.prepare?.();
  flown.run(units);
  return flown.result().slice();
}

function measureMethod(method: Method, subjects: readonly Subject[], effort: Effort): Reading[] {
  const theirVariants = yardsticks(vehicle("iris-reference")).map((each) =>
    theirs(each, method, start("iris-reference")),
  );
  const flown = subjects.map(ours);
  const times = measure([...theirVariants, ...flown], effort);
  const units = COMPARED[method];
  const expected = theirVariants.map((each) => resultOf(each, units));
  return subjects.map(({ row, vehicle: name }, i) => {
    const value = times[theirVariants.length + i]!;
    const ratios = Object.fromEntries(theirVariants.map((variant, k) => [variant.name, value / times[k]!]));
    const found = name === "iris-reference" ? resultOf(flown[i]!, units) : undefined;
    const differs = found !== undefined && expected.some((state) => !areSame(state, found));
    const us = STEP_US[method];
    return {
      row: row.name,
      value,
      ratios,
      ...(us === 0 ? {} : { realTime: (1000 * us) / value }),
      ...(differs ? { differs } : {}),
    };
  });
}

/** Makes a group per vehicle, because V8 optimises code differently if a process has run only one vehicle. */
function groupOf(group: string, name: string, ways: readonly Way[], flags: readonly string[] = []): Group {
  const subjects = (method: Method) => ways.map((way) => subject(method, name, way));
  return {
    name: group,
    rows: METHODS.flatMap(subjects).map(({ row }) => row),
    measure: (effort) => METHODS.flatMap((method) => measureMethod(method, subjects(method), effort)),
    flags,
  };
}

export const steps = groupOf("steps", "iris-reference", ["compiled", "written"]);
export const stepsForbidden = groupOf("steps-forbidden", "iris-reference", ["prebuilt"], FORBID_CODEGEN_FLAGS);
export const stepsIris = groupOf("steps-iris", "iris", ["compiled", "written"]);
