/** What an error code means, in the words of `escapement explain`. */
import { allErrors, coreCatalogues } from "@escapement/core";
import { formatCatalogues } from "@escapement/formats";
import { viewErrors } from "../errors.ts";

export function explain(code: string): string {
  const found = allErrors([...coreCatalogues, ...formatCatalogues, viewErrors]).find((each) => each.code === code);
  return found === undefined ? `escapement explain ${code}` : found.explain;
}
