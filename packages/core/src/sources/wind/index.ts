/** Winds: kinds that a flight may name, from still air to turbulence, and the source that asks them at their ticks. */
import type { Kind } from "../../params/index.ts";
import { constant } from "./constant.ts";
import { dryden } from "./dryden.ts";
import { gust } from "./gust.ts";
import { none } from "./none.ts";
import { ou } from "./ou.ts";
import { shear } from "./shear.ts";
import { sum } from "./sum.ts";
import { vonKarman } from "./von-karman.ts";
import type { WindContext, WindModel } from "./wind-model.ts";

export { windErrors } from "./errors.ts";
export type { WindContext, WindModel, WindSight } from "./wind-model.ts";
export { makeWindSource } from "./wind-source.ts";

export const windKinds = [none, constant, shear, gust, ou, dryden, vonKarman, sum] as const satisfies readonly Kind<
  WindModel,
  WindContext
>[];
