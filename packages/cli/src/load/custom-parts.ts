/** Loads the modules with custom parts that `--with` names, and adds their exports to the registry. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isPlainObject, type KindFamily, type Kinds, type Registry } from "@escapement/core";
import { cliErrors } from "../errors.ts";
import { checkKind } from "./part-contract.ts";

/** Every family of kinds, in the order in which `list` shows them. */
export const FAMILIES = [
  "winds",
  "integrators",
  "estimators",
  "sensors",
  "autopilots",
  "atmospheres",
  "gravities",
] as const satisfies readonly KindFamily[];
const TABLES = ["vehicles", "flights"] as const satisfies readonly (keyof Kinds)[];
const EXPORTS: readonly string[] = [...FAMILIES, ...TABLES];

export async function withCustomParts(registry: Registry, modules: readonly string[]): Promise<Registry> {
  let all = registry;
  for (const name of modules) all = all.with(await loadKinds(name));
  return all;
}

async function loadKinds(name: string): Promise<Partial<Kinds>> {
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
  if (!EXPORTS.some((key) => exported[key] !== undefined)) {
    throw cliErrors.badModule({
      what: "the module exports no kinds",
      where: { file: name },
      fix: `export at least one of: ${EXPORTS.join(", ")}`,
    });
  }
  return { ...familiesOf(exported, name), ...tablesOf(exported, name) };
}

function familiesOf(exported: Readonly<Record<string, unknown>>, module: string): Partial<Kinds> {
  const given = FAMILIES.filter((family) => exported[family] !== undefined);
  return Object.fromEntries(
    given.map((family) => {
      const kinds = exported[family];
      if (Array.isArray(kinds)) return [family, kinds.map((kind, i) => checkKind(kind, i, { module, family }))];
      throw wrongExport(module, family, "a list of kinds");
    }),
  );
}

function tablesOf(exported: Readonly<Record<string, unknown>>, module: string): Partial<Kinds> {
  const given = TABLES.filter((name) => exported[name] !== undefined);
  return Object.fromEntries(
    given.map((name) => {
      const table = exported[name];
      if (isPlainObject(table) && Object.values(table).every(isPlainObject)) return [name, table];
      throw wrongExport(module, name, "an object with one table per name");
    }),
  );
}

function wrongExport(module: string, key: string, must: string): Error {
  return cliErrors.badModule({
    what: `the export ${key} has the wrong type`,
    where: { file: module, key },
    fix: `make it ${must}`,
  });
}
