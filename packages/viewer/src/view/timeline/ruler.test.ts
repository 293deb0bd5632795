/** Tests the ticks of the ruler and the lanes of the timeline. */
import { describe, expect, it } from "vitest";
import { ViewFlight } from "../store/view-flight.ts";
import { lanesOf } from "./lanes.ts";
import { rulerTicks } from "./ruler.ts";

describe("ruler", () => {
  it("has round steps that leave room for their labels", () => {
    expect(rulerTicks(0, 60e6, 700).map(({ text }) => text)).toEqual(["0", "10", "20", "30", "40", "50", "60"]);
    expect(rulerTicks(24e6, 24.1e6, 700).map(({ text }) => text)[1]).toBe("24.01");
    expect(rulerTicks(0, 600e6, 700).at(-1)).toEqual({ tUs: 600e6, text: "10:00" });
  });

  it("has no tick outside the span", () => {
    for (const { tUs } of rulerTicks(3_123_456, 9_876_543, 800)) {
      expect(tUs).toBeGreaterThanOrEqual(3_123_456);
      expect(tUs).toBeLessThanOrEqual(9_876_543);
    }
  });
});

describe("lanes", () => {
  it("are one per flight, and one per sweep with the active flight first", () => {
    const flights = [new ViewFlight(1, 0), new ViewFlight(2, 1, 7), new ViewFlight(3, 2, 7), new ViewFlight(4, 3)];
    const lanes = lanesOf(flights, 3).map((lane) => lane.flights.map(({ id }) => id));
    expect(lanes).toEqual([[1], [3, 2], [4]]);
  });
});
