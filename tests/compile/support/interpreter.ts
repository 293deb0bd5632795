/**
 * Interprets programs in the language of `compile/program.ts`. It shares no code with the compiler, so that the two can
 * be compared.
 */
import type { Block, Expression, Program } from "../../../packages/core/src/compile/program.ts";

export type Arrays = Readonly<Record<string, Float64Array | Int32Array>>;
type Slot = number | boolean | Float64Array | Int32Array | undefined;
type Ending = "on" | "continued" | "returned";

const BINARY: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "===": (a, b) => a === b,
  "!==": (a, b) => a !== b,
};

const UNARY: Readonly<Record<string, (a: number) => number | boolean>> = {
  neg: (a) => -a,
  not: (a) => !a,
  sqrt: (a) => Math.sqrt(a),
  abs: (a) => Math.abs(a),
  floor: (a) => Math.floor(a),
};

export type OpaqueFunctions = Readonly<Record<string, (...args: never[]) => void>>;

/** Runs a function of a program, by default the first, on arrays given by parameter name. */
export function interpret(program: Program, arrays: Arrays, opaqueFunctions: OpaqueFunctions = {}, index = 0): void {
  call(program, index, program.functions[index]!.params.map((name) => arrays[name]) as Slot[], opaqueFunctions);
}

function call(program: Program, index: number, args: readonly Slot[], opaqueFunctions: OpaqueFunctions): Slot {
  const { body, name } = program.functions[index]!;
  if (body === undefined) {
    (opaqueFunctions[name] as (...given: readonly unknown[]) => void)(...args);
    return undefined;
  }
  const run = new Run(program, [...args], opaqueFunctions);
  run.block(body);
  return run.result;
}

class Run {
  result: Slot = undefined;
  private readonly program: Program;
  private readonly slots: Slot[];
  private readonly opaqueFunctions: OpaqueFunctions;

  constructor(program: Program, slots: Slot[], opaqueFunctions: OpaqueFunctions) {
    this.program = program;
    this.slots = slots;
    this.opaqueFunctions = opaqueFunctions;
  }

  block(statements: Block): Ending {
    for (const statement of statements) {
      const ending = this.statement(statement);
      if (ending !== "on") return ending;
    }
    return "on";
  }

  private statement(statement: Block[number]): Ending {
    switch (statement[0]) {
      case "set":
        this.slots[statement[1]] = this.value(statement[2]);
        return "on";
      case "put": {
        const index = this.value(statement[2]) as number;
        (this.slots[statement[1]] as Float64Array)[index] = this.value(statement[3]) as number;
        return "on";
      }
      case "if":
        return this.block(this.value(statement[1]) === true ? statement[2] : statement[3]);
      case "loop":
        while (this.value(statement[1]) === true) {
          if (this.block(statement[2]) === "returned") return "returned";
          this.block(statement[3]);
        }
        return "on";
      case "do":
        this.value(statement[1]);
        return "on";
      case "return":
        if (statement.length === 2) this.result = this.value(statement[1]);
        return "returned";
      case "continue":
        return "continued";
    }
  }

  private value(expression: Expression): Slot {
    if (typeof expression !== "object") return expression;
    const given = expression as readonly [string, ...Expression[]];
    const [op, a, b, c] = given;
    if (op === "slot") return this.slots[a as number];
    if (op === "at") return (this.slots[a as number] as Float64Array)[this.value(b!) as number];
    if (op === "choose") return this.value(a!) === true ? this.value(b!) : this.value(c!);
    if (op === "and") return this.value(a!) === true ? this.value(b!) : false;
    if (op === "or") return this.value(a!) === true ? true : this.value(b!);
    if (op === "call") {
      const args = given.slice(2).map((arg) => this.value(arg as Expression));
      return call(this.program, a as number, args, this.opaqueFunctions);
    }
    const first = this.value(a!) as number;
    return op in UNARY ? UNARY[op]!(first) : BINARY[op]!(first, this.value(b!) as number);
  }
}
