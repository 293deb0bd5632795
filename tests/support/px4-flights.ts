/**
 * The reference flights of PX4 (tests/fixtures/px4-flights) and the plant they used, so that our own autopilot can fly
 * under the same conditions: semi-implicit Euler with 1 ms substeps, commands held over 4 ms, rigid ground, and the
 * true state as the estimate.
 */
import { readFileSync } from "node:fs";
import { Bus } from "../../packages/core/src/engine/bus.ts";
import type { View } from "../../packages/core/src/engine/contracts.ts";
import type { RotorGeometry } from "../../packages/core/src/autopilot/context.ts";
import {
  EmbeddedAutopilot,
  type EmbeddedOptions,
  type LandDetectorLike,
} from "../../packages/core/src/autopilot/embedded/autopilot.ts";
import type { Mission, MissionItem } from "../../packages/core/src/autopilot/mission.ts";
import { FlightClock } from "../../packages/core/src/time/index.ts";

export const TICK_US = 4000;
const SUBSTEPS = 4;
const H = 0.001;
const G = 9.80665;

interface FlightItem {
  readonly command: number;
  readonly frame: number;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: number | null;
  readonly lat: number;
  readonly lon: number;
  readonly alt: number;
  readonly autocontinue: number;
  readonly stored_acceptance_radius: number;
}

interface FlightSetup {
  readonly timing: { arm_t: number; mission_mode_t: number; return_mode_t: number | null; end_t: number };
  readonly plant: {
    mass_kg: number;
    inertia_diag: [number, number, number];
    rotors: { position_frd: number[]; thrust_axis: number[]; km: number }[];
    max_thrust_per_rotor_N: number;
    motor_lag_s: number;
    linear_drag_N_per_mps: number;
  };
  readonly wind: { velocity_ned: [number, number, number] };
  readonly home: { lat: number; lon: number; alt_amsl: number };
  readonly params_set: Record<string, number>;
  readonly params_varied: Record<string, number>;
  readonly mission: FlightItem[];
  readonly events: { t: number; event: string; value: number | boolean }[];
  readonly maxima: Record<string, { value: number; t: number }>;
}

export interface ReferenceFlight {
  readonly setup: FlightSetup;
  readonly columns: readonly string[];
  readonly rows: readonly Float64Array[];
}

export function referenceFlight(name: string): ReferenceFlight {
  const file = (ending: string) => new URL(`../fixtures/px4-flights/${name}.${ending}`, import.meta.url);
  const setup = JSON.parse(readFileSync(file("json"), "utf8")) as FlightSetup;
  const lines = readFileSync(file("csv"), "utf8").trimEnd().split("\n");
  const columns = lines[0]!.split(",");
  const rows = lines
    .slice(1)
    .map((line) => Float64Array.from(line.split(","), (cell) => (cell === "" ? NaN : Number(cell))));
  return { setup, columns, rows };
}

/** Returns the mission for our autopilot. The PX4 library's mission reader gave take-off items an acceptance radius. */
export function missionOf(setup: FlightSetup): Mission {
  const items = setup.mission.map((item): MissionItem => ({
    command: item.command,
    frame: item.frame === 3 ? "relative" : item.frame === 2 ? "mission" : "amsl",
    p1: item.p1,
    p2: item.command === 22 ? item.stored_acceptance_radius : item.p2,
    p3: item.p3,
    p4: item.p4 ?? NaN,
    latDeg: item.lat,
    lonDeg: item.lon,
    altM: item.alt,
    autoContinue: item.autocontinue === 1,
  }));
  return { items };
}

export function rotorsOf(setup: FlightSetup): RotorGeometry[] {
  return setup.plant.rotors.map((rotor, i) => ({
    posBody: rotor.position_frd,
    axisBody: rotor.thrust_axis,
    torqueRatioM: rotor.km,
    channel: i,
  }));
}

/** The plant, in plain numbers. */
export class OraclePlant {
  readonly pos = new Float64Array(3);
  readonly vel = new Float64Array(3);
  readonly acc = new Float64Array(3);
  readonly q = Float64Array.of(1, 0, 0, 0);
  readonly w = new Float64Array(3);
  readonly wDot = new Float64Array(3);
  readonly motors: Float64Array;
  /** x, y and torque ratio of each rotor. */
  private readonly rotors: Float64Array;
  private readonly wind: Float64Array;
  private readonly inertia: Float64Array;
  private readonly massKg: number;
  private readonly dragPerMass: number;
  private readonly thrustMax: number;
  private readonly follow: number;

