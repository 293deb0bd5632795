/** Errors of the magnetic field. */
import { defineErrors } from "../../errors/index.ts";

export const magneticErrors = defineErrors("MAG", {
  outOfDate: {
    number: 1,
    title: "a date is outside the validity of the magnetic model",
    explain:
      "The Earth's field drifts. A World Magnetic Model extrapolates it linearly and is valid for five years. WMM2025 covers 2025.0 to 2030.0.",
  },
});
