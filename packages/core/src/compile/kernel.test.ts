/**
 * Tests kernels: which programs are rejected and why, when the reference runs instead, and which plants can share code.
 *
 * The plants are small programs in the language of `program.ts`; a plain interpreter is their reference.
 */
import { describe, expect, it } from "vitest";
import { isAdaptive, spanUs } from "../../../../tests/support/dynamics.ts";
import {
  codeOf,
  compare,
  DX,
  integratorOf,
  kernelOf,
  type Made,
  N,
  P,
  plantOf,
  type PlantGiven,
  programOf,
  T,
  U,
  W,
  X,
} from "../../../../tests/compile/support/equations.ts";
import type { OpaqueCall } from "../integrate/contract.ts";
import { fixedStepKind } from "../integrate/fixed-step.ts";
import { integratorKinds } from "../integrate/index.ts";
import { rk4, rk4Tableau } from "../integrate/methods/rk4.ts";
import type { Tableau } from "../integrate/tableau.ts";
import { type CompiledPlant, compile } from "./index.ts";
import { bindingOf } from "./kernel.ts";
import { makerOf } from "./function-text.ts";
import { type Block, type Expression, type FunctionData, NotCompilable, type Statement } from "./program.ts";

const x = (i: number): Expression => ["at", X, i];
const u = (i: number): Expression => ["at", U, i];
const p = (i: number): Expression => ["at", P, i];
const put = (i: number, value: Expression): Statement => ["put", DX, i, value];
const set = (slot: number, value: Expression): Statement => ["set", slot, value];
const local: Expression = ["slot", 7];
const POSITIVE = [
  [1, 2, 3, 4, 5],
  [2, 1, 4, 3, 2],
];

/** Makes a plant whose dx₀ is given by statements; the other slopes are dx₁ = x₀ and dx₂ = x₁. */
function plantWith(body: Block, more: Partial<PlantGiven> = {}, others: readonly FunctionData[] = []) {
  const program = programOf([...body, put(1, x(0)), put(2, x(1))], others);
  return plantOf({ program, examples: POSITIVE, ...more });
}

function refusal(plant: ReturnType<typeof plantOf>): string {
  const made = compile(plant);
  return made instanceof NotCompilable ? made.message : "none";
}

/** Flies one interval with rk4, with or without code. */
function step(plant: ReturnType<typeof plantOf>, start: readonly number[], made?: Made): number[] {
  const state = Float64Array.from(start.slice(0, 3));
  const u = Float64Array.from(start.slice(3));
  const integrator = integratorOf(rk4, { plant, u, ...(made === undefined ? {} : codeOf(made)) });
  integrator.advance(spanUs(500_000, 600_000), state);
  if (made === undefined) expect(integrator.isValid).toBe(false);
  return [...state];
}

