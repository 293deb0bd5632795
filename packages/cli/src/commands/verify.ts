/** `escapement verify`: runs problems with known solutions under every integrator, and checks their errors. */
import type { Command } from "commander";
import { verdictOf, verificationProblems, verifyAll } from "@escapement/core";
import { EXIT } from "../exit-codes.ts";
import { columnsOf, renderTable, type Style, styleFor } from "../print/style.ts";

type Row = ReturnType<typeof verifyAll>[number] & ReturnType<typeof verdictOf>;

export function addVerify(program: Command): void {
  program
    .command("verify")
    .description("fly the verification problems with every integrator and check their errors")
    .option("--json", "print as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 all errors are within their limits, 5 an error is not\n" +
        "\nExamples:\n  escapement verify\n  escapement verify --json",
    )
    .action((flags: { json?: true }) => {
      const rows = verifyAll(verificationProblems).map((row) => ({ ...row, ...verdictOf(row) }));
      const failed = rows.filter(({ verdict }) => verdict === "fail");
      const text =
        flags.json === true
          ? JSON.stringify({ passed: rows.length - failed.length, failed: failed.length, rows }, null, 2)
          : verifyText(rows, styleFor(process.stdout, process.env));
      process.stdout.write(`${text}\n`);
      process.exitCode = failed.length === 0 ? EXIT.done : EXIT.requirement;
    });
}

function verifyText(rows: readonly Row[], style: Style): string {
  const columns = [
    { title: "problem" },
    { title: "integrator" },
    { title: "error", right: true },
    { title: "drift", right: true },
    { title: "evals", right: true },
    { title: "verdict" },
  ];
  const cells = rows.map(({ problem, integrator, error, drift, evaluations, verdict }) => [
    problem,
    integrator,
    error.toExponential(2),
    drift.toExponential(2),
    String(evaluations),
    verdict === "fail" ? style.trouble(verdict) : style.accent(verdict),
  ]);
  const passed = rows.filter(({ verdict }) => verdict !== "fail").length;
  const verdict = passed === rows.length ? style.accent("pass") : style.trouble("fail");
  const table = renderTable(columns, cells, style, columnsOf(process.stdout));
  return `${table}\n\n${verdict}  ${passed} of ${rows.length} results are within their limits`;
}
