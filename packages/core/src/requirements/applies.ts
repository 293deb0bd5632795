/** The instants to which a requirement applies, and the formula that is evaluated at them. */
import { type Compiler, type Formula, isTemporal } from "./compile.ts";
import { requirementErrors } from "./errors.ts";
import { fault } from "./fault.ts";
import type { InstantFormula } from "./sample-block.ts";
import type { FormulaTree, RequirementTree } from "./tree.ts";

/** Instants to which a requirement applies. */
export type Applies =
  | { readonly when: "span"; readonly fromUs: number; readonly toUs: number }
  /** From an instant to the end of the flight. */
  | { readonly when: "rest"; readonly fromUs: number }
  | { readonly when: "after" | "before"; readonly event: number }
  /** Each time the event happens; the window is relative to that time. */
  | { readonly when: "each"; readonly event: number; readonly fromUs: number; readonly toUs: number }
  | { readonly when: "while"; readonly of: InstantFormula };

/** Returns the formula to evaluate, and the instants over which its least or its greatest margin is taken. */
export function compileRequirement(
  { scope, mode, formula: tree }: RequirementTree,
  compiler: Compiler,
  text: string,
): { readonly formula: Formula; readonly takesLeast: boolean; readonly applies: Applies } {
  const takesLeast = mode !== "eventually";
  if (scope.scope === "each") {
    const of = compiler.formula(withMode(tree, mode));
    const { fromUs, toUs } = scope;
    const formula: Formula = { is: "window", takesLeast: scope.mode === "for", fromUs, toUs, of };
    return { formula, takesLeast: true, applies: { when: "each", event: compiler.event(scope.event), fromUs, toUs } };
  }
  if (mode === "plain" && scope.scope !== "at") rejectUnscoped(tree, text);
  if (scope.scope === "while") {
    const held = compiler.instant(scope.of, "while");
    const formula = compiler.formula(tree, mode === "never" ? -1 : 1);
    const condition = compiler.formula(scope.of, takesLeast ? -1 : 1);
    const pair: Formula = { is: "pair", takesLeast: !takesLeast, left: condition, right: formula };
    return { formula: pair, takesLeast, applies: { when: "while", of: held } };
  }
  const formula = compiler.formula(tree, mode === "never" ? -1 : 1);
  switch (scope.scope) {
    case "whole":
      return { formula, takesLeast, applies: { when: "rest", fromUs: -Infinity } };
    case "during":
      return { formula, takesLeast, applies: { when: "span", fromUs: scope.span.fromUs, toUs: scope.span.toUs } };
    case "at":
      return mode === "plain"
        ? { formula, takesLeast, applies: { when: "span", fromUs: scope.tUs, toUs: scope.tUs } }
        : { formula, takesLeast, applies: { when: "rest", fromUs: scope.tUs } };
    default:
      return { formula, takesLeast, applies: { when: scope.scope, event: compiler.event(scope.event) } };
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
 * Rejects a formula without a scope if it refers to a later time. `if … then within 2 s: …` needs no scope: it applies
 * at every instant.
 */
function rejectUnscoped(tree: FormulaTree, text: string): void {
  if (tree.formula === "implies" || !isTemporal(tree)) return;
  throw fault(requirementErrors.fromWhen, text, tree.place, {
    what: `"${text.slice(tree.place[0], tree.place[1])}" refers to a later time, but does not say from when`,
    fix: `write "at 0 s: …" or "always …"`,
  });
}
