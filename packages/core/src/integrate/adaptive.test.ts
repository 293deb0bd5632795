/**
 * Step control: which evaluations a step needs, what is kept between intervals, and what happens at the shortest step.
 *
 * The names of tests cite the defects of PX4Lockstep.jl that they guard against: D2, D8, D13 and D18
 * (docs/defects.md).
 */
import { describe, expect, it } from "vitest";
import {
  dynamics,
  makeIntegrator,
  plain,
  spanUs,
  vectorBlock,
  type Derivatives,
  type Given,
} from "../../../../tests/support/dynamics.ts";
import { SimError } from "../errors/index.ts";
import { integrateErrors, type DenseStep, type Integrator } from "./index.ts";

const oscillator: Derivatives = (dx, _t, x) => {
  dx[0] = x[1]!;
  dx[1] = -100 * x[0]!;
};

/** Returns the sizes of the accepted steps of an interval. */
function sizesOf(integrator: Integrator, startUs: number, endUs: number, x: Float64Array): number[] {
  const sizes: number[] = [];
  const inspect = (step: DenseStep) => {
    sizes.push(step.endUs - step.startUs);
    return false;
  };
  integrator.advance(spanUs(startUs, endUs), x, { inspect });
  return sizes;
}

function errorOf(run: () => unknown): SimError {
  try {
    run();
  } catch (error) {
    if (error instanceof SimError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe.each([
  { name: "rk23", stages: 3 },
  { name: "rk45", stages: 6 },
])("$name", ({ name, stages }) => {
  it("[D18] skips the first stage of every step but the first, even across intervals", () => {
    const integrator = makeIntegrator(name, plain(2, oscillator));
    const x = Float64Array.of(1, 0);
    for (let k = 0; k < 10; k += 1) integrator.advance(spanUs(k * 50_000, (k + 1) * 50_000), x);
    const { accepted, evaluations, rejected } = integrator.stats;
    expect(accepted).toBeGreaterThan(10);
    // Two evaluations besides those of the steps: one for the first slope, one to choose the size of the first step.
    expect(evaluations).toBe(2 + stages * (accepted + rejected));
  });

  it("after a restart, tries the whole interval in one step, without extra evaluations, if a step of that length was accepted before", () => {
    const u = Float64Array.of(1);
    const integrator = makeIntegrator(name, plain(2, oscillator, { absolute: 1e-2 }), {}, u);
    const x = Float64Array.of(1, 0);
    integrator.advance(spanUs(0, 2000), x);
    const before = integrator.stats.evaluations;
    u[0] = 2;
    expect(sizesOf(integrator, 2000, 3000, x)).toEqual([1000]);
    expect(integrator.stats.evaluations - before).toBe(1 + stages);
  });

  it("uses the last wanted size after a restart, so that not every interval begins with a rejected step", () => {
    const u = Float64Array.of(1);
    const integrator = makeIntegrator(name, plain(2, oscillator, { absolute: 1e-9 }), {}, u);
    const x = Float64Array.of(1, 0);
    integrator.advance(spanUs(0, 1_000_000), x);
    const longest = Math.max(...sizesOf(integrator, 1_000_000, 2_000_000, x));
    const before = integrator.stats.rejected;
    for (let k = 0; k < 20; k += 1) {
      u[0] = k;
      integrator.advance(spanUs(2_000_000 + k * longest, 2_000_000 + (k + 1) * longest), x);
    }
    expect(integrator.stats.rejected - before).toBeLessThan(5);
  });

  it("[D18] evaluates the first stage again if x, u or the time has changed", () => {
    const u = Float64Array.of(1);
    const changes: { [what: string]: (x: Float64Array) => number } = {
      nothing: () => 10_000,
      x: (x) => ((x[0] = x[0]! + 1e-9), 10_000),
      u: () => ((u[0] = 2), 10_000),
      time: () => 20_000,
    };
    const extra = Object.values(changes).map((change) => {
      u[0] = 1;
      const integrator = makeIntegrator(name, plain(2, oscillator), { firstStepUs: 1000, maxStepUs: 1000 }, u);
      const x = Float64Array.of(1, 0);
      integrator.advance(spanUs(0, 10_000), x);
      const startUs = change(x);
      integrator.advance(spanUs(startUs, startUs + 10_000), x);
      return integrator.stats.evaluations - stages * (integrator.stats.accepted + integrator.stats.rejected);
    });
    expect(extra).toEqual([1, 2, 2, 2]);
  });

  it("meets its tolerance, and needs fewer evaluations for a looser one", () => {
    const runs = [1, 100, 10_000].map((toleranceScale) => {
      const integrator = makeIntegrator(name, plain(2, oscillator, { absolute: 1e-9 }), { toleranceScale });
      const x = Float64Array.of(1, 0);
      integrator.advance(spanUs(0, 1_000_000), x);
      expect(Math.abs(x[0]! - Math.cos(10))).toBeLessThan(60e-9 * toleranceScale);
      return integrator.stats.evaluations;
    });
    expect(runs[0]).toBeGreaterThan(1.5 * runs[1]!);
    expect(runs[1]).toBeGreaterThan(1.5 * runs[2]!);
  });

  it("respects the maximum and the first step size", () => {
    const integrator = makeIntegrator(
      name,
      plain(1, () => {}),
      { firstStepUs: 7, maxStepUs: 50 },
    );
    expect(sizesOf(integrator, 0, 400, Float64Array.of(1))).toEqual([7, 35, 50, 50, 50, 50, 50, 50, 29, 29]);
  });
});

describe("an adaptive integrator's step size", () => {
  const firstStepUs = 77;
  const setUp = () => {
    const u = Float64Array.of(0, 5);
    const integrator = makeIntegrator("rk45", plain(2, oscillator), { firstStepUs }, u);
    const x = Float64Array.of(1, 0);
    const first = sizesOf(integrator, 0, 500_000, x);
    expect(first[0]).toBe(firstStepUs);
    return { u, integrator, x, usual: Math.max(...first) };
  };

  it("continues from the controlled size, not from a step cut short by the end of an interval", () => {
    const { integrator, usual, x } = setUp();
    expect(sizesOf(integrator, 500_000, 500_003, x)).toEqual([3]);
    expect(sizesOf(integrator, 500_003, 500_004, x)).toEqual([1]);
    const [next] = sizesOf(integrator, 500_004, 1_000_000, x);
    expect(next).toBeGreaterThan(0.7 * usual);
    expect(next).toBeLessThan(1.3 * usual);
  });

  it("does not end an interval with a tiny step", () => {
    for (const share of [1.02, 1.5, 1.98]) {
      const { integrator, usual, x } = setUp();
      const sizes = sizesOf(integrator, 500_000, 500_000 + Math.round(share * 0.9 * usual), x);
      expect(Math.min(...sizes)).toBeGreaterThan(0.4 * usual);
    }
  });

  it("does not restart because of a change in time alone", () => {
    const { integrator, usual, x } = setUp();
    expect(sizesOf(integrator, 800_000, 900_000, x)[0]).toBeGreaterThan(0.4 * usual);
  });

  it("restarts if one bit of x differs", () => {
    const { integrator, x } = setUp();
    new Uint32Array(x.buffer)[2]! ^= 1;
    expect(sizesOf(integrator, 500_000, 600_000, x)[0]).toBe(firstStepUs);
  });

  it("restarts if one bit of the input differs, even the sign of a zero", () => {
    const { integrator, u, x } = setUp();
    u[0] = -0;
    expect(sizesOf(integrator, 500_000, 600_000, x)[0]).toBe(firstStepUs);
    expect(sizesOf(integrator, 600_000, 700_000, x)[0]).toBeGreaterThan(10 * firstStepUs);
  });

  it("restarts on request", () => {
    const { integrator, x } = setUp();
    integrator.restart();
    expect(sizesOf(integrator, 500_000, 600_000, x)[0]).toBe(firstStepUs);
  });
});

describe("the minimum step", () => {
  /** A slope that jumps to 1e9 in the middle of a microsecond. */
  const jump: Derivatives = (dx, t) => {
    dx[0] = t < 0.3000005 ? 1 : 1e9;
  };

  it.each(["rk23", "rk45"])(
    "[D2] ends %s with a typed error if a step of 1 µs is rejected, without retries",
    (name) => {
      const integrator = makeIntegrator(name, plain(1, jump));
      const error = errorOf(() => integrator.advance(spanUs(0, 1_000_000), Float64Array.of(2)));
      expect(error.code).toBe(integrateErrors.stepTooSmall.code);
      expect(integrator.stats.rejected).toBeLessThan(40);
      expect(error.where).toEqual({ tUs: 300_000, stage: "integrate" });
      for (const text of [
        "a step of 1 µs",
        "in y,",
        "times its tolerance",
        "y = 2.3",
        "y: 0.000001 1 + 0 of its size",
      ]) {
        expect(error.message).toContain(text);
      }
      expect(error.fix).toContain("loosen the tolerance of y");
    },
  );

  it("[D2] ends with the same error if the minimum is longer than 1 µs", () => {
    const integrator = makeIntegrator("rk45", plain(1, jump), { minStepUs: 10 });
    const error = errorOf(() => integrator.advance(spanUs(0, 1_000_000), Float64Array.of(0)));
    expect(error.what).toContain("a step of 10 µs");
    expect(integrator.stats.rejected).toBeLessThan(40);
  });

  it("is accepted and counted if the flight allows it", () => {
    const integrator = makeIntegrator("rk45", plain(1, jump), { atMinimum: "accept" });
    const x = Float64Array.of(0);
    integrator.advance(spanUs(0, 400_000), x);
    expect(integrator.stats.forced).toBe(1);
    expect(Math.abs(x[0]! - (0.3 + 0.0999995e9))).toBeLessThan(1001);
  });

  it("is reported with the worst component, including attitudes", () => {
    const blocks = [
      { ...vectorBlock({ name: "velNed", size: 3, absolute: 1e3 }), components: ["n", "e", "d"] },
      vectorBlock({ name: "soc", size: 1, absolute: 1e3 }),
      {
        name: "qBodyToNed",
        size: 4,
        unit: "1",
        kind: "attitude",
        group: "attitude",
        tolerance: { absolute: 1e-6, relative: 0 },
      },
    ] as const;
    const make = (speeds: readonly number[]) =>
      makeIntegrator(
        "rk45",
        dynamics(blocks, (dx, t) => dx.set(t < 0.1 + 5e-7 ? speeds.map(() => 0) : speeds)),
      );
    const run = (speeds: readonly number[]) =>
      errorOf(() => make(speeds).advance(spanUs(0, 200_000), Float64Array.of(0, 0, 0, 0, 1, 0, 0, 0)));
    expect(run([0, 1e12, 0, 1e11, 0, 0, 0, 0]).what).toContain("in velNed.e,");
    expect(run([0, 1e10, 0, 1e12, 0, 0, 0, 0]).what).toContain("in soc,");
    expect(run([0, 0, 0, 0, 0, 0, 1e3, 0]).what).toMatch(/rad in qBodyToNed,/);
  });

  it("[D13] is tried before the integration fails", () => {
    // Bisection finds the tolerance that a step of 100 µs just meets. The error is proportional to size⁵.
    const meets = (absolute: number, sizeUs: number) => {
      const integrator = makeIntegrator("rk45", plain(2, oscillator, { absolute }), {
        minStepUs: sizeUs,
        atMinimum: "accept",
      });
      integrator.advance(spanUs(0, sizeUs), Float64Array.of(1e6, 0));
      return integrator.stats.forced === 0;
    };
    let [low, high] = [1e-14, 1];
    for (let round = 0; round < 60; round += 1) {
      const middle = Math.sqrt(low * high);
      if (meets(middle, 100)) high = middle;
      else low = middle;
    }
    const absolute = 1.02 * high;
    expect(meets(absolute, 102)).toBe(false);
    const integrator = makeIntegrator("rk45", plain(2, oscillator, { absolute }), { minStepUs: 100 });
    expect(sizesOf(integrator, 0, 200, Float64Array.of(1e6, 0))).toEqual([100, 100]);
    expect(integrator.stats.forced).toBe(0);
  });

  it("[D13] allows shorter steps in a remainder shorter than the minimum", () => {
    const steep: Derivatives = (dx, t) => {
      dx[0] = t < 0.00005 ? 0 : 1e6 * (t - 0.00005);
    };
    const integrator = makeIntegrator("rk45", plain(1, steep, { absolute: 1e-9 }), { minStepUs: 100 });
    const x = Float64Array.of(0);
    const sizes = sizesOf(integrator, 0, 60, x);
    expect(integrator.stats.rejected).toBeGreaterThan(0);
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.abs(x[0]! - 0.5e6 * 1e-10)).toBeLessThan(1e-8);
  });

  it.each(["error", "accept"])("never accepts a state that is not finite (at the minimum: %s)", (atMinimum) => {
    const plant = plain(1, (dx, t) => {
      dx[0] = Math.sqrt(0.1 - t);
    });
    const integrator = makeIntegrator("rk45", plant, { atMinimum });
    const error = errorOf(() => integrator.advance(spanUs(0, 200_000), Float64Array.of(0)));
    expect(error.code).toBe(integrateErrors.notFinite.code);
    expect(error.where.tUs).toBe(100_000);
  });

  it("ends a blow-up in finite time with a typed error", () => {
    const plant = plain(1, (dx, _t, x) => {
      dx[0] = x[0]! * x[0]!;
    });
    const error = errorOf(() => makeIntegrator("rk45", plant).advance(spanUs(0, 2_000_000), Float64Array.of(1)));
    expect(error.code.startsWith("INTEGRATE-")).toBe(true);
    expect(error.where.tUs).toBeLessThan(1_000_100);
  });

  it("ends an interval that needs too many steps with a typed error", () => {
    const integrator = makeIntegrator("rk23", plain(2, oscillator), { maxSteps: 20 });
    const error = errorOf(() => integrator.advance(spanUs(0, 60_000_000), Float64Array.of(1, 0)));
    expect(error.code).toBe(integrateErrors.tooManySteps.code);
    expect(integrator.stats.accepted + integrator.stats.rejected).toBe(20);
    expect(error.what).toContain("from 0 s to 60 s");
  });
});

describe("error control", () => {
  /** A slow oscillator and a fast, stable rotor. The step is stable only if step control includes the rotor. */
  const coupled = dynamics(
    [
      vectorBlock({ name: "posNed", size: 2, absolute: 1e-6, relative: 1e-7, group: "position" }),
      vectorBlock({ name: "rotorSpeed", size: 1, absolute: 1e-2, group: "rotors" }),
    ],
    (dx, _t, x) => {
      dx[0] = x[1]!;
      dx[1] = -39.5 * x[0]!;
      dx[2] = -200 * (x[2]! - 400);
    },
  );
  const rotorError = (given: Given) => {
    const x = Float64Array.of(1, 0, 350);
    const integrator = makeIntegrator("rk45", coupled, given);
    for (let us = 0; us < 400_000; us += 20_000) integrator.advance(spanUs(us, us + 20_000), x);
    return Math.abs(x[2]! - (400 - 50 * Math.exp(-80)));
  };

  it("[D8] covers every group unless it is switched off", () => {
    expect(rotorError({})).toBeLessThan(0.1);
    expect(rotorError({ groups: [{ group: "rotors", controlled: false }] })).toBeGreaterThan(1e3);
  });

  it("accepts separate tolerances per group", () => {
    const evaluations = (given: Given) => {
      const integrator = makeIntegrator("rk45", coupled, given);
      integrator.advance(spanUs(0, 20_000), Float64Array.of(1, 0, 350));
      return integrator.stats.evaluations;
    };
    const tight = { groups: [{ group: "rotors", absolute: 1e-9, relative: 0 }] };
    expect(evaluations(tight)).toBeGreaterThan(3 * evaluations({}));
    expect(evaluations({ groups: [{ group: "rotors" }] })).toBe(evaluations({}));
  });

  it("rejects invalid settings, and suggests a fix", () => {
    const code = (given: Given) => errorOf(() => makeIntegrator("rk45", coupled, given)).code;
    expect(code({ groups: [{ group: "rotor" }] })).toBe(integrateErrors.unknownGroup.code);
    expect(code({ groups: [{ group: "rotors", absolute: 0, relative: 1e-3 }] })).toBe(
      integrateErrors.badTolerance.code,
    );
    expect(code({ minStepUs: 10, maxStepUs: 9 })).toBe(integrateErrors.badLimits.code);
    const off = ["position", "rotors"].map((group) => ({ group, controlled: false }));
    expect(code({ groups: off })).toBe(integrateErrors.nothingControlled.code);
  });
});
