/** ULog: read by an independent reader and by ours, PX4's layouts, and damaged files. */
import { ULog } from "@foxglove/ulog";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SIGNALS, SimError, type Column } from "@escapement/core";
import { flightColumns, flightRow } from "../../../../../tests/support/flight-columns.ts";
import { bitsOf } from "../../../../../tests/support/log-rows.ts";
import { MemoryBytes } from "../../bytes/byte-sink.ts";
import { formatText, layoutOf, MESSAGE_NAMES } from "./messages.ts";
import { UlogSink, type UlogOptions } from "./sink.ts";
import { readUlog } from "./reader.ts";
import { volume } from "../../../../../tests/support/volume.ts";

const COLUMNS = flightColumns();
const ORIGIN = { latDeg: 47.397742, lonDeg: 8.545594, altMslM: 488 };
const STEP_US = 20_000;
/** The file header: magic, version, start time. */
const HEAD = [0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35, 1, 0, 0, 0, 0, 0, 0, 0, 0];

async function writeLog(
  count: number,
  options: UlogOptions = { origin: ORIGIN },
  columns: readonly Column[] = COLUMNS,
) {
  const bytes = new MemoryBytes();
  const sink = new UlogSink(bytes, options);
  sink.open(columns);
  for (let i = 0; i < count; i += 1) sink.row(i * STEP_US, flightRow(columns, i));
  await sink.close();
  return bytes.bytes();
}

/** Returns every record of every topic, as @foxglove/ulog reads it. */
async function readByOthers(bytes: Uint8Array) {
  const log = new ULog({
    open: async () => bytes.length,
    // @foxglove/ulog counts offsets from the start of the underlying buffer.
    read: async (offset, length) => bytes.slice(offset, offset + length),
    size: () => bytes.length,
  });
  await log.open();
  const records = new Map<string, Record<string, unknown>[]>();
  const texts: string[] = [];
  for await (const message of log.readMessages()) {
    const {
      type,
      value,
      msgId,
      message: text,
    } = message as unknown as {
      type: number;
      value: Record<string, unknown>;
      msgId: number;
      message: string;
    };
    if (type === 0x4c) texts.push(text);
    if (type !== 0x44) continue;
    const { name, multiId } = log.subscriptions.get(msgId)!;
    const key = multiId === 0 ? name : `${name}_${multiId}`;
    if (!records.has(key)) records.set(key, []);
    records.get(key)!.push(value);
  }
  return { header: log.header!, records, texts };
}

const valueOf = (i: number, name: string) => {
  const index = COLUMNS.findIndex((column) => column.name === name);
  expect([name, index >= 0]).toEqual([name, true]);
  return flightRow(COLUMNS, i)[index]!;
};
/** The value rounded to the topic's type, as PX4 would store it. */
const f32 = (i: number, ...names: string[]) => names.map((name) => Math.fround(valueOf(i, name)));
const vector = (prefix: string, components: string, unit: string) =>
  components.split("").map((component) => `${prefix}_${component}${unit}`);

