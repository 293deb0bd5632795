/**
 * Generated code contains no names, texts or numbers of a flight, except numbers that folding treats specially.
 */
import { describe, expect, it } from "vitest";
import { coreRegistry, mustResolve, type PlainObject, resolveFlight } from "@escapement/core";
import { buildPlant } from "../../packages/core/src/describe/build/build-parts.ts";
import { builtInVehicles } from "../../packages/core/src/describe/vehicles/index.ts";
import { integratorKinds } from "../../packages/core/src/integrate/index.ts";
import { rk4Tableau } from "../../packages/core/src/integrate/methods/rk4.ts";
import { rk45Tableau } from "../../packages/core/src/integrate/methods/rk45.ts";
import { makerText, printKernel, printMethod } from "../../packages/core/src/compile/index.ts";
import { StateLayout } from "../../packages/core/src/state/index.ts";
import { scalarBlock } from "../support/flights.ts";
import { plantOf, programOf } from "./support/equations.ts";
import { oddVehicles } from "./support/vehicles.ts";

const HOSTILE = [
  '"; stop(); "',
  "'",
  "`${stop()}`",
  "*/ stop() /*",
  "//\n",
  "\n}\nstop();\n{",
  "\\u0022",
  "</script>",
  "constructor",
  "__proto__",
];

function plantFor(spec: PlainObject) {
  return buildPlant(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)).definition, coreRegistry);
}

function textsOf({ layout, equations }: ReturnType<typeof plantFor>): string[] {
  const { functions, ...facts } = printKernel(layout.size, equations!);
  const methods = [rk4Tableau, rk45Tableau].flatMap((tableau) => Object.values(printMethod(facts, tableau, layout)));
  return [...Object.values(functions), ...methods].map(makerText);
}

/** Matches the tokens that the printers write: keywords, their own names, Math, numbers, operators. */
const WORD =
  /^(?:const|let|return|function|if|else|true|false|given|bind|prepare|rhs|rhsAfterJump|slopes|evaluate|evaluateSlopes|set|take|compare|load|start|startAfterJump|reuse|step|endSlope|endOutputs|carry|measure|copyEnd|absolute|relative|angle|value|sum|worst|a|q|u|x|[A-Z]\d{0,2}|[a-z]\d{1,4}|Math|sqrt|abs|floor|min|max)$/;
const NUMBER = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;
const OPERATOR = /^(?:[-+*/%<>=?:!.,;(){}[\]^|]|=>|===|!==|<=|>=|&&|\|\|)$/;

/** Whether V8 accepts the text. If it did not, the compiler would silently fall back to the reference. */
function isCode(text: string): boolean {
  try {
    return typeof new Function(`"use strict"; return ${text};`)() === "function";
  } catch {
    return false;
  }
}

/** Returns the tokens that the printers never write. */
function foreignTokens(text: string): string[] {
  const tokens =
    text.match(/\/[/*]|\*\/|[A-Za-z_$][\w$]*|\d[\w.]*(?:(?<=e)[+-]\d+)?|=>|===|!==|<=|>=|&&|\|\||\S/g) ?? [];
  return tokens.filter((token) => !WORD.test(token) && !NUMBER.test(token) && !OPERATOR.test(token));
}

describe("generated code", () => {
  it.each(Object.entries({ ...builtInVehicles, ...oddVehicles }))(
    "%s: contains only the printers' tokens, and compiles",
    (_name, vehicle) => {
      for (const text of textsOf(plantFor({ extends: "hover", vehicle }))) {
        expect(foreignTokens(text)).toEqual([]);
        expect(isCode(text)).toBe(true);
      }
    },
  );

  it("has a token list that detects anything else", () => {
    for (const text of [...HOSTILE.slice(0, 4), "// a", "alert(1)", "x.y", "`a`", "a_b", "t12345", "0x10", "window"]) {
      expect(foreignTokens(text), text).not.toEqual([]);
    }
  });

  it("does not contain names or texts of a flight", () => {
    const [pack] = builtInVehicles["x500"]!["batteries"] as readonly [PlainObject];
    const [rotor] = builtInVehicles["x500"]!["rotors"] as readonly PlainObject[];
    const named = (name: string): PlainObject => ({
      extends: "hover",
      name,
      about: name,
      vehicle: {
        extends: "x500",
        rotors: (builtInVehicles["x500"]!["rotors"] as readonly PlainObject[]).map((each) => ({ ...each, bus: name })),
        batteries: [{ ...pack, bus: name }],
        buses: [{ name }],
      },
    });
    expect(rotor).toBeDefined();
    const plain = textsOf(plantFor(named("main")));
    for (const name of HOSTILE) expect(textsOf(plantFor(named(name))), name).toEqual(plain);
  });

  it("does not contain numbers of a flight: a different mass gives the same code", () => {
    const heavy = (massKg: number) => textsOf(plantFor({ extends: "hover", vehicle: { extends: "iris", massKg } }));
    expect(heavy(1.7654321)).toEqual(heavy(1.5));
    for (const text of heavy(1.7654321)) expect(text).not.toContain("7654321");
  });

  it("does not contain names of blocks, arrays or functions", () => {
    const print = (name: string) => {
      const program = programOf([
        ["put", 0, 0, ["*", ["at", 1, 0], ["at", 4, 0]]],
        ["put", 0, 1, ["at", 4, ["at", 1, 0]]],
        ["put", 3, 0, ["at", 1, 1]],
        ["do", ["call", 1, ["slot", 3], ["slot", 4]]],
        ["put", 0, 2, ["at", 3, 1]],
      ]);
      const [entry] = program.functions;
      const params = ["dx", "x", "u", "w", name, "n", "timeS"];
      const plant = plantOf({
        program: {
          functions: [
            { ...entry!, name, params },
            { name, params: [name, "b"], slots: 2 },
          ],
        },
        constants: Object.fromEntries([[name, Float64Array.of(2.5, 3.5)]]),
        calls: Object.fromEntries([[name, { run: () => {}, reads: () => [0], writes: () => [1] }]]),
        examples: [[1, 0, 0, 0, 0]],
      });
      const { functions, ...facts } = printKernel(3, plant.equations);
      const layout = new StateLayout([
        scalarBlock(name, name),
        scalarBlock(`${name}2`, name),
        scalarBlock(`${name}3`, name),
      ]);
      const methods = Object.values(printMethod(facts, rk4Tableau, layout));
      return [...Object.values(functions), ...methods].map(makerText);
    };
    const plain = print("p");
    for (const text of plain) expect(foreignTokens(text)).toEqual([]);
    for (const name of HOSTILE.filter((each) => each !== "__proto__")) expect(print(name), name).toEqual(plain);
  });

  it("contains only the printers' tokens for every registered integrator, and compiles", () => {
    expect(integratorKinds.length).toBeGreaterThan(3);
    const plant = plantFor({ extends: "hover" });
    const facts = printKernel(plant.layout.size, plant.equations!);
    const seen: string[] = [];
    for (const kind of integratorKinds) {
      const code = (tableau: Parameters<typeof printMethod>[1]) => {
        for (const text of Object.values(printMethod(facts, tableau, plant.layout))) seen.push(makerText(text));
        return undefined;
      };
      kind.make({ attitude: "normalise", substepUs: 0, groups: [], toleranceScale: 1 } as never, {
        plant,
        u: new Float64Array(plant.equations!.inputSize),
        code,
      });
    }
    expect(seen.length).toBeGreaterThan(10);
    for (const text of seen) {
      expect(foreignTokens(text)).toEqual([]);
      expect(isCode(text)).toBe(true);
    }
  });
});
