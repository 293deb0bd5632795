/**
 * Prints the results of the integrators rk23 and rk45 on the DETEST problems, as tables for the docs.
 *
 * Run with `npx tsx tools/detest.ts`. Errors at x = 20 are in units of the tolerance; the number of evaluations
 * follows.
 */
import { detestProblems, detestTolerances, runDetest, runF1, type DetestResult } from "../tests/support/detest.ts";

function cell({ error, evaluations }: DetestResult, tolerance: number): string {
  return `${(error / tolerance).toPrecision(2)} (${evaluations})`;
}

function table(title: string, rows: readonly (readonly string[])[]): string {
  const head = ["", ...detestTolerances.map((tolerance) => tolerance.toExponential())];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = `|---|${"---:|".repeat(detestTolerances.length)}`;
  return [`### ${title}`, "", line(head), rule, ...rows.map(line), ""].join("\n");
}

for (const integrator of ["rk23", "rk45"]) {
  const rows = detestProblems.map((problem) => [
    problem,
    ...detestTolerances.map((tolerance) => cell(runDetest(integrator, problem, tolerance), tolerance)),
  ]);
  console.log(table(`${integrator}: error at x = 20 over tolerance (evaluations)`, rows));
}

for (const integrator of ["rk23", "rk45"]) {
  const rows = (["inside", "atBoundaries"] as const).map((jumps) => [
    jumps === "inside" ? "inside the right-hand side" : "at boundaries",
    ...detestTolerances.map((tolerance) => cell(runF1(integrator, tolerance, jumps), tolerance)),
  ]);
  console.log(table(`${integrator}: F1, with jumps inside the right-hand side and with jumps at boundaries`, rows));
}
