/** Errors of geodesy. */
import { defineErrors } from "../../errors/index.ts";

export const geodesyErrors = defineErrors("GEO", {
  outOfReach: {
    number: 1,
    title: "a position is too far from the origin for its projection",
    explain:
      "A projection does not cover the whole Earth: the azimuthal one cannot map the origin's antipode, and the flat ones end at the poles, where a degree of longitude has no length.",
  },
});
