/** The heading of a campaign's plot says whether flights violate a requirement. */
import { expect, it } from "vitest";
import { whereHeading } from "./where-heading.ts";

const counts = (...violated: number[]) => ({ requirements: violated.map((each) => ({ flights: { violated: each } })) });

it("the heading mentions violations only if a flight violates a requirement", () => {
  expect(whereHeading(counts(0, 3))).toBe("Where requirements are violated");
  expect(whereHeading(counts(0, 0))).toBe("Where margins are smallest");
  expect(whereHeading(counts())).toBe("All flights");
});
