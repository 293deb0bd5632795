/**
 * The setpoint of Position mode: the pilot's sticks command a velocity in the axes of the heading, a climb rate and a
 * yaw rate.
 *
 * This is PX4's mode with MPC_POS_MODE = 0, in which sticks command velocity directly. A stick within its dead zone is
 * released. If roll and pitch are released and the vehicle is slower than MPC_HOLD_MAX_XY, it holds its position. If
 * the throttle is released and it climbs or sinks more slowly than MPC_HOLD_MAX_Z, it holds its height. If yaw is
 * released, it holds its heading. Near the height of home, the vertical speed is limited as in a landing and a
 * take-off.
 */
import type { Readable } from "../../../engine/contracts.ts";
import { sinCosInPlace } from "../../../math/index.ts";
import { PartWithMemory } from "../../../snapshot/index.ts";
import { DEG } from "../constants.ts";
import type { Parameters } from "../parameters.ts";
import type { Vehicle } from "../vehicle.ts";
import { TrajectorySetpoint } from "./setpoint.ts";

/** Indices of the signal `sticks`. */
const ROLL = 0;
const PITCH = 1;
const YAW = 2;
const THROTTLE = 3;
/** The throttle stick above this position requests take-off. */
const TAKEOFF_THROTTLE = 0.3;

function settingsOf(p: Parameters) {
  return {
    speedXy: p.get("MPC_VEL_MANUAL"),
    speedMaxUp: p.get("MPC_Z_VEL_MAX_UP"),
    speedMaxDown: p.get("MPC_Z_VEL_MAX_DN"),
    yawRate: p.get("MPC_MAN_Y_MAX") * DEG,
    deadZone: p.get("MPC_HOLD_DZ"),
    expoXy: p.get("MPC_XY_MAN_EXPO"),
    expoZ: p.get("MPC_Z_MAN_EXPO"),
    expoYaw: p.get("MPC_YAW_EXPO"),
    holdXy: p.get("MPC_HOLD_MAX_XY"),
    holdZ: p.get("MPC_HOLD_MAX_Z"),
    landAlt1: p.get("MPC_LAND_ALT1"),
    landAlt2: p.get("MPC_LAND_ALT2"),
    landSpeed: p.get("MPC_LAND_SPEED"),
    takeoffSpeed: p.get("MPC_TKO_SPEED"),
  };
}

export class StickTask extends PartWithMemory {
  readonly setpoint = new TrajectorySetpoint();
  private readonly m = { isActive: false, requestsTakeoff: false };
  protected readonly memory = [this.setpoint, this.m];
  private readonly vehicle: Vehicle;
  private readonly homeNed: Float64Array;
  private p!: ReturnType<typeof settingsOf>;
  /** Scratch: the heading, then its sine and cosine. */
  private readonly turn = new Float64Array(2);

  constructor(vehicle: Vehicle, homeNed: Float64Array) {
    super();
    this.vehicle = vehicle;
    this.homeNed = homeNed;
  }

  configure(parameters: Parameters): void {
    this.p = settingsOf(parameters);
  }

  get active(): boolean {
    return this.m.isActive;
  }

  get requestsTakeoff(): boolean {
    return this.m.requestsTakeoff;
  }

  get speedUp(): number {
    return this.p.speedMaxUp;
  }

  get speedDown(): number {
    return this.p.speedMaxDown;
  }

  activate(): void {
    this.m.isActive = true;
    this.m.requestsTakeoff = false;
    this.setpoint.clear();
  }

  deactivate(): void {
    this.m.isActive = false;
    this.m.requestsTakeoff = false;
    this.setpoint.clear();
  }

  /** `sticks` is empty if the flight has none; they are then centred. */
  update(sticks: Readable): void {
    const { p, m } = this;
    m.requestsTakeoff = stickAt(sticks, THROTTLE) > TAKEOFF_THROTTLE;
    this.steer(shapeStick(stickAt(sticks, YAW), p.deadZone, p.expoYaw));
    this.move(
      shapeStick(stickAt(sticks, PITCH), p.deadZone, p.expoXy),
      shapeStick(stickAt(sticks, ROLL), p.deadZone, p.expoXy),
    );
    this.climb(shapeStick(stickAt(sticks, THROTTLE), p.deadZone, p.expoZ));
  }

  private steer(stick: number): void {
    const { yaw } = this.setpoint;
    yaw[1] = stick * this.p.yawRate;
    if (stick !== 0) yaw[0] = NaN;
    else if (Number.isNaN(yaw[0]!)) yaw[0] = this.vehicle.headingRad;
  }

  private move(forward: number, right: number): void {
    const { setpoint, vehicle, turn, p } = this;
    const { posNed, velNed } = setpoint;
    const yawRad = setpoint.yaw[0]!;
    turn[0] = Number.isNaN(yawRad) ? vehicle.headingRad : yawRad;
    sinCosInPlace(turn);
    const size = Math.sqrt(forward * forward + right * right);
    const scale = size > 1 ? p.speedXy / size : p.speedXy;
    velNed[0] = scale * (forward * turn[1]! - right * turn[0]!);
    velNed[1] = scale * (forward * turn[0]! + right * turn[1]!);
    const v = vehicle.velNed;
    const isSlow = p.holdXy === 0 || v[0]! * v[0]! + v[1]! * v[1]! < p.holdXy * p.holdXy;
    if (size > 0) posNed[0] = posNed[1] = NaN;
    else if (Number.isNaN(posNed[0]!) && isSlow) {
      posNed[0] = vehicle.posNed[0]!;
      posNed[1] = vehicle.posNed[1]!;
    }
  }

  private climb(stick: number): void {
    const { setpoint, vehicle, p } = this;
    const { posNed, velNed } = setpoint;
    const height = this.homeNed[2]! - vehicle.posNed[2]!;
    const heightShare = Math.min(Math.max((height - p.landAlt2) / Math.max(p.landAlt1 - p.landAlt2, 1e-6), 0), 1);
    const up = p.takeoffSpeed + heightShare * (p.speedMaxUp - p.takeoffSpeed);
    const down = p.landSpeed + heightShare * (p.speedMaxDown - p.landSpeed);
    const sink = -stick * (stick > 0 ? p.speedMaxUp : p.speedMaxDown);
    velNed[2] = Math.min(Math.max(sink, -up), down);
    const isSlow = p.holdZ === 0 || Math.abs(vehicle.velNed[2]!) < p.holdZ;
    if (stick !== 0) posNed[2] = NaN;
    else if (Number.isNaN(posNed[2]!) && isSlow) posNed[2] = vehicle.posNed[2]!;
  }
}

function stickAt(sticks: Readable, index: number): number {
  return index < sticks.length ? sticks[index]! : 0;
}

/** Removes the dead zone and mixes a straight line with a cubic, as PX4 does: `expo` is the share of the cubic. */
export function shapeStick(stick: number, deadZone: number, expo: number): number {
  const size = Math.abs(stick);
  if (size <= deadZone) return 0;
  const live = ((stick < 0 ? -1 : 1) * (size - deadZone)) / (1 - deadZone);
  return (1 - expo) * live + expo * live * live * live;
}
