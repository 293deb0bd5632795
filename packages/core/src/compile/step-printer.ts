/**
 * The step of a Runge–Kutta method as straight-line code over one state size: what `integrate/runge-kutta.ts` does in
 * loops, in the same order of operations.
 *
 * Arrays: Z bounds, B base, S stage, E end, L slopes of all stages, H weights, D the method's clock, T the plant's; `rhs` turns S
 * into K. The step vouches for itself: it is good if its end and all slopes are finite and the watched states were not
 * huge (`finite.ts`).
 */
import { CALM, SOUND, UNTRUSTED } from "../integrate/contract.ts";
import type { PackedRow, PackedTableau } from "../integrate/tableau.ts";
import { HUGE } from "./finite.ts";

export interface StepOptions {
  readonly packed: PackedTableau;
  readonly nodes: readonly number[];
  readonly size: number;
  /** Offsets of unit quaternions. */
  readonly attitudes: readonly number[];
  /** States whose slope is always +0. */
  readonly still: ReadonlySet<number>;
  /** States and inputs that must not be huge. */
  readonly watchedStates: readonly number[];
  readonly watchedInputs: readonly number[];
  readonly inputsRead: readonly number[];
  readonly usesTime: boolean;
  /** States whose bounds, in pairs in Z, say whether the end is calm; none: it is never known to be. */
  readonly calm: readonly number[];
}

/** The functions of a method, with their parameters. */
export const METHOD_FUNCTIONS = {
  enter: "(x, u)",
  go: "()",
  take: "(x, u)",
  start: "()",
  step: "()",
  carry: "()",
  measure: "(absolute, relative, angle, value)",
  give: "(x)",
} as const;
export type MethodFunction = keyof typeof METHOD_FUNCTIONS;

/** Whether a slope of +0 leaves every stage at base + 0: in each row some weight is positive. */
export function keepsStill({ stages, end }: PackedTableau): boolean {
  return [...stages.slice(1), end].every(({ coefficients }) => coefficients.some((value) => value > 0));
}

/** Bodies of those that are needed: a method that estimates its error makes steps under control, any other one leaps. */
export function printStep(options: StepOptions): Readonly<Partial<Record<MethodFunction, string>>> {
  const printer = new StepPrinter(options);
  const give = printer.give();
  if (options.packed.error.stages.length === 0) return { enter: printer.enter(), go: printer.go(), give };
  return {
    take: printer.take(),
    start: printer.start(),
    step: printer.step(),
    carry: printer.carry(),
    measure: printer.measure(),
    give,
  };
}

/** The end of an evaluation of a state x and an input u: whether it vouches for itself. */
export function printVerdict(options: Pick<StepOptions, "size" | "watchedStates" | "watchedInputs">): string {
  const { size, watchedStates, watchedInputs } = options;
  const slopes = Array.from({ length: size }, (_, i) => `K[${i}]`);
  return [
    `const sum = ${sumOf(slopes)};`,
    `const huge = ${squares(watchedStates.map((i) => `x[${i}]`))} + ${squares(watchedInputs.map((i) => `u[${i}]`))};`,
    `return sum - sum === 0 && huge < ${HUGE * HUGE};`,
  ].join("\n");
}

/** Squares of an attitude's length, before it is made one. */
const LEAST_SQUARE = 1e-200;
const MOST_SQUARE = 1e200;

/** Cells of Q: squares of what must not be huge, and the sum of what must be finite. */
const HUGE_CELL = 0;
const SUM_CELL = 1;
const INPUT_CELL = 2;
/** 1 once what stays the same over the interval has been computed. */
const READY_CELL = 3;

class StepPrinter {
  private readonly options: StepOptions;
  /** States that do not stand still. */
  private readonly moving: readonly number[];
  private readonly watchedMoving: readonly number[];

  constructor(options: StepOptions) {
    this.options = options;
    this.moving = Array.from({ length: options.size }, (_, i) => i).filter((i) => !options.still.has(i));
    this.watchedMoving = options.watchedStates.filter((i) => !options.still.has(i));
  }

