/** The heading of a campaign's plot says whether flights violate a requirement. */
import { expect, it } from "vitest";
import { whereHeading } from "./where-heading.ts";

const counts = (...violated: number[]) => ({ requirements: violated.map((each) => ({ flights: { violated: each } })) });

it("says that something breaks only if a flight violates a requirement", () => {
  expect(whereHeading(counts(0, 3))).toBe("Where it breaks");
  expect(whereHeading(counts(0, 0))).toBe("Where the margins are least");
  expect(whereHeading(counts())).toBe("All flights");
});