describe("ULog", () => {
  it("has PX4's topics with the values of the flight, as other readers read them", async () => {
    const { records } = await readByOthers(await writeLog(60));
    const at = (topic: string, i: number) => records.get(topic)![i]!;
    for (const i of [0, 1, 17, 59]) {
      expect(at("vehicle_attitude", i)).toMatchObject({
        timestamp: BigInt(i * STEP_US + 1_000_000),
        timestamp_sample: BigInt(i * STEP_US + 1_000_000),
        q: f32(i, ...vector("est_q_body_to_ned", "wxyz", "")),
      });
      expect(at("vehicle_attitude_groundtruth", i)["q"]).toEqual(f32(i, ...vector("q_body_to_ned", "wxyz", "")));
      expect(at("vehicle_angular_velocity", i)).toMatchObject({
        xyz: f32(i, ...vector("est_rate_body", "xyz", "_radps")),
        xyz_derivative: f32(i, ...vector("est_rate_dot_body", "xyz", "_radps2")),
      });
      const position = at("vehicle_local_position", i);
      expect([position["x"], position["y"], position["z"]]).toEqual(f32(i, ...vector("est_pos_ned", "ned", "_m")));
      expect([position["vx"], position["vy"], position["vz"]]).toEqual(f32(i, ...vector("est_vel_ned", "ned", "_mps")));
      const valid = valueOf(i, "est_valid");
      const isSet = (bit: keyof typeof SIGNALS.estValid.values) => (valid & SIGNALS.estValid.values[bit]) !== 0;
      expect(position).toMatchObject({ xy_valid: isSet("posXy"), v_z_valid: isSet("velZ"), z_valid: isSet("posZ") });
      expect(position).toMatchObject({ xy_global: true, ref_lat: 47.397742, ref_lon: 8.545594 });
      expect(at("vehicle_global_position", i)).toMatchObject({ lat_lon_valid: isSet("posXy") });
      const truth = at("vehicle_local_position_groundtruth", i);
      expect([truth["x"], truth["y"], truth["z"]]).toEqual(f32(i, ...vector("pos_ned", "ned", "_m")));
      expect(truth).toMatchObject({ xy_valid: true, v_z_valid: true });
      expect([truth["ax"], truth["ay"], truth["az"]]).toEqual(f32(i, ...vector("acc_ned", "ned", "_mps2")));
      expect(at("actuator_motors", i)["control"]).toEqual([
        ...f32(i, ...[1, 2, 3, 4].map((motor) => `motor_command_${motor}`)),
        ...Array.from({ length: 8 }, () => NaN),
      ]);
      expect(at("sensor_combined", i)["gyro_rad"]).toEqual(f32(i, ...vector("gyro_rate_body", "xyz", "_radps")));
      expect(at("vehicle_thrust_setpoint", i)["xyz"]).toEqual(f32(i, ...vector("set_thrust_body", "xyz", "")));
    }
    expect(records.get("battery_status")!.map((record) => record["timestamp"])).toEqual(
      [0, 10, 20, 30, 40, 50].map((i) => BigInt(i * STEP_US + 1_000_000)),
    );
    expect(records.get("battery_status_1")![2]).toMatchObject({
      voltage_v: f32(20, "battery_voltage_2_v")[0],
      current_a: f32(20, "battery_current_2_a")[0],
      id: 2,
    });
    expect(records.get("home_position")).toHaveLength(1);
    expect(records.get("home_position")![0]).toMatchObject({ lat: 47.397742, alt: 488, valid_hpos: true });
  });

  it("has PX4's own estimate as the topics of an estimator instance, after PX4 has reported an estimate", async () => {
    const named = (name: string, unit: string): Column => ({ name, unit, about: "" });
    const columns = [
      ...COLUMNS,
      named("px4_estimate_valid", "flag"),
      ...["n", "e", "d"].map((axis) => named(`px4_pos_ned_${axis}_m`, "m")),
      ...["n", "e", "d"].map((axis) => named(`px4_vel_ned_${axis}_mps`, "m/s")),
      ...["w", "x", "y", "z"].map((axis) => named(`px4_q_body_to_ned_${axis}`, "1")),
    ];
    const bytes = new MemoryBytes();
    const sink = new UlogSink(bytes, { origin: ORIGIN });
    sink.open(columns);
    const own = flightRow(COLUMNS, 0);
    sink.row(0, Float64Array.of(...own, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0));
    sink.row(STEP_US, Float64Array.of(...own, 1, 1, 2, -3, 4, 5, 6, 0, 0, 0, 1));
    await sink.close();
    const { records } = await readByOthers(bytes.bytes());
    expect(records.get("estimator_local_position")).toMatchObject([{ x: 1, y: 2, z: -3, vx: 4, vy: 5, vz: 6 }]);
    expect(records.get("estimator_attitude")).toHaveLength(1);
    expect((await readByOthers(await writeLog(2))).records.has("estimator_attitude")).toBe(false);
  });

  it("marks a setpoint that is not commanded with NaN, as PX4 does", async () => {
    const { records } = await readByOthers(await writeLog(512));
    for (const i of [0, 1, 3, 21, 127, 511]) {
      const [x, y, z, vx, vy, vz] = f32(
        i,
        ...vector("set_pos_ned", "ned", "_m"),
        ...vector("set_vel_ned", "ned", "_mps"),
      );
      const has = (bit: number) => (i & bit) !== 0;
      expect(records.get("trajectory_setpoint")![i]).toMatchObject({
        position: [has(1) ? x : NaN, has(1) ? y : NaN, has(2) ? z : NaN],
        velocity: [has(4) ? vx : NaN, has(4) ? vy : NaN, has(8) ? vz : NaN],
        acceleration: f32(i, ...vector("set_acc_ned", "ned", "_mps2")).map((a) => (has(16) ? a : NaN)),
        jerk: [NaN, NaN, NaN],
        yaw: has(32) ? f32(i, "set_yaw_rad")[0] : NaN,
        yawspeed: has(64) ? f32(i, "set_yaw_rate_radps")[0] : NaN,
      });
    }
    const stamps = records.get("vehicle_rates_setpoint")!.map((record) => Number(record["timestamp"]));
    expect(stamps[0]).toBe(256 * STEP_US + 1_000_000);
    expect(stamps).toHaveLength(256);
  });

  it("writes states when they change, and reports events as log messages", async () => {
    const { records, texts } = await readByOthers(await writeLog(40));
    const status = records.get("vehicle_status")!;
    const armed = status.map((record) => [Number(record["timestamp"]), record["arming_state"]]);
    expect(armed[0]).toEqual([1_000_000, 1]);
    expect(armed).toContainEqual([10 * STEP_US + 1_000_000, 2]);
    const later = status.find((record) => record["timestamp"] === BigInt(10 * STEP_US + 1_000_000))!;
    expect(later).toMatchObject({ armed_time: 1_200_000n, takeoff_time: 1_200_000n, system_type: 2 });
    const landed = records.get("vehicle_land_detected")!.map((record) => record["landed"]);
    expect(landed).toEqual([true, false]);
    expect(texts).toContain("armed");
    expect(texts).toContain("lift-off");
    expect(texts).toContain("mode manual");
  });

  it("has the infos, parameters and formats that tools need", async () => {
    const bytes = await writeLog(2, {
      provenance: { flight: "abc" },
      parameters: [
        { name: "MAV_TYPE", value: 2, type: "int32" },
        { name: "MPC_XY_P", value: Math.fround(0.95), type: "float" },
      ],
    });
    const { header, records } = await readByOthers(bytes);
    expect(header.version).toBe(1);
    expect(header.timestamp).toBe(1_000_000n);
    expect(header.information.get("sys_name")).toBe("PX4");
    expect(header.information.get("sim_name")).toBe("Escapement");
    expect(header.information.get("escapement_flight")).toBe("abc");
    expect(header.parameters.get("MAV_TYPE")!.value).toBe(2);
    expect(header.parameters.get("MPC_XY_P")!.value).toBe(Math.fround(0.95));
    expect(records.has("home_position")).toBe(false);
    expect(records.get("vehicle_local_position")![0]).toMatchObject({ xy_global: false, ref_lat: 0 });
  });

  it("writes records without padding, in the sizes that PX4 logs", () => {
    const sizes: Record<string, number> = {
      battery_status: 166,
      vehicle_attitude: 49,
      vehicle_local_position: 192,
      vehicle_global_position: 67,
      vehicle_angular_velocity: 40,
      vehicle_land_detected: 20,
      vehicle_status: 74,
      home_position: 60,
      vehicle_torque_setpoint: 28,
      actuator_motors: 66,
      vehicle_attitude_setpoint: 40,
      vehicle_rates_setpoint: 33,
      mission_result: 38,
      trajectory_setpoint: 64,
      takeoff_status: 13,
      hover_thrust_estimate: 41,
      vehicle_local_position_setpoint: 64,
      control_allocator_status: 54,
    };
    for (const [message, size] of Object.entries(sizes)) {
      expect([message, layoutOf(message as (typeof MESSAGE_NAMES)[number]).size]).toEqual([message, size]);
    }
    for (const message of MESSAGE_NAMES)
      expect(formatText(message, layoutOf(message))).toMatch(/^\w+:uint64_t timestamp;/);
  });

  it("is byte-identical for identical flights, and contains no time of day", async () => {
    expect(Buffer.compare(await writeLog(50), await writeLog(50))).toBe(0);
  });

  it("projects positions as PX4 does", async () => {
    const columns = COLUMNS.filter(({ name }) => name.startsWith("est_pos_ned"));
    const bytes = new MemoryBytes();
    const sink = new UlogSink(bytes, { origin: ORIGIN });
    sink.open(columns);
    sink.row(0, [0, 0, 0]);
    sink.row(1, [1000, -500, -20]);
    await sink.close();
    const { columns: read } = readUlog(bytes.bytes());
    expect([...read.get("vehicle_global_position.lat")!][0]).toBeCloseTo(ORIGIN.latDeg, 12);
    // 1000 m north on a sphere with a radius of 6 371 000 m, minus the curvature of the parallel.
    expect(read.get("vehicle_global_position.lat")![1]).toBeCloseTo(
      ORIGIN.latDeg + (1000 / 6371000) * (180 / Math.PI),
      5,
    );
    expect([...read.get("vehicle_global_position.alt")!]).toEqual([488, 508]);
  });

  it("locates the true position with the world's projection and the estimate with PX4's", async () => {
    const columns = COLUMNS.filter(({ name }) => /^(est_)?pos_ned/.test(name));
    const eastOf = async (projection?: string) => {
      const bytes = new MemoryBytes();
      const sink = new UlogSink(bytes, { origin: ORIGIN, ...(projection === undefined ? {} : { projection }) });
      sink.open(columns);
      sink.row(0, [0, 500, 0, 0, 500, 0]);
      await sink.close();
      const { columns: read } = readUlog(bytes.bytes());
      return ["vehicle_global_position.lon", "vehicle_global_position_groundtruth.lon"].map(
        (name) => read.get(name)![0]!,
      );
    };
    const [[px4, same], [estimate, truth]] = [await eastOf(), await eastOf("wgs84")];
    expect([same, estimate]).toEqual([px4, px4]);
    // One degree of longitude is about 75 km here. On PX4's sphere, 500 m are 1.5 m shorter.
    expect(Math.abs(truth! - px4!) * 75_000).toBeCloseTo(1.5, 0);
  });

  it("contains no measurement of a sensor that has not run yet, and NaN for motors that do not exist", async () => {
    const bytes = new MemoryBytes();
    const sink = new UlogSink(bytes);
    sink.open(COLUMNS);
    const silent = flightRow(COLUMNS, 0).map((value, i) => (/^(gyro|baro)_count$/.test(COLUMNS[i]!.name) ? 0 : value));
    sink.row(0, silent);
    await sink.close();
    const { columns: read } = readUlog(bytes.bytes());
    expect(read.get("sensor_combined.accelerometer_m_s2[0]") ?? []).toHaveLength(0);
    expect(read.get("vehicle_air_data.baro_pressure_pa") ?? []).toHaveLength(0);
    const control = (i: number) => read.get(`actuator_motors.control[${i}]`)![0]!;
    expect([0, 3, 4, 11].map((i) => Number.isNaN(control(i)))).toEqual([false, false, true, true]);
  });

  it("rejects a flight that fills no topic, and a time before zero", () => {
    const sink = new UlogSink(new MemoryBytes());
    const code = (act: () => void) => {
      try {
        act();
      } catch (error) {
        return (error as SimError).code;
      }
      return "none";
    };
    expect(code(() => sink.open([{ name: "x", unit: "m", about: "" }]))).toBe("LOG-007");
    expect(code(() => new UlogSink(new MemoryBytes(), { topics: ["nothing"] }).open(COLUMNS))).toBe("LOG-007");
    const early = new UlogSink(new MemoryBytes());
    early.open(COLUMNS);
    expect(code(() => early.row(-1_000_000, flightRow(COLUMNS, 0)))).toBe("LOG-003");
  });
});

