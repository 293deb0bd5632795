/**
 * Tests with a real stock PX4: it becomes ready, arms, accepts the mission, flies and lands in strict lockstep.
 * Skipped, with the reason, if PX4_SITL_BIN is not set. No exact numbers are expected, because stock PX4 is not
 * repeatable.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coreRegistry, mustResolve, resolveFlight } from "@escapement/core";
import type { PlainObject, Sink } from "@escapement/core";
import { readTable } from "@escapement/formats";
import { beforeEach, describe, expect, it } from "vitest";
import { px4Kinds } from "../kinds.ts";
import { NAV_STATE } from "../modes.ts";
import { flySitl } from "./fly-sitl.ts";
import type { FlySitlOptions } from "./fly-sitl.ts";
import { findSitl } from "./px4-process.ts";

const hasSitl = (process.env.PX4_SITL_BIN ?? "") !== "";
const registry = coreRegistry.with(px4Kinds);

const SENSORS = { imu: {}, magnetometer: {}, barometer: {}, gnss: {} };
/** A receiver without the slow error of a few metres, for tests that compare the flown path with the setpoint. */
const EXACT_SENSORS = { ...SENSORS, gnss: { wanderNedM: [0, 0, 0] } };

function fly(over: PlainObject, options: Partial<FlySitlOptions> = {}) {
  const spec = { extends: "mission", autopilot: "px4-sitl", sensors: SENSORS, ...over };
  return flySitl(mustResolve(resolveFlight({ file: "test", spec }, registry)), { registry, ...options });
}