  constructor(setup: FlightSetup) {
    const p = setup.plant;
    this.motors = new Float64Array(p.rotors.length);
    this.rotors = Float64Array.from(
      p.rotors.flatMap((rotor) => [rotor.position_frd[0]!, rotor.position_frd[1]!, rotor.km]),
    );
    this.wind = Float64Array.from(setup.wind.velocity_ned);
    this.inertia = Float64Array.from(p.inertia_diag);
    this.massKg = p.mass_kg;
    this.dragPerMass = p.linear_drag_N_per_mps / p.mass_kg;
    this.thrustMax = p.max_thrust_per_rotor_N;
    this.follow = 1 - Math.exp(-H / p.motor_lag_s);
  }

  heading(): number {
    const q = this.q;
    return Math.atan2(2 * (q[0]! * q[3]! + q[1]! * q[2]!), 1 - 2 * (q[2]! * q[2]! + q[3]! * q[3]!));
  }

  /** Advances one tick of 4 ms with a held command. */
  advance(command: ArrayLike<number>): void {
    const yaw = this.heading();
    for (let i = 0; i < SUBSTEPS; i += 1) this.substep(command, yaw);
  }

  private substep(command: ArrayLike<number>, yaw: number): void {
    const { pos, vel, acc, q, w, wDot, motors, rotors, inertia, wind, dragPerMass } = this;
    let thrust = 0;
    let roll = 0;
    let pitch = 0;
    let turn = 0;
    for (let i = 0; i < motors.length; i += 1) {
      motors[i]! += (command[i]! - motors[i]!) * this.follow;
      const t = this.thrustMax * motors[i]!;
      thrust += t;
      roll -= rotors[3 * i + 1]! * t;
      pitch += rotors[3 * i]! * t;
      turn += rotors[3 * i + 2]! * t;
    }
    const push = thrust / this.massKg;
    acc[0] = -2 * (q[1]! * q[3]! + q[0]! * q[2]!) * push - dragPerMass * (vel[0]! - wind[0]!);
    acc[1] = -2 * (q[2]! * q[3]! - q[0]! * q[1]!) * push - dragPerMass * (vel[1]! - wind[1]!);
    acc[2] = -(1 - 2 * (q[1]! * q[1]! + q[2]! * q[2]!)) * push + G - dragPerMass * (vel[2]! - wind[2]!);
    if (pos[2]! >= 0 && acc[2]! > 0) {
      acc.fill(0);
      vel.fill(0);
      pos[2] = 0;
      w.fill(0);
      wDot.fill(0);
      q[0] = Math.cos(yaw / 2);
      q[1] = q[2] = 0;
      q[3] = Math.sin(yaw / 2);
    } else {
      wDot[0] = (roll - w[1]! * w[2]! * (inertia[2]! - inertia[1]!)) / inertia[0]!;
      wDot[1] = (pitch - w[2]! * w[0]! * (inertia[0]! - inertia[2]!)) / inertia[1]!;
      wDot[2] = (turn - w[0]! * w[1]! * (inertia[1]! - inertia[0]!)) / inertia[2]!;
      for (let i = 0; i < 3; i += 1) w[i]! += H * wDot[i]!;
    }
    for (let i = 0; i < 3; i += 1) {
      vel[i]! += H * acc[i]!;
      pos[i]! += H * vel[i]!;
    }
    if (pos[2]! > 0 && vel[2]! > 0) {
      pos[2] = 0;
      vel.fill(0);
      w.fill(0);
      acc.fill(0);
    }
    this.turn();
  }

  private turn(): void {
    const { q, w } = this;
    const a = q[0]!;
    const b = q[1]!;
    const c = q[2]!;
    const d = q[3]!;
    const x = 0.5 * H * w[0]!;
    const y = 0.5 * H * w[1]!;
    const z = 0.5 * H * w[2]!;
    q[0] = a - b * x - c * y - d * z;
    q[1] = b + a * x + c * z - d * y;
    q[2] = c + a * y - b * z + d * x;
    q[3] = d + a * z + b * y - c * x;
    const norm = Math.sqrt(q[0]! * q[0]! + q[1]! * q[1]! + q[2]! * q[2]! + q[3]! * q[3]!);
    for (let i = 0; i < 4; i += 1) q[i]! /= norm;
  }
}

/** Computes the landed flag of the reference flights: one rule for ground contact, maybe landed and landed. */
export class OracleLanded implements LandDetectorLike {
  private flag = true;
  private ticks = 0;

  get groundContact(): boolean {
    return this.flag;
  }
  get maybeLanded(): boolean {
    return this.flag;
  }
  get landed(): boolean {
    return this.flag;
  }
  get stage(): 0 | 3 {
    return this.flag ? 3 : 0;
  }

