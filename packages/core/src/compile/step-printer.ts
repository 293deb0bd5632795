/**
 * Prints the step of a Runge–Kutta method as straight-line code for one state size: the loops of
 * `integrate/runge-kutta.ts` unrolled, with the same order of operations.
 *
 * Arrays: B state at the start, S state of the stage, E state at the end, U input, L slopes of all stages, H weights, D
 * the method's clock, T the plant's clock, Z bounds, Q results that must be stored early.
 *
 * Functions: `prepare` runs once per interval. `rhs` computes the slope K from S. `rhsAfterJump` does the same if only
 * the jump has changed values since the last evaluation. `evaluate` computes the same slope in O, and the plant's
 * outputs. Each returns false if a guard fails; the reference then repeats the step.
 */
import { CLEAR, DONE, REDO, VALID } from "../integrate/contract.ts";
import { type PackedRow, type PackedTableau, packTableau, type Tableau } from "../integrate/tableau.ts";
import type { KernelText } from "./kernel-printer.ts";

/** The properties of the right-hand side on which a step depends. */
export type StepFacts = Pick<KernelText, "size" | "still" | "inputsRead" | "usesTime" | "bounded">;

/** Prints the bodies of the functions of a method. */
export function printStep(facts: StepFacts, tableau: Tableau, attitudes: readonly number[]) {
  const printer = new StepPrinter(facts, tableau, attitudes);
  return {
    load: printer.load(),
    start: printer.start("rhs"),
    startAfterJump: printer.start("rhsAfterJump"),
    reuse: printer.reuse(),
    step: printer.step(),
    endSlope: printer.endSlope("rhs", "K"),
    endOutputs: printer.endSlope("evaluate", "O"),
    carry: printer.carry(),
    measure: printer.measure(),
    copyEnd: printer.all((i) => `x[${i}] = E[${i}];`).join("\n"),
  };
}

/** Limits of an attitude's squared length; between them, normalising gives unit length. */
const MIN_SQUARE = 1e-200;
const MAX_SQUARE = 1e200;

class StepPrinter {
  private readonly facts: StepFacts;
  private readonly packed: PackedTableau;
  private readonly nodes: readonly number[];
  /** Offsets of unit quaternions. */
  private readonly attitudes: readonly number[];
  private readonly still: ReadonlySet<number>;
  /** True if the method has no error estimate: a step is then never repeated, and its first slope stays in K. */
  private readonly isFixed: boolean;

  constructor(facts: StepFacts, tableau: Tableau, attitudes: readonly number[]) {
    this.facts = facts;
    this.packed = packTableau(tableau);
    this.nodes = tableau.c;
    this.attitudes = attitudes;
    const { stages, end, error } = this.packed;
    // A state with a slope of +0 stays at its value at the start plus 0 if every row has a positive weight.
    const keepsStill = [...stages.slice(1), end].every(({ coefficients }) => coefficients.some((value) => value > 0));
    this.isFixed = error.stages.length === 0;
    this.still = new Set(keepsStill ? facts.still : []);
  }

  load(): string {
    return [
      ...this.all((i) => `const x${i} = x[${i}]; B[${i}] = x${i}; S[${i}] = x${i};`),
      ...this.facts.inputsRead.map((i) => `U[${i}] = u[${i}];`),
      "return prepare();",
    ].join("\n");
  }

  start(rhs: "rhs" | "rhsAfterJump"): string {
    // An adaptive method that is not FSAL runs this code at every step. S holds the state at the start only at the
    // first step of an interval, so copy it.
    const state = this.isFixed || this.packed.fsal ? [] : this.all((i) => `S[${i}] = B[${i}];`);
    const time = this.facts.usesTime ? ["T[0] = D[1] / 1e6;"] : [];
    const slope = this.isFixed ? [] : this.all((i) => `L[${i}] = K[${i}];`);
    return [...state, ...time, `if (!${rhs}()) return false;`, ...slope, "return true;"].join("\n");
  }

  /** Prints the reuse of the first slope, if `evaluate` has just computed it for the outputs. */
  reuse(): string {
    const first = this.isFixed ? "K" : "L";
    return this.all((i) => `${first}[${i}] = O[${i}];`).join("\n");
  }

  carry(): string {
    const last = this.packed.stages.length - 1;
    return this.all((i) => `L[${i}] = L[${this.at(last, i)}];`).join("\n");
  }

