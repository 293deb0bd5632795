/** Differences between descriptions: settings, events, and flights that take some differences from each description. */
import { describe, expect, it } from "vitest";
import type { PlainObject } from "../params/index.ts";
import { coreRegistry, mustResolve, resolveFlight } from "../describe/index.ts";
import { FlightMix } from "./differences.ts";
import { alignEvents } from "./event-slots.ts";

const definitionOf = (spec: PlainObject) => mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)).definition;
const mixOf = (good: PlainObject, bad: PlainObject) => new FlightMix(definitionOf(good), definitionOf(bad));
const keysOf = ({ differences }: FlightMix) => differences.map(({ key }) => key);

describe("the differences between two flights", () => {
  it("are leaf keys, or groups of keys that make sense only together", () => {
    const mix = mixOf(
      { extends: "mission" },
      {
        extends: "mission",
        name: "other",
        seed: 2,
        vehicle: {
          massKg: 1.6,
          inertiaDiagKgM2: [0.03, 0.03, 0.06],
          batteries: [{ ...definitionOf({ extends: "mission" }).vehicle.batteries[0]!, soc: 0.9 }],
        },
        wind: { kind: "dryden" },
        estimator: { yawSigmaRad: 0.02 },
        autopilot: { parameters: { MPC_XY_CRUISE: 6, CA_ROTOR0_PX: 0.16, CA_ROTOR1_PX: -0.16 } },
        sensors: { imu: true },
      },
    );
    expect(keysOf(mix)).toEqual([
      "seed",
      "vehicle.massKg",
      "vehicle.inertia*",
      "vehicle.batteries[0].soc",
      "wind",
      "estimator.yawSigmaRad",
      "sensors.imu",
      "autopilot.parameters.MPC_XY_CRUISE",
      "autopilot.parameters.CA_*",
    ]);
  });

  it("are an empty list if both flights are the same", () => {
    expect(keysOf(mixOf({ extends: "motor-out" }, { extends: "motor-out", name: "again" }))).toEqual([]);
  });

  it.each([
    ["mission", "motor-out"],
    ["motor-out", "gust"],
    ["mission", "octa-motor-out"],
    ["hover", "drop"],
    ["battery-rtl", "step"],
    ["altitude-3000", "hover"],
  ])("turn %s into %s if all of them are applied", (good, bad) => {
    const mix = mixOf({ extends: good }, { extends: bad });
    const { name: _name, ...all } = definitionOf(mix.specWith(mix.differences));
    const { name: _other, ...expected } = definitionOf({ extends: bad });
    expect(all).toEqual(expected);
    expect(definitionOf(mix.specWith([]))).toEqual(definitionOf({ extends: good }));
  });
});

describe("the events of two scenarios", () => {
  const off = (atS: number, motor: number): PlainObject => ({ atS, motorOff: { motor } });
  const slotsOf = (good: PlainObject[], bad: PlainObject[]) =>
    alignEvents(good, bad).map((slot) => [slot.good?.number ?? "-", slot.bad?.number ?? "-", slot.isCommon]);

  it("are the same, added, removed or changed", () => {
    expect(slotsOf([off(1, 1), off(2, 2)], [off(1, 1), { atS: 1.5, land: {} }, off(2, 2)])).toEqual([
      [0, 0, true],
      ["-", 1, false],
      [1, 2, true],
    ]);
    expect(slotsOf([off(1, 1), off(2, 2)], [off(2, 2)])).toEqual([
      [0, "-", false],
      [1, 0, true],
    ]);
    expect(slotsOf([off(1, 1)], [off(1, 3)])).toEqual([[0, 0, false]]);
    expect(slotsOf([{ atS: 1, land: {} }], [off(2, 1)])).toHaveLength(2);
    expect(slotsOf([{ name: "a", note: "x", ...off(1, 1) }], [{ name: "b", ...off(1, 1) }])).toEqual([[0, 0, true]]);
  });
});
