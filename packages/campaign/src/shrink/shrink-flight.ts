/**
 * Shrinks a flight that violates a requirement, and writes the result as a flight file. The file's text is flown once
 * more before it is returned, to prove that the file violates the requirement.
 */
import {
  assignmentBaseOf,
  canonicalJson,
  editTexts,
  isPlainObject,
  keyPathText,
  mergeAssigned,
  mustResolve,
  type PlainObject,
  type Registry,
  requirement,
  type ResolvedFlight,
  resolveFlight,
  Run,
  specOf,
  splitEvents,
  type Verdict,
} from "@escapement/core";
import { readFlightText, tomlText, tomlValue } from "@escapement/formats";
import { searchErrors } from "../search/errors.ts";
import { selfContained } from "../spec/base-flight.ts";
import { FlightProblem } from "./flight-problem.ts";
import { shrink } from "./shrink.ts";
import { changedPaths, type Path, valueAt } from "./spec-values.ts";

/** A requirement as plain JSON, like those of a resolved flight. */
type PlainRequirement = ResolvedFlight["judged"]["requirements"][number];

export interface ShrinkSource {
  /** Name of the flight in errors and in the first line of the file: `gusts.campaign.toml#411`. */
  readonly name: string;
  /** The violating flight as a description that names no file. */
  readonly bad: PlainObject;
  /** The flight from which `bad` differs. */
  readonly base: PlainObject;
  /** Settings to drop if the violation does not need them, e.g. the varied keys of the campaign. */
  readonly keys: readonly Path[];
  readonly ranges: ReadonlyMap<string, readonly [number, number]>;
  /** Dotted paths of numbers with discrete values. */
  readonly fixed: readonly string[];
  /**
   * The built-in flight that the base extends, if there is one. The file then contains only the differences from it.
   */
  readonly root: string | undefined;
}

interface ShrinkOptions {
  readonly registry: Registry;
  /** Limit on the number of flights. */
  readonly most?: number;
  /** Called after each flight with the number of flights so far. */
  readonly onFlight?: (flights: number) => void;
}

export interface ShrunkFlightFile {
  /** The flight file. */
  readonly text: string;
  /** The remaining differences, one phrase each. */
  readonly phrases: readonly string[];
  /** Flights that were flown to find it. */
  readonly flights: number;
  /** False if the limit on flights was reached before shrinking was finished. */
  readonly isMinimal: boolean;
  /** The verdict on the flight in the file. */
  readonly verdict: Verdict;
}

/** Throws a typed error if the flight does not violate the requirement. */
export function shrinkFlight(
  source: ShrinkSource,
  violated: PlainRequirement,
  { registry, most, onFlight }: ShrinkOptions,
): ShrunkFlightFile {
  const { name, base, keys, ranges, fixed } = source;
  const judge = (spec: PlainObject) => judgeFlight(withRequirement(spec, violated), name, registry);
  let flights = 0;
  const problem = new FlightProblem({
    bad: withFullEvents(source.bad, name, registry),
    base,
    filledBase: specOf(mustResolve(resolveFlight({ file: name, spec: base }, registry)).definition),
    keys,
    ranges,
    fixed,
    violationUs: (spec) => {
      const verdict = judge(spec);
      flights += 1;
      onFlight?.(flights);
      return verdict?.verdict === "violated" ? violatedAtUs(verdict) : undefined;
    },
  });
  const found = shrink(problem, most);
  if (found === undefined) throw notViolatedError(name, violated, judge(source.bad));
  const small = withRequirement(problem.specOf(found.candidate), violated);
  const { resolved, phrases, text } = writeFlight(small, source, registry);
  const verdict = judgeFlight(readFlightText(text, "shrunk.toml").object, name, registry);
  if (verdict?.verdict !== "violated") throw notViolatedError(`the file shrunk from ${name}`, violated, verdict);
  const { definition } = resolved;
  const ends = definition.timeline.endS;
  const first = `# Shrunk from ${name} in ${found.flights} flights: ${phrases.join("; ")}; ends at ${ends} s.`;
  return { text: `${first}\n${text}\n`, phrases, flights: found.flights, isMinimal: found.isMinimal, verdict };
}

/** Flies a flight and returns its verdict; undefined if the flight is invalid or fails. */
function judgeFlight(spec: PlainObject, file: string, registry: Registry): Verdict | undefined {
  const { resolved, plant } = resolveFlight({ file, spec }, registry);
  if (resolved === undefined) return undefined;
  const { result, failure } = new Run(resolved, { registry, plant, fingerprint: "none" }).toEndNow();
  return failure === undefined ? result.verdicts[0] : undefined;
}

