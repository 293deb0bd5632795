/** The vehicles that come with the simulator, by name. */
import type { PlainObject } from "../../params/index.ts";
import { hexa } from "./hexa.ts";
import { irisLinear } from "./iris-linear.ts";
import { irisReference } from "./iris-reference.ts";
import { iris } from "./iris.ts";
import { octa } from "./octa.ts";
import { x500 } from "./x500.ts";

export const builtInVehicles: Readonly<Record<string, PlainObject>> = {
  iris,
  "iris-reference": irisReference,
  "iris-linear": irisLinear,
  x500,
  hexa,
  octa,
};
