/**
 * Every integrator kind obeys the contract: it ends exactly at the interval's end, is deterministic, and can be
 * restored.
 */
import { describe, expect, it } from "vitest";
import { integratorKinds, type DenseStep, type Integrator } from "../../packages/core/src/integrate/index.ts";
import { Snapshot } from "../../packages/core/src/snapshot/index.ts";
import { harmonicOscillator } from "../../packages/core/src/verify/oscillator.ts";
import { largePendulum } from "../../packages/core/src/verify/pendulum.ts";
import { tumblingBrick } from "../../packages/core/src/verify/free-top.ts";
import { isAdaptive, kindNamed, makeIntegrator, plain } from "../support/dynamics.ts";

const names = integratorKinds.map(({ name }) => name);
const problems = [harmonicOscillator, largePendulum, tumblingBrick];
/** Intervals of unusual lengths. */
const SPANS = [1, 999, 10_000, 3, 123_457, 50_000, 4_000].reduce<[number, number][]>((spans, lengthUs) => {
  const startUs = spans.at(-1)?.[1] ?? 0;
  return [...spans, [startUs, startUs + lengthUs]];
}, []);
const attitudes = ["normalise", "exponential"] as const;

type Step = (integrator: Integrator, span: Float64Array, x: Float64Array, i: number) => void;
const advance: Step = (integrator, span, x) => void integrator.advance(span, x);

/** Returns the state after each span, and the integrator's memory at the end. */
function run(name: string, problem: (typeof problems)[number], attitude: string, step: Step = advance) {
  const x = new Float64Array(problem.plant.layout.size);
  problem.plant.initialInto(x);
  const integrator = makeIntegrator(name, problem.plant, { attitude }, new Float64Array(4));
  const states = SPANS.map((span, i) => {
    step(integrator, Float64Array.from(span), x, i);
    return x.slice();
  });
  const memory = new Float64Array(integrator.memorySize);
  integrator.saveInto(memory);
  return { states, memory };
}

describe.each(names)("%s", (name) => {
  it("[L2.1] ends exactly at the interval's end: x' = 1 gives the elapsed time, and no stage lies outside the interval", () => {
    const times: number[] = [];
    const clock = plain(1, (dx, tS) => (times.push(tS), void (dx[0] = 1)));
    const integrator = makeIntegrator(name, clock);
    const x = new Float64Array(1);
    for (const [startUs, endUs] of SPANS) {
      times.length = 0;
      expect(integrator.advance(Float64Array.of(startUs, endUs), x)).toBe(true);
      expect(Math.min(...times)).toBeGreaterThanOrEqual(startUs / 1e6);
      expect(Math.max(...times)).toBeLessThanOrEqual(endUs / 1e6);
      expect(x[0]).toBeCloseTo(endUs / 1e6, 14);
    }
  });

  it("changes nothing over an interval of zero length", () => {
    const { plant } = harmonicOscillator;
    const x = Float64Array.of(0.25, -3);
    expect(makeIntegrator(name, plant).advance(Float64Array.of(500, 500), x)).toBe(true);
    expect([...x]).toEqual([0.25, -3]);
  });

  for (const problem of problems) {
    for (const attitude of attitudes) {
      describe(`${problem.name}, ${attitude}`, () => {
        const expected = run(name, problem, attitude);

        it("[L9.1] is deterministic", () => {
          expect(run(name, problem, attitude)).toEqual(expected);
        });

        it("[L9.7] continues with the same bits after a save and load between intervals", () => {
          let restored: Integrator | undefined;
          const step: Step = (integrator, span, x, i) => {
            const current = restored ?? integrator;
            current.advance(span, x);
            if (i !== 3) return;
            restored = makeIntegrator(name, problem.plant, { attitude }, new Float64Array(4));
            Snapshot.of(current).into(restored);
          };
          expect(run(name, problem, attitude, step).states).toEqual(expected.states);
        });

        it("[L9.8] a trial step leaves no trace after a restore", () => {
          const step: Step = (integrator, span, x) => {
            const memory = new Float64Array(integrator.memorySize);
            const kept = x.slice();
            integrator.saveInto(memory);
            integrator.advance(Float64Array.of(span[0]!, span[1]! + 77_777), x);
            x.set(kept);
            integrator.restoreFrom(memory);
            integrator.advance(span, x);
          };
          expect(run(name, problem, attitude, step)).toEqual(expected);
        });

        it("[L9.8] inspection changes nothing, and an event finder sees every step with exact ends", () => {
          const step: Step = (integrator, span, x) => {
            let reachedUs = span[0]!;
            const inspect = (dense: DenseStep) => {
              expect(dense.startUs).toBe(reachedUs);
              reachedUs = dense.endUs;
              const inside = new Float64Array(x.length);
              dense.interpolateInto(inside, 1);
              inside.forEach((value, k) => expect(Math.abs(value - dense.xEnd[k]!)).toBeLessThan(1e-12));
              dense.interpolateInto(inside, 0);
              inside.forEach((value, k) => expect(Math.abs(value - dense.xStart[k]!)).toBeLessThan(1e-12));
              return false;
            };
            expect(integrator.advance(span, x, { inspect })).toBe(true);
            expect(reachedUs).toBe(span[1]);
          };
          expect(run(name, problem, attitude, step)).toEqual(expected);
        });

        it("[L9.8] stops when an event finder returns true, and does not change the state or the integrator's memory", () => {
          const step: Step = (integrator, span, x) => {
            const memoryOf = () => {
              const memory = new Float64Array(integrator.memorySize);
              integrator.saveInto(memory);
              return memory;
            };
            const [kept, memory] = [x.slice(), memoryOf()];
            expect(integrator.advance(span, x, { inspect: () => true })).toBe(false);
            expect([x, memoryOf()]).toEqual([kept, memory]);
            integrator.advance(span, x);
          };
          expect(run(name, problem, attitude, step)).toEqual(expected);
        });
      });
    }
  }

  if (isAdaptive(kindNamed(name))) {
    it("[L9.8] restarts its step size only after an outside change of state or input", () => {
      const { plant } = harmonicOscillator;
      const after = (change: (x: Float64Array, u: Float64Array, integrator: Integrator) => void, fresh: boolean) => {
        const u = new Float64Array(2);
        const x = Float64Array.of(1, 0);
        let integrator = makeIntegrator(name, plant, {}, u);
        integrator.advance(Float64Array.of(0, 50_000), x);
        change(x, u, integrator);
        if (fresh) integrator = makeIntegrator(name, plant, {}, u);
        const before = integrator.stats.evaluations;
        integrator.advance(Float64Array.of(50_000, 100_000), x);
        return { x: [...x], evaluations: integrator.stats.evaluations - before };
      };
      const nudge = (x: Float64Array) => void (x[0]! += 1e-15);
      const input = (_x: Float64Array, u: Float64Array) => void (u[1] = -0);
      const seam = (_x: Float64Array, _u: Float64Array, integrator: Integrator) => integrator.restart();
      for (const change of [nudge, input, seam]) expect(after(change, false).x).toEqual(after(change, true).x);
      // Undisturbed, it keeps its step size. A fresh integrator takes different steps, or rejects some first.
      expect(after(() => {}, false)).not.toEqual(after(() => {}, true));
    });
  }
});
