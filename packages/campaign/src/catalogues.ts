/** Every error of campaigns, for `explain` and the docs. A test compares this list with the sources. */
import type { ErrorCatalogue } from "@escapement/core";
import { compareErrors } from "./compare/compare.ts";
import { criterionErrors } from "./criteria/errors.ts";
import { planErrors } from "./plans/errors.ts";
import { searchErrors } from "./search/errors.ts";
import { campaignErrors, repeatErrors } from "./spec/errors.ts";
import { varyErrors } from "./vary/distributions.ts";

export const campaignCatalogues: readonly ErrorCatalogue[] = [
  campaignErrors,
  compareErrors,
  criterionErrors,
  planErrors,
  repeatErrors,
  searchErrors,
  varyErrors,
];
