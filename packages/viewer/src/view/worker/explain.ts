/** Explains an error code with the text of `escapement explain`. */
import { allErrors, coreCatalogues } from "@escapement/core";
import { formatCatalogues } from "@escapement/formats";

export function explain(code: string): string {
  const found = allErrors([...coreCatalogues, ...formatCatalogues]).find((each) => each.code === code);
  return found === undefined ? `escapement explain ${code}` : found.explain;
}