function violatedAtUs({ binding }: Verdict): number {
  // A violation without a binding predicate is known only at the end of the flight.
  return binding?.tUs ?? Infinity;
}

/** Adds the requirement in its shortest form. */
function withRequirement(spec: PlainObject, { name, text, severity, mustOccur }: PlainRequirement): PlainObject {
  const usual = requirement(text);
  const table = {
    ...(name === text ? {} : { name }),
    text,
    ...(severity === usual.severity ? {} : { severity }),
    ...(mustOccur === usual.mustOccur ? {} : { mustOccur }),
  };
  return { ...spec, requirements: [Object.keys(table).length === 1 ? text : table] };
}

/**
 * Fills in the end of the timeline, and replaces the events by those of the definition, which have every default and
 * times in seconds.
 */
function withFullEvents(spec: PlainObject, file: string, registry: Registry): PlainObject {
  const { scenario = [], timeline } = specOf(mustResolve(resolveFlight({ file, spec }, registry)).definition);
  const { endS } = timeline as { readonly endS: number };
  return mergeAssigned(spec, { scenario, timeline: { endS } });
}

interface WrittenFlight {
  readonly resolved: ResolvedFlight;
  readonly text: string;
  readonly phrases: readonly string[];
}

/**
 * Writes the differences from a built-in flight, or the whole description if the differences do not give the same
 * flight.
 */
function writeFlight(small: PlainObject, { root, name, base }: ShrinkSource, registry: Registry): WrittenFlight {
  const resolve = (spec: PlainObject) => resolveFlight({ file: name, spec }, registry).resolved;
  const resolved = resolve(small)!;
  const extension = root === undefined ? undefined : changesOfRoot(small, root, name, registry);
  const isSame = extension !== undefined && resolve(extension)?.hash === resolved.hash;
  const events = splitEvents(resolved.definition).own;
  const settings = changesFrom(base, small, name, registry).filter(
    ([key]) => !["scenario", "requirements", "timeline"].includes(String(key)),
  );
  return {
    resolved,
    text: tomlText(isSame ? extension : small),
    phrases: [
      ...editTexts({ added: events, removed: [], forkUs: NaN }),
      ...settings.map((path) => settingPhrase(path, valueAt(small, path))),
    ],
  };
}

function settingPhrase(path: Path, value: unknown): string {
  const kind = isPlainObject(value) ? value["kind"] : undefined;
  return `${keyPathText(path)} = ${typeof kind === "string" ? kind : tomlValue(value)}`;
}

/** Returns the paths of the values in `small` that differ from `given` with every default. */
function changesFrom(given: PlainObject, small: PlainObject, file: string, registry: Registry): Path[] {
  const filled = specOf(mustResolve(resolveFlight({ file, spec: given }, registry)).definition);
  // Expand short forms such as `vehicle = "iris"` to tables, because `small` contains the tables.
  const base = mergeAssigned({}, given);
  const isDefault = (path: Path) =>
    canonicalJson(valueAt(filled, path) ?? null) === canonicalJson(valueAt(small, path));
  return changedPaths(base, small).filter((path) => !isDefault(path));
}

/** Returns the description as a flight that extends a built-in flight and contains only the differences from it. */
function changesOfRoot(small: PlainObject, root: string, file: string, registry: Registry): PlainObject {
  const below = selfContained(assignmentBaseOf({ file, spec: { extends: root } }, registry));
  const paths = changesFrom(below, small, file, registry);
  // A file adds its events to those of the flight that it extends, unless it replaces them.
  const replaces = paths.some(([key]) => key === "scenario") && below["scenario"] !== undefined;
  const changes = paths.reduce<PlainObject>((spec, path) => assign(spec, path, valueAt(small, path)), {});
  return { extends: root, ...(replaces ? { replace: ["scenario"] } : {}), ...changes };
}

function assign(spec: PlainObject, [first, ...rest]: Path, value: unknown): PlainObject {
  const inner = spec[first!];
  const table = isPlainObject(inner) ? inner : {};
  return { ...spec, [first!]: rest.length === 0 ? value : assign(table, rest, value) };
}

function notViolatedError(name: string, { text }: PlainRequirement, verdict: Verdict | undefined): Error {
  return searchErrors.notViolated({
    what: `${name} does not violate "${text}": ${verdict === undefined ? "it cannot be flown" : verdict.verdict}`,
    fix: "shrink a flight that violates the requirement; `escapement fly` shows its verdicts",
  });
}
