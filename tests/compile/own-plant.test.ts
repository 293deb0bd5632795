/**
 * A user's plant runs on the reference until it provides its equations as data, then on compiled code, with the same
 * bits.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { codeFor, Fingerprint, Flight, type FlightEnd, flyNow, type Plant, StateLayout } from "@escapement/core";
import { integratorKinds } from "../../packages/core/src/integrate/index.ts";
import { Translator } from "../../tools/compile/translate.ts";
import { isAdaptive } from "../support/dynamics.ts";
import { integratorOf } from "./support/equations.ts";
import { pendulumInto } from "./support/pendulum.ts";
import { DIMS, scalarBlock, source, U } from "../support/flights.ts";

const file = fileURLToPath(new URL("./support/pendulum.ts", import.meta.url));
const program = JSON.stringify(new Translator().translate(file, "pendulumInto"));

interface Options {
  readonly p?: readonly number[];
  readonly hasEquations?: boolean;
  /** Changes the result of the source, so that it differs from its equations. */
  readonly differs?: (dx: Float64Array, x: Float64Array) => void;
}

function pendulum({ p: given = [1, 0.5, 0.8, 0.6, 0.02, 40], hasEquations = true, differs }: Options = {}): Plant {
  const [p, n, w] = [Float64Array.from(given), Int32Array.of(2, U.windNed), new Float64Array(2)];
  const into: NonNullable<Plant["equations"]>["into"] = (dx, timeS, x, u, scratch) => {
    pendulumInto(dx, timeS, x, u, scratch, p, n);
    differs?.(dx, x);
  };
  const plant: Plant = {
    layout: new StateLayout(["upper", "lower", "upperRate", "lowerRate"].map((name) => scalarBlock(name, "rad"))),
    initialInto: (x) => x.set([0.25, -0.2, 0.9, 0]),
    derivativesInto: (dx, timeS, x, u) => into(dx, timeS, x, u, w),
  };
  if (!hasEquations) return plant;
  return {
    ...plant,
    equations: {
      program,
      constants: { p, n },
      scratchSize: 2,
      inputSize: 64,
      calls: {},
      into,
      exampleCount: 8,
      exampleInto: (x, u, k) => {
        x.set([k % 2 === 0 ? 0.1 : 0.4, k % 4 < 2 ? -0.2 : 0.35, 0.3 - 0.1 * k, 0.05 * k]);
        u.fill(0.1 * k);
      },
    },
  };
}

interface Flown {
  readonly end: FlightEnd;
  readonly plant: string;
}

function fly(plant: Plant, method: string, codegen = true): Flown {
  const code = codeFor(plant, codegen);
  const kind = integratorKinds.find(({ name }) => name === method)!;
  const fingerprint = new Fingerprint(DIMS);
  const wind = source("wind", 50_000, (clock, bus) => {
    bus.windBaseNed[0] = clock.us % 100_000 === 0 ? 3 : -0;
  });
  const end = flyNow(
    new Flight({
      endUs: 1_000_000,
      dims: DIMS,
      plant,
      integrator: (context) =>
        integratorOf(kind, code.addTo(context), isAdaptive(kind) ? { toleranceScale: 1000 } : {}),
      code,
      wind,
      physicsPeriodUs: 5000,
      observers: [fingerprint],
    }),
  );
  return { end, plant: fingerprint.result().plant };
}

describe.each(integratorKinds.map(({ name }) => name))("a user's plant with %s", (method) => {
  it("has the same bits when compiled as with the reference", () => {
    const made = fly(pendulum(), method);
    const plain = fly(pendulum(), method, false);
    expect(made.end.code).toBe("compiled");
    expect(plain.end.code).toBe("reference: code generation is switched off");
    expect(made.plant).toBe(plain.plant);
    expect(made.end.stats).toEqual(plain.end.stats);
  });

  it("runs on the reference without equations as data, and reports it", () => {
    const plain = fly(pendulum({ hasEquations: false }), method);
    expect(plain.end.code).toBe("reference: the plant's equations are not given as data");
    expect(plain.plant).toBe(fly(pendulum(), method).plant);
  });
});

describe("a user's plant with different constants", () => {
  it.each([[[2, 0.25, 0.7, 0.9, 0.03, 20]], [[1, 1, 1, 1, 0, 0]], [[1, 1, 1, 1, -0, 40]], [[0.5, 0.5, 2, 2, 0.02, 1]]])(
    "%j",
    (p) => {
      const made = fly(pendulum({ p }), "rk4");
      expect(made.end.code).toBe("compiled");
      expect(made.plant).toBe(fly(pendulum({ p }), "rk4", false).plant);
    },
  );
});

describe("a program that differs from its source", () => {
  it("runs on the reference, and the result reports why", () => {
    const differs = (dx: Float64Array, x: Float64Array) => {
      if (x[0]! > 0.3) dx[2]! += 1e-12;
    };
    const { end, plant } = fly(pendulum({ differs }), "rk4");
    expect(end.code).toBe("ALARM, reference: code and reference differ at example 1");
    expect(plant).toBe(fly(pendulum({ differs }), "rk4", false).plant);
  });

  it("is also detected if compiled code of the same structure exists", () => {
    expect(fly(pendulum(), "rk4").end.code).toBe("compiled");
    const { end } = fly(pendulum({ differs: (dx) => void (dx[3]! += 1e-12) }), "rk4");
    expect(end.code).toBe("ALARM, reference: code and reference differ at example 0");
    expect(fly(pendulum(), "rk4").end.code).toBe("compiled");
  });
});
