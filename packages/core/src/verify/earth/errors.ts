/** Errors of the body over a turning Earth. */
import { defineErrors } from "../../errors/index.ts";

export const earthErrors = defineErrors("EARTH", {
  badBody: {
    number: 1,
    title: "the description of a body over the Earth is not consistent",
    explain: "The knots of a wind profile rise in altitude, and a body has three positive moments of inertia.",
  },
});
