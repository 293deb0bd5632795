/** Extremes, means and the track of a flight, checked against its recording. */
import { beforeAll, describe, expect, it } from "vitest";
import { type BoundaryView, DUE_BITS } from "../../engine/index.ts";
import { Snapshot } from "../../snapshot/index.ts";
import { StateLayout } from "../../state/index.ts";
import { FlightClock } from "../../time/index.ts";
import { scalarBlock } from "../../../../../tests/support/flights.ts";
import { flyFlight, flyFlightNow } from "../fly-flight.ts";
import type { RecordedFlight } from "../result.ts";
import { coreRegistry } from "../../describe/registry.ts";
import { mustResolve, resolveFlight } from "../../describe/resolve/resolve.ts";
import type { RecordedName } from "../../describe/spec/spec.ts";
import { controllerSource } from "../../autopilot/index.ts";
import { TrackObserver } from "./track.ts";

let flight: RecordedFlight;
beforeAll(() => {
  const spec = {
    extends: "mission",
    timeline: { endS: 12 },
    scenario: [{ atS: 8, forS: 2, gust: { velNedMps: [6, 0, 0] } }],
  };
  flight = flyFlightNow(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)));
});

/** Returns the rows of a signal at the log ticks. */
function rows(name: RecordedName): Float64Array[] {
  const { timesUs } = flight.signal("posNed");
  const signal = flight.signal(name);
  return Array.from(timesUs, (tUs) => signal.at(tUs / 1e6));
}
const max = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b));

describe("extremes", () => {
  it("are the extremes of the logged rows", () => {
    const { extremes } = flight;
    expect(extremes.altitudeMaxM).toBe(max(rows("posNed").map((row) => -row[2]!)));
    expect(extremes.speedMaxMps).toBeCloseTo(max(rows("velNed").map((row) => Math.hypot(...row))), 12);
    expect(extremes.distanceMaxM).toBeCloseTo(max(rows("posNed").map((row) => Math.hypot(row[0]!, row[1]!))), 12);
    const tilt = max(rows("qBodyToNed").map(([, x, y]) => Math.acos(1 - 2 * (x! * x! + y! * y!))));
    expect(extremes.tiltMaxDeg).toBeCloseTo((tilt * 180) / Math.PI, 6);
    expect(extremes.voltageMinV).toBe(-max(rows("batteryVoltage").map(([volts]) => -volts!)));
    expect(extremes.batteryRemaining).toBe(rows("batteryRemaining").at(-1)![0]);
  });

  it("energy is the integral of power by the trapezoidal rule, and mean power is energy over time", () => {
    const power = rows("batteryVoltage").map((row, i) => row[0]! * rows("batteryCurrent")[i]![0]!);
    let joules = 0;
    for (let i = 1; i < power.length; i += 1) joules += 0.5 * (power[i]! + power[i - 1]!) * 0.02;
    expect(flight.extremes.energyWh).toBeCloseTo(joules / 3600, 9);
    expect(flight.extremes.powerMeanW).toBeCloseTo(joules / 12, 6);
  }, 20_000);

  it("wind and position error are means over the rows; wind includes gusts", () => {
    const windSpeeds = rows("windNed").map((row) => Math.hypot(...row));
    expect(flight.extremes.windMaxMps).toBeCloseTo(max(windSpeeds), 12);
    expect(flight.extremes.windMeanMps).toBeCloseTo(windSpeeds.reduce((a, b) => a + b) / windSpeeds.length, 12);
    expect(flight.extremes.windMaxMps).toBeGreaterThan(5);
    expect(flight.extremes.positionErrorRmsM).toBeGreaterThan(0);
    expect(flight.extremes.positionErrorMaxM).toBeGreaterThanOrEqual(flight.extremes.positionErrorRmsM);
  });

  it("the position error is measured only while the vehicle is in the air", () => {
    const landing = flyFlightNow(
      mustResolve(
        resolveFlight(
          { file: "test", spec: { mission: { items: [{ takeoff: { altitudeM: 3 } }, { land: {} }] } } },
          coreRegistry,
        ),
      ),
    );
    expect(landing.outcome).toBe("completed");
    const { timesUs } = landing.signal("posNed");
    const at = (name: RecordedName) => Array.from(timesUs, (tUs) => landing.signal(name).at(tUs / 1e6));
    const [position, setpoint, contact, valid] = [
      at("posNed"),
      at("setPosNed"),
      at("contactForceNed"),
      at("setpointValid"),
    ];
    const errorIn = (rows: readonly number[]) =>
      max(rows.map((i) => Math.hypot(...[0, 1, 2].map((k) => position[i]![k]! - setpoint[i]![k]!))));
    const commanded = [...timesUs.keys()].filter((i) => (valid[i]![0]! & 3) === 3);
    const airborne = commanded.filter((i) => contact[i]![2] === 0);
    expect(landing.extremes.positionErrorMaxM).toBeCloseTo(errorIn(airborne), 9);
    expect(errorIn(commanded)).toBeGreaterThan(1.5 * errorIn(airborne));
  });
});

