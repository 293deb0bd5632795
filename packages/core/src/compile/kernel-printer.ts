/** Prints the right-hand side of one structure as the functions of a kernel. */
import type { Equations } from "../integrate/contract.ts";
import { makerOf, mapped, requireOptimisable } from "./function-text.ts";
import type { Node } from "./graph.ts";
import { ALL, ALL_BUT_JUMP, type KernelCode, type KernelText, NOTHING, structureOf } from "./kernel-code.ts";
import { Cells, FLIGHT, INTERVAL, Levels, printBody, STAGE } from "./printer.ts";
import { NotCompilable, type Program } from "./program.ts";
import { runOnSymbols } from "./symbolic.ts";

export function makeKernelCode(size: number, equations: Equations): KernelCode {
  const { functions, ...facts } = printKernel(size, equations);
  return { ...facts, functions: mapped(functions, makerOf), methods: {} };
}

export function printKernel(size: number, equations: Equations): KernelText {
  const program = JSON.parse(equations.program) as Program;
  const { slopes, scratch, slopeItems, items, inputsRead } = runOnSymbols(size, program, equations);
  const still = [...slopes].filter(([, value]) => Object.is(value, 0)).map(([i]) => i);
  if (still.length === size) throw new NotCompilable("no state ever moves");
  const { outputCells } = equations;
  const outputs = [...scratch].filter(([i]) => outputCells === undefined || outputCells.includes(i));
  const [tables, calls] = [Object.keys(equations.constants), Object.keys(equations.calls)];
  const cells = [new Cells("C"), new Cells("V")] as const;
  const common = { cells, tables, calls };
  const slopeStores = [...slopes].map(([i, value]) => [`K[${i}]`, value] as const);
  const outputStores = outputs.map(([i, value]) => [`W[${i}]`, value] as const);
  const moving = slopeStores.filter(([, value]) => !Object.is(value, 0));
  const jumped = { x: new Set(equations.jumped?.states), u: new Set(equations.jumped?.inputs) };
  const kept = new Cells("R");
  // Slopes after a jump, slopes in an interval, and everything: with the values of lower levels in cells.
  const ofJump = { ...common, items: slopeItems, levels: new Levels(slopeItems, isKeptAtJump(jumped)) };
  const ofInterval = { ...common, items: slopeItems, levels: new Levels(slopeItems, isHeldInInterval(still)) };
  const ofFlight = { ...common, items, levels: new Levels(items, () => false) };
  // Each function is printed before those that fill its cells.
  const afterJump = printBody({ ...ofJump, cells: [cells[FLIGHT], kept], level: STAGE, stores: moving });
  const allStores = [...outputStores, ...slopeStores, ...kept.stores];
  const evaluate = printBody({ ...ofFlight, level: STAGE, stores: allStores });
  const body = printBody({ ...ofInterval, level: STAGE, stores: moving });
  // From the second stage on, a still state is its value plus 0, which differs from the first stage for −0.
  const positive = still.map((i) => `if (S[${i}] === 0 && 1 / S[${i}] < 0) return false;`);
  const held = printBody({ ...ofInterval, level: INTERVAL, stores: cells[INTERVAL].stores });
  const prepare = [...positive, held].join("\n");
  const bind = printBody({ ...ofFlight, level: FLIGHT, stores: cells[FLIGHT].stores });
  const take = printCopies(size, inputsRead);
  const compare = printComparison(size, inputsRead, jumped);
  const bodies = { bind, prepare, slopes: body, afterJump, evaluate, take, compare, ...FIRST_SLOPES };
  [prepare, body, afterJump, evaluate].forEach(requireOptimisable);
  const given = [..."SUTKWCVRPXY", ...tables.map((_, i) => `A${i}`), ...calls.map((_, i) => `F${i}`)];
  return {
    program: equations.program,
    structure: structureOf(size, equations),
    size,
    // An opaque function or the reference may read the time even if the graph does not.
    usesTime: program.functions[0]!.params.includes("timeS"),
    inputsRead,
    still,
    bounded: equations.clearBounds?.states ?? [],
    jumped: equations.jumped,
    written: outputs.map(([i]) => i),
    constantCount: cells[FLIGHT].count,
    heldCount: cells[INTERVAL].count,
    keptCount: kept.count,
    functions: mapped(bodies, (text, name) => ({
      head: `${name}(${name === "take" || name === "compare" ? "x, u" : ""})`,
      body: text,
      given: name in FIRST_SLOPES ? FIRST_GIVEN : given,
    })),
  };
}

