/**
 * Counts branches: on a plant's examples, every branch in the plant's code is taken both ways, and no guard fails.
 *
 * The counters are inserted into the generated text, so the test counts in exactly the code that
 * runs. The compiler replaces a branch that was taken only one way with a guard. If a guard fails, the reference runs
 * instead; the flights at the end of this file go through such states.
 */
import { describe, expect, it } from "vitest";
import { assemble, coreRegistry, flyNow, mustResolve, type PlainObject, resolveFlight } from "@escapement/core";
import { buildPlant } from "../../packages/core/src/describe/build/build-parts.ts";
import { builtInVehicles } from "../../packages/core/src/describe/vehicles/index.ts";
import { type KernelCode, printKernel } from "../../packages/core/src/compile/index.ts";
import { type Maker, makerOf, mapped } from "../../packages/core/src/compile/function-text.ts";
import { bindingOf, Kernel } from "../../packages/core/src/compile/kernel.ts";

interface Counted {
  readonly body: string;
  readonly branches: number;
}

/** Inserts counters N on both sides of every branch; N[0] counts guards that fail. */
function insertBranchCounters(body: string): Counted {
  let branches = 0;
  const open: number[] = [];
  const lines = body.split("\n").map((line) => {
    if (/^if \(.*\) \{$/.test(line)) {
      branches += 1;
      open.push(branches);
      return `${line} N[${2 * branches}] += 1;`;
    }
    if (line === "} else {") return `${line} N[${2 * open.pop()! + 1}] += 1;`;
    return line.replace(/ return false;$/, " { N[0] += 1; return false; }");
  });
  return { body: lines.join("\n"), branches };
}

function plantOf(vehicle: string) {
  const spec: PlainObject = { extends: "hover", vehicle };
  return buildPlant(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)).definition, coreRegistry);
}

describe.each(Object.keys(builtInVehicles))("the compiled code of %s", (vehicle) => {
  it.each(["slopes", "evaluate"] as const)("takes every branch of %s both ways on the examples", (which) => {
    const { layout, equations } = plantOf(vehicle);
    const { functions, ...facts } = printKernel(layout.size, equations!);
    const names = which === "slopes" ? (["prepare", "slopes"] as const) : (["evaluate"] as const);
    const counts = Object.fromEntries(names.map((name) => [name, new Float64Array(2000)]));
    const counted = Object.fromEntries(names.map((name) => [name, insertBranchCounters(functions[name].body)]));
    const makers = mapped(functions, (text, name): Maker => {
      const given = counted[name];
      if (given === undefined) return makerOf(text);
      const make = makerOf({ ...text, body: given.body, given: [...text.given, "N"] });
      return (all) => make({ ...all, N: counts[name] });
    });
    const code: KernelCode = { ...facts, functions: makers, methods: {} };
    const plant = plantOf(vehicle);
    const binding = bindingOf(code, plant)!;
    new Kernel(code, binding).check(binding);
    let all = 0;
    for (const [name, { branches }] of Object.entries(counted)) {
      const count = counts[name]!;
      const oneSided = Array.from({ length: branches }, (_, i) => i + 1).filter(
        (i) => count[2 * i] === 0 || count[2 * i + 1] === 0,
      );
      expect(oneSided, `branches of ${name}`).toEqual([]);
      expect(count[0], `guards of ${name}`).toBe(0);
      all += branches;
    }
    expect(all).toBeGreaterThan(0);
  });
});

describe("a mission from the ground", () => {
  it.each(Object.keys(builtInVehicles))(
    "runs compiled code for %s from the first boundary, with rotors at rest",
    (vehicle) => {
      const spec: PlainObject = { extends: "mission", vehicle, timeline: { endS: 1.5 } };
      const { definition } = mustResolve(resolveFlight({ file: "test", spec }, coreRegistry));
      const { flight } = assemble(definition, coreRegistry);
      const equations = flight.parts.plant.equations!;
      const { into } = equations;
      let asked = 0;
      const counted: typeof into = (...given) => {
        asked += 1;
        into(...given);
      };
      Object.defineProperty(equations, "into", { value: counted });
      expect(flyNow(flight).code).toMatch(/^compiled/);
      expect(asked).toBe(0);
    },
  );
});
