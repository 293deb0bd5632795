/**
 * Property tests draw the same cases in every run, so a failing test fails again; `FC_SEED` selects other cases.
 */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["FC_SEED"] ?? 1) });
