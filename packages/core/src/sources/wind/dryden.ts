/** Dryden turbulence: rational spectra that fall with the square of the frequency, one process per component. */
import { defineKind } from "../../params/index.ts";
import { MilTurbulence, milTurbulenceParams } from "./mil-turbulence.ts";
import type { WindContext, WindModel } from "./wind-model.ts";

const spectrum = { highLengthFt: 1750, rates: [1], variances: [1] };

export const dryden = defineKind({
  name: "dryden",
  about: "Continuous turbulence with Dryden's spectra, by MIL-F-8785C.",
  version: 3,
  params: milTurbulenceParams,
  make: (given, context: WindContext): WindModel => new MilTurbulence(given, context, spectrum),
});
