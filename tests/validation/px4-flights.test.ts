/**
 * Compares the embedded autopilot with flights of PX4, with the same plant, schedule and inputs.
 *
 * Events lie on the navigator's grid of 52 ms, so the tests require that they happen on the same tick. Only the
 * touch-down, which depends on millimetres of height, may differ by up to 40 ms.
 */
import { describe, expect, it } from "vitest";
import { eventsUntil, OracleFlight, referenceFlight, timeOf, type OracleOptions } from "../support/px4-flights.ts";

const NAVIGATOR_TICK = 0.052;
const MISSION_EVENTS = ["nav_state", "takeoff_state", "mission_seq", "seq_reached", "mission_finished"];

function angleBetween(row: Float64Array, at: number, q: Float64Array): number {
  // Use the vector part of the difference, because acos of rounded components would lose a small angle.
  const a = Array.from(row.subarray(at, at + 4));
  const norm = Math.hypot(...a);
  const [w, x, y, z] = a.map((value) => value / norm) as [number, number, number, number];
  const [p, r, s, t] = q as unknown as [number, number, number, number];
  const vector = Math.hypot(
    w * r - x * p - y * t + z * s,
    w * s - y * p - z * r + x * t,
    w * t - z * p - x * s + y * r,
  );
  return (2 * Math.asin(Math.min(1, vector)) * 180) / Math.PI;
}

interface Comparison {
  readonly events: ReturnType<typeof eventsUntil>;
  readonly positionM: number;
  readonly attitudeDeg: number;
  readonly speedMax: number;
  readonly tiltMaxDeg: number;
}

function compare(name: string): Comparison {
  const reference = referenceFlight(name);
  const flight = new OracleFlight(reference.setup);
  const { plant } = flight;
  const column = (title: string) => reference.columns.indexOf(title);
  const found = { positionM: 0, attitudeDeg: 0, speedMax: 0, tiltMaxDeg: 0 };
  let next = 0;
  const events = eventsUntil(flight, reference.setup.timing.end_t, () => {
    found.speedMax = Math.max(found.speedMax, Math.hypot(plant.vel[0]!, plant.vel[1]!));
    const cosTilt = 1 - 2 * (plant.q[1]! ** 2 + plant.q[2]! ** 2);
    found.tiltMaxDeg = Math.max(found.tiltMaxDeg, (Math.acos(Math.min(1, cosTilt)) * 180) / Math.PI);
    const row = reference.rows[next];
    if (row === undefined || Math.abs(row[0]! - flight.t) > 1e-6) return;
    next += 1;
    const offset = Math.hypot(...[0, 1, 2].map((i) => row[column("n") + i]! - plant.pos[i]!));
    found.positionM = Math.max(found.positionM, offset);
    found.attitudeDeg = Math.max(found.attitudeDeg, angleBetween(row, column("qw"), plant.q));
  });
  expect(next).toBe(reference.rows.length);
  return { events, ...found };
}

describe.each(["simple", "rtl", "corners"])("PX4's flight %s", (name) => {
  const reference = referenceFlight(name).setup;
  const ours = compare(name);

  it("reaches every mission event on the same tick as PX4, and touches down within 40 ms of PX4", () => {
    const wanted = reference.events.filter(({ event, t }) => MISSION_EVENTS.includes(event) && t > 0.1);
    expect(wanted.length).toBeGreaterThan(5);
    for (const { event, t, value } of wanted) {
      // Only touch-down depends on millimetres of height, so a landing may differ by a few ticks of 4 ms.
      const landing = event === "takeoff_state" && value === 3 && t > 20;
      const seen = timeOf(ours.events, event, Number(value), t - NAVIGATOR_TICK);
      expect(Math.abs(seen - t), `${event} ${String(value)} at ${t}`).toBeLessThanOrEqual(landing ? 0.0401 : 1e-9);
    }
  });

  it("follows PX4's position and attitude at equal times", () => {
    expect(ours.positionM).toBeLessThan(0.01);
    expect(ours.attitudeDeg).toBeLessThan(0.3);
  });

  it("follows PX4's speed and tilt", () => {
    expect(ours.speedMax).toBeCloseTo(reference.maxima["speed_xy"]!.value, 2);
    expect(ours.tiltMaxDeg).toBeCloseTo(reference.maxima["tilt_deg"]!.value, 1);
  });
});

