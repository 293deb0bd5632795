/**
 * Property tests draw the same cases in every run, so a red test is red again; `FC_SEED` tries others.
 */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["FC_SEED"] ?? 1) });
