/** A user's own integrators, made from a tableau with the package's functions, fly. */
import { describe, expect, it } from "vitest";
import {
  adaptiveKind,
  coreRegistry,
  fixedStepKind,
  flyFlightNow,
  mustResolve,
  resolveFlight,
  type Tableau,
} from "@escapement/core";

const midpoint: Tableau = { order: 2, c: [0, 1 / 2], a: [[], [1 / 2]], b: [0, 1] };
/** The midpoint method with an error estimate by Euler's method. */
const controlled: Tableau = { order: 2, c: [0, 1 / 2, 1], a: [[], [1 / 2], [0, 1]], b: [0, 1, 0], e: [-1, 1, 0] };

const registry = coreRegistry.with({
  integrators: [
    fixedStepKind({ name: "midpoint", about: "Second order.", version: 1, tableau: midpoint }),
    adaptiveKind({ name: "controlled", about: "Second order, controlled.", version: 1, tableau: controlled }),
  ],
});

function fly(integrator: string, codegen = true) {
  const spec = { extends: "hover", timeline: { endS: 2 }, integrator };
  return flyFlightNow(mustResolve(resolveFlight({ file: "own", spec }, registry)), registry, { codegen });
}

describe("a user's own method", () => {
  it.each(["midpoint", "controlled"])("%s flies, with the same bits when compiled", (integrator) => {
    const made = fly(integrator);
    expect(made.end.code).toBe("compiled");
    expect(made.end.endUs).toBe(2_000_000);
    expect(made.fingerprint).toBe(fly(integrator, false).fingerprint);
  });

  it("is rejected as adaptive if its error estimate is always zero", () => {
    const kind = { name: "no-estimate", about: "", version: 1 };
    expect(() => adaptiveKind({ ...kind, tableau: midpoint })).toThrow("no-estimate needs an error estimate");
    expect(() => adaptiveKind({ ...kind, tableau: { ...controlled, e: [0, 0, 0] } })).toThrow("no-estimate needs");
  });
});