describe("the compiler rejects", () => {
  it.each<[string, Block, Partial<PlantGiven>]>([
    ["a number is used as a condition", [["if", p(0), [put(0, x(0))], [put(0, x(1))]]], { p: [1] }],
    ["a number is used as a condition", [put(0, ["choose", ["and", x(0), ["<", x(1), 1]], 1, 2])], {}],
    ['element 0 of "dx" is not written on every path', [["if", ["<", x(0), 1.5], [put(0, 1)], []]], {}],
    ["no state ever moves", [put(0, 0)], { program: programOf([put(0, 0), put(1, 0), put(2, 0)]) }],
    ["no example reaches a branch", [["if", ["<", x(0), 1], [put(0, 1)], [put(0, x(0))]]], { examples: [] }],
    ["an operation is not part of the language", [put(0, ["+=", x(0), 1] as never)], {}],
    ["an operation is not part of the language", [put(0, "x[0]; stop()" as never)], {}],
    ['"x" is written, which a right-hand side must not do', [["put", X, 0, 1], put(0, 1)], {}],
    ['element 1 of "w" is read before it is written', [put(0, ["at", W, 1])], {}],
    ['which element of "x" is read depends on the state', [put(0, ["at", X, ["floor", x(0)]])], {}],
    ['"p" has no element 3', [put(0, p(3))], { p: [1] }],
    ["a loop has more than 1000 iterations", [["loop", ["<", 0, 1], [], []], put(0, x(0))], {}],
    ['"helper" is not part of the program', [["do", ["call", 1, ["slot", W]]], put(0, x(0))], {}],
  ])("%s", (message, body, more) => {
    const helper: FunctionData = { name: "helper", params: ["w"], slots: 1 };
    expect(refusal(plantWith(body, { into: () => {}, ...more }, [helper]))).toBe(message);
  });

  it("a plant whose equations are not given as data", () => {
    const { layout, derivativesInto } = plantWith([put(0, x(0))]);
    expect((compile({ layout, derivativesInto }) as NotCompilable).message).toBe(
      "the plant's equations are not given as data",
    );
  });

  it("code that differs from its reference, and names the first example that differs", () => {
    const plant = plantWith([put(0, ["*", x(0), 2])], {
      into: (dx, _timeS, state) => dx.set([state[0]! * (state[0]! > 1.5 ? 2.5 : 2), state[0]!, state[1]!]),
    });
    expect(refusal(plant)).toBe("code and reference differ at example 1");
  });

  it("outputs that change a slope", () => {
    const outputs: FunctionData = { name: "outputsInto", params: ["dx"], slots: 1, body: [["put", 0, 1, 5]] };
    const program = {
      ...programOf(
        [0, 1, 2].map((i) => put(i, x(i))),
        [outputs],
      ),
      outputs: 1,
    };
    expect(refusal(plantOf({ program, examples: POSITIVE }))).toBe('outputs change element 1 of "dx"');
  });

  it("text that is not code", () => {
    expect(() => makerOf({ head: "slip()", body: "return 1 + ();", given: [] })).toThrow(NotCompilable);
  });

  it("a difference in the sign of a zero alone", () => {
    const plant = plantWith([put(0, ["-", x(0), x(0)])], {
      into: (dx, _timeS, state) => dx.set([-0, state[0]!, state[1]!]),
    });
    expect(refusal(plant)).toBe("code and reference differ at example 0");
  });
});

describe("the reference takes over for", () => {
  const tried = (plant: ReturnType<typeof plantOf>, state: readonly number[], timeS = 0) =>
    compare(kernelOf(plant), plant, state, timeS);

  it("a side of a branch that no example takes, even if the rest of the code is empty", () => {
    const inner: Statement = ["if", [">", x(1), 0], [], [put(0, 5)]];
    const plant = plantWith([put(0, x(0)), ["if", ["<", x(0), 1.5], [inner], []]]);
    expect(tried(plant, [1, -2, 3, 4, 5])).toEqual({ isTrusted: false, differing: [] });
    const made = kernelOf(plant);
    expect(step(plant, [1, -2, 3, 4, 5], made)).toEqual(step(plant, [1, -2, 3, 4, 5]));
  });

  it("a failed guard, and uses the time of that stage", () => {
    const plant = plantWith([["if", [">", x(0), 0], [put(0, x(1))], [put(0, ["at", T, 0])]]]);
    const made = kernelOf(plant);
    expect(step(plant, [-1, 2, 3, 4, 5], made)).toEqual(step(plant, [-1, 2, 3, 4, 5]));
  });

  it("a state that moves only in a branch that no example takes, and code runs again afterwards", () => {
    const plant = plantWith([["if", [">", x(1), 0], [put(0, 0)], [put(0, 7)]]]);
    const made = kernelOf(plant);
    expect(made.kernel.code.still).toEqual([0]);
    expect(compare(made, plant, [1, -2, 3, 4, 5]).isTrusted).toBe(false);
    expect(compare(made, plant, [1, 2, 3, 4, 5])).toEqual({ isTrusted: true, differing: [] });
    const evaluation = compile(plant);
    if (evaluation instanceof NotCompilable) throw evaluation;
    const { slope } = evaluation.evaluation;
    const at = (state: number[]) => {
      evaluation.evaluation.evaluate(Float64Array.of(0), Float64Array.from(state), new Float64Array(2));
      return slope[0];
    };
    expect([at([1, -2, 3]), at([1, 2, 3])]).toEqual([7, 0]);
  });

  it("a factor that is not finite, even if it affects only one branch", () => {
    const quotient: Expression = ["/", u(0), x(1)];
    const examples = [
      [1, 2, 3, 4, 5],
      [2, 1, 4, 3, 2],
    ];
    const body: Block = [put(0, ["+", x(2), ["choose", ["<", x(0), 1.5], ["-", quotient, quotient], 0]])];
    const plant = plantWith(body, { examples });
    expect(tried(plant, [1, 2, 3, 4, 5])).toEqual({ isTrusted: true, differing: [] });
    const { isTrusted, differing } = tried(plant, [1, 0, 3, 4, 5]);
    expect(isTrusted && differing.length > 0).toBe(false);
  });

  it("a state that the code treats as constant but that the reference moves, even in later steps", () => {
    // The state does not move at time 0, at which the examples are evaluated, or after 2.5 ms; it moves in between.
    const moves: Expression = ["and", [">", ["at", T, 0], 0.0015], ["<", ["at", T, 0], 0.0025]];
    const plant = plantWith([["if", moves, [put(0, 7)], [put(0, 0)]]]);
    expect(kernelOf(plant).kernel.code.still).toEqual([0]);
    const after = (kind: (typeof integratorKinds)[number], code: object, start: readonly number[]) => {
      const state = Float64Array.from(start);
      const integrator = integratorOf(kind, { plant, u: new Float64Array(2), ...code });
      try {
        for (let k = 0; k < 6; k += 1) integrator.advance(spanUs(1000 * k, 1000 * (k + 1)), state);
      } catch (error) {
        return (error as { code: string }).code;
      }
      return [...state];
    };
    for (const kind of integratorKinds) {
      expect(after(kind, codeOf(kernelOf(plant)), [1, 2, 3])).toEqual(after(kind, {}, [1, 2, 3]));
    }
  });

  it("indices outside a table", () => {
    const plant = plantWith([put(0, p(0)), ["put", DX, 0, ["at", P, x(0)]]], {
      p: [3, 4, 5, 6],
      examples: POSITIVE,
    });
    const made = kernelOf(plant);
    expect(compare(made, plant, [3, 2, 1, 0, 0])).toEqual({ isTrusted: true, differing: [] });
    for (const bad of [1.5, -1, 4, 4294967296, NaN]) {
      expect(compare(made, plant, [bad, 2, 1, 0, 0]).differing).toEqual([]);
    }
  });
});

