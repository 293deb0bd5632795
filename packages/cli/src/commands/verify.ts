/** `escapement verify`: runs problems with known solutions under every integrator, and prints the errors. */
import type { Command } from "commander";
import { verificationProblems, verifyAll } from "@escapement/core";
import { renderTable, styleFor } from "../print/style.ts";

export function addVerify(program: Command): void {
  program
    .command("verify")
    .description("fly the verification problems with every integrator and show their errors")
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExamples:\n  escapement verify\n  escapement verify --json")
    .action((flags: { json?: true }) => {
      const rows = verifyAll(verificationProblems);
      if (flags.json === true) {
        process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
        return;
      }
      const columns = [
        { title: "problem" },
        { title: "integrator" },
        { title: "error", right: true },
        { title: "drift", right: true },
        { title: "evaluations", right: true },
      ];
      const cells = rows.map(({ problem, integrator, error, drift, evaluations }) => [
        problem,
        integrator,
        error.toExponential(2),
        drift.toExponential(2),
        String(evaluations),
      ]);
      process.stdout.write(`${renderTable(columns, cells, styleFor(process.stdout, process.env))}\n`);
    });
}
