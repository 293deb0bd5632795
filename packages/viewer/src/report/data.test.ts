/** The data of a report: bands end at boundaries, waypoints are at the mission's positions, and texts are escaped. */
import {
  asFed,
  coreRegistry,
  type FlightDefinition,
  flyFlightNow,
  mustResolve,
  type Recording,
  resolveFlight,
  summarise,
} from "@escapement/core";
import { encodeRecording, MemoryBytes, openRecordingStream } from "@escapement/formats";
import { describe, expect, it } from "vitest";
import { type Band, BandWatch } from "./bands.ts";
import { flightColumns } from "./columns.ts";
import { joinColumns, makeReport } from "./data.ts";
import { reportHtml } from "./html.ts";
import { downsample } from "./downsample.ts";
import { fenceLinesOf, rallyPointsOf, waypointsOf } from "../shared/waypoints.ts";

type Rows = readonly (readonly [tS: number, ...values: number[]])[];

/** Returns the bands of a recording that contains only some held signals. */
function bandsOf(signals: Record<string, Rows>): Band[] {
  const streams = Object.entries(signals).map(([name, rows]) => ({
    name,
    size: rows[0]!.length - 1,
    timesUs: Float64Array.from(rows, ([tS]) => tS * 1e6),
    values: Float64Array.from(rows.flatMap(([, ...values]) => values)),
  }));
  const facts = { dims: { rotors: 2, batteries: 1, buses: 1 }, endUs: 10e6, initialState: new Float64Array(0) };
  const feed = asFed({ ...facts, streams, logged: [] } as unknown as Recording).openFeed();
  const watch = new BandWatch(facts, feed);
  const timesUs = streams.flatMap((stream) => [...stream.timesUs]).sort((a, b) => a - b);
  for (const tUs of timesUs) {
    feed.advanceTo(tUs);
    watch.observe(tUs);
  }
  return watch.bands();
}

describe("bands", () => {
  it("shows each fault from the boundary at which it starts to the boundary at which it ends", () => {
    const bands = bandsOf({
      motorGain: [
        [0, 1, 1],
        [2.001, 1, 0.5],
        [3, 1, 0],
        [4, 1, 1],
      ],
      motorOffset: [[0, 0, 0]],
      motorJam: [
        [0, 0, 0],
        [6, 1, 0],
      ],
      windGustNed: [
        [0, 0, 0, 0],
        [1, 0, 6, 0],
        [1.5, 0, 0, 0],
      ],
      batteryConnected: [
        [0, 1],
        [9, 0],
      ],
      sensorFaultKind: [
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [5, 0, 0, 0, 0, 4, 0, 0, 0],
      ],
    });
    expect(bands.map(({ label, from, to }) => [label, from, to])).toEqual([
      ["gust", 1, 1.5],
      ["motor 2 keeps 50 % of its duty", 2.001, 3],
      ["motor 2 off", 3, 4],
      ["gnss: drop-out", 5, 10],
      ["motor 1 jammed", 6, 10],
      ["battery 1 cut off", 9, 10],
    ]);
  });

  it("merges the draws of a noisy motor into one band", () => {
    const offsets = Array.from({ length: 100 }, (_, i) => [2 + i / 100, 0, Math.sin(i + 1)] as const);
    const bands = bandsOf({
      motorGain: [[0, 1, 1]],
      motorOffset: [[0, 0, 0], ...offsets, [3, 0, 0]],
      motorJam: [[0, 0, 0]],
    });
    expect(bands).toEqual([{ kind: "fault", label: "motor 2 noisy", from: 2, to: 3 }]);
  });

  it("shows motors at their limit, and unmet demand only in the air", () => {
    const bands = bandsOf({
      unallocated: [
        [0, 0, 0, 0, 0.5],
        [4, 0, 0, 0, 0],
        [5, 0, 0.2, 0, 0],
        [6, 0, 0, 0, 0],
      ],
      landDetected: [
        [0, 3],
        [2, 0],
      ],
      motorCommand: [
        [0, 0, 0],
        [7, 0.5, 1],
        [8, 0.5, 0.9],
      ],
    });
    expect(bands.map(({ label, from, to }) => [label, from, to])).toEqual([
      ["demand not met", 2, 4],
      ["demand not met", 5, 6],
      ["motor 2 at its limit", 7, 8],
    ]);
  });
});