describe("ULog read back", () => {
  it("equals the other reader's result in every number", async () => {
    const bytes = await writeLog(60);
    const { records } = await readByOthers(bytes);
    const table = readUlog(bytes);
    expect(table.missing).toBeUndefined();
    expect(table.provenance).toMatchObject({ sys_name: "PX4", time_offset_us: "1000000" });
    let compared = 0;
    for (const [topic, list] of records) {
      for (const [field, first] of Object.entries(list[0]!)) {
        const elements = Array.isArray(first) ? first.length : 0;
        for (let i = 0; i < Math.max(1, elements); i += 1) {
          const name = elements === 0 ? `${topic}.${field}` : `${topic}.${field}[${i}]`;
          const expected = list.map((record) =>
            Number(elements === 0 ? record[field] : (record[field] as number[])[i]),
          );
          expect([name, bitsOf(table.columns.get(name) ?? [])]).toEqual([name, bitsOf(expected)]);
          compared += 1;
        }
      }
    }
    expect(compared).toBe([...table.columns.values()].filter((values) => values.length > 0).length);
  });

  it("handles nested formats and padding as PX4 writes them", () => {
    const message = (type: string, ...payload: number[]) => [
      payload.length & 0xff,
      payload.length >> 8,
      type.charCodeAt(0),
      ...payload,
    ];
    const text = (value: string) => [...new TextEncoder().encode(value)];
    const bytes = Uint8Array.from([
      ...HEAD,
      ...message("F", ...text("outer:uint64_t timestamp;inner a;inner[2] b;uint8_t[7] _padding0;")),
      ...message("F", ...text("inner:uint16_t n;uint8_t k;uint8_t[1] _padding0;")),
      ...message("A", 0, 5, 0, ...text("outer")),
      ...message("D", 5, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0),
    ]);
    const { columns, missing } = readUlog(bytes);
    expect(missing).toBeUndefined();
    expect(Object.fromEntries([...columns].map(([name, values]) => [name, [...values]]))).toEqual({
      "outer.timestamp": [9],
      "outer.a.n": [257],
      "outer.a.k": [2],
      "outer.b[0].n": [3],
      "outer.b[0].k": [4],
      "outer.b[1].n": [5],
      "outer.b[1].k": [6],
    });
  });
});

