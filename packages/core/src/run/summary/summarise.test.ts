/** The summary of a recording equals the summary of the recorded flight. */
import { expect, it } from "vitest";
import { flyFlightNow } from "../fly-flight.ts";
import { coreRegistry } from "../../describe/registry.ts";
import { mustResolve, resolveFlight } from "../../describe/resolve/resolve.ts";
import { summarise } from "./summarise.ts";

it("the summary of a recording equals the summary of the flight", () => {
  const spec = {
    extends: "mission",
    timeline: { endS: 12 },
    scenario: [{ atS: 6, forS: 1, gust: { velNedMps: [5, 0, 0] } }],
  };
  const flight = flyFlightNow(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)));
  const summary = summarise(flight.recording);
  expect(summary.events).toEqual(flight.events);
  expect(summary.extremes).toEqual(flight.extremes);
  expect([summary.kind, summary.reason]).toEqual([flight.outcome, flight.reason]);
});
