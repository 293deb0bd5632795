/** The instants to which a requirement applies, and the formula that is evaluated at them. */
import { type Compiler, type Formula, isTemporal } from "./compile.ts";
import { requirementErrors } from "./errors.ts";
import { fault } from "./fault.ts";
import type { Instant } from "./sample-block.ts";
import type { FormulaTree, RequirementTree } from "./tree.ts";

/** Instants to which a requirement applies. */
export type Applies =
  | { readonly when: "span"; readonly fromUs: number; readonly toUs: number }
  /** From an instant to the end of the flight. */
  | { readonly when: "rest"; readonly fromUs: number }
  | { readonly when: "after" | "before"; readonly event: number }
  /** Each time the event happens; the window is relative to it. */
  | { readonly when: "each"; readonly event: number; readonly fromUs: number; readonly toUs: number }
  | { readonly when: "while"; readonly of: Instant };

/** Returns the formula that is evaluated, whether the least or the greatest margin counts, and over which instants. */
export function compileRequirement(
  { scope, mode, formula: tree }: RequirementTree,
  compiler: Compiler,
  text: string,
): { readonly formula: Formula; readonly isMin: boolean; readonly applies: Applies } {
  const isMin = mode !== "eventually";
  if (scope.scope === "each") {
    const of = compiler.formula(withMode(tree, mode));
    const { fromUs, toUs } = scope;
    const formula: Formula = { is: "window", isMin: scope.mode === "for", fromUs, toUs, of };
    return { formula, isMin: true, applies: { when: "each", event: compiler.event(scope.event), fromUs, toUs } };
  }
  if (mode === "plain" && scope.scope !== "at") rejectUnscoped(tree, text);
  if (scope.scope === "while") {
    const held = compiler.instant(scope.of, "while");
    const formula = compiler.formula(tree, mode === "never" ? -1 : 1);
    const condition = compiler.formula(scope.of, isMin ? -1 : 1);
    const both: Formula = { is: "both", isMin: !isMin, left: condition, right: formula };
    return { formula: both, isMin, applies: { when: "while", of: held } };
  }
  const formula = compiler.formula(tree, mode === "never" ? -1 : 1);
  switch (scope.scope) {
    case "whole":
      return { formula, isMin, applies: { when: "rest", fromUs: -Infinity } };
    case "during":
      return { formula, isMin, applies: { when: "span", fromUs: scope.span.fromUs, toUs: scope.span.toUs } };
    case "at":
      return mode === "plain"
        ? { formula, isMin, applies: { when: "span", fromUs: scope.tUs, toUs: scope.tUs } }
        : { formula, isMin, applies: { when: "rest", fromUs: scope.tUs } };
    default:
      return { formula, isMin, applies: { when: scope.scope, event: compiler.event(scope.event) } };
  }
}

/** Inside a window, `always`, `never` and `eventually` refer to the time from each instant to the end of the flight. */
function withMode(tree: FormulaTree, mode: RequirementTree["mode"]): FormulaTree {
  const { place } = tree;
  switch (mode) {
    case "plain":
      return tree;
    case "never":
      return { formula: "always", of: { formula: "not", of: tree, place }, place };
    default:
      return { formula: mode, of: tree, place };
  }
}

/**
 * Rejects a formula that refers to a later time without a scope. `if … then within 2 s: …` needs none: it applies at
 * every instant.
 */
function rejectUnscoped(tree: FormulaTree, text: string): void {
  if (tree.formula === "implies" || !isTemporal(tree)) return;
  throw fault(requirementErrors.fromWhen, text, tree.place, {
    what: `"${text.slice(tree.place[0], tree.place[1])}" refers to a later time, but does not say from when`,
    fix: `write "at 0 s: …" or "always …"`,
  });
}