describe("the first slopes of a kernel", () => {
  const plant = plantWith([put(0, ["*", x(1), x(2)])]);
  /** Computes the slopes of states 1, 2, 3 …; returns them with the slopes that belong to the outputs. */
  const slopesOf = (firstCalls: number, calls: number) => {
    const { kernel } = kernelOf(plant, firstCalls);
    return Array.from({ length: calls }, (_, k) => {
      kernel.state.set([k + 1, k + 2, k + 3]);
      expect([kernel.functions.prepare(), kernel.functions.rhs()]).toEqual([true, true]);
      return { slope: [...kernel.slope], outputSlope: [...kernel.outputSlope] };
    });
  };

  it("come from the code that also computes the outputs, and later slopes from the code for slopes alone", () => {
    const want = [0, 1, 2, 3].map((k) => [(k + 2) * (k + 3), k + 1, k + 2]);
    const found = slopesOf(3, 4);
    expect(found.map(({ slope }) => slope)).toEqual(want);
    expect(found.map(({ outputSlope }) => outputSlope)).toEqual([want[0], want[1], want[1], want[1]]);
  });

  it("sometimes come from the code for slopes alone, so that V8 has seen calls of both", () => {
    const found = slopesOf(1000, 1000).filter(({ slope, outputSlope }) => slope[0] !== outputSlope[0]);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(10);
  });

  it("come from the reference if a guard fails", () => {
    const branching = plantWith([["if", ["<", x(0), 10], [put(0, x(1))], [put(0, x(2))]]]);
    const beyond = [20, 1, 2, 3, 4];
    expect(step(branching, beyond, kernelOf(branching, 1000))).toEqual(step(branching, beyond));
  });
});

