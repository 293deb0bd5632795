/**
 * `escapement/vitest`: importing it adds the matchers of `escapement/matchers` to Vitest's `expect`, with their types.
 */
import { expect } from "vitest";
import { type FlightExpectations, flightMatchers } from "./matchers.ts";

declare module "vitest" {
  // The parameter must be declared as Vitest declares it.
  // oxlint-disable-next-line no-explicit-any, no-unused-vars
  interface Matchers<T = any> extends FlightExpectations {}
}

expect.extend(flightMatchers);

export { flightMatchers };
