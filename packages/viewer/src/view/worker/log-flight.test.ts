/** Logs are shown as flights, with PX4's topics under our signal names and on one list of times. */
import { describe, expect, it } from "vitest";
import { eventText, SETPOINT_BITS } from "@escapement/core";
import type { Table } from "@escapement/formats";
import type { FromWorker } from "../protocol.ts";
import { logEvents } from "./log-events.ts";
import { logFlight, logRows } from "./log-flight.ts";

type Rows = Extract<FromWorker, { readonly is: "rows" }>;

/** Makes a ULog's table: the position at 10 Hz, and additional columns. */
function ulog(rows: number, extra: Readonly<Record<string, readonly number[]>> = {}): Table {
  const numbers = Array.from({ length: rows }, (_, i) => i);
  const columns = {
    "vehicle_local_position.timestamp": numbers.map((i) => 1_000_000 + 100_000 * i),
    "vehicle_local_position.x": numbers.map((i) => i),
    "vehicle_local_position.y": numbers.map((i) => 2 * i),
    "vehicle_local_position.z": numbers.map((i) => -3 * i),
    ...extra,
  };
  return {
    columns: new Map(Object.entries(columns).map(([name, values]) => [name, Float64Array.from(values)])),
    units: new Map(),
    provenance: { time_offset_us: "1000000" },
  } as unknown as Table;
}

/** Returns the head, and a function that returns a column by signal and component. */
function read(table: Table) {
  const rows = logRows(table);
  const messages = [...logFlight(rows, 1, "log.ulg")];
  const [first] = messages;
  if (first?.is !== "flight") throw new Error("no head");
  const batches = messages.filter((each): each is Rows => each.is === "rows");
  const { columns, sent = [] } = first.head;
  const values = (signal: string, component = 0) => {
    const at = sent.findIndex(
      (column) => columns[column]!.signal === signal && (columns[column]!.component ?? 0) === component,
    );
    return batches.flatMap(({ batch }) => {
      const count = batch.timesUs.length;
      return [...batch.values.subarray(at * count, (at + 1) * count)];
    });
  };
  return { head: first.head, rows, batches, values, times: batches.flatMap(({ batch }) => [...batch.timesUs]) };
}

describe("a ULog as a flight", () => {
  it("shows the estimate if the log has no truth", () => {
    const { values, times } = read(ulog(3));
    expect(times).toEqual([0, 100_000, 200_000]);
    expect(values("posNed", 1)).toEqual([0, 2, 4]);
    expect(values("estPosNed", 2)).toEqual([-0, -3, -6]);
  });

  it("shows the truth, at its own times, if the log has it", () => {
    const truth = {
      "vehicle_local_position_groundtruth.timestamp": [1_000_000, 1_050_000],
      "vehicle_local_position_groundtruth.x": [7, 8],
      "vehicle_local_position_groundtruth.y": [0, 0],
      "vehicle_local_position_groundtruth.z": [-1, -2],
    };
    const { values, times } = read(ulog(3, truth));
    expect(times).toEqual([0, 50_000]);
    expect(values("posNed", 0)).toEqual([7, 8]);
    expect(values("estPosNed", 0)).toEqual([0, 0]);
  });

  it("holds the values of slower topics, counts used motors, and marks active setpoints", () => {
    const motors = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`actuator_motors.control[${i}]`, [i < 4 ? 0.5 : NaN]]),
    );
    const setpoint = Object.fromEntries(
      ["position[0]", "position[1]", "position[2]", "velocity[0]", "velocity[1]", "velocity[2]"].map((name) => [
        `trajectory_setpoint.${name}`,
        [name.startsWith("position") ? 4 : NaN],
      ]),
    );
    const rest = Object.fromEntries(
      ["acceleration[0]", "acceleration[1]", "acceleration[2]", "yaw", "yawspeed"].map((name) => [
        `trajectory_setpoint.${name}`,
        [NaN],
      ]),
    );
    const stamps = { "actuator_motors.timestamp": [1_150_000], "trajectory_setpoint.timestamp": [1_000_000] };
    const { head, values } = read(ulog(3, { ...motors, ...setpoint, ...rest, ...stamps }));
    expect(head.rotors).toBe(4);
    expect(values("motorCommand", 3)).toEqual([NaN, NaN, 0.5]);
    expect(values("setpointValid")[0]).toBe(SETPOINT_BITS.posXy + SETPOINT_BITS.posZ);
    expect(values("setPosNed", 2)[2]).toBe(4);
  });

  it("lists changes of mode and arming, and messages that do not repeat them", () => {
    const table = ulog(5, {
      "vehicle_status.timestamp": [1_000_000, 1_200_000, 1_300_000],
      "vehicle_status.nav_state": [4, 4, 3],
      "vehicle_status.arming_state": [1, 2, 2],
    });
    const messages = [
      { tUs: 210_000, level: 6, text: "armed" },
      { tUs: 250_000, level: 4, text: "compass needs calibration" },
      { tUs: 320_000, level: 6, text: "[commander] Takeoff detected" },
    ];
    const events = logEvents(logRows(table), messages);
    expect(events.map((event) => [event.tUs, event.severity, eventText(event)])).toEqual([
      [200_000, "info", "armed"],
      [250_000, "warning", '"compass needs calibration"'],
      [300_000, "info", "mode mission"],
      [320_000, "info", '"[commander] Takeoff detected"'],
    ]);
  });

  it("sends a large log in batches, downsampled evenly", () => {
    const { batches, times, values } = read(ulog(150_000));
    expect(times.length).toBe(50_000);
    expect(times[1]! - times[0]!).toBe(300_000);
    expect(values("posNed", 0).at(-1)).toBe(149_997);
    expect(Math.max(...batches.map(({ batch }) => batch.values.length))).toBeLessThanOrEqual(120_000);
    expect(batches.map(({ fromRow }) => fromRow)).toEqual(batches.map((_, i) => i * batches[0]!.batch.timesUs.length));
  });

  it("keeps all rows: lines show every spike, and columns that were not sent can be requested", () => {
    const spike = Array.from({ length: 150_000 }, (_, i) => (i === 100_001 ? 50 : 0));
    const { head, rows, times } = read(
      ulog(150_000, {
        "vehicle_air_data.timestamp": spike.map((_, i) => 1_000_000 + 100_000 * i),
        "vehicle_air_data.rho": spike,
      }),
    );
    const place = head.columns.findIndex(({ name }) => name === "vehicle_air_data.rho");
    expect(head.sent).not.toContain(place);
    expect(head.rowsPerSentRow).toBe(3);
    // The rows of the page lack the spike, but the lines over the whole flight and over a short span have it.
    const sent = rows.sent([place]);
    expect(sent.length).toBe(times.length);
    expect(Math.max(...sent)).toBe(0);
    const name = "vehicle_air_data.rho[0]";
    const whole = rows.lines([name], { fromUs: 0, toUs: 15e9 }, 1000);
    expect(whole.lines[0]!.length).toBe(whole.timesUs.length);
    expect(Math.max(...whole.lines[0]!.filter((value) => !Number.isNaN(value)))).toBe(50);
    const short = rows.lines([name, "altitude"], { fromUs: 10_000_000_000, toUs: 10_001_000_000 }, 1000);
    expect(short.bucketUs).toBeUndefined();
    expect(short.timesUs[1]! - short.timesUs[0]!).toBe(100_000);
    expect([...short.lines[0]!].indexOf(50)).toBe([...short.timesUs].indexOf(10_000_100_000));
    expect(short.lines[1]![0]).toBe(300_000);
  });
});