describe("attitudes", () => {
  const attitude = { name: "q", size: 4, unit: "1", kind: "attitude", group: "q" } as const;
  const rate = { name: "rate", size: 1, unit: "1", kind: "vector", group: "rate" } as const;
  const blocks = [attitude, rate].map((block) => ({ ...block, tolerance: { absolute: 1e-6, relative: 0 } }));
  const body: Block = [0, 1, 2, 3].map((i) => put(i, ["*", x(4), i + 1])).concat([put(4, x(0))]);
  const plant = plantOf({ program: programOf(body), size: 5, blocks, examples: [[1, 0, 0, 0, 0.5, 0, 0]] });

  it.each(integratorKinds.map((kind) => [kind.name, kind] as const))(
    "%s reports an attitude as valid only if it has unit length",
    (_name, kind) => {
      const isValidAfter = (rateOfTurn: number, q: readonly number[] = [1, 0, 0, 0]) => {
        const made = kernelOf(plant);
        const state = Float64Array.of(...q, rateOfTurn);
        const context = { plant, u: new Float64Array(2), ...codeOf(made) };
        const integrator = integratorOf(kind, context, isAdaptive(kind) ? { toleranceScale: 1e12 } : {});
        try {
          integrator.advance(spanUs(0, 1000), state);
        } catch {
          return false;
        }
        return integrator.isValid;
      };
      expect(isValidAfter(0.5)).toBe(true);
      expect(isValidAfter(1e165)).toBe(false);
      // An adaptive integrator takes several steps and normalises after each, so the attitude reaches unit length.
      expect(isValidAfter(0, [1e-160, 0, 0, 0])).toBe(isAdaptive(kind));
      expect(isValidAfter(0, [0, 0, 0, 0])).toBe(false);
    },
  );

  it.each(integratorKinds.map((kind) => [kind.name, kind] as const))(
    "%s has the reference's bits if some or all components of an attitude are constant",
    (_name, kind) => {
      for (const turning of [[], [1]]) {
        const slopes = [0, 1, 2, 3].map((i) => put(i, turning.includes(i) ? ["*", x(4), 0.5] : 0));
        const program = programOf([...slopes, put(4, x(4))]);
        const given = plantOf({ program, size: 5, blocks, examples: [[1, 0, 0, 0, 0.5, 0, 0]] });
        const flown = (code: object) => {
          const state = Float64Array.of(0.6, 0, 0.8, 0, 0.5);
          const integrator = integratorOf(kind, { plant: given, u: new Float64Array(2), ...code });
          for (let k = 0; k < 50; k += 1) integrator.advance(spanUs(4000 * k, 4000 * (k + 1)), state);
          return { state: [...state], ...integrator.stats };
        };
        expect(flown(codeOf(kernelOf(given)))).toEqual(flown({}));
      }
    },
  );
});

describe("branches and calls", () => {
  it("zeros of different sign are different values", () => {
    const examples = [
      [1, 2, 3, 4, 5],
      [2, -1, 3, 4, 5],
    ];
    const plant = plantWith([put(0, ["choose", ["<", x(1), 0], ["neg", 0], 0])], { examples });
    const made = kernelOf(plant);
    for (const state of examples) expect(compare(made, plant, state)).toEqual({ isTrusted: true, differing: [] });
  });

  it("&& and || evaluate their right side only if the left side does not decide", () => {
    const writer: FunctionData = {
      name: "writer",
      params: ["w", "a"],
      slots: 2,
      body: [
        ["put", 0, 0, ["slot", 1]],
        ["return", [">", ["slot", 1], 1.5]],
      ],
    };
    const written: Expression = ["call", 1, ["slot", W], x(1)];
    const examples = [
      [1, 1, 0, 0, 0],
      [1, 2, 0, 0, 0],
      [2, 1, 0, 0, 0],
      [2, 2, 0, 0, 0],
    ];
    for (const op of ["and", "or"] as const) {
      const condition = [op, ["<", x(0), 1.5], written] as Expression;
      const body: Block = [["put", W, 0, 9], put(0, ["+", ["choose", condition, 1, 2], ["at", W, 0]])];
      const chosen = [["if", condition, [set(7, 1)], [set(7, 2)]], put(0, ["+", local, ["at", W, 0]])] as const;
      for (const each of [body, [["put", W, 0, 9], ...chosen] as Block]) {
        const plant = plantWith(each, { examples }, [writer]);
        const made = kernelOf(plant);
        for (const state of examples) expect(compare(made, plant, state)).toEqual({ isTrusted: true, differing: [] });
      }
    }
  });

  const call = (run: OpaqueCall["run"]): OpaqueCall => ({ run, reads: () => [0], writes: () => [1] });
  const opaque: FunctionData = { name: "opaque", params: ["w", "u", "timeS"], slots: 3 };
  const callIt: Block = [
    ["put", W, 0, x(0)],
    ["do", ["call", 1, ["slot", W], ["slot", U], ["slot", T]]],
    put(0, ["at", W, 1]),
  ];
  const scaled = (factor: number) => (w: Float64Array, input: Float64Array, timeS: Float64Array) => {
    w[1] = factor * w[0]! * input[1]! + timeS[0]!;
  };

  it("a choice by the input between a number and a state is not hoisted out of the interval", () => {
    const plant = plantWith([set(7, x(0)), ["if", [">", u(0), 3.5], [set(7, 1)], []], put(0, ["neg", local])]);
    const made = kernelOf(plant);
    for (const start of [
      [3, 2, 1, 4, 0],
      [3, 2, 1, 3, 0],
    ]) {
      expect(step(plant, start, made)).toEqual(step(plant, start));
    }
  });

  it("an opaque function receives input and time unchanged", () => {
    const plant = plantWith(callIt, { calls: { opaque: call(scaled(2) as never) } }, [opaque]);
    const made = kernelOf(plant);
    expect(compare(made, plant, [1, 2, 3, 4, 5], 1.5)).toEqual({ isTrusted: true, differing: [] });
    expect(step(plant, [1, 2, 3, 4, 5], made)).toEqual(step(plant, [1, 2, 3, 4, 5]));
  });

  it("a kernel is not shared by plants with different opaque functions", () => {
    const plants = [2, 3].map((factor) =>
      plantWith(callIt, { calls: { opaque: call(scaled(factor) as never) } }, [opaque]),
    );
    const made = kernelOf(plants[0]!);
    const other = bindingOf(made.kernel.code, plants[1]!)!;
    expect(made.kernel.fits(made.binding)).toBe(true);
    expect(made.kernel.fits(other)).toBe(false);
  });
});

