/** The wind source in a flight is held between its ticks, added to the scenario's gusts, and repeatable. */
import { describe, expect, it } from "vitest";
import { checkParams } from "../../packages/core/src/params/index.ts";
import { makeWindSource, windKinds } from "../../packages/core/src/sources/wind/index.ts";
import type { WindModel } from "../../packages/core/src/sources/wind/index.ts";
import { StateLayout } from "../../packages/core/src/state/index.ts";
import { periodicAxis, type Plant } from "../support/core.ts";
import { codeOf, DIMS, flightOf, flyRecorded, scenario, U, windCart } from "../support/flights.ts";

const vector = (name: string, unit: string) =>
  ({ name, size: 3, unit, kind: "vector", group: name, tolerance: { absolute: 1e-9, relative: 0 } }) as const;

/** A leaf at a height of 30 m that follows the wind's velocity with a time constant of 1 s. */
const leaf = (): Plant => ({
  layout: new StateLayout([vector("posNed", "m"), vector("velNed", "m/s")]),
  initialInto: (x) => {
    x[2] = -30;
  },
  derivativesInto: (dx, _timeS, x, u) => {
    for (let i = 0; i < 3; i += 1) {
      dx[i] = x[3 + i]!;
      dx[3 + i] = u[U.windNed + i]! - x[3 + i]!;
    }
  },
});

function source(name: string, given: object, periodUs: number) {
  const kind = windKinds.find((one) => one.name === name)!;
  const model = kind.make(checkParams(kind.params, { ...given }, []) as never, { seed: 9, periodUs });
  return makeWindSource(model, periodicAxis({ periodUs }));
}

describe("the wind source", () => {
  it("[L4] holds its sample between wind ticks: wind(t) = t every 200 ms, logged every 100 ms", () => {
    const ramp: WindModel = {
      sampleInto: (windNed, { clock }) => windNed.set([clock.s, 0, 0]),
      save: () => {},
      load: () => {},
    };
    const wind = makeWindSource(ramp, periodicAxis({ periodUs: 200000 }));
    const { sink } = flyRecorded({ endUs: 300000, plant: leaf(), wind, logPeriodUs: 100000, dims: DIMS });
    expect(sink.column("wind_ned_n_mps")).toEqual([0, 0, 0.2, 0.2]);
  });

  it("[D19] logs at t0 the initial wind, not the first step, plus the scenario's gust", () => {
    const wind = source("ou", { sigmaNedMps: [0, 0, 0], meanNedMps: [1, 0, 0] }, 10000);
    const gusty = scenario(35000, (clock, bus) => bus.windGustNed.set([clock.us === 35000 ? 3 : 0, 0, 0]));
    const { sink } = flyRecorded({ endUs: 40000, plant: leaf(), wind, scenario: gusty, logPeriodUs: 5000, dims: DIMS });
    expect(sink.column("wind_ned_n_mps")).toEqual([1, 1, 1, 1, 1, 1, 1, 4, 4]);
    expect(sink.column("wind_base_ned_n_mps").every((value) => value === 1)).toBe(true);
  });

  it.each(["ou", "dryden", "von-karman"])("[L9] %s: a repeated flight has the same fingerprint", (name) => {
    const parts = () => ({
      endUs: 500000,
      plant: leaf(),
      wind: source(name, {}, 10000),
      logPeriodUs: 50000,
      dims: DIMS,
    });
    const whole = flyRecorded(parts());
    const again = flyRecorded(parts());
    expect(again.fingerprint.result()).toEqual(whole.fingerprint.result());
    expect(whole.sink.column("vel_ned_1_mps").at(-1)).not.toBe(0);
  });

  it("names the wind model that needs a position, if the plant has no position", () => {
    const flight = () => flyRecorded({ endUs: 1000, plant: windCart(), wind: source("ou", {}, 1000), dims: DIMS });
    expect(codeOf(flight)).toBe("STATE-001");
    expect(flightOf({ endUs: 1000, plant: windCart(), dims: DIMS })).toBeDefined();
  });
});
