/** The texts of a branch's changes, and the growth of its difference from its parent. */
import { describe, expect, it } from "vitest";
import { editBetween } from "../../describe/definition/family.ts";
import { firstDifference, firstSignalDifference } from "../../record/index.ts";
import { editTexts } from "../events/edit-texts.ts";
import { flyFlightNow } from "../fly-flight.ts";
import { differenceGrowth } from "./growth.ts";
import { FlightSession } from "../session/session.ts";

const fly = (scenario: readonly object[]) => {
  const spec = { extends: "mission", timeline: { endS: 8 }, scenario };
  return flyFlightNow(FlightSession.open(spec as never).resolved);
};
const parent = fly([]);

describe("the difference of a branch", () => {
  const branch = fly([{ atS: 6.0001, motorLoss: { motor: 2, gain: 0.8 } }]);

  it("begins at the event, at a boundary that only the branch has", () => {
    const number = parent.recording.boundaries.timesUs.findIndex((tUs) => tUs >= 6_000_100);
    expect(firstDifference(parent.recording, branch.recording)).toMatchObject({
      stage: "boundaries",
      tUs: 6_000_100,
      boundary: number,
    });
    expect(firstSignalDifference(parent.recording, branch.recording)).toMatchObject({
      stage: "scenario",
      signal: "motorGain",
      component: 1,
      tUs: 6_000_100,
      a: 1,
      b: 0.8,
    });
    expect(firstSignalDifference(parent.recording, parent.recording)).toBeUndefined();
  });

  it("is measured at log ticks on a logarithmic scale, and at the end", () => {
    const growth = differenceGrowth(parent.recording, branch.recording, 6_000_100);
    expect(growth.map(({ tUs }) => tUs)).toEqual([6_100_000, 6_300_000, 7_000_000, 8_000_000]);
    const at = (flight: typeof parent, timeS: number) => flight.signal("posNed").at(timeS);
    for (const { tUs, positionM } of growth) {
      const [a, b] = [at(parent, tUs / 1e6), at(branch, tUs / 1e6)];
      expect(positionM).toBeCloseTo(Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!), 12);
    }
    expect(growth[0]!.attitudeDeg).toBeGreaterThan(0.1);
    expect(growth[2]!.positionM).toBeGreaterThan(growth[0]!.positionM!);
    expect(growth[0]!.motorCommand).toBeGreaterThan(0);
  });
});

describe("the texts of an edit", () => {
  const texts = (scenario: readonly object[]) => {
    const spec = { extends: "mission", scenario };
    return editTexts(editBetween(parent.resolved.definition, FlightSession.open(spec as never).resolved.definition)!);
  };

  it("are phrases; the phrase of a change that is not at the fork begins with its time", () => {
    expect(
      texts([
        { atS: 5, motorOff: { motor: 2 } },
        { atS: 6, forS: 2, gust: { velNedMps: [0, 5, 0] } },
        { when: "altitudeM > 5", fromS: 7, parameter: { name: "MPC_XY_CRUISE", value: 3 } },
        { atS: 8, batteryOff: true },
        { atS: 9, rtl: true },
      ]),
    ).toEqual([
      "motor 2 off",
      "at 6 s: gust [0, 5, 0] m/s for 2 s",
      "when altitudeM > 5 from 7 s: MPC_XY_CRUISE = 3",
      "at 8 s: all batteries cut off",
      "at 9 s: rtl",
      expect.stringMatching(/^the timeline ends at \d+ s$/),
    ]);
  });

  it("name removed events", () => {
    const { definition } = fly([{ atS: 5, motorJam: { motor: 3 } }]).resolved;
    expect(editTexts(editBetween(definition, parent.resolved.definition)!)).toEqual(['without "motor 3 jammed"']);
  });
});
