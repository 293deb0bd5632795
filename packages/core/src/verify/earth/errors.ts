/** Errors of the body over a rotating Earth. */
import { defineErrors } from "../../errors/index.ts";

export const earthErrors = defineErrors("EARTH", {
  badBody: {
    number: 1,
    title: "the description of a body over the Earth is not consistent",
    explain:
      "The knots of a wind profile must increase in altitude, and a body must have three positive moments of inertia.",
  },
});