/** One in this many of the first calls of `rhs` uses `slopes`, so that V8 has seen both callees and need not compile `rhs` again. */
const SAMPLED = 256;
const FIRST_GIVEN = ["N", "K", "O", "slopes", "evaluate", "evaluateSlopes"];
/**
 * The two longest functions differ little, and V8 takes long to compile either. So a process that flies once compiles
 * only `evaluate`, which every flight needs; only a process that flies on gains from `slopes`. N counts the calls that
 * are left.
 */
const FIRST_SLOPES = {
  rhs: `if (N[0] !== 0) {
N[0] -= 1;
if (N[0] % ${SAMPLED} !== 0) return evaluateSlopes();
}
return slopes();`,
  evaluateSlopes: `if (!evaluate()) return false;
K.set(O);
return true;`,
};

/** Returns a test for inputs and for states that never move, which are constant over an interval. */
function isHeldInInterval(still: readonly number[]): (node: Node) => boolean {
  return ({ array, a }) => array === "u" || (array === "x" && still.includes(a as number));
}

/** Returns a test for states and inputs that the plant's jump does not change. */
function isKeptAtJump(jumped: Record<"x" | "u", ReadonlySet<number>>): (node: Node) => boolean {
  return ({ array, a }) => (array === "x" || array === "u") && !jumped[array].has(a as number);
}

/** Copies the state to S and the inputs that are read to U. */
function printCopies(size: number, inputsRead: readonly number[]): string {
  const states = Array.from({ length: size }, (_, i) => `S[${i}] = x[${i}];`);
  return [...states, ...inputsRead.map((i) => `U[${i}] = u[${i}];`)].join("\n");
}

/** The names of the words of S and U. */
const WORDS = { x: "X", u: "Y" } as const;

/**
 * Compares words with those of S and U, in X and Y. It has no loop, because it runs at every boundary and before every
 * interval. A state that has moved differs in its first words.
 */
function printComparison(size: number, inputsRead: readonly number[], jumped: Record<"x" | "u", ReadonlySet<number>>) {
  const states = Array.from({ length: size }, (_, i) => i);
  const differences = (array: "x" | "u", numbers: readonly number[]) =>
    numbers.flatMap((i) => [2 * i, 2 * i + 1].map((word) => `(${array}[${word}] ^ ${WORDS[array]}[${word}])`));
  const isJumped = (array: "x" | "u") => (i: number) => jumped[array].has(i);
  const isKept = (array: "x" | "u") => (i: number) => !jumped[array].has(i);
  const [first, ...others] = states.filter(isKept("x"));
  const kept = [...differences("x", others), ...differences("u", inputsRead.filter(isKept("u")))];
  const changed = [...differences("x", [...jumped.x]), ...differences("u", inputsRead.filter(isJumped("u")))];
  const anyOf = (terms: readonly string[]) => `(${[...terms, "0"].join(" | ")})`;
  return [
    ...(first === undefined ? [] : [`if (${anyOf(differences("x", [first]))} !== 0) return ${NOTHING};`]),
    `if (${anyOf(kept)} !== 0) return ${NOTHING};`,
    `return ${anyOf(changed)} === 0 ? ${ALL} : ${ALL_BUT_JUMP};`,
  ].join("\n");
}