describe("ULogs with data appended after a crash", () => {
  const small = COLUMNS.filter(({ name }) => /^(est_q|est_rate|armed|nav_state)/.test(name));

  it("are read past the incomplete record", async () => {
    const whole = await writeLog(6, {}, small);
    const start = dataAt(whole);
    const record = whole.subarray(start, start + 3 + new DataView(whole.buffer).getUint16(start, true));
    const seam = start + 7;
    const appended = Uint8Array.from([...whole.subarray(0, seam), ...record]);
    const flags = HEAD.length + 3;
    appended[flags + 8] = 1;
    new DataView(appended.buffer).setBigUint64(flags + 16, BigInt(seam), true);
    const { columns, missing } = readUlog(appended);
    expect(missing).toContain("cut short 7 bytes into a record");
    const full = readUlog(whole).columns;
    const filled = [...columns].filter(([, values]) => values.length > 0);
    expect(filled.length).toBeGreaterThan(1);
    for (const [name, values] of filled) expect([...values]).toEqual([full.get(name)![0]]);
  });

  /** Returns the offset of the first data record. */
  function dataAt(bytes: Uint8Array): number {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    let at = 16;
    while (bytes[at + 2] !== 0x44) at += 3 + view.getUint16(at, true);
    return at;
  }
});

