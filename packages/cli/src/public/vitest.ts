/**
 * `escapement/vitest`: importing it adds the matchers of `escapement/matchers` to Vitest's `expect`, with their types.
 */
import { campaignErrors } from "@escapement/campaign";
import { type FlightExpectations, flightMatchers } from "./matchers.ts";

declare module "vitest" {
  // The type parameter must be declared as in Vitest. oxlint-disable-next-line no-explicit-any, no-unused-vars
  interface Matchers<T = any> extends FlightExpectations {}
}

const { expect } = await loadVitest();
expect.extend(flightMatchers);

export { flightMatchers };

async function loadVitest(): Promise<typeof import("vitest")> {
  try {
    return await import("vitest");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw campaignErrors.missingPackage({
      what: "escapement/vitest adds matchers to Vitest, which is not installed",
      fix: "npm install --save-dev vitest; with Jest, use escapement/matchers and expect.extend",
      cause: error,
    });
  }
}
