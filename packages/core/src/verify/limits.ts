/** Compares the results of verification problems with their limits. */
import type { integratorKinds } from "../integrate/index.ts";
import { LIMITS } from "./limit-table.ts";
import type { VerificationRow } from "./runner.ts";

type Limit = readonly [error: number, drift: number];

// An integrator without limits does not compile: `npm run docs` adds them.
LIMITS satisfies Readonly<Record<string, Readonly<Record<(typeof integratorKinds)[number]["name"], Limit>>>>;

/** `pass` or `fail`; `no limit` for a problem or an integrator that is not built in. */
type Verdict = "pass" | "fail" | "no limit";

/** Compares a result with its limit. */
export function verdictOf({
  problem,
  integrator,
  error,
  drift,
}: Pick<VerificationRow, "problem" | "integrator" | "error" | "drift">): {
  readonly verdict: Verdict;
  readonly errorLimit?: number;
  readonly driftLimit?: number;
} {
  const limit = (LIMITS as Readonly<Record<string, Readonly<Record<string, Limit>>>>)[problem]?.[integrator];
  if (limit === undefined) return { verdict: "no limit" };
  const [errorLimit, driftLimit] = limit;
  return { verdict: error <= errorLimit && drift <= driftLimit ? "pass" : "fail", errorLimit, driftLimit };
}
