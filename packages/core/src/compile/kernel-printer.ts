/** Prints the right-hand side of one structure as the functions of a kernel. */
import type { Equations } from "../integrate/contract.ts";
import { runOnSymbols } from "./evaluator.ts";
import { makerOf, mapped, requireOptimisable } from "./function-text.ts";
import type { Node, Value } from "./graph.ts";
import { ALL, ALL_BUT_JUMP, type KernelCode, NOTHING, structureOf } from "./kernel.ts";
import { Cells, FLIGHT, INTERVAL, levelsOf, printBody, STAGE } from "./printer.ts";
import { NotCompilable, type Program } from "./program.ts";

/** The text of a kernel's functions, and the properties of the right-hand side on which they depend. */
export type KernelText = ReturnType<typeof printKernel>;

export function makeKernelCode(size: number, equations: Equations): KernelCode {
  const { functions, ...facts } = printKernel(size, equations);
  return { ...facts, functions: mapped(functions, makerOf), methods: {} };
}

export function printKernel(size: number, equations: Equations) {
  const program = JSON.parse(equations.program) as Program;
  const run = runOnSymbols(size, program, equations);
  const { slopes, scratch, inputsRead } = run;
  const still = [...slopes].filter(([, value]) => Object.is(value, 0)).map(([i]) => i);
  if (still.length === size) throw new NotCompilable("no state ever moves");
  const { outputCells } = equations;
  const outputs = [...scratch].filter(([i]) => outputCells === undefined || outputCells.includes(i));
  const [tables, calls] = [Object.keys(equations.constants), Object.keys(equations.calls)];
  const cells = { constant: new Cells("C"), held: new Cells("V"), kept: new Cells("R") };
  const jumped = { x: new Set(equations.jumped?.states), u: new Set(equations.jumped?.inputs) };
  const bodies = {
    ...printEquations({ ...run, still, outputs, cells, tables, calls, jumped }),
    take: printCopies(size, inputsRead),
    compare: printComparison(size, inputsRead, jumped),
    ...printFirstSlopes(size),
  };
  const given = [..."SUTKWCVRPXY", ...tables.map((_, i) => `A${i}`), ...calls.map((_, i) => `F${i}`)];
  return {
    program: equations.program,
    structure: structureOf(size, equations),
    size,
    // An opaque function or the reference may read the time even if the graph does not.
    usesTime: program.functions[0]!.params.includes("timeS"),
    inputsRead,
    /** States whose slope is the constant +0. */
    still,
    /** States with bounds that decide whether the plant is clear of events. */
    bounded: equations.clearBounds?.states ?? [],
    jumped: equations.jumped,
    /** Cells of scratch that an evaluation writes. */
    written: outputs.map(([i]) => i),
    /** How many values are constant over a flight, over an interval, and over a jump. */
    constantCount: cells.constant.count,
    heldCount: cells.held.count,
    keptCount: cells.kept.count,
    functions: mapped(bodies, (text, name) => ({
      head: `${name}(${name === "take" || name === "compare" ? "x, u" : ""})`,
      body: text,
      given: FIRST_NAMES.has(name) ? FIRST_GIVEN : given,
    })),
  };
}

/** The states and inputs that the plant's jump may change. */
type Jumped = Readonly<Record<"x" | "u", ReadonlySet<number>>>;

interface EquationsGiven extends ReturnType<typeof runOnSymbols> {
  readonly still: readonly number[];
  readonly outputs: readonly (readonly [cell: number, value: Value])[];
  readonly cells: Readonly<Record<"constant" | "held" | "kept", Cells>>;
  readonly tables: readonly string[];
  readonly calls: readonly string[];
  readonly jumped: Jumped;
}

