/** Every error of the codecs, for `explain` and the docs. */
import type { ErrorCatalogue } from "@escapement/core";
import { logErrors } from "./logs/errors.ts";
import { recordingErrors } from "./mcap/errors.ts";
import { fileErrors } from "./text/file-errors.ts";

export const formatCatalogues: readonly ErrorCatalogue[] = [fileErrors, logErrors, recordingErrors];
