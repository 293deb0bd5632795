/** Errors of the magnetic field. */
import { defineErrors } from "../../errors/index.ts";

export const magneticErrors = defineErrors("MAG", {
  outOfDate: {
    number: 1,
    title: "a date lies outside the years of the magnetic model",
    explain:
      "The Earth's field drifts; a World Magnetic Model extrapolates it linearly and is declared valid for five years. WMM2025 covers 2025.0 to 2030.0.",
  },
});
