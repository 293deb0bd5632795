/**
 * What a part that is built on trial complains about, at the key where a person would mend it.
 *
 * A part knows its parameters, not where they stand in a description: it writes `maxStepUs`, `gnss.latencyS` or the whole
 * `estimator.delayS`. What it is handed besides, origin, parameters and mission, it calls by names of its own.
 */
import { SimError } from "../errors/index.ts";

export interface BuildProblem {
  readonly key: string;
  readonly error: SimError;
}

/** Where a description says what parts are handed. */
const SAID_AT: Readonly<Record<string, string>> = {
  origin: "environment.origin",
  params: "autopilot.parameters",
  mission: "mission",
};

/** Builds the part of a section; its typed error, if it has one. Anything else is our mistake, and thrown. */
export function problemOf(section: string, params: object, make: () => unknown): BuildProblem[] {
  try {
    make();
    return [];
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    return [{ key: keyIn(section, params, error.where.key), error }];
  }
}

/** The key in the description of what a part calls `key`; the section where that is nothing a person could have written. */
export function keyIn(section: string, params: object, key = ""): string {
  const name = /^[^.[]*/.exec(key)![0];
  if (key.startsWith(`${section}.`)) return key;
  if (Object.hasOwn(params, name)) return `${section}.${key}`;
  const rest = key.slice(name.length);
  if (section.endsWith(`.${name}`)) return `${section}${rest}`;
  return Object.hasOwn(SAID_AT, name) ? `${SAID_AT[name]!}${rest}` : section;
}
