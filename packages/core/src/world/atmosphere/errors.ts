/** Errors of the atmosphere. */
import { defineErrors } from "../../errors/index.ts";

export const airErrors = defineErrors("AIR", {
  outOfRange: {
    number: 1,
    title: "an altitude is outside the range of the atmosphere model",
    explain:
      "A standard atmosphere is defined only between two altitudes. Outside them its formulas still give numbers, but these are not valid, so the flight stops.",
  },
  tooCold: {
    number: 2,
    title: "a temperature offset makes the air too cold",
    explain: "The offset is added to every layer of the standard atmosphere; the coldest one must stay above 100 K.",
  },
});
