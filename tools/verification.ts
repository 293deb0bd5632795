/**
 * The results of the verification problems, as a table for the docs and as limits. An integrator or problem without
 * limits gets its errors, rounded up to two digits, as limits; existing limits never change.
 */
import { LIMITS } from "../packages/core/src/verify/limit-table.ts";
import type { VerificationRow } from "../packages/core/src/verify/runner.ts";
import { table } from "./markdown.ts";

export const LIMIT_FILE = "packages/core/src/verify/limit-table.ts";
const FIRST_LINE = "export const LIMITS = {";

export function verificationTable(rows: readonly VerificationRow[]): string {
  return table(
    ["problem", "integrator", "error", "invariant drift", "evaluations"],
    rows.map(({ problem, integrator, error, drift, evaluations }) => [
      problem,
      integrator,
      error.toExponential(2),
      drift.toExponential(2),
      String(evaluations),
    ]),
  );
}

/** Returns the text of the file of limits, with those that are missing. */
export function withNewLimits(before: string, rows: readonly VerificationRow[]): string {
  const known: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = LIMITS;
  const lines = [...new Set(rows.map(({ problem }) => problem))].flatMap((name) => [
    `  ${keyText(name)}: {`,
    ...rows
      .filter(({ problem }) => problem === name)
      .map(({ integrator, error, drift }) => {
        const limits = known[name]?.[integrator] ?? [roundUp(error), roundUp(drift)];
        return `    ${keyText(integrator)}: [${limits.map(numberText).join(", ")}],`;
      }),
    "  },",
  ]);
  return `${before.slice(0, before.indexOf(FIRST_LINE))}${FIRST_LINE}\n${lines.join("\n")}\n} as const;\n`;
}

function keyText(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? name : JSON.stringify(name);
}

/** Rounds up to two digits. */
function roundUp(value: number): number {
  const nearest = Number(value.toExponential(1));
  if (nearest >= value) return nearest;
  const [digits, exponent] = value.toExponential(1).split("e");
  return Number(`${(Number(digits) + 0.1).toFixed(1)}e${exponent}`);
}

function numberText(value: number): string {
  const [digits, exponent] = value.toExponential().split("e");
  return exponent === "+0" ? digits! : `${digits}e${Number(exponent)}`;
}
