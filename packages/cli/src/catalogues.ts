/** Every error that the command can print, for `explain` and the docs. */
import { coreCatalogues, type ErrorCatalogue } from "@escapement/core";
import { formatCatalogues } from "@escapement/formats";
import { px4Catalogues } from "@escapement/px4";
import { cliErrors } from "./errors.ts";

export const catalogues: readonly ErrorCatalogue[] = [
  ...coreCatalogues,
  ...formatCatalogues,
  ...px4Catalogues,
  cliErrors,
];
