/**
 * Every parser of foreign text takes time that is linear in the length. The texts have a million characters, and would
 * take hours with a regular expression that backtracks.
 */
import { describe, expect, it } from "vitest";
import { coreRegistry, parseCondition, resolveFlight } from "@escapement/core";
import { FlightLayers, readFlightText, readMission, readParams, type TextFiles } from "@escapement/formats";

const LONG = 1_000_000;
const encoder = new TextEncoder();

describe("a text of a million characters is rejected in linear time", () => {
  it.each([
    ["spaces", " ".repeat(LONG)],
    ["spaces before a comparator", `altitudeM${" ".repeat(LONG)}!`],
    ["letters", `${"a".repeat(LONG)}!`],
    ["spaces and no and", `altitudeM > 1${" ".repeat(LONG)}an`],
  ])("%s as a condition", (_, text) => {
    expect(parseCondition(text)).toHaveProperty("what");
  });

  it.each([
    ["digits", "1".repeat(LONG)],
    ["digits and a letter", `${"1".repeat(LONG)}x`],
    ["spaces", `1${" ".repeat(LONG)}x`],
  ])("%s as a duration", (_, at) => {
    const { errors } = resolveFlight({ file: "x", spec: { scenario: [{ at, rtl: true }] } }, coreRegistry);
    expect(errors.map(({ where }) => where.key)).toEqual(["scenario[0].at"]);
  });

  it.each([
    ["digits", `${"1".repeat(LONG)}x`],
    ["spaces", " ".repeat(LONG)],
  ])("%s in a mission or parameter file", (_, text) => {
    expect(readMission(encoder.encode(`QGC WPL 110\n0 1 0 ${text} 0 0 0 0 0 0 0 1\n`), "m").errors).not.toEqual([]);
    expect(readParams(encoder.encode(`1 1 MPC_XY_P ${text} 9\n`), "p").errors).not.toEqual([]);
  });
});

describe("a file with an error on every line", () => {
  it("is split into lines once, so that time is linear in the number of errors", () => {
    const mission = `QGC WPL 110\n${"0 1 3 nonsense\n".repeat(200)}`;
    const texts: string[] = [];
    const files: TextFiles = {
      read: () => encoder.encode(mission),
      exists: () => true,
      pathFrom: (name) => name,
      textOf: (path) => {
        texts.push(path);
        return mission;
      },
    };
    const layers = new FlightLayers(coreRegistry, files);
    const text = readFlightText('extends = "mission"\nmission.file = "bad.waypoints"\n', "flight.toml");
    const { errors } = layers.resolveLayer(layers.layerOf(text, "flight.toml"));
    expect(errors.length).toBeGreaterThan(100);
    expect(texts).toEqual(["bad.waypoints"]);
  });
});
