/**
 * Recording to a file and replaying gives the same bits, for every built-in flight to its end, with every integrator.
 */
import { describe, expect, it } from "vitest";
import { replayFlight } from "@escapement/core";
import { FLIGHTS, flyBuiltIn, INTEGRATORS, throughBytes } from "../support/recordings.ts";

const cases = FLIGHTS.flatMap((flight) => INTEGRATORS.map((integrator) => ({ flight, integrator })));

describe("[L9.6] record and replay agree to the end", () => {
  it.each(cases)("of $flight with $integrator", async ({ flight, integrator }) => {
    const { recording, outcome } = flyBuiltIn(flight, { integrator: { kind: integrator } });
    const read = await throughBytes(recording);
    const result = replayFlight(read);
    expect([flight, outcome, result.plantDigest]).toEqual([flight, outcome, recording.digests.plant]);
    expect(result.changed).toEqual([]);
  });
});