describe("a real stock PX4", () => {
  beforeEach(({ skip }) => skip(!hasSitl, "PX4_SITL_BIN is not set"));

  it(
    "flies missions to their end, several vehicles side by side, without a missed answer",
    { timeout: 300_000 },
    async () => {
      const flights = await Promise.all([fly({ seed: 1 }), fly({ seed: 2 })]);
      for (const { flight, report } of flights) {
        expect(flight.outcome).toBe("completed");
        expect(flight.signal("missionFinished").values.at(-1)).toBe(1);
        expect(report.frames).toBeGreaterThan(10_000);
        expect(report.missed).toBe(0);
        expect(report.readyAtS).toBeGreaterThan(0);
      }
      expect(flights[0].report.instance).not.toBe(flights[1].report.instance);
    },
  );

  it("holds if a leg of the mission enters an excluded area of its fence", { timeout: 300_000 }, async () => {
    const items = [{ takeoff: { altitudeM: 10 } }, { waypoint: { northM: 60, altitudeM: 10 } }, { land: true }];
    const middle = { latDeg: 47.397742 + 30 / 111_195, lonDeg: 8.545594 };
    const fence = { circles: [{ ...middle, radiusM: 8, inclusion: false }] };
    const { flight } = await fly({ mission: { items, fence }, timeline: { endS: 60 }, sensors: EXACT_SENSORS });
    expect(flight.signal("navState").values.at(-1)).toBe(NAV_STATE.hold);
    const [north] = flight.signal("posNed").at(60);
    expect(north).toBeGreaterThan(20);
    expect(north).toBeLessThan(40);
  });

  it("goes to a position from a mission, and from there to another position", { timeout: 300_000 }, async () => {
    const scenario = [
      { when: "missionReached >= 1", goto: { posNedM: [10, 15, -14], yawDeg: 90 } },
      { when: "missionReached >= 1", afterS: 20, goto: { posNedM: [0, -5, -6] } },
    ];
    const { flight } = await fly({ sensors: EXACT_SENSORS, scenario, wind: "none", timeline: { endS: 80 } });
    const [first, second] = flight.events.flatMap(({ kind, tUs }) => (kind === "goto" ? [tUs / 1e6] : []));
    const near = (atS: number, target: readonly number[]) =>
      flight
        .signal("posNed")
        .at(atS)
        .forEach((value, i) => expect(Math.abs(value - target[i]!)).toBeLessThan(1.5));
    near(first! + 19, [10, 15, -14]);
    const q = flight.signal("qBodyToNed").at(first! + 19);
    expect(2 * Math.atan2(q[3]!, q[0]!)).toBeCloseTo(Math.PI / 2, 0);
    near(second! + 20, [0, -5, -6]);
    expect(flight.signal("navState").at(second! + 20)[0]).toBe(NAV_STATE.hold);
  });

  it(
    "lands when satellite navigation fails in flight, and continues when it returns",
    { timeout: 300_000 },
    async () => {
      const scenario = [{ atS: 25, forS: 10, sensorFault: { sensor: "gnss", fault: "drop-out" } }];
      const { flight } = await fly({ scenario });
      expect([...flight.signal("navState").values]).toContain(NAV_STATE.land);
      expect(flight.outcome).toBe("completed");
    },
  );

  it.each(Object.keys(coreRegistry.vehicles))(
    "flies %s with that vehicle's own rotors: up and down without turning",
    { timeout: 300_000 },
    async (vehicle) => {
      const items = [{ takeoff: { altitudeM: 5 } }, { land: true }];
      const over = { vehicle, sensors: EXACT_SENSORS, mission: { items }, wind: "none", timeline: { endS: 60 } };
      const { flight, report } = await fly(over);
      expect(flight.outcome).toBe("completed");
      expect(flight.extremes.altitudeMaxM).toBeGreaterThan(4);
      expect(flight.extremes.tiltMaxDeg).toBeLessThan(15);
      const q = flight.signal("qBodyToNed").at(flight.end.endUs / 1e6);
      expect(Math.abs(2 * Math.atan2(q[3]!, q[0]!))).toBeLessThan(0.3);
      const rotors = report.parameters.find(({ name }) => name === "CA_ROTOR_COUNT");
      expect(rotors).toMatchObject({ value: flight.recording.dims.rotors, type: "int32" });
    },
  );

  it("has the user's parameters, even those that its airframe overrides, and its messages are events", async () => {
    const parameters = { NAV_ACC_RAD: 10, RTL_RETURN_ALT: 60, MPC_XY_CRUISE: 2, MPC_XY_CRUSE: 1 };
    const scenario = [{ atS: 20, disarm: true }];
    const autopilot = { kind: "px4-sitl", parameters };
    const { flight, report } = await fly({ autopilot, scenario, timeline: { endS: 30 } });
    const value = (of: string) => report.parameters.find(({ name }) => name === of)?.value;
    expect([value("NAV_ACC_RAD"), value("RTL_RETURN_ALT"), value("MPC_XY_CRUISE")]).toEqual([10, 60, 2]);
    expect(report.parameters.length).toBeGreaterThan(500);
    expect(flight.extremes.speedMaxMps).toBeLessThan(3);
    const words = flight.events.flatMap(({ kind, data }) =>
      kind === "autopilotMessage" || kind === "autopilotWarning" ? [data.text] : [],
    );
    expect(words).toContain("without effect: MPC_XY_CRUSE (did you mean MPC_XY_CRUISE?), which this PX4 does not have");
    expect(words).toContain("Takeoff detected");
    expect(words).toContain("Disarming denied: not landed");
    expect(flight.events.map(({ kind }) => kind)).toContain("disarmDenied");
    expect(flight.signal("armed").values.at(-1)).toBe(1);
  }, 300_000);

  it("reports its own estimate and all of its parameters to logs", { timeout: 300_000 }, async () => {
    const log = { columns: [] as string[], last: new Float64Array(0), rows: 0 };
    const sink: Sink = {
      open: (columns) => (log.columns = columns.map(({ name }) => name)),
      row: (_tUs, row) => {
        log.last = Float64Array.from(row as ArrayLike<number>);
        log.rows += 1;
      },
      holdsParameters: true,
      isFull: false,
      drain: async () => {},
      close: async () => {},
    };
    let reported = 0;
    const onParameters: FlySitlOptions["onParameters"] = ({ length }) => {
      expect(log.columns).toEqual([]);
      reported = length;
    };
    await fly({ timeline: { endS: 25 } }, { sinks: [sink], onParameters });
    expect(log.rows).toBe(1251);
    expect(reported).toBeGreaterThan(500);
    const value = (name: string) => log.last[log.columns.indexOf(name)]!;
    expect(value("px4_estimate_valid")).toBe(1);
    for (const axis of ["n", "e", "d"]) {
      expect(Math.abs(value(`px4_pos_ned_${axis}_m`) - value(`pos_ned_${axis}_m`))).toBeLessThan(2);
    }
    expect(value("px4_pos_ned_d_m")).toBeLessThan(-5);
  });

  it("measures the vibration of an unbalanced propeller by its own metric", { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "escapement-vibration-"));
    const metricOf = async (imbalanceGmm: number) => {
      const logFile = join(folder, `${imbalanceGmm}.ulg`);
      const scenario = [{ atS: 1, propellerImbalance: { motor: 1, imbalanceGmm } }];
      await fly({ extends: "hover", scenario, wind: "none", timeline: { endS: 20 } }, { run: { logFile } });
      const { columns } = await readTable(readFileSync(logFile), "ulog");
      return columns.get("vehicle_imu_status.accel_vibration_metric")!.at(-1)!;
    };
    const [balanced, unbalanced] = [await metricOf(0), await metricOf(60)];
    rmSync(folder, { recursive: true });
    expect(unbalanced).toBeGreaterThan(4 * balanced);
  });

  it("names the reason why it rejects a mission", { timeout: 300_000 }, async () => {
    const items = [{ takeoff: { altitudeM: 10 } }, { waypoint: { northM: 20, altitudeM: 10 } }];
    const autopilot = { kind: "px4-sitl", parameters: { MIS_TKO_LAND_REQ: 2 } };
    await expect(fly({ autopilot, mission: { items } })).rejects.toThrow(
      /SITL-011.*Landing waypoint\/pattern required/,
    );
  });

  it(
    "continues after the gyroscope has dropped out, and flies with gyroscopes of 500 Hz and 1 kHz",
    { timeout: 300_000 },
    async () => {
      // If only the gyroscope fails for longer, PX4's own estimate of the vertical speed is wrong by metres per second.
      const scenario = [{ atS: 20, forS: 0.2, sensorFault: { sensor: "gyro", fault: "drop-out" } }];
      const dropOut = await fly({ scenario, timeline: { endS: 30 } });
      expect(dropOut.report.quiet).toBeGreaterThan(40);
      expect(dropOut.report.missed).toBe(0);
      expect(dropOut.flight.end.endUs).toBe(30_000_000);
      for (const periodS of [0.002, 0.001]) {
        const sensors = { imu: { periodS }, magnetometer: {}, barometer: {}, gnss: {} };
        const { report } = await fly({ sensors, timeline: { endS: 12, autopilotPeriodS: periodS } });
        expect(report).toMatchObject({ missed: 0, frames: 12 / periodS + 1 });
      }
    },
  );

  it("reports the reason for a failsafe as text", { timeout: 300_000 }, async () => {
    const parameters = { BAT_LOW_THR: 0.29, BAT_CRIT_THR: 0.28, COM_LOW_BAT_ACT: 2 };
    const autopilot = { kind: "px4-sitl", parameters };
    const { flight } = await fly({ extends: "battery-rtl", autopilot, timeline: { endS: 70 } });
    expect([...flight.signal("navState").values]).toContain(NAV_STATE.land);
    const words = flight.events.flatMap(({ kind, data }) => (kind === "autopilotWarning" ? [data.text] : []));
    expect(words.join("\n")).toMatch(/failsafe: battery critical, Land/);
  });

  it("may be started separately and paused for longer than any time limit", { timeout: 300_000 }, async () => {
    const { binary, etc } = findSitl();
    const folder = mkdtempSync(join(tmpdir(), "escapement-attach-"));
    const instance = 9;
    const env = { ...process.env, PX4_SIM_MODEL: "none_iris", PX4_SIM_HOST_ADDR: "127.0.0.1" };
    const px4 = spawn(binary, ["-d", "-i", `${instance}`, "-w", folder, etc], { cwd: folder, env, stdio: "ignore" });
    try {
      const spec = { extends: "hover", autopilot: "px4-sitl", sensors: SENSORS, timeline: { endS: 12 } };
      let isStopped = false;
      const { report } = await flySitl(mustResolve(resolveFlight({ file: "test", spec }, registry)), {
        registry,
        run: { program: false, instance },
        onPause: () => {
          if (isStopped) return;
          isStopped = true;
          px4.kill("SIGSTOP");
          setTimeout(() => px4.kill("SIGCONT"), 2500);
        },
      });
      expect(report).toMatchObject({ instance, missed: 0, frames: 3001 });
    } finally {
      px4.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