  take(): string {
    const { inputsRead } = this.options;
    const lines = this.all((i) => `B[${i}] = x[${i}];`);
    for (const i of inputsRead) lines.push(`U[${i}] = u[${i}];`);
    lines.push(
      `Q[${INPUT_CELL}] = ${this.standing(
        (i) => `U[${i}]`,
        (i) => `B[${i}]`,
      )};`,
    );
    lines.push(...this.all((i) => `S[${i}] = B[${i}];`), `Q[${READY_CELL}] = prepare() ? 1 : 0;`);
    return lines.join("\n");
  }

  start(): string {
    const lines = this.all((i) => `S[${i}] = B[${i}];`);
    if (this.options.usesTime) lines.push("T[0] = D[1] / 1e6;");
    lines.push("rhs();", ...this.keepSlope(0));
    return lines.join("\n");
  }

  give(): string {
    return this.all((i) => `x[${i}] = E[${i}];`).join("\n");
  }

  carry(): string {
    const last = this.options.packed.stages.length - 1;
    return this.moving.map((i) => `L[${i}] = L[${this.at(last, i)}];`).join("\n");
  }

  /** What `ErrorNorm` measures. A state that stands still has no error, and an attitude may move in part. */
  measure(): string {
    const { packed, size, still, attitudes } = this.options;
    const { error } = packed;
    const lines = error.stages.map((_, j) => `const h${error.first + j} = H[${error.first + j}];`);
    const ratios: string[] = [];
    for (let i = 0; i < size; i += 1) {
      const isAttitude = attitudes.some((o) => i >= o && i < o + 4);
      if (still.has(i) && !isAttitude) continue;
      lines.push(`const e${i} = 0 + ${this.weighted(error, i, -1)};`);
      if (isAttitude) {
        // It counts as an angle.
        lines.push(`const q${i} = E[${i}];`, `const o${i} = q${i} - e${i};`);
        continue;
      }
      lines.push(`const b${i} = Math.abs(B[${i}]);`, `const a${i} = Math.abs(E[${i}]);`);
      ratios.push(`Math.abs(e${i}) / (absolute[${i}] + relative[${i}] * (b${i} > a${i} ? b${i} : a${i}))`);
    }
    attitudes.forEach((o, j) => {
      lines.push(...angleBetween(o));
      ratios.push(`2 * c${o} * (1 + (c${o} * c${o}) / 24) / angle[${j}]`);
    });
    const finite = [...this.moving.map((i) => `e${i}`), ...attitudes.map((o) => `c${o}`)];
    lines.push(`const sum = ${sumOf(finite)};`, ...largestOf(ratios));
    lines.push("value[0] = worst;", "return sum - sum === 0 && worst < 1e999;");
    return lines.join("\n");
  }

  /** Takes over state and input for `go`; false: not to be trusted. The state goes straight into the first stage. */
  enter(): string {
    const { inputsRead } = this.options;
    const lines = this.all((i) => `const x${i} = x[${i}]; B[${i}] = x${i}; S[${i}] = x${i};`);
    for (const i of inputsRead) lines.push(`const u${i} = u[${i}]; U[${i}] = u${i};`);
    lines.push(
      `Q[${INPUT_CELL}] = ${this.standing(
        (i) => `u${i}`,
        (i) => `x${i}`,
      )};`,
      "return prepare();",
    );
    return lines.join("\n");
  }

  /** Squares of what must not be huge and stands still over the interval. */
  private standing(input: (i: number) => string, state: (i: number) => string): string {
    const { watchedInputs, watchedStates, still } = this.options;
    return squares([...watchedInputs.map(input), ...watchedStates.filter((i) => still.has(i)).map(state)]);
  }

  /** `start` and `step` in one. */
  go(): string {
    const time = this.options.usesTime ? ["T[0] = D[1] / 1e6;"] : [];
    return [...time, "rhs();", this.steps(true)].join("\n");
  }

  step(): string {
    return this.steps(false);
  }