  step(): string {
    const { packed } = this;
    const last = packed.stages.length - (packed.fsal ? 1 : 0);
    const lines = Array.from({ length: packed.weightCount }, (_, j) => `const h${j} = H[${j}];`);
    for (let s = 1; s < last; s += 1)
      lines.push("{", ...this.stageState(s), "}", ...this.timeAt(s), `if (!rhs()) return ${REDO};`);
    lines.push(...this.end(last - 1));
    lines.push(`if (!(Q[0] - Q[0] === 0)) return ${DONE};`, `return ${this.isClear()} ? ${CLEAR} : ${VALID};`);
    return lines.join("\n");
  }

  /**
   * Prints the last stage of an FSAL method, whose state is the end state, with or without the plant's outputs. It is a
   * separate function, because inside the step V8 would have to keep everything that the step still needs during the
   * call.
   */
  endSlope(rhs: "rhs" | "evaluate", array: "K" | "O"): string {
    if (!this.packed.fsal) return "return true;";
    const last = this.packed.stages.length - 1;
    const slope = this.moving().map((i) => `L[${this.at(last, i)}] = ${array}[${i}];`);
    return [...this.timeAt(last), `if (!${rhs}()) return false;`, ...slope, "return true;"].join("\n");
  }

  /**
   * Prints the size of the error as `ErrorNorm.measure` computes it; the code returns false if it is not finite, and
   * `ErrorNorm` must then be called.
   */
  measure(): string {
    const { facts, attitudes } = this;
    const { error } = this.packed;
    if (error.stages.length === 0) return "return false;";
    const lines = error.stages.map((_, j) => `const h${error.first + j} = H[${error.first + j}];`);
    const ratios: string[] = [];
    const finite: string[] = [];
    for (let i = 0; i < facts.size; i += 1) {
      const isAttitude = this.isAttitude(i);
      if (this.still.has(i) && !isAttitude) continue;
      lines.push(`const e${i} = 0 + ${this.weighted(error, i, -1)};`);
      if (isAttitude) {
        lines.push(`const q${i} = E[${i}];`, `const o${i} = q${i} - e${i};`);
        continue;
      }
      finite.push(`e${i}`);
      lines.push(`const b${i} = Math.abs(B[${i}]);`, `const a${i} = Math.abs(E[${i}]);`);
      ratios.push(`Math.abs(e${i}) / (absolute[${i}] + relative[${i}] * (b${i} > a${i} ? b${i} : a${i}))`);
    }
    attitudes.forEach((o, j) => {
      lines.push(...chordAt(o));
      finite.push(`c${o}`);
      ratios.push(`2 * c${o} * (1 + (c${o} * c${o}) / 24) / angle[${j}]`);
    });
    lines.push(`const sum = ${sumOf(finite)};`, ...largestOf(ratios));
    lines.push("value[0] = worst;", "return sum - sum === 0 && worst < 1e999;");
    return lines.join("\n");
  }

  /**
   * Prints the test that all bounds hold, as a count of violated bounds. With a chain of &&, V8 would discard its
   * optimised code when a later operand first runs.
   */
  private isClear(): string {
    const { bounded } = this.facts;
    const outside = bounded.flatMap((i, k) => [`(e${i} > Z[${2 * k}] ? 0 : 1)`, `(e${i} < Z[${2 * k + 1}] ? 0 : 1)`]);
    return bounded.length === 0 ? "false" : `${outside.join(" + ")} === 0`;
  }

  /** Prints the state of stage s. The previous slope is still in K and moves to L here. */
  private stageState(s: number): string[] {
    const row = this.packed.stages[s]!;
    const isInK = s > 1 || this.isFixed;
    const lines: string[] = [];
    for (let i = 0; i < this.facts.size; i += 1) {
      if (this.still.has(i)) {
        if (s === 1) lines.push(`S[${i}] = B[${i}] + 0;`);
        continue;
      }
      if (isInK) lines.push(`const k${i} = K[${i}];`, `L[${this.at(s - 1, i)}] = k${i};`);
      lines.push(`S[${i}] = B[${i}] + ${this.weighted(row, i, isInK ? s - 1 : -1)};`);
    }
    return lines;
  }