describe("code can be shared by another plant that has", () => {
  const body: Block = [put(0, ["min", x(0), p(0)])];
  const bound = (first: number, second: number) => {
    const made = kernelOf(plantWith(body, { p: [first] }));
    const plant = plantWith(body, { p: [second] });
    const binding = bindingOf(made.kernel.code, plant);
    return binding === undefined ? undefined : compare({ kernel: made.kernel, binding }, plant, [-0, 2, 3, 0, 0]);
  };

  it("other numbers of the same structure", () => {
    expect(bound(2.5, 1.25)).toEqual({ isTrusted: true, differing: [] });
  });

  it("a zero of either sign in place of another number, because no operation is omitted for a zero", () => {
    expect(bound(2.5, 0)).toEqual({ isTrusted: true, differing: [] });
    expect(bound(2.5, -0)).toEqual({ isTrusted: true, differing: [] });
    expect(bound(0, 2.5)).toEqual({ isTrusted: true, differing: [] });
  });

  it("the same whole numbers, results of comparisons and omitted factors of 1 or −1, but not if one of them differs", () => {
    const scaled: Block = [put(0, ["*", x(0), p(0)])];
    const equal: Block = [put(0, ["+", ["*", x(0), p(0)], ["*", x(1), p(1)]])];
    const compared: Block = [put(0, ["choose", ["<", p(0), p(1)], x(0), x(1)])];
    const whole: Block = [put(0, ["*", x(0), ["at", N, 0]])];
    const fits = (statements: Block, first: Partial<PlantGiven>, second: Partial<PlantGiven>) =>
      bindingOf(kernelOf(plantWith(statements, first)).kernel.code, plantWith(statements, second)) !== undefined;
    expect(fits(scaled, { p: [1] }, { p: [1] })).toBe(true);
    expect(fits(scaled, { p: [1] }, { p: [2] })).toBe(false);
    expect(fits(scaled, { p: [-1] }, { p: [1] })).toBe(false);
    expect(fits(scaled, { p: [2] }, { p: [1] })).toBe(true);
    expect(fits(equal, { p: [3, 3] }, { p: [3, 4] })).toBe(true);
    expect(fits(compared, { p: [3, 4] }, { p: [5, 9] })).toBe(true);
    expect(fits(compared, { p: [3, 4] }, { p: [9, 5] })).toBe(false);
    expect(fits(whole, { n: [3] }, { n: [3] })).toBe(true);
    expect(fits(whole, { n: [3] }, { n: [4] })).toBe(false);
  });
});