  /** From the first slope on, which is still in K or already among the slopes. */
  private steps(isFresh: boolean): string {
    const { packed } = this.options;
    const last = packed.stages.length - (packed.fsal ? 1 : 0);
    const lines: string[] = [];
    for (let j = 0; j < packed.weightCount; j += 1) lines.push(`const h${j} = H[${j}];`);
    // Stored at once, here and below: engines put off what is needed only at the end, and keep all operands until then.
    lines.push(
      `Q[${HUGE_CELL}] = Q[${INPUT_CELL}] + ${squares(this.watchedMoving.map((i) => `B[${i}]`))};`,
      `Q[${SUM_CELL}] = 0;`,
    );
    for (let s = 1; s < last; s += 1)
      lines.push("{", ...this.stageState(s, isFresh || s > 1), "}", ...this.evaluate(s));
    lines.push(...this.end(last - 1, isFresh || last > 1));
    if (packed.fsal)
      lines.push(
        ...this.evaluate(last),
        ...this.keepSlope(last),
        this.sumUp((i) => `K[${i}]`),
      );
    const isReady = isFresh ? "" : ` && Q[${READY_CELL}] === 1`;
    const isValid = `Q[${SUM_CELL}] - Q[${SUM_CELL}] === 0 && Q[${HUGE_CELL}] < ${HUGE * HUGE}${isReady}`;
    lines.push(`if (!(${isValid})) return ${UNTRUSTED};`, `return ${this.isClearOfEvents()} ? ${CALM} : ${SOUND};`);
    return lines.join("\n");
  }

  /** Counts what is out of bounds: a comparison that is skipped at first would make engines discard their code later. */
  private isClearOfEvents(): string {
    const { calm } = this.options;
    const outside = calm.flatMap((i, k) => [`(e${i} > Z[${2 * k}] ? 0 : 1)`, `(e${i} < Z[${2 * k + 1}] ? 0 : 1)`]);
    return calm.length === 0 ? "false" : `${outside.join(" + ")} === 0`;
  }

  /** The state of stage s; the slope before it, where it is still in K, is kept on the way. */
  private stageState(s: number, isInK: boolean): string[] {
    const { packed, still, size } = this.options;
    const row = packed.stages[s]!;
    const lines: string[] = [];
    for (let i = 0; i < size; i += 1) {
      if (still.has(i)) {
        // The slope is +0: every stage after the first has the same state.
        if (s === 1) lines.push(`S[${i}] = B[${i}] + 0;`);
        continue;
      }
      if (isInK) lines.push(`const k${i} = K[${i}];`, `L[${this.at(s - 1, i)}] = k${i};`);
      lines.push(`const s${i} = ${this.combined(row, i, isInK ? s - 1 : -1)};`, `S[${i}] = s${i};`);
    }
    const moving = this.watchedMoving.map((i) => `s${i}`);
    if (moving.length > 0) lines.push(`Q[${HUGE_CELL}] = Q[${HUGE_CELL}] + ${squares(moving)};`);
    // A slope that does not reach the end is vouched for here.
    if (!packed.end.stages.includes(s - 1))
      lines.push(this.sumUp((i) => (isInK ? `k${i}` : `L[${this.at(s - 1, i)}]`)));
    return lines;
  }

  private evaluate(s: number): string[] {
    const { nodes, usesTime } = this.options;
    const time = usesTime ? [`T[0] = (D[1] + ${nodes[s]!} * D[2]) / 1e6;`] : [];
    return [...time, "rhs();"];
  }

  private end(lastSlope: number, isInK: boolean): string[] {
    const { packed, size, still, attitudes, watchedStates } = this.options;
    const lines: string[] = [];
    // Its slope is in K while the end is made of it. Error and dense output may ask for it later, and for the first one always.
    const isKept = lastSlope === 0 || [packed.error, packed.dense].some(({ stages }) => stages.includes(lastSlope));
    for (let i = 0; i < size; i += 1) {
      if (isInK && !still.has(i)) lines.push(`const k${i} = K[${i}];`);
      if (isInK && isKept && !still.has(i)) lines.push(`L[${this.at(lastSlope, i)}] = k${i};`);
      const combined = this.combined(packed.end, i, isInK ? lastSlope : -1);
      lines.push(`const e${i} = ${still.has(i) ? `B[${i}] + 0` : combined};`);
      if (!attitudes.some((o) => i >= o && i < o + 4)) lines.push(...this.endOf(i, `e${i}`));
    }
    lines.push(this.sumUp((i) => `e${i}`));
    for (const o of attitudes) {
      const parts = [o, o + 1, o + 2, o + 3].map((i) => `e${i} * e${i}`);
      lines.push("{", `const a = ${parts.join(" + ")};`, "const q = 1 / Math.sqrt(a);");
      // Beyond these its square is not exact enough for it to be of unit length.
      lines.push(`if (!(a > ${LEAST_SQUARE} && a < ${MOST_SQUARE})) Q[${SUM_CELL}] = 0 / 0;`);
      for (let i = o; i < o + 4; i += 1) lines.push(`const n${i} = e${i} * q;`, ...this.endOf(i, `n${i}`));
      lines.push("}");
    }
    if (packed.fsal) lines.push(`Q[${HUGE_CELL}] = Q[${HUGE_CELL}] + ${squares(watchedStates.map((i) => `e${i}`))};`);
    return lines;
  }

