/**
 * The requirements of a description. They change no bit of the flight, so they are not part of its definition; they
 * have a separate hash.
 */
import { SimError } from "../../errors/index.ts";
import { isPlainObject, type PlainObject, show } from "../../params/index.ts";
import { Judge } from "../../requirements/judge.ts";
import { readRequirement, type Requirement } from "../../requirements/requirement.ts";
import { requirementErrors } from "../../requirements/errors.ts";
import type { Severity } from "../../requirements/verdict.ts";
import { canonicalJson } from "../definition/canonical.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { FlightSamples, type SampledFlight } from "./flight-samples.ts";
import { sha256Hex } from "../definition/sha256.ts";
import { requirementTable } from "../spec/tables.ts";

/** A requirement as plain JSON. */
export interface ResolvedRequirement {
  readonly name: string;
  /** Canonical text. */
  readonly text: string;
  readonly severity: Severity;
  readonly mustOccur: boolean;
}

/** The requirements by which a flight is judged. */
export interface JudgedPart {
  readonly requirements: readonly ResolvedRequirement[];
  /** SHA-256 of the canonical text of the requirements. */
  readonly hash: string;
}

const MAX_REQUIREMENTS = 1000;

/** The judged part of a flight without requirements. */
export const NOT_JUDGED: JudgedPart = judgedPart([]);

function judgedPart(requirements: readonly (Requirement | ResolvedRequirement)[]): JudgedPart {
  const plain = requirements.map(({ name, text, severity, mustOccur }) => ({ name, text, severity, mustOccur }));
  return { requirements: plain, hash: sha256Hex(canonicalJson(plain)) };
}

/**
 * Reads the lists `requirements` and `alsoRequire` of a description. Names are looked up in the flight, so the flight
 * must have been resolved without errors.
 */
export function resolveJudged(spec: PlainObject, flight: SampledFlight, diagnostics: Diagnostics): JudgedPart {
  const found = [
    ...readList(spec["requirements"], "requirements", flight, diagnostics),
    ...readList(spec["alsoRequire"], "alsoRequire", flight, diagnostics),
  ];
  const keys = new Map<string, string>();
  for (const { key, requirement } of found) {
    const other = keys.get(requirement.name);
    if (other === undefined) keys.set(requirement.name, key);
    else {
      const what = `"${requirement.name}" is also the name of ${other}`;
      diagnostics.add(requirementErrors.sameName, key, what, "give them different names");
    }
  }
  return judgedPart(found.map(({ requirement }) => requirement));
}

interface Found {
  readonly key: string;
  readonly requirement: Requirement;
}

function readList(given: unknown, list: string, flight: SampledFlight, diagnostics: Diagnostics): Found[] {
  if (given === undefined) return [];
  if (!Array.isArray(given) || given.length > MAX_REQUIREMENTS) {
    const what = Array.isArray(given) ? `the list has ${given.length} requirements` : `${show(given)} is not a list`;
    diagnostics.add("wrongLength", list, what, `use a list of at most ${MAX_REQUIREMENTS} texts or tables`);
    return [];
  }
  // All entries share one object, because making it takes longer than checking an entry.
  const samples = new FlightSamples(flight);
  return given.flatMap((entry, i) => readEntry(entry, `${list}[${i}]`, { flight, samples }, diagnostics));
}

interface CheckedFlight {
  readonly flight: SampledFlight;
  readonly samples: FlightSamples;
}

function readEntry(entry: unknown, key: string, { flight, samples }: CheckedFlight, diagnostics: Diagnostics): Found[] {
  const isText = typeof entry === "string";
  if (!isText && !isPlainObject(entry)) {
    const what = `${show(entry)} is not a requirement`;
    diagnostics.add("wrongType", key, what, 'use a text such as "never tilt > 60 deg", or a table with the key text');
    return [];
  }
  const table = isText ? { text: entry } : entry;
  const params = diagnostics.unlessDiagnosed(() => diagnostics.params(requirementTable, table, key));
  if (params === undefined) return [];
  const textKey = isText ? key : `${key}.text`;
  const { text, name, severity } = params;
  try {
    const requirement = readRequirement(text, {
      severity: severity as Severity,
      ...(name === "" ? {} : { name }),
      ...(typeof table["mustOccur"] === "boolean" ? { mustOccur: table["mustOccur"] } : {}),
    });
    // Throws if the flight does not have a value or an event that the requirement names.
    new Judge({ requirements: [requirement] }, samples);
    warnIfLate(requirement, textKey, flight, diagnostics);
    return [{ key, requirement }];
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    diagnostics.errors.push(diagnostics.withPlaceOf(error, textKey));
    return [];
  }
}

/** Warns if a requirement's window begins after the timeline's end, because the verdict can then only be undecided. */
function warnIfLate({ tree, text }: Requirement, key: string, flight: SampledFlight, diagnostics: Diagnostics): void {
  const { scope } = tree;
  const fromUs = scope.scope === "during" ? scope.span.fromUs : scope.scope === "at" ? scope.tUs : 0;
  const { endS } = flight.definition.timeline;
  if (fromUs <= endS * 1e6) return;
  const what = `"${text}" begins after the end of the timeline, at ${endS} s`;
  diagnostics.warn(requirementErrors.badWindow, key, what, "use a later timeline.endS");
}