describe("code cannot be shared by another plant that", () => {
  const body: Block = [
    ["put", W, 0, ["*", x(0), p(0)]],
    ["put", W, 1, ["*", x(1), p(0)]],
    put(0, ["+", ["at", W, 0], ["at", W, 1]]),
  ];
  const fits = (first: Partial<PlantGiven>, second: Partial<PlantGiven>) =>
    bindingOf(
      kernelOf(plantWith(body, { p: [2.5], ...first })).kernel.code,
      plantWith(body, { p: [3.5], ...second }),
    ) !== undefined;

  it("has other output cells", () => {
    expect(fits({ outputCells: [0] }, { outputCells: [0] })).toBe(true);
    expect(fits({ outputCells: [0] }, { outputCells: [1] })).toBe(false);
    expect(fits({ outputCells: [0] }, {})).toBe(false);
    expect(fits({}, { outputCells: [] })).toBe(false);
  });

  it("reports a failure in another cell", () => {
    expect(fits({ refusedAt: 0 }, { refusedAt: 0 })).toBe(true);
    expect(fits({ refusedAt: 0 }, { refusedAt: 1 })).toBe(false);
    expect(fits({}, { refusedAt: 1 })).toBe(false);
  });

  it("has other output cells, even in successive flights: each reads its own cells", () => {
    for (const outputCells of [[0], undefined, [1]]) {
      const plant = plantWith(body, { p: [2.5], ...(outputCells === undefined ? {} : { outputCells }) });
      const { evaluation } = compile(plant) as CompiledPlant;
      evaluation.scratch.fill(0);
      evaluation.evaluate(new Float64Array(1), Float64Array.of(2, 3, 4), new Float64Array(2));
      for (const cell of outputCells ?? [0, 1]) expect(evaluation.scratch[cell]).toBe([5, 7.5][cell]);
    }
  });
});

describe("an evaluation before an interval", () => {
  // Slope 0 depends on the numbers that the jump sets; 1/u₁ shows the sign of a zero. Slope 2 takes a branch with a
  // call.
  const lag: OpaqueCall = {
    run: ((w: Float64Array) => (w[1] = 3 * w[0]!)) as never,
    reads: () => [0],
    writes: () => [1],
  };
  const body: Block = [
    put(0, ["-", u(0), x(0)]),
    put(1, ["*", x(0), ["choose", [">", ["/", 1, u(1)], 0], 2, -2]]),
    ["put", W, 0, x(2)],
    ["put", W, 1, x(1)],
    ["if", [">", x(1), 1.5], [["do", ["call", 1, ["slot", W]]]], []],
    put(2, ["-", ["at", W, 1], x(0)]),
  ];
  const plant = () =>
    plantOf({
      program: {
        functions: [
          { name: "entryInto", params: ["dx", "x", "u", "w"], slots: 8, body },
          { name: "lag", params: ["w"], slots: 1 },
        ],
      } as never,
      calls: { lag },
      examples: [...POSITIVE, [1, 1, 4, 3, -0]],
      jumped: { states: [0], inputs: [0] },
    });
  /** Changes between two intervals. */
  const changes: readonly ((x: Float64Array, u: Float64Array) => void)[] = [
    () => {},
    (state, input) => (state[0] = input[0] = 2.5),
    (_state, input) => (input[0] = -3),
    (_state, input) => (input[1] = -0),
    (_state, input) => (input[1] = 0),
    (state) => (state[1] = 1.25),
    (state, input) => (state[2] = input[0] = 0.5),
  ];

  it.each(integratorKinds.map((kind) => [kind.name, kind] as const))(
    "does not change the bits of %s",
    (_name, kind) => {
      const slopes: number[][] = [];
      const flown = (made?: CompiledPlant) => {
        const plantHere = plant();
        const [state, input] = [Float64Array.of(1, 2, 3), Float64Array.of(4, 0)];
        const context = { plant: plantHere, u: input, ...(made === undefined ? {} : { code: made.method }) };
        const integrator = integratorOf(kind, context);
        const states: number[][] = [];
        changes.forEach((before, k) => {
          for (const after of changes) {
            made?.evaluation.evaluate(Float64Array.of(0), state, input);
            if (made !== undefined) {
              const expected = new Float64Array(3);
              plantHere.derivativesInto(expected, Float64Array.of(0), state, input);
              slopes.push([...expected]);
              expect([...made.evaluation.slope]).toEqual([...expected]);
            }
            before(state, input);
            if (k % 2 === 0) made?.evaluation.evaluate(Float64Array.of(0), state, input);
            integrator.advance(spanUs(1000 * states.length, 1000 * (states.length + 1)), state);
            after(state, input);
            states.push([...state]);
          }
        });
        return states;
      };
      expect(flown(compile(plant()) as CompiledPlant)).toEqual(flown());
      expect(slopes.length).toBe(changes.length * changes.length);
    },
  );
});

