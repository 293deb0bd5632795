// What a user can get wrong in the mathematics: tables that are no function and matrices without an inverse.

import { defineErrors } from "../errors/index.ts";

export const mathErrors = defineErrors("MATH", {
  badTable: {
    number: 1,
    title: "a lookup table is not a function",
    explain:
      "A table needs as many values as grid points, at least one of each, all of them finite, and a grid that strictly increases: between two equal or falling grid points no value could be interpolated.",
  },
  singularMatrix: {
    number: 2,
    title: "a matrix has no inverse",
    explain:
      "The determinant of the 3×3 matrix is zero or not finite. An inertia tensor must be symmetric and positive definite; a mounting or mixing matrix must not map different vectors to the same one.",
  },
});