/** Prints the functions that compute slopes and outputs, and the functions that fill the cells from which they read. */
function printEquations({ slopes, slopeItems, items, still, outputs, cells, tables, calls, jumped }: EquationsGiven) {
  const { constant, held, kept } = cells;
  const common = { cells: [constant, held], tables, calls };
  const slopeStores = [...slopes].map(([i, value]) => [`K[${i}]`, value] as const);
  const outputStores = outputs.map(([i, value]) => [`W[${i}]`, value] as const);
  const moving = slopeStores.filter(([, value]) => !Object.is(value, 0));
  // The levels of the values differ between the slopes after a jump, the slopes in an interval, and slopes with
  // outputs.
  const isKept = ({ array, a }: Node) => (array === "x" || array === "u") && !jumped[array].has(a as number);
  const ofJump = { ...common, items: slopeItems, levelOf: levelsOf(slopeItems, isKept) };
  // Inputs and states that never move are constant over an interval.
  const isHeld = ({ array, a }: Node) => array === "u" || (array === "x" && still.includes(a as number));
  const ofInterval = { ...common, items: slopeItems, levelOf: levelsOf(slopeItems, isHeld) };
  const ofFlight = { ...common, items, levelOf: levelsOf(items, () => false) };
  // Print each function before those that fill its cells, because printing it determines the cells.
  const rhsAfterJump = printBody({ ...ofJump, cells: [constant, kept], level: STAGE, stores: moving });
  const allStores = [...outputStores, ...slopeStores, ...kept.stores];
  const evaluate = printBody({ ...ofFlight, level: STAGE, stores: allStores });
  const body = printBody({ ...ofInterval, level: STAGE, stores: moving });
  // The code assumes that a still state has the same bits at all stages. But from the second stage on, the reference
  // computes it as its value plus 0, which turns −0 into +0. So the code rejects −0.
  const positive = still.map((i) => `if (S[${i}] === 0 && 1 / S[${i}] < 0) return false;`);
  const prepare = [...positive, printBody({ ...ofInterval, level: INTERVAL, stores: held.stores })].join("\n");
  [prepare, body, rhsAfterJump, evaluate].forEach(requireOptimisable);
  const bind = printBody({ ...ofFlight, level: FLIGHT, stores: constant.stores });
  return { bind, prepare, slopes: body, rhsAfterJump, evaluate };
}

/**
 * One in this many of the first calls of `rhs` uses `slopes`, so that V8 has seen both callees and need not compile
 * `rhs` again.
 */
const SAMPLED = 1024;
const FIRST_GIVEN = ["N", "K", "O", "slopes", "evaluate", "evaluateSlopes"];
const FIRST_NAMES: ReadonlySet<string> = new Set(["rhs", "evaluateSlopes"]);
/**
 * The two longest functions, `evaluate` and `slopes`, differ little, and V8 takes long to compile either. So a process
 * with one flight compiles only `evaluate`, which every flight needs; `slopes` pays off only after more flights. N[0]
 * is the number of first calls that are left. The slopes are copied one by one, because a call of `set` takes longer.
 */
function printFirstSlopes(size: number) {
  return {
    rhs: `if (N[0] !== 0) {
N[0] -= 1;
if (N[0] % ${SAMPLED} !== 0) return evaluateSlopes();
}
return slopes();`,
    evaluateSlopes: `if (!evaluate()) return false;
${Array.from({ length: size }, (_, i) => `K[${i}] = O[${i}];`).join("\n")}
return true;`,
  };
}

/** Copies the state to S and the inputs that are read to U. */
function printCopies(size: number, inputsRead: readonly number[]): string {
  const states = Array.from({ length: size }, (_, i) => `S[${i}] = x[${i}];`);
  return [...states, ...inputsRead.map((i) => `U[${i}] = u[${i}];`)].join("\n");
}

/**
 * Prints a comparison of the 32-bit words x and u of a state and an input with X and Y, the words of S and U. The code
 * has no loop, because it runs at every boundary and before every interval. It compares the first element before the
 * others, because a state that has moved usually differs there.
 */
function printComparison(size: number, inputsRead: readonly number[], jumped: Jumped): string {
  const states = Array.from({ length: size }, (_, i) => ["x", "X", i] as const);
  const elements = [...states, ...inputsRead.map((i) => ["u", "Y", i] as const)];
  const kept = elements.filter(([array, , i]) => !jumped[array].has(i));
  const changed = elements.filter(([array, , i]) => jumped[array].has(i));
  const differences = (some: typeof elements) => {
    const words = some.flatMap(([given, known, i]) =>
      [2 * i, 2 * i + 1].map((at) => `(${given}[${at}] ^ ${known}[${at}])`),
    );
    return `(${[...words, "0"].join(" | ")})`;
  };
  return [
    `if (${differences(kept.slice(0, 1))} !== 0) return ${NOTHING};`,
    `if (${differences(kept.slice(1))} !== 0) return ${NOTHING};`,
    `return ${differences(changed)} === 0 ? ${ALL} : ${ALL_BUT_JUMP};`,
  ].join("\n");
}