  update(): void {}
  save(): void {}
  load(): void {}

  /** Updates the flag after the tick at t, from the new state. */
  observe(t: number, plant: OraclePlant): void {
    const onGround = plant.pos[2]! > -0.02 && Math.abs(plant.vel[2]!) < 0.2;
    this.ticks = onGround ? this.ticks + 1 : 0;
    this.flag = t < 2.5 ? onGround : t <= 20 ? false : this.ticks > 75;
  }
}

/**
 * Kalman filter of one velocity with the noise settings of PX4's estimator: EKF2_ACC_NOISE 0.35, EKF2_GPS_V_NOISE 0.3.
 */
class VerticalFilter {
  private velocity = 0;
  private variance = 0.01;

  update(tick: number, acceleration: number, truth: number): number {
    const dt = TICK_US / 1e6;
    this.velocity += acceleration * dt;
    // PX4 predicts every 10 ms; our ticks add the same variance per second.
    this.variance += 0.35 ** 2 * 0.01 * dt;
    if (tick % 25 === 0) {
      const gain = this.variance / (this.variance + 0.3 ** 2);
      this.velocity += gain * (truth - this.velocity);
      this.variance *= 1 - gain;
    }
    return this.velocity;
  }
}

export interface OracleOptions extends Partial<EmbeddedOptions> {
  readonly parameters?: Record<string, number>;
  readonly parameterChanges?: readonly { readonly name: string; readonly value: number; readonly t: number }[];
  readonly mission?: Mission;
  /** If true, uses the autopilot's own land detector instead of the flights' rule. */
  readonly ownLandDetector?: boolean;
  readonly returnAt?: number;
  readonly zeroRateDot?: boolean;
  /**
   * If true, replaces the true vertical speed by the output of a filter like stock PX4's estimator. The filter
   * integrates the accelerometer at 250 Hz and corrects the result with satellite velocity at 10 Hz. The accelerometer
   * does not measure the impulse of a touch-down on rigid ground.
   */
  readonly filteredVerticalSpeed?: boolean;
}

/** Flies our autopilot with the oracle plant; `step` is one tick. */
export class OracleFlight {
  readonly autopilot: EmbeddedAutopilot;
  readonly plant: OraclePlant;
  readonly bus: View<"autopilot">;
  readonly clock = new FlightClock();
  readonly all: Bus;
  private readonly setup: FlightSetup;
  private readonly land: OracleLanded | undefined;
  private readonly options: OracleOptions;
  private readonly vertical = new VerticalFilter();
  /** Requests of a test, which replace the flight's own requests. */
  override: { readonly mode: number; readonly count: number; readonly armed?: number } | undefined;
  tick = 0;

  constructor(setup: FlightSetup, options: OracleOptions = {}) {
    this.setup = setup;
    this.options = options;
    this.plant = new OraclePlant(setup);
    this.land = options.ownLandDetector === true ? undefined : new OracleLanded();
    const preset = options.preset ?? "px4-library";
    this.autopilot = new EmbeddedAutopilot(
      {
        periodUs: TICK_US,
        rotors: rotorsOf(setup),
        origin: { latDeg: setup.home.lat, lonDeg: setup.home.lon, altM: setup.home.alt_amsl },
        mission: options.mission ?? missionOf(setup),
        parameters: { ...setup.params_set, ...setup.params_varied, ...options.parameters },
        ...(options.parameterChanges === undefined
          ? {}
          : { parameterChanges: options.parameterChanges.map((change, i) => ({ ...change, bit: 2 ** i })) }),
      },
      { gyroFilter: preset === "default", ...options, preset },
      this.land,
    );
    const dims = { rotors: setup.plant.rotors.length, batteries: 1, buses: 1 };
    this.all = new Bus(dims, undefined as never);
    this.bus = this.all.view("autopilot");
    this.all.signal("batteryRemaining").fill(0.9);
  }

  get t(): number {
    return this.clock.s;
  }

  /** Runs the next tick: estimate, autopilot, `atTick`, and then the plant over the following 4 ms. */
  step(atTick?: () => void): void {
    this.tick += 1;
    this.clock.set(this.tick * TICK_US);
    this.request();
    this.feed();
    this.autopilot.update(this.clock, this.bus);
    atTick?.();
    this.plant.advance(this.bus.motorCommand);
    this.land?.observe(this.t, this.plant);
  }

