/** Errors of the atmosphere. */
import { defineErrors } from "../../errors/index.ts";

export const airErrors = defineErrors("AIR", {
  outOfRange: {
    number: 1,
    title: "an altitude lies outside the atmosphere model",
    explain:
      "A standard atmosphere is defined between two altitudes only. Beyond them its formulas still give numbers, but nobody stands behind those: the flight stops instead.",
  },
  tooCold: {
    number: 2,
    title: "a temperature offset leaves no air to speak of",
    explain: "The offset is added to every layer of the standard atmosphere; the coldest one must stay above 100 K.",
  },
});
