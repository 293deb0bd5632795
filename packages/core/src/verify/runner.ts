/**
 * Flies the verification problems and measures the error of each integrator.
 *
 * The engine flies each problem, with a log tick at every comparison. Fixed-step methods use the problem's step,
 * adaptive methods its tolerances. Errors are per block of the state, relative to the size of the motion; attitude
 * errors are angles. The drift of an invariant is relative to its scale.
 */
import { type BoundaryView, DUE_BITS, Flight, flyNow, type Observer } from "../engine/index.ts";
import { type Integrator, type IntegratorContext, integratorKinds } from "../integrate/index.ts";
import { checkParams, type Diagnostic, type Kind } from "../params/index.ts";
import { invariant } from "../errors/index.ts";
import type { PlacedBlock } from "../state/index.ts";
import type { VerificationProblem } from "./problem.ts";
import { angleBetween } from "./rotation.ts";

export interface VerificationRow {
  readonly problem: string;
  readonly integrator: string;
  /** Largest relative error of any block at any comparison. */
  readonly error: number;
  /** Largest error of each block in its own unit (attitudes in rad). */
  readonly blocks: Readonly<Record<string, number>>;
  /** Largest change of any invariant, relative to its scale. */
  readonly drift: number;
  readonly evaluations: number;
  readonly accepted: number;
  readonly rejected: number;
}

type IntegratorKind = Kind<Integrator, IntegratorContext>;

/** An observer that compares every logged state with the solution. */
class Comparison implements Observer {
  readonly maxErrors: Float64Array;
  readonly size: Float64Array;
  private readonly problem: VerificationProblem;
  private readonly truth: Float64Array;
  private readonly initial: readonly number[];
  drift = 0;

  constructor(problem: VerificationProblem) {
    const { layout } = problem.plant;
    this.problem = problem;
    this.truth = new Float64Array(layout.size);
    this.maxErrors = new Float64Array(layout.blocks.length);
    this.size = new Float64Array(layout.blocks.length);
    problem.plant.initialInto(this.truth);
    this.initial = problem.invariants.map(({ valueOf }) => valueOf(this.truth, 0));
  }

  readonly observe = ({ frame, stateSize, due }: BoundaryView): void => {
    if ((due & DUE_BITS.log) === 0) return;
    const tUs = frame[0]!;
    const x = frame.subarray(1, 1 + stateSize);
    const { plant, solutionInto, invariants } = this.problem;
    solutionInto(this.truth, tUs);
    plant.layout.blocks.forEach((block, i) => {
      this.maxErrors[i] = Math.max(this.maxErrors[i]!, distance(block, x, this.truth));
      this.size[i] = block.kind === "attitude" ? 1 : Math.max(this.size[i]!, length(block, this.truth));
    });
    invariants.forEach(({ valueOf, scale }, i) => {
      this.drift = Math.max(this.drift, Math.abs(valueOf(x, tUs) - this.initial[i]!) / scale);
    });
  };

  // The flight is never saved.
  save(): void {}
  load(): void {}
}

/** Verifies one problem with one integrator. */
export function verify(problem: VerificationProblem, kind: IntegratorKind, given: object = {}): VerificationRow {
  const comparison = new Comparison(problem);
  const flight = new Flight({
    endUs: problem.endUs,
    plant: problem.plant,
    integrator: (context) => kind.make(paramsFor(kind, problem, given) as never, context),
    logPeriodUs: problem.sampleUs,
    observers: [comparison],
  });
  const { stats } = flyNow(flight);
  const { blocks } = problem.plant.layout;
  return {
    problem: problem.name,
    integrator: kind.name,
    error: Math.max(...comparison.maxErrors.map((error, i) => error / comparison.size[i]!)),
    blocks: Object.fromEntries(blocks.map(({ name }, i) => [name, comparison.maxErrors[i]!])),
    drift: comparison.drift,
    evaluations: stats.evaluations,
    accepted: stats.accepted,
    rejected: stats.rejected,
  };
}

/** Verifies every problem with every integrator. */
export function verifyAll(
  problems: readonly VerificationProblem[],
  kinds: readonly IntegratorKind[] = integratorKinds,
): VerificationRow[] {
  return problems.flatMap((problem) => kinds.map((kind) => verify(problem, kind)));
}

/** Returns the results of verifications as aligned text. */
export function verificationTable(rows: readonly VerificationRow[]): string {
  const cells = [
    ["problem", "integrator", "error", "invariant drift", "evaluations"],
    ...rows.map((row) => [
      row.problem,
      row.integrator,
      row.error.toExponential(2),
      row.drift.toExponential(2),
      String(row.evaluations),
    ]),
  ];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  ");
  return cells.map(line).join("\n");
}

/** Returns the kind's defaults, overridden by the problem's step for fixed-step methods and by the given values. */
function paramsFor(kind: IntegratorKind, problem: VerificationProblem, given: object): Record<string, unknown> {
  const step = "substepUs" in kind.params ? { substepUs: problem.stepUs } : {};
  const diagnostics: Diagnostic[] = [];
  const params = checkParams(kind.params, { ...step, ...given }, diagnostics);
  invariant(diagnostics.length === 0, `parameters of ${kind.name} are not valid`, () => JSON.stringify(diagnostics));
  return params;
}

function distance({ kind, offset, size }: PlacedBlock, x: Float64Array, truth: Float64Array): number {
  if (kind === "attitude") return angleBetween(x.subarray(offset, offset + 4), truth.subarray(offset, offset + 4));
  let square = 0;
  for (let i = offset; i < offset + size; i += 1) square += (x[i]! - truth[i]!) * (x[i]! - truth[i]!);
  return Math.sqrt(square);
}

function length({ offset, size }: PlacedBlock, x: Float64Array): number {
  let square = 0;
  for (let i = offset; i < offset + size; i += 1) square += x[i]! * x[i]!;
  return Math.sqrt(square);
}
