/**
 * Random programs for property tests. They nest every operation of the language, and their constants and states often
 * have values that folding treats specially: zeros of both signs, ones, repeated numbers, subnormals and large numbers.
 */
import fc, { type Arbitrary } from "fast-check";
import type {
  Block,
  Expression,
  FunctionData,
  Program,
  Statement,
} from "../../../packages/core/src/compile/program.ts";
import { DX, N, P, PARAMS, programOf, T, U, W, X } from "./equations.ts";

export const SIZE = 3;
export const INPUTS = 2;
export const CONSTANTS = 6;
export const SCRATCH = 4;
const FIRST_LOCAL = 7;
const LOCALS = 6;

/** Numbers that folding treats specially, and a few that it does not. */
const SPECIAL = [0, 0, 0, -0, -0, 1, 1, -1, -1, 2, 0.5, -0.5, -3, 1e-9, 7.25];
/** −0 as the translator writes it, because JSON cannot represent it. */
const LITERALS = SPECIAL.map((value): Expression => (Object.is(value, -0) ? ["neg", 0] : value));
const constant = fc.oneof(fc.constantFrom(...SPECIAL), fc.double({ min: -4, max: 4, noNaN: true }).map(moderate));

/** Replaces tiny values with 0, because parameters below a bound are rejected. */
function moderate(value: number): number {
  return Math.abs(value) < 1e-6 ? 0 : value;
}

export const constants = fc.array(constant, { minLength: CONSTANTS, maxLength: CONSTANTS });

const finiteNumber = fc.oneof(
  fc.constantFrom(0, -0, 0, -0, 1, -1, 0.5, -2, 5e-324, -5e-324, 1e-310, -1e-300, 1e300, -1e308, 1e19, 4294967296),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -3, max: 3, noNaN: true }),
);

/** A state followed by an input. */
export const finiteState = fc.array(finiteNumber, { minLength: SIZE + INPUTS, maxLength: SIZE + INPUTS });
export const anyState = fc.array(
  fc.oneof({ weight: 3, arbitrary: finiteNumber }, fc.constantFrom(NaN, Infinity, -Infinity)),
  {
    minLength: SIZE + INPUTS,
    maxLength: SIZE + INPUTS,
  },
);
const tameNumber = fc.oneof(fc.constantFrom(0, -0, 1, -1), fc.double({ min: -3, max: 3, noNaN: true }));
/** A state and an input of the magnitude of real flights. */
export const tameState = fc.array(tameNumber, { minLength: SIZE + INPUTS, maxLength: SIZE + INPUTS });

type Op1 = "neg" | "sqrt" | "abs" | "floor";
type Op2 = "+" | "-" | "*" | "/" | "min" | "max";
const LOOP_SLOT = FIRST_LOCAL + LOCALS;

/** A local variable. */
const local = fc.nat(LOCALS - 1).map((i): Expression => ["slot", FIRST_LOCAL + i]);
const state = fc.nat(SIZE - 1).map((i): Expression => ["at", X, i]);
const parameter = fc.nat(CONSTANTS - 1).map((i): Expression => ["at", P, i]);
const leaf: Arbitrary<Expression> = fc.oneof(
  { weight: 3, arbitrary: state },
  { weight: 3, arbitrary: parameter },
  { weight: 2, arbitrary: local },
  fc.nat(INPUTS - 1).map((i): Expression => ["at", U, i]),
  fc.nat(1).map((i): Expression => ["at", N, i]),
  fc.constant<Expression>(["at", T, 0]),
  fc.constantFrom(...LITERALS),
);

function compose(number: Arbitrary<Expression>, truth: Arbitrary<Expression>): Arbitrary<Expression> {
  const pair = fc.tuple(number, number);
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    fc.tuple(fc.constantFrom<Op1>("neg", "sqrt", "abs", "floor"), number).map(([op, a]): Expression => [op, a]),
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom<Op2>("+", "-", "*", "+", "-", "*", "/", "min", "max"), pair)
        .map(([op, [a, b]]): Expression => [op, a, b]),
    },
    // Squares, sums and differences of equal operands, which random draws would hardly ever produce.
    fc.tuple(fc.constantFrom<Op2>("*", "-", "+"), number).map(([op, a]): Expression => [op, a, a]),
    fc.tuple(truth, pair).map(([test, [a, b]]): Expression => ["choose", test, a, b]),
    pair.map(([a, b]): Expression => ["call", 1, a, b, ["slot", P]]),
    // An element whose index depends on the state.
    number.map((a): Expression => ["at", P, ["floor", ["max", 0, ["min", CONSTANTS - 1, a]]]]),
  );
}

function condition(number: Arbitrary<Expression>, truth: Arbitrary<Expression>): Arbitrary<Expression> {
  const compared = fc
    .tuple(fc.constantFrom("<", "<=", ">", ">=", "===", "!=="), number, number)
    .map(([op, a, b]) => [op, a, b] as unknown as Expression);
  return fc.oneof(
    { weight: 4, arbitrary: compared },
    truth.map((a): Expression => ["not", a]),
    fc.tuple(fc.constantFrom("and", "or"), truth, truth).map(([op, a, b]) => [op, a, b] as unknown as Expression),
  );
}

