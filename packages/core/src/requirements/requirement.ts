/** A requirement: its text, parsed and checked once. */
import { allNames, findNamed } from "../quantities/index.ts";
import { SampleBlock } from "./sample-block.ts";
import type { SampleSource } from "./sample-source.ts";
import { RequirementMonitor } from "./monitor.ts";
import { parseRequirement } from "./parser.ts";
import { requirementText } from "./text.ts";
import type { RequirementTree, ValueTree } from "./tree.ts";
import type { Severity } from "./verdict.ts";

/** The name of a requirement, and the effect of its verdict. */
interface RequirementOptions {
  /** If absent, the text is the name. */
  readonly name?: string;
  readonly severity?: Severity;
  /**
   * Whether `untested` counts as violated. Default: true if the requirement begins at an event or uses a value at an
   * event.
   */
  readonly mustOccur?: boolean;
}

/** A statement that a flight satisfies or violates, with a margin. */
export interface Requirement {
  readonly name: string;
  /** Canonical text. */
  readonly text: string;
  readonly severity: Severity;
  readonly mustOccur: boolean;
  /** The text as written; the places in the tree refer to it. */
  readonly written: string;
  readonly tree: RequirementTree;
}

/** A requirement, or its text. */
export type RequirementLike = string | Requirement;

/**
 * Reads a requirement and checks everything that does not depend on a flight: grammar, quantities, units. Throws a
 * typed error that underlines the wrong text. Events and sizes are checked when a flight is judged.
 */
export function requirement(text: string, options: RequirementOptions = {}): Requirement {
  const read = readRequirement(text, options);
  // Compile it only to find its errors.
  new RequirementMonitor(read, new SampleBlock(), ANY_FLIGHT);
  return read;
}

/** Reads a requirement without looking up its names. */
export function readRequirement(text: string, options: RequirementOptions = {}): Requirement {
  const tree = parseRequirement(text);
  const canonical = requirementText(tree);
  const { name = canonical, severity = "error", mustOccur = beginsAtEvent(tree) } = options;
  return { name, text: canonical, severity, mustOccur, written: text, tree };
}

/** Returns the unit of a requirement's margin; undefined if its predicates have different units. */
export function marginUnit(text: string): string | undefined {
  return monitorOf(text).unit;
}

/**
 * Whether the margin of a requirement measures how close a flight comes to its limit; false if it compares only flags
 * and codes.
 */
export function isMeasured(text: string): boolean {
  return monitorOf(text).isMeasured;
}

function monitorOf(text: string): RequirementMonitor {
  return new RequirementMonitor(readRequirement(text), new SampleBlock(), ANY_FLIGHT);
}

export function asRequirement(given: RequirementLike): Requirement {
  return typeof given === "string" ? requirement(given) : given;
}

function beginsAtEvent(tree: RequirementTree): boolean {
  return tree.scope.scope === "each" || tree.scope.scope === "after" || namesValueAtEvent(tree.formula);
}

function namesValueAtEvent(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  if ("value" in part && (part as ValueTree).value === "named" && "at" in part && part.at !== undefined) return true;
  return Object.values(part).some((inner) =>
    Array.isArray(inner) ? inner.some(namesValueAtEvent) : namesValueAtEvent(inner),
  );
}

/** A source with every name that any flight may have, and with any event. */
export const ANY_FLIGHT: SampleSource = {
  named: (name) => findNamed(name),
  names: () => allNames(),
  missing: () => undefined,
  reader: () => () => {},
  event: () => () => false,
  eventNames: () => [],
};
