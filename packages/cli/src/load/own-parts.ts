/** The user's own parts: loads the modules that `--with` names and adds their exports to the registry. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Kinds, Registry } from "@escapement/core";
import { cliErrors } from "../errors.ts";

const EXPORTS = [
  "winds",
  "integrators",
  "estimators",
  "sensors",
  "autopilots",
  "atmospheres",
  "gravities",
  "vehicles",
  "flights",
] as const satisfies readonly (keyof Kinds)[];

export async function withOwnParts(registry: Registry, modules: readonly string[]): Promise<Registry> {
  let all = registry;
  for (const name of modules) all = all.with(await kindsOf(name));
  return all;
}

async function kindsOf(name: string): Promise<Partial<Kinds>> {
  let exported: Record<string, unknown>;
  try {
    exported = (await import(pathToFileURL(resolve(name)).href)) as Record<string, unknown>;
  } catch (error) {
    throw cliErrors.badModule({
      what: `the module cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      where: { file: name },
      fix: "give the path of a JavaScript module",
      cause: error,
    });
  }
  const found = EXPORTS.filter((key) => exported[key] !== undefined);
  if (found.length === 0) {
    throw cliErrors.badModule({
      what: "the module exports no kinds",
      where: { file: name },
      fix: `export at least one of: ${EXPORTS.join(", ")}`,
    });
  }
  return Object.fromEntries(found.map((key) => [key, exported[key]]));
}