  /** Prints the time of stage s, if the equations depend on it. */
  private timeAt(s: number): string[] {
    return this.facts.usesTime ? [`T[0] = (D[1] + ${this.nodes[s]!} * D[2]) / 1e6;`] : [];
  }

  private end(lastSlope: number): string[] {
    const { packed, attitudes } = this;
    const isInK = lastSlope > 0 || this.isFixed;
    // After the step, only the error and dense output read the last slope.
    const isKept = lastSlope === 0 || [packed.error, packed.dense].some(({ stages }) => stages.includes(lastSlope));
    const lines = this.all((i) => {
      if (this.still.has(i)) return `const e${i} = B[${i}] + 0;`;
      const kept = isKept ? `L[${this.at(lastSlope, i)}] = k${i}; ` : "";
      const slope = isInK ? `const k${i} = K[${i}]; ${kept}` : "";
      return `${slope}const e${i} = B[${i}] + ${this.weighted(packed.end, i, isInK ? lastSlope : -1)};`;
    });
    this.all((i) => (this.isAttitude(i) ? "" : this.storeEnd(i, `e${i}`))).forEach((line) => lines.push(line));
    // Store it now, because V8 would otherwise delay the sum to the end of the step and keep all operands until then.
    lines.push(`Q[0] = ${sumOf(this.moving().map((i) => `e${i}`))};`);
    for (const o of attitudes) {
      const parts = [o, o + 1, o + 2, o + 3];
      lines.push("{", `const a = ${parts.map((i) => `e${i} * e${i}`).join(" + ")};`, "const q = 1 / Math.sqrt(a);");
      lines.push(`if (!(a > ${MIN_SQUARE} && a < ${MAX_SQUARE})) Q[0] = 0 / 0;`);
      for (const i of parts) lines.push(`const n${i} = e${i} * q;`, this.storeEnd(i, `n${i}`));
      lines.push("}");
    }
    return lines.filter((line) => line !== "");
  }

  /** Prints the end state, which is also the last stage of an FSAL method. */
  private storeEnd(i: number, value: string): string {
    return this.packed.fsal ? `E[${i}] = ${value}; S[${i}] = ${value};` : `E[${i}] = ${value};`;
  }

  /** Prints Σ weight · slope, in the order of `combineInto`. The newest slope is in a local variable. */
  private weighted({ stages, first }: PackedRow, i: number, newest: number): string {
    const terms = stages.map((s, j) => `h${first + j} * ${s === newest ? `k${i}` : `L[${this.at(s, i)}]`}`);
    if (terms.length < 2) return terms[0] ?? "0";
    // The reference sums rows of more than seven terms in a loop that starts from zero.
    return `(${terms.length > 7 ? "0 + " : ""}${terms.join(" + ")})`;
  }

  private isAttitude(i: number): boolean {
    return this.attitudes.some((o) => i >= o && i < o + 4);
  }

  private at(stage: number, i: number): number {
    return stage * this.facts.size + i;
  }

  private moving(): number[] {
    return Array.from({ length: this.facts.size }, (_, i) => i).filter((i) => !this.still.has(i));
  }

  all(line: (i: number) => string): string[] {
    return Array.from({ length: this.facts.size }, (_, i) => line(i));
  }
}

/**
 * Prints the chord c between the attitude at offset o and the attitude of the embedded solution, as `ErrorNorm`
 * computes it.
 */
function chordAt(o: number): string[] {
  const parts = [o, o + 1, o + 2, o + 3];
  const sum = (term: (i: number) => string) => parts.map(term).join(" + ");
  return [
    `const n${o} = Math.sqrt(${sum((i) => `o${i} * o${i}`)}) * (${sum((i) => `q${i} * o${i}`)} < 0 ? -1 : 1);`,
    ...parts.map((i) => `const d${i} = q${i} - o${i} / n${o};`),
    `const c${o} = Math.sqrt(${sum((i) => `d${i} * d${i}`)});`,
  ];
}

/** Prints the largest of finite numbers ≥ 0. */
function largestOf(values: readonly string[]): string[] {
  const larger = values.map((value, i) => [`const r${i} = ${value};`, `worst = r${i} > worst ? r${i} : worst;`]);
  return ["let worst = 0;", ...larger.flat()];
}

/** Prints a sum that is finite only if every value is. */
function sumOf(values: readonly string[]): string {
  return values.length === 0 ? "0" : values.join(" + ");
}
