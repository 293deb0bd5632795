/** Mission files, the keys that are allowed beside them, and headings of items that are written as words. */
import { describe, expect, it } from "vitest";
import type { PlainObject } from "../../params/index.ts";
import type { Mission } from "../../autopilot/mission.ts";
import { coreRegistry } from "../registry.ts";
import { builtInLoader, mustResolve, type Resolution, resolveFlight } from "../resolve/resolve.ts";

const item = { command: 22, frame: "relative", p1: 0, p2: 0, p3: 0, p4: Number.NaN, autoContinue: true } as const;
const fromFile: Mission = { items: [{ ...item, latDeg: 47.397742, lonDeg: 8.545594, altM: 12 }] };
const home = { latDeg: 47.397742, lonDeg: 8.545594, altM: 488 };
const rally = [{ ...home, altM: 10 }];
const fence = { circles: [{ latDeg: 47.4, lonDeg: 8.5, radiusM: 100 }] };

/** Resolves the top layer over the other layers. Any name of a mission file gives the same mission. */
function resolve(top: PlainObject, below?: PlainObject): Resolution {
  const builtIn = builtInLoader(coreRegistry);
  return resolveFlight(
    { file: "top", spec: top },
    coreRegistry,
    (name, from) => (name === "below" ? { file: "below", spec: below! } : builtIn(name, from)),
    { mission: () => ({ value: fromFile, errors: [], warnings: [] }) },
  );
}
const diagnostics = (resolution: Resolution) =>
  resolution.errors.map(({ code, where }) => `${code} ${where.file ?? ""} ${where.key ?? ""}`);
const missionOf = (resolution: Resolution) => mustResolve(resolution).definition.mission!;

describe("a mission's file", () => {
  it("is the whole mission: other mission keys beside it are errors", () => {
    expect(diagnostics(resolve({ mission: { file: "a.plan", home, fence, rally } }))).toEqual([
      "FLIGHT-012 top mission.home",
      "FLIGHT-012 top mission.fence",
      "FLIGHT-012 top mission.rally",
    ]);
    expect(diagnostics(resolve({ mission: { file: "a.plan", items: [{ land: true }], fence } }))).toEqual([
      "FLIGHT-012 top mission.file",
    ]);
  });

  it("replaces inherited items, whether or not other keys accompany it", () => {
    expect(missionOf(resolve({ extends: "mission", mission: { file: "a.plan", armAtS: 0.5 } }))).toMatchObject({
      armAtS: 0.5,
      items: [{ altM: 12 }],
    });
    expect(diagnostics(resolve({ extends: "mission", mission: { file: "a.plan", fence } }))).toEqual([
      "FLIGHT-012 top mission.fence",
    ]);
  });

  it("replaces inherited fence, rally points and home too; items replace an inherited file", () => {
    const items = [{ takeoff: { altitudeM: 10 } }, { land: true }];
    const below = { mission: { items, home, fence, rally } };
    expect(missionOf(resolve({ extends: "below", mission: "a.plan" }, below))).toMatchObject({
      fence: null,
      rally: [],
    });
    expect(missionOf(resolve({ extends: "below", mission: { items } }, { mission: "a.plan" })).items).toHaveLength(2);
  });
});

describe("headings of named items", () => {
  const itemsOf = (...items: PlainObject[]) => missionOf(resolve({ mission: { items } })).items;

  it("of a loiter are kept, with or without a hold time", () => {
    const [unlimited, timed, withoutYaw] = itemsOf(
      { loiter: { altitudeM: 5, yawDeg: 90 } },
      { loiter: { altitudeM: 5, holdS: 4, yawDeg: 90 } },
      { loiter: { altitudeM: 5, holdS: 4 } },
    );
    expect(unlimited).toMatchObject({ command: 17, p1: 0, p4: 90 });
    expect(timed).toMatchObject({ command: 19, p1: 4, p4: 90 });
    expect(withoutYaw).toMatchObject({ command: 19, p1: 4, p4: null });
  });

  it("of a landing are rejected, because PX4 ignores them", () => {
    const resolution = resolve({ mission: { items: [{ takeoff: { altitudeM: 5 } }, { land: { yawDeg: 90 } }] } });
    expect(diagnostics(resolution)).toEqual(["FLIGHT-002 top mission.items[1].land.yawDeg"]);
  });
});