/** Expressions nested at most `depth` levels deep. */
function expressions(depth: number): { number: Arbitrary<Expression>; truth: Arbitrary<Expression> } {
  if (depth === 0) return { number: leaf, truth: fc.boolean() };
  const below = expressions(depth - 1);
  return { number: compose(below.number, below.truth), truth: condition(below.number, below.truth) };
}

const { number, truth } = expressions(3);
const small = expressions(2);

const assignment = fc.tuple(fc.nat(LOCALS - 1), number).map(([i, value]): Statement => ["set", FIRST_LOCAL + i, value]);
const store = fc.tuple(fc.nat(SCRATCH - 1), number).map(([i, value]): Statement => ["put", W, i, value]);
const plain = fc.oneof({ weight: 3, arbitrary: assignment }, store);
const someOf = (statement: Arbitrary<Statement>) => fc.array(statement, { maxLength: 3 });

const branch = fc.tuple(truth, someOf(plain), someOf(plain)).map(([test, yes, no]): Statement => ["if", test, yes, no]);
const nested = fc
  .tuple(truth, someOf(fc.oneof(plain, branch)), someOf(plain))
  .map(([test, yes, no]): Statement => ["if", test, yes, no]);
/** A loop with a fixed number of iterations; a condition on the state may skip the rest of one. */
const loop = fc
  .tuple(fc.integer({ min: 1, max: 3 }), someOf(plain), fc.option(small.truth), fc.nat(LOCALS - 1), small.number)
  .map(([turns, body, skip, into, term]): Statement[] => {
    const counter: Expression = ["slot", LOOP_SLOT];
    const sum: Statement = ["set", FIRST_LOCAL + into, ["+", ["*", term, ["at", P, counter]], ["at", X, counter]]];
    const skipped: Statement[] = skip === null ? [] : [["if", skip, [["continue"]], []]];
    return [
      ["set", LOOP_SLOT, 0],
      ["loop", ["<", counter, turns], [...body, ...skipped, sum], [["set", LOOP_SLOT, ["+", counter, 1]]]],
    ];
  });
const call = fc.nat(SCRATCH - 1).map((i): Statement => ["do", ["call", 2, ["slot", W], ["slot", X], i]]);
const statements = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: plain.map((each) => [each]) },
    nested.map((each) => [each]),
    loop,
    call.map((each) => [each]),
  ),
  { maxLength: 6 },
);

/** A function of two numbers and the parameters, with an optional early return. */
const helper = fc
  .tuple(fc.constantFrom<Op2>("+", "-", "*", "max"), fc.nat(CONSTANTS - 1), fc.boolean())
  .map(([op, i, returnsEarly]): FunctionData => ({
    name: "helper",
    params: ["a", "b", "p"],
    slots: 4,
    body: [
      ["set", 3, [op, ["slot", 0], ["at", 2, i]]],
      ...(returnsEarly ? ([["if", [">", ["slot", 1], 0], [["return", ["slot", 3]]], []]] as const) : []),
      ["return", ["+", ["slot", 3], ["slot", 1]]],
    ],
  }));

/** Writes one cell of the scratch array, and a second one if the state meets a condition. */
const WRITER: FunctionData = {
  name: "writer",
  params: ["w", "x", "i"],
  slots: 3,
  body: [
    ["put", 0, ["slot", 2], ["*", ["at", 1, 0], ["slot", 2]]],
    ["if", ["<", ["at", 1, 1], 0], [["put", 0, 0, ["at", 1, 2]]], []],
  ],
};

const starts = fc.array(initialValue(), { minLength: LOCALS, maxLength: LOCALS });
const three = fc.tuple(number, number, number);
const locals = (values: readonly Expression[]) => values.map((value, i): Statement => ["set", FIRST_LOCAL + i, value]);

/** Computes outputs from derivatives and the scratch array. */
const outputs = fc.tuple(starts, statements, three).map(([start, body, results]): FunctionData => ({
  name: "outputsInto",
  params: PARAMS,
  slots: LOOP_SLOT + 1,
  body: [
    ...locals(start),
    ...body.flat(),
    ...results.map((value, i): Statement => ["put", W, i, ["+", ["*", value, ["at", DX, i]], ["at", W, i + 1]]]),
  ],
}));

/** Programs that set every local and every scratch cell before reading it, and that write every derivative. */
export const programs: Arbitrary<Program> = fc
  .tuple(starts, statements, three, helper, fc.option(outputs, { freq: 1 }))
  .map(([start, body, slopes, help, further]) => {
    const before: Block = [
      ...locals(start),
      ...start.slice(0, SCRATCH).map((value, i): Statement => ["put", W, i, value]),
    ];
    const after = slopes.map((value, i): Statement => ["put", DX, i, ["+", value, ["at", W, i]]]);
    const others = further === null ? [help, WRITER] : [help, WRITER, further];
    const program = programOf([...before, ...body.flat(), ...after], others, LOOP_SLOT + 1);
    return further === null ? program : { ...program, outputs: others.length };
  });

/** Returns the initial value of a local, which must not refer to another local. */
function initialValue(): Arbitrary<Expression> {
  return fc.oneof(state, parameter, fc.constantFrom(...LITERALS));
}