  /** Runs the next tick with a state interpolated between two rows of a reference flight. */
  stepFrom(a: Float64Array, b: Float64Array, column: (title: string) => number): void {
    this.tick += 1;
    this.clock.set(this.tick * TICK_US);
    this.request();
    const { plant } = this;
    const span = b[0]! - a[0]!;
    const s = span > 0 ? (this.t - a[0]!) / span : 0;
    const mix = (at: number) => a[at]! + s * (b[at]! - a[at]!);
    for (let i = 0; i < 3; i += 1) {
      const p = column("n") + i;
      const v = column("vn") + i;
      const w = column("p") + i;
      // Interpolate positions by a cubic Hermite polynomial, and the rest linearly.
      const h = s * s * (3 - 2 * s);
      plant.pos[i] = a[p]! + h * (b[p]! - a[p]!) + span * s * (1 - s) * ((1 - s) * a[v]! - s * b[v]!);
      plant.vel[i] = mix(v);
      plant.w[i] = mix(w);
      plant.acc[i] = span > 0 ? (b[v]! - a[v]!) / span : 0;
      plant.wDot[i] = span > 0 ? (b[w]! - a[w]!) / span : 0;
    }
    for (let i = 0; i < 4; i += 1) plant.q[i] = mix(column("qw") + i);
    const norm = Math.hypot(...plant.q);
    for (let i = 0; i < 4; i += 1) plant.q[i]! /= norm;
    this.feed();
    this.autopilot.update(this.clock, this.bus);
    this.land?.observe(this.t, plant);
  }

  private request(): void {
    const { arm_t, mission_mode_t, return_mode_t } = this.setup.timing;
    const t = this.t;
    const returnAt = this.options.returnAt ?? return_mode_t;
    const set = (name: "requestArmed" | "requestMode" | "requestCount", value: number) => {
      this.all.signal(name)[0] = value;
    };
    if (t >= arm_t) set("requestArmed", 1);
    if (t >= mission_mode_t) {
      set("requestMode", 1);
      set("requestCount", 1);
    }
    if (returnAt !== null && t >= returnAt) {
      set("requestMode", 2);
      set("requestCount", 2);
    }
    if (this.override !== undefined) {
      set("requestMode", this.override.mode);
      set("requestCount", this.override.count);
      if (this.override.armed !== undefined) set("requestArmed", this.override.armed);
    }
    let mask = 0;
    this.options.parameterChanges?.forEach((change, i) => (mask += t >= change.t ? 2 ** i : 0));
    this.all.signal("parameterChanges")[0] = mask;
  }

  private feed(): void {
    const { plant, all } = this;
    all.signal("estPosNed").set(plant.pos);
    all.signal("estVelNed").set(plant.vel);
    all.signal("estAccNed").set(plant.acc);
    all.signal("estQBodyToNed").set(plant.q);
    all.signal("estRateBody").set(plant.w);
    if (this.options.zeroRateDot !== true) all.signal("estRateDotBody").set(plant.wDot);
    if (this.options.filteredVerticalSpeed === true) {
      all.signal("estVelNed")[2] = this.vertical.update(this.tick, plant.acc[2]!, plant.vel[2]!);
    }
  }
}

export interface SignalChange {
  readonly t: number;
  readonly event: string;
  readonly value: number;
}

/** Signals whose changes are events, under the names of the reference flights. */
const WATCHED = {
  nav_state: "navState",
  takeoff_state: "takeoffState",
  mission_seq: "missionIndex",
  seq_reached: "missionReached",
  mission_finished: "missionFinished",
  landed: "landDetected",
  armed: "armed",
  failsafe: "failsafe",
} as const;

/** Flies until `endS`, or until `atTick` returns true, and returns every change of the watched signals. */
export function eventsUntil(flight: OracleFlight, endS: number, atTick?: () => boolean | void): SignalChange[] {
  const events: SignalChange[] = [];
  const watched = Object.entries(WATCHED).map(([event, name]) => ({ event, cell: flight.all.signal(name) }));
  const last = watched.map(() => NaN);
  let done = false;
  const recordChanges = () => {
    for (let i = 0; i < watched.length; i += 1) {
      const value = watched[i]!.cell[0]!;
      if (last[i] === value) continue;
      last[i] = value;
      events.push({ t: flight.t, event: watched[i]!.event, value });
    }
    done = atTick?.() === true;
  };
  while (!done && flight.t < endS - 1e-9) flight.step(recordChanges);
  return events;
}

export function timeOf(events: readonly SignalChange[], event: string, value: number, after = 0): number {
  return events.find((seen) => seen.event === event && seen.value === value && seen.t >= after)?.t ?? NaN;
}
