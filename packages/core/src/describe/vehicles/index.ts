/** The built-in vehicles, by name. */
import type { PlainObject } from "../../params/index.ts";
import { hexa } from "./hexa.ts";
import { irisLinear } from "./iris-linear.ts";
import { irisReference } from "./iris-reference.ts";
import { iris } from "./iris.ts";
import { octa } from "./octa.ts";
import { x500 } from "./x500.ts";

const vehicles = {
  iris,
  "iris-reference": irisReference,
  "iris-linear": irisLinear,
  x500,
  hexa,
  octa,
};

export type BuiltInVehicle = keyof typeof vehicles;
export const builtInVehicles: Readonly<Record<string, PlainObject>> = vehicles;

/** One sentence about each vehicle. */
const abouts: Readonly<Record<BuiltInVehicle, string>> = {
  iris: "1.5 kg quadrotor with physically identified propellers, motors and a three-cell pack.",
  "iris-reference": "The same airframe with the propulsion of PX4Lockstep.jl, for comparison only.",
  "iris-linear": "The same airframe with thrust proportional to the command: the plant of PX4's reference flights.",
  x500: "2 kg quadrotor of the 500 mm class with a four-cell pack.",
  hexa: "3 kg hexarotor of the 550 mm class with a four-cell pack.",
  octa: "8 kg octorotor of one metre with two six-cell packs in parallel.",
};

export const vehicleAbouts: Readonly<Record<string, string>> = abouts;