describe("open loop, evaluated on the states of PX4's flight", () => {
  it("computes the same trajectory and motor commands", () => {
    const { setup, rows, columns } = referenceFlight("rtl");
    const flight = new OracleFlight(setup);
    const column = (title: string) => columns.indexOf(title);
    const worst = { position: 0, velocity: 0, yaw: 0, motor: 0 };
    let row = 0;
    while (flight.t < 63) {
      const t = flight.t + 0.004;
      while (rows[row + 1]![0]! <= t + 1e-9) row += 1;
      flight.stepFrom(rows[row]!, rows[Math.min(row + 1, rows.length - 1)]!, column);
      const now = rows[row]!;
      if (Math.abs(now[0]! - t) > 1e-6 || Number.isNaN(now[column("sp_n")]!)) continue;
      const { bus } = flight;
      for (let i = 0; i < 3; i += 1) {
        worst.position = Math.max(worst.position, Math.abs(now[column("sp_n") + i]! - bus.setPosNed[i]!));
        worst.velocity = Math.max(worst.velocity, Math.abs(now[column("sp_vn") + i]! - bus.setVelNed[i]!));
      }
      const turn = now[column("sp_yaw")]! - bus.setYaw[0]!;
      worst.yaw = Math.max(worst.yaw, Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))));
      for (let i = 0; i < 4; i += 1) {
        worst.motor = Math.max(worst.motor, Math.abs(now[column("m1") + i]! - bus.motorCommand[i]!));
      }
    }
    expect(worst.position).toBeLessThan(0.002);
    expect(worst.velocity).toBeLessThan(0.005);
    expect(worst.yaw).toBeLessThan(0.0005);
    expect(worst.motor).toBeLessThan(0.015);
  });
});

describe("other flights of the same PX4 reach waypoints at the same times", () => {
  const { setup } = referenceFlight("simple");
  const times = (options: OracleOptions, endS: number) => {
    const events = eventsUntil(new OracleFlight(setup, options), endS);
    return [1, 2, 3, 4, 5, 6, 7].map((seq) => Number(timeOf(events, "mission_seq", seq).toFixed(3)));
  };

  it("without angular acceleration for the rate controller's derivative", () => {
    expect(times({ zeroRateDot: true }, 60)).toEqual([14.564, 20.648, 27.46, 36.404, 43.268, 51.38, 58.192]);
  });

  it("with MPC_XY_CRUISE set to 2 m/s at 15 s", () => {
    const change = { name: "MPC_XY_CRUISE", value: 2, t: 15 };
    expect(times({ parameterChanges: [change] }, 75)).toEqual([14.564, 23.144, 32.556, 45.816, 55.488, 66.096, 72.908]);
  });
});

describe("stock SITL v1.17.0 with its commander, estimators and land detector", () => {
  // Times at which stock PX4 advanced to items 1 to 7, and landed. It armed and started at 6.04 s.
  const stock = [19.43, 25.52, 32.44, 41.35, 48.31, 56.52, 63.32];
  const stockLandingS = 75.23 - 63.32;
  const { setup } = referenceFlight("simple");
  const together = { ...setup, timing: { ...setup.timing, arm_t: 2, mission_mode_t: 2 } };
  const options: OracleOptions = { preset: "default", ownLandDetector: true };

  const fly = (settings: OracleOptions) => {
    const events = eventsUntil(new OracleFlight(together, settings), 80);
    const times = [1, 2, 3, 4, 5, 6, 7].map((seq) => timeOf(events, "mission_seq", seq));
    return { times, landingS: timeOf(events, "landed", 3, 20) - times[6]!, events };
  };

  it("needs the same time for each leg", () => {
    const { times } = fly(options);
    expect(Math.abs(times[0]! - 2 - (stock[0]! - 6.04))).toBeLessThan(0.3);
    for (let i = 1; i < 7; i += 1) {
      const leg = times[i]! - times[i - 1]!;
      expect(Math.abs(leg - (stock[i]! - stock[i - 1]!)), `leg to item ${i + 1}`).toBeLessThan(0.3);
    }
  });

  it("detects the landing within about a second after touch-down, and disarms", () => {
    const { landingS, events } = fly(options);
    // 9.03 s of descent, then about one second of detection.
    expect(landingS).toBeGreaterThan(9.8);
    expect(landingS).toBeLessThan(10.4);
    expect(timeOf(events, "armed", 0, 20)).toBeGreaterThan(timeOf(events, "landed", 3, 20));
  });

  it("takes as long to land as stock PX4 if its vertical speed estimate misses the impact, as the estimate of stock PX4 did", () => {
    const { landingS } = fly({ ...options, filteredVerticalSpeed: true });
    expect(Math.abs(landingS - stockLandingS)).toBeLessThan(1);
  });
});
