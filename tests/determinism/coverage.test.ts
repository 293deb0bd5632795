/** The flights with committed digests use everything that can change a bit. */
import { describe, expect, it } from "vitest";
import { coreRegistry, findStream, flyFlightNow, SIGNALS, streamColumn, valueName } from "@escapement/core";
import { type ReferenceFlight, referenceFlights, resolveReference } from "./reference-flights.ts";

const definitions = referenceFlights.map((reference) => resolveReference(reference).definition);
const namesOf = (kinds: readonly { readonly name: string }[]) => kinds.map(({ name }) => name).sort();
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
const named = (text: string): ReferenceFlight[] => referenceFlights.filter(({ name }) => name.includes(text));
const flown = (reference: ReferenceFlight) => flyFlightNow(resolveReference(reference)).recording;

describe("the committed digests cover", () => {
  it("every integrator", () => {
    expect(sorted(definitions.map(({ integrator }) => integrator.kind))).toEqual(namesOf(coreRegistry.integrators));
  });

  it("every wind", () => {
    expect(sorted(definitions.map(({ wind }) => wind.kind))).toEqual(namesOf(coreRegistry.winds));
  });

  it("every sensor", () => {
    const used = definitions.flatMap(({ sensors }) => Object.values(sensors).map(({ kind }) => kind));
    expect(sorted(used)).toEqual(namesOf(coreRegistry.sensors));
  });

  it("every estimator", () => {
    expect(sorted(definitions.map(({ estimator }) => estimator.kind))).toEqual(namesOf(coreRegistry.estimators));
  });

  it("every vehicle", () => {
    const used = referenceFlights.map(({ spec }) => (typeof spec["vehicle"] === "string" ? spec["vehicle"] : "iris"));
    expect(sorted(used)).toEqual(Object.keys(coreRegistry.vehicles).sort());
  });

  it("every failsafe and every action that follows", () => {
    const recordings = named("failsafe").map(flown);
    const valuesOf = (signal: "failsafe" | "navState") =>
      sorted(
        recordings.flatMap((recording) =>
          [...streamColumn(findStream(recording, signal), 0)].map((value) => valueName(signal, value)),
        ),
      );
    expect(valuesOf("failsafe")).toEqual(Object.keys(SIGNALS.failsafe.values).sort());
    expect(valuesOf("navState")).toEqual(["descend", "hold", "land", "mission", "return", "termination"]);
  });

  it("numbers below the smallest normal one", () => {
    const { values } = findStream(flown(named("subnormals")[0]!), "state");
    expect(values.some((value) => value !== 0 && Math.abs(value) < 2 ** -1022)).toBe(true);
  });
});