  /** An end state is also the state of the last stage, where that stands at the end. */
  private endOf(i: number, value: string): string[] {
    return this.options.packed.fsal ? [`E[${i}] = ${value};`, `S[${i}] = ${value};`] : [`E[${i}] = ${value};`];
  }

  /** From K to its place among all slopes. */
  private keepSlope(stage: number): string[] {
    return this.all((i) => `L[${this.at(stage, i)}] = K[${i}];`).filter((_, i) => !this.options.still.has(i));
  }

  /** base + Σ weight · slope, in the order of `combineInto`. */
  private combined(row: PackedRow, i: number, newest: number): string {
    return `B[${i}] + ${this.weighted(row, i, newest)}`;
  }

  private weighted({ stages, first }: PackedRow, i: number, newest: number): string {
    const terms = stages.map((s, j) => `h${first + j} * ${s === newest ? `k${i}` : `L[${this.at(s, i)}]`}`);
    if (terms.length === 0) return "0";
    if (terms.length === 1) return terms[0]!;
    // The reference sums rows of more than seven terms from zero on.
    return `(${terms.length > 7 ? "0 + " : ""}${terms.join(" + ")})`;
  }

  /** Adds up what must be finite. */
  private sumUp(value: (i: number) => string): string {
    return `Q[${SUM_CELL}] = Q[${SUM_CELL}] + ${sumOf(this.moving.map(value))};`;
  }

  private at(stage: number, i: number): number {
    return stage * this.options.size + i;
  }

  private all(line: (i: number) => string): string[] {
    return Array.from({ length: this.options.size }, (_, i) => line(i));
  }
}

function squares(values: readonly string[]): string {
  return values.length === 0 ? "0" : `(${values.map((value) => `${value} * ${value}`).join(" + ")})`;
}

/** The chord c between the attitude at o and its comparison, as `ErrorNorm` finds it. */
function angleBetween(o: number): string[] {
  const parts = [o, o + 1, o + 2, o + 3];
  const sum = (term: (i: number) => string) => parts.map(term).join(" + ");
  return [
    `const n${o} = Math.sqrt(${sum((i) => `o${i} * o${i}`)}) * (${sum((i) => `q${i} * o${i}`)} < 0 ? -1 : 1);`,
    ...parts.map((i) => `const d${i} = q${i} - o${i} / n${o};`),
    `const c${o} = Math.sqrt(${sum((i) => `d${i} * d${i}`)});`,
  ];
}

/** The largest of finite numbers that are not below zero: the same in any order, so in four chains. */
function largestOf(values: readonly string[]): string[] {
  const lines = [0, 1, 2, 3].map((chain) => `let m${chain} = 0;`);
  values.forEach((value, i) =>
    lines.push(`const r${i} = ${value};`, `m${i % 4} = r${i} > m${i % 4} ? r${i} : m${i % 4};`),
  );
  return [...lines, "const worst = Math.max(Math.max(m0, m1), Math.max(m2, m3));"];
}

/** In four chains, because each addition waits for the one before. */
function sumOf(values: readonly string[]): string {
  const chains: string[][] = [[], [], [], []];
  values.forEach((value, i) => chains[i % 4]!.push(value));
  const sums = chains.filter((chain) => chain.length > 0).map((chain) => `(${chain.join(" + ")})`);
  return sums.length === 0 ? "0" : `(${sums.join(" + ")})`;
}
