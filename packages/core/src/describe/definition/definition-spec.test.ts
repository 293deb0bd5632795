/** A definition written as a description resolves to the same definition. */
import { describe, expect, it } from "vitest";
import type { PlainObject } from "../../params/index.ts";
import { specOf } from "./definition-spec.ts";
import { coreRegistry } from "../registry.ts";
import { mustResolve, resolveFlight } from "../resolve/resolve.ts";

const resolve = (spec: PlainObject) => mustResolve(resolveFlight({ file: "test", spec }, coreRegistry));

describe("a definition as a description", () => {
  it.each(Object.keys(coreRegistry.flights))("%s: has the same hash", (name) => {
    const { definition, hash } = resolve({ extends: name });
    expect(resolve(specOf(definition)).hash).toBe(hash);
  });

  it.each<PlainObject>([
    { extends: "mission", stop: { onCrash: false, onLanding: false } },
    { extends: "mission", stop: { crashSpeedMps: 1.5, afterLandingS: 0.25 }, mission: { armAtS: 0.5 } },
    {
      extends: "hover",
      sensors: { imu: true, gnss: { periodS: 0.4 } },
      scenario: [
        { at: "3 s", for: "2 s", gust: { velNedMps: [1, 0.1, 0] } },
        { when: "altitudeM > 2.5 and armed == 1", holdS: 0.5, afterS: 1, motorOff: { motor: 2 } },
        {
          when: "altitudeM < 1",
          fromS: 3.5,
          name: "low",
          note: "Lands, too low.",
          repeats: true,
          hysteresis: 0.1,
          snap: "autopilot",
          land: {},
        },
        { step: 100, parameter: { name: "MPC_XY_CRUISE", value: 3 } },
        { at: "30 s", stop: { outcome: "completed", reason: "enough" } },
      ],
    },
    {
      extends: "mission",
      mission: {
        items: [{ takeoff: { altitudeM: 5 } }, { waypoint: { northM: 3, altitudeM: 5 } }, { land: true }],
        fence: {
          circles: [{ latDeg: 47.397742, lonDeg: 8.545594, radiusM: 500 }],
          polygons: [{ latsDeg: [47, 48, 48], lonsDeg: [8, 8, 9], inclusion: true }],
        },
        rally: [{ latDeg: 47.3977, lonDeg: 8.5456, altM: 20 }],
      },
    },
  ])("%j: has the same hash", (spec) => {
    const { definition, hash } = resolve(spec);
    expect(resolve(specOf(definition)).hash).toBe(hash);
  });

  it("can be changed: the seed, the stop rules, the mission's timing", () => {
    const { definition } = resolve({ extends: "mission" });
    const changed = resolve({
      ...specOf(definition),
      seed: 8,
      stop: { onCrash: false },
      mission: { ...(specOf(definition)["mission"] as PlainObject), armAtS: 0.5 },
    }).definition;
    expect(changed.seed).toBe(8);
    expect(changed.scenario[0]).toMatchObject({ action: "arm", trigger: { tUs: 500_000 } });
    expect(changed.scenario.filter(({ params }) => params["outcome"] === "crashed")).toEqual([]);
  });
});