describe("the columns of a report", () => {
  it("are the same whether the file is read piece by piece or as a whole", async () => {
    const scenario = [
      { atS: 5, goto: { posNedM: [0, 0, -5], yawDeg: 170 } },
      { atS: 12, motorLoss: { motor: 1, gain: 0.7 } },
    ];
    const spec = { extends: "hover", scenario, timeline: { endS: 20, logPeriodS: 0.004 } } as never;
    const { recording, resolved } = flyFlightNow(mustResolve(resolveFlight({ file: "report", spec }, coreRegistry)));
    const memory = new MemoryBytes();
    await encodeRecording(memory, recording);
    const fed = (await openRecordingStream(memory.bytes())).fed();
    const { kind: outcome, reason, events, extremes } = summarise(fed);
    expect(summarise(recording)).toEqual({ kind: outcome, reason, events, extremes });
    const facts = { definition: resolved.definition, outcome, reason, events, extremes, version: "0" };
    for (const longestRows of [0, 25_000]) {
      const report = makeReport({ recording: fed, ...facts, longestRows });
      expect(report).toEqual(makeReport({ recording, ...facts, longestRows }));
      const { columns, rows } = downsample(flightColumns(recording), 12_000, longestRows);
      expect(report.values).toEqual(joinColumns(columns, rows));
      expect(report.head.bands).toHaveLength(1);
    }
  });
});

describe("waypoints", () => {
  it("places waypoints with the projection of the flight", () => {
    const { definition } = mustResolve(resolveFlight({ file: "page", spec: { extends: "mission" } }, coreRegistry));
    const points = waypointsOf(definition);
    const { items } = definition.mission!;
    expect(points.length).toBeGreaterThan(4);
    const places = items.filter(({ frame }) => frame !== "mission");
    for (const [i, { north, down }] of points.entries()) {
      const item = places[i]!;
      // One degree of latitude is 111 194.9 m on the sphere of PX4's projection.
      const latM = (item.latDeg! - definition.environment.origin.latDeg) * 111_194.9;
      expect(north).toBeCloseTo(latM, 2);
      expect(down).toBeCloseTo(-item.altM!, 6);
    }
  });

  it("places the fence and the rally points", () => {
    const origin = { latDeg: 47, lonDeg: 8, altMslM: 500 };
    const metres = 1 / 111_194.9;
    const corner = (north: number, east: number) => ({
      latDeg: 47 + north * metres,
      lonDeg: 8 + (east * metres) / Math.cos((47 * Math.PI) / 180),
    });
    const corners = [corner(10, 20), corner(20, 20), corner(20, 30)];
    const [latsDeg, lonsDeg] = [corners.map(({ latDeg }) => latDeg), corners.map(({ lonDeg }) => lonDeg)];
    const mission = {
      items: [{ takeoff: { altitudeM: 5 } }, { land: {} }],
      fence: {
        circles: [{ ...corner(0, 0), radiusM: 80, inclusion: true }],
        polygons: [{ latsDeg, lonsDeg, inclusion: false }],
      },
      rally: [{ ...corner(-15, 0), altM: 12 }],
    };
    const spec = { extends: "mission", environment: { origin }, mission };
    const { definition } = mustResolve(resolveFlight({ file: "page", spec }, coreRegistry));
    const [polygon, circle] = fenceLinesOf(definition);
    expect([polygon!.isInclusion, circle!.isInclusion]).toEqual([false, true]);
    expect(polygon!.points.length).toBe(4);
    expect(polygon!.points[3]).toEqual(polygon!.points[0]);
    expect(polygon!.points[2]![0]).toBeCloseTo(20, 2);
    expect(polygon!.points[2]![1]).toBeCloseTo(30, 2);
    for (const [north, east] of circle!.points) expect(Math.hypot(north, east)).toBeCloseTo(80, 6);
    const [rally] = rallyPointsOf(definition);
    expect(rally).toMatchObject({ label: "rally 1", down: expect.closeTo(-12, 3) });
    expect(rally!.north).toBeCloseTo(-15, 2);
  });

  it("labels waypoints as events do", () => {
    const mission = {
      items: [
        { takeoff: { altitudeM: 5 } },
        { speed: { groundMps: 3 } },
        { waypoint: { northM: 5, altitudeM: 5 } },
        { delay: { holdS: 2 } },
        { waypoint: { eastM: 5, altitudeM: 5 } },
        { land: true },
      ],
    };
    const { definition } = mustResolve(
      resolveFlight({ file: "page", spec: { extends: "iris", mission } }, coreRegistry),
    );
    expect(waypointsOf(definition).map(({ label }) => label)).toEqual(["take-off height", "1", "2", "landing"]);
  });

  it("returns no waypoints without a mission", () => {
    const { definition } = mustResolve(resolveFlight({ file: "page", spec: { extends: "drop" } }, coreRegistry));
    expect(waypointsOf(definition)).toEqual([]);
  });
});

describe("the page's HTML", () => {
  it("escapes a flight's name", () => {
    const name = `</script><script>alert(1)</script><!-- & "x"`;
    const head = {
      kind: "flight",
      title: name,
      definition: { name } as unknown as FlightDefinition,
      rows: 0,
      columns: [],
    };
    const html = reportHtml([{ head: head as never, values: new Float32Array(2) }], {
      script: "/* </script> */",
      style: "",
    });
    expect(html.match(/<\/script>/g)).toHaveLength(3);
    expect(html).not.toContain("<script>alert");
    expect(html).not.toContain("<!--");
    const json = /id="head-0">(.*?)<\/script>/s.exec(html)![1]!;
    expect((JSON.parse(json) as { title: string }).title).toBe(name);
  });
});