describe("the ULog reader", () => {
  const small = COLUMNS.filter(({ name }) => /^(est_q|est_rate|armed|nav_state)/.test(name));

  it("returns every complete record of a log cut at any byte, and reports what is missing", async () => {
    const whole = await writeLog(6, {}, small);
    const full = readUlog(whole).columns;
    for (let length = 0; length < whole.length; length += 1) {
      let table;
      try {
        table = readUlog(whole.subarray(0, length));
      } catch (error) {
        expect(error).toBeInstanceOf(SimError);
        expect(length).toBeLessThan(16);
        continue;
      }
      // Until its name has been read, the log cannot be recognised as ours.
      if (length > 400) expect(table.missing).toContain("the end");
      for (const [name, values] of table.columns) {
        expect(bitsOf(values)).toEqual(bitsOf(full.get(name)!.subarray(0, values.length)));
      }
    }
  });

  it("never returns a wrong value if one byte changed", async () => {
    const whole = await writeLog(6, {}, small);
    const full = readUlog(whole);
    let refused = 0;
    for (let at = 0; at < whole.length; at += 1) {
      for (const flip of [1, 0x10, 0x80, 0x55]) {
        const changed = whole.slice();
        changed[at]! ^= flip;
        try {
          const table = readUlog(changed);
          expect(table.missing).toBeDefined();
          for (const [name, values] of full.columns) expect(bitsOf(table.columns.get(name)!)).toEqual(bitsOf(values));
        } catch (error) {
          expect(error).toBeInstanceOf(SimError);
          refused += 1;
        }
      }
    }
    expect(refused).toBeGreaterThan(3 * whole.length);
  });

  it("never crashes on arbitrary bytes", async () => {
    const whole = await writeLog(2, {}, small);
    const tail = fc.uint8Array({ maxLength: 80 });
    const inside = fc.tuple(fc.nat({ max: whole.length }), tail).map(([at, bytes]) => {
      const changed = whole.slice(0, whole.length - 5);
      changed.set(bytes.subarray(0, changed.length - Math.min(at, changed.length)), Math.min(at, changed.length));
      return changed;
    });
    fc.assert(
      fc.property(fc.oneof(tail, inside), (bytes) => {
        try {
          readUlog(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(SimError);
        }
      }),
      { numRuns: volume(400, 2000) },
    );
  });

  it("rejects recursive or huge formats", () => {
    const message = (type: string, text: string, before: number[] = []) => {
      const payload = [...before, ...new TextEncoder().encode(text)];
      return [payload.length & 0xff, payload.length >> 8, type.charCodeAt(0), ...payload];
    };
    const loop = [...message("F", "a:a x;"), ...message("A", "a", [0, 0, 0])];
    const bomb = [
      ...message("F", "e:"),
      ...message("F", "d:e[99999] x;"),
      ...message("F", "c:d[99999] x;"),
      ...message("A", "c", [0, 0, 0]),
    ];
    for (const body of [loop, bomb]) {
      expect(() => readUlog(Uint8Array.from([...HEAD, ...body]))).toThrow(SimError);
    }
  });
});
