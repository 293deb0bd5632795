/** The flights with committed digests use everything that can change a bit. */
import { describe, expect, it } from "vitest";
import { coreRegistry, findStream, flyFlightNow, SIGNALS, streamColumn, valueName } from "@escapement/core";
import { type ReferenceFlight, referenceFlights, resolveReference } from "./reference-flights.ts";
import { hasWind } from "../support/has-wind.ts";

const definitions = referenceFlights.map((reference) => resolveReference(reference).definition);
const namesOf = (kinds: readonly { readonly name: string }[]) => kinds.map(({ name }) => name).sort();
const sortedUnique = (names: Iterable<string>) => [...new Set(names)].sort();
const flightsNamed = (text: string): ReferenceFlight[] => referenceFlights.filter(({ name }) => name.includes(text));
const recordingOf = (reference: ReferenceFlight) => flyFlightNow(resolveReference(reference)).recording;

describe("the committed digests cover", () => {
  it("every integrator", () => {
    expect(sortedUnique(definitions.map(({ integrator }) => integrator.kind))).toEqual(
      namesOf(coreRegistry.integrators),
    );
  });

  it("every wind", () => {
    expect(sortedUnique(definitions.map(({ wind }) => wind.kind))).toEqual(namesOf(coreRegistry.winds));
  });

  it("every wind while it blows; if a kind needs parameters to do so, add them to `NEEDED_PARAMS`", () => {
    const calm = flightsNamed("wind-").filter((reference) => !hasWind(resolveReference(reference)));
    expect(calm.map(({ name }) => name)).toEqual(["wind-none"]);
  });

  it("every sensor", () => {
    const used = definitions.flatMap(({ sensors }) => Object.values(sensors).map(({ kind }) => kind));
    expect(sortedUnique(used)).toEqual(namesOf(coreRegistry.sensors));
  });

  it("every estimator", () => {
    expect(sortedUnique(definitions.map(({ estimator }) => estimator.kind))).toEqual(namesOf(coreRegistry.estimators));
  });

  it("every vehicle", () => {
    const used = referenceFlights.map(({ spec }) => (typeof spec["vehicle"] === "string" ? spec["vehicle"] : "iris"));
    expect(sortedUnique(used)).toEqual(Object.keys(coreRegistry.vehicles).sort());
  });

  it("every failsafe and every action that follows", () => {
    const recordings = flightsNamed("failsafe").map(recordingOf);
    const valuesOf = (signal: "failsafe" | "navState") =>
      sortedUnique(
        recordings.flatMap((recording) =>
          [...streamColumn(findStream(recording, signal), 0)].map((value) => valueName(signal, value)),
        ),
      );
    expect(valuesOf("failsafe")).toEqual(Object.keys(SIGNALS.failsafe.values).sort());
    expect(valuesOf("navState")).toEqual(["descend", "hold", "land", "mission", "return", "termination"]);
  });

  it("numbers below the smallest normal one", () => {
    const { values } = findStream(recordingOf(flightsNamed("subnormals")[0]!), "state");
    expect(values.some((value) => value !== 0 && Math.abs(value) < 2 ** -1022)).toBe(true);
  });
});
