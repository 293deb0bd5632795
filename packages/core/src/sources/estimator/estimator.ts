/** The estimators. */
import type { Source } from "../../engine/index.ts";
import { defineKind, defineParams, type Kind } from "../../params/index.ts";
import { ekfLike } from "./ekf-like.ts";
import { delayS, type EstimatorContext, makeEstimator } from "./estimator-source.ts";
import { noisy } from "./noisy.ts";

export type { EstimatorContext } from "./estimator-source.ts";

const truth = defineKind({
  name: "truth",
  about: "The exact true state, optionally delayed.",
  version: 1,
  params: defineParams({ delayS }),
  make: (p, context: EstimatorContext): Source<"estimator"> => makeEstimator(context, p.delayS),
});

/** The built-in estimators. */
export const estimatorKinds = [ekfLike, noisy, truth] as const satisfies readonly Kind<
  Source<"estimator">,
  EstimatorContext
>[];