describe("methods", () => {
  const kindOf = (tableau: Tableau) => fixedStepKind({ name: "own", about: "", version: 1, tableau });
  /** The end states of one step by code and by the reference. */
  const ends = (tableau: Tableau, plant: ReturnType<typeof plantOf>, start: readonly number[]) =>
    [codeOf(kernelOf(plant)), {}].map((code) => {
      const state = Float64Array.from(start);
      const integrator = integratorOf(kindOf(tableau), { plant, u: new Float64Array(2), ...code });
      integrator.advance(spanUs(0, 1000), state);
      return { state: [...state], isValid: integrator.isValid };
    });

  it("a slope with weight zero in the result is checked as well", () => {
    const midpoint: Tableau = { order: 2, c: [0, 1 / 2], a: [[], [1 / 2]], b: [0, 1] };
    const quotient: Expression = ["/", 1, x(1)];
    const plant = plantOf({
      program: programOf([put(0, quotient), put(1, ["+", p(0), ["*", quotient, 0]]), put(2, x(1))]),
      p: [2.5],
      examples: POSITIVE,
    });
    const [byCode, byReference] = ends(midpoint, plant, [1, 2, 3]);
    expect(byCode).toEqual({ ...byReference!, isValid: true });
    expect(ends(midpoint, plant, [1, 0, 3])[0]).toEqual(ends(midpoint, plant, [1, 0, 3])[1]);
  });

  it("a constant state of −0 is +0 from the second stage on", () => {
    const plant = plantOf({
      program: programOf([put(0, 0), put(1, ["*", x(0), p(0)]), put(2, x(1))]),
      p: [2.5],
      examples: POSITIVE,
    });
    const [byCode, byReference] = ends(rk4Tableau, plant, [-0, -0, 1]);
    expect(byCode!.state).toEqual(byReference!.state);
    expect(byCode!.state[1]).toBe(0);
  });

  it("a stage after the first may be at the start of the step", () => {
    const doubled: Tableau = { order: 1, c: [0, 0, 1], a: [[], [0], [1 / 2, 1 / 2]], b: [1 / 2, 1 / 4, 1 / 4] };
    const plant = plantWith([put(0, ["*", x(0), p(0)])], { p: [2.5] });
    for (const start of [
      [1, 2, 3],
      [-0, -0, -0],
    ]) {
      const [byCode, byReference] = ends(doubled, plant, start);
      expect(byCode).toEqual({ ...byReference!, isValid: true });
    }
  });

  it("long rows are summed in the order of the reference", () => {
    const stages = 10;
    const even = (count: number) => Array.from({ length: count }, () => 1 / count);
    const long: Tableau = {
      order: 1,
      c: Array.from({ length: stages }, (_, i) => (i === 0 ? 0 : 1)),
      a: Array.from({ length: stages }, (_, i) => even(i)),
      b: even(stages),
    };
    const plant = plantOf({
      program: programOf([put(0, ["*", x(0), p(0)]), put(1, ["*", x(1), p(1)]), put(2, x(1))]),
      p: [2.5, 3.5],
      examples: POSITIVE,
    });
    for (const start of [
      [-0, -0, -0],
      [1, 2, 3],
      [-0.1, 1e-300, 7],
    ]) {
      const [byCode, byReference] = ends(long, plant, start);
      expect(byCode).toEqual({ ...byReference!, isValid: true });
    }
  });
});

describe("two integrators that share a plant's memory", () => {
  it.each(integratorKinds.map((kind) => [kind.name, kind] as const))(
    "%s: each gives the same bits as without the other",
    (_name, kind) => {
      const plant = plantWith([put(0, ["neg", ["*", x(2), p(0)]])], { p: [2.5] });
      const made = kernelOf(plant);
      const starts = [
        [1, 2, 3],
        [-1, 0.5, 2],
      ];
      const run = (code: object) => {
        const flights = starts.map((start) => {
          const context = { plant, u: new Float64Array(2), ...code };
          return { state: Float64Array.from(start), integrator: integratorOf(kind, context) };
        });
        for (let k = 0; k < 30; k += 1) {
          flights.forEach(({ state, integrator }, i) =>
            integrator.advance(spanUs(4000 * k + i, 4000 * (k + 1) + i), state),
          );
        }
        return flights.map(({ state }) => [...state]);
      };
      expect(run(codeOf(made))).toEqual(run({}));
    },
  );
});
