/**
 * Winds: the kinds that a flight may name, and the source that samples them. To add a wind, add its file, and its name
 * to a list in this file.
 */
import type { Kind } from "../../params/index.ts";
import { constant } from "./constant.ts";
import { dryden } from "./dryden.ts";
import { gust } from "./gust.ts";
import { none } from "./none.ts";
import { ou } from "./ou.ts";
import { shear } from "./shear.ts";
import { sumOf } from "./sum.ts";
import { vonKarman } from "./von-karman.ts";
import type { WindContext, WindModel } from "./wind-model.ts";

export type { WindContext, WindModel } from "./wind-model.ts";
export { Wake } from "./wake.ts";
export { makeWindSource } from "./wind-source.ts";

/** Every wind that can be a part of a sum, in the order in which the parts are added. */
const parts = [constant, shear, gust, ou, dryden, vonKarman] as const;

/** The built-in winds. */
export const windKinds = [none, ...parts, sumOf(parts)] as const satisfies readonly Kind<WindModel, WindContext>[];
