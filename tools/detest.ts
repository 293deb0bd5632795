/**
 * Prints the results of the adaptive integrators on the DETEST problems, as tables for the docs.
 *
 * `npx tsx tools/detest.ts`. Errors at x = 20 are in units of the tolerance, with the number of evaluations.
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
  const rows = (["blind", "boundaries"] as const).map((way) => [
    way,
    ...detestTolerances.map((tolerance) => cell(runF1(integrator, tolerance, way), tolerance)),
  ]);
  console.log(table(`${integrator}: F1, blind and with true boundaries`, rows));
}
