// The committed bits of the portable functions. A change of these bits changes every flight and belongs under Behaviour
// in the changelog.

import { expect, it } from "vitest";
import { mathDigests } from "../../../../tests/support/math-digest.ts";
import * as math from "./index.ts";

it("[L9] gives the committed bits for 20 000 inputs of every function", () => {
  expect(mathDigests(math)).toEqual({
    acos: "8cb77167",
    asin: "67da0b82",
    atan: "451bcb06",
    atan2: "eee9a9d5",
    cos: "2578e5a8",
    exp: "2b9cbd2d",
    expm1: "7e1b43e3",
    log: "df50fcfe",
    pow: "f40ee835",
    sin: "8f5f77e6",
    tan: "e1390e9a",
  });
});