describe("the track", () => {
  it("is the logged path", () => {
    const { track } = flight;
    const position = rows("posNed");
    expect(track.timesUs).toEqual(flight.signal("posNed").timesUs);
    expect([...track.altitude]).toEqual(position.map((row) => -row[2]!));
  });

  it("has a bounded number of evenly spaced points in a long flight, and continues after a checkpoint", () => {
    const layout = new StateLayout([{ ...scalarBlock("posNed", "m"), size: 3 }]);
    const frame = new Float64Array(4);
    const view = {
      clock: new FlightClock(),
      frame,
      stateSize: 3,
      bus: new Float64Array(0),
      due: DUE_BITS.log,
      outputsRan: true,
      inputChanged: false,
    } satisfies BoundaryView;
    const observeRows = (observer: TrackObserver, from: number, to: number) => {
      for (let row = from; row < to; row += 1) {
        frame.set([row * 20_000, row, 2 * row, -3 * row]);
        observer.observe(view);
      }
    };
    const whole = new TrackObserver(layout);
    observeRows(whole, 0, 10_000);
    const { timesUs, north, east, altitude } = whole.track();
    expect(timesUs.length).toBeGreaterThan(1000);
    expect(timesUs.length).toBeLessThanOrEqual(2048);
    const gaps = new Set(Array.from(timesUs.slice(1), (tUs, i) => tUs - timesUs[i]!));
    expect([...gaps]).toEqual([8 * 20_000]);
    expect([north[5], east[5], altitude[5]]).toEqual([40, 80, 120]);
    const [half, rest] = [new TrackObserver(layout), new TrackObserver(layout)];
    observeRows(half, 0, 5000);
    const saved = Snapshot.of(half);
    rest.continueFrom(half);
    observeRows(half, 5000, 6000);
    saved.into(half);
    half.rewindTo(0, 5000 * 20_000);
    for (const again of [half, rest]) {
      observeRows(again, 5000, 10_000);
      expect(again.track()).toEqual(whole.track());
    }
  });
});

describe("bare functions", () => {
  it("replace parts of a flight, are marked in the definition, and change the hash", async () => {
    const idle = (context: { periodUs: number }) => controllerSource({ update: () => {} }, context);
    const flown = await flyFlight({ extends: "drop", timeline: { endS: 0.1 } }, { autopilot: idle });
    const plain = await flyFlight({ extends: "drop", timeline: { endS: 0.1 } });
    expect(flown.resolved.definition.autopilot.kind).toBe("function");
    expect(flown.resolved.hash).not.toBe(plain.resolved.hash);
    expect(flown.digests.plant).toBe(plain.digests.plant);
    // The definition does not contain the function, so this flight cannot be flown from its definition.
    expect(() => flyFlightNow(flown.resolved)).toThrow(/FLIGHT-022/);
  });
});
