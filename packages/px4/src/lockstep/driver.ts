/**
 * Runs one tick of PX4: publishes the inputs of its modules, and steps the library.
 *
 * The library contains only PX4's navigator and controllers. This driver publishes status, control mode, land state,
 * home, battery and the estimate. It fills messages in place at offsets that the library confirmed, so a tick allocates
 * no memory. PX4 uses NaN for "not commanded". No NaN is written to the bus.
 */
import { SIGNALS } from "@escapement/core";
import * as math from "@escapement/core/math";
import type { GeoPosition, Projection } from "@escapement/core";
import { guessCellCount } from "../battery-cells.ts";
import { px4Projection } from "../projection.ts";
import type { TopicBuffer } from "../uorb/index.ts";
import { controlFlags } from "./control-flags.ts";
import { type DriverEstimate, DriverInputs } from "./driver-inputs.ts";
import type { LockstepRuntime, Publisher, Subscriber } from "./runtime.ts";

export const MOTORS = 12;
export const SERVOS = 8;

export interface DriverOptions {
  readonly runtime: LockstepRuntime;
  readonly origin: GeoPosition;
  readonly batteries: number;
  readonly estimate: DriverEstimate;
  /**
   * Periods, in ticks, of PX4's navigator and position control. Topics that only they read or write are handled only
   * when they run.
   */
  readonly navigatorTicks: number;
  readonly positionTicks: number;
  /** Period, in ticks, of the position estimate. PX4's flight tasks run when it is published. */
  readonly flightTaskTicks: number;
}

const VALID = SIGNALS.estValid.values;

const ARMED = 2;
const DISARMED = 1;
const ROTARY_WING = 1;
const SYSTEM_QUADROTOR = 2;
const BATTERY_PERIOD_US = 100_000;
/** Status, mode and land state are published when they change, and at least every this many ticks. */
const MAX_STATE_PERIOD_TICKS = 25;
/** Accuracies that are published to PX4: good enough for every mode. */
const HORIZONTAL_ACCURACY_M = 0.1;
const VERTICAL_ACCURACY_M = 0.1;

export class LockstepDriver {
  readonly inputs: DriverInputs;
  readonly motors: Subscriber<"actuator_motors">;
  readonly servos: Subscriber<"actuator_servos">;
  readonly trajectory: Subscriber<"trajectory_setpoint">;
  readonly attitudeSetpoint: Subscriber<"vehicle_attitude_setpoint">;
  readonly ratesSetpoint: Subscriber<"vehicle_rates_setpoint">;
  readonly torqueSetpoint: Subscriber<"vehicle_torque_setpoint">;
  readonly takeoffStatus: Subscriber<"takeoff_status">;
  readonly allocation: Subscriber<"control_allocator_status">;

  private readonly runtime: LockstepRuntime;
  private readonly estimate: DriverEstimate;
  private readonly navigatorTicks: number;
  private readonly positionTicks: number;
  private readonly flightTaskTicks: number;
  private readonly origin: GeoPosition;
  private readonly projection: Projection;
  private readonly geodetic = new Float64Array(3);
  private readonly attitude: Publisher<"vehicle_attitude">;
  private readonly angularVelocity: Publisher<"vehicle_angular_velocity">;
  private readonly localPosition: Publisher<"vehicle_local_position">;
  private readonly globalPosition: Publisher<"vehicle_global_position">;
  private readonly landDetected: Publisher<"vehicle_land_detected">;
  private readonly status: Publisher<"vehicle_status">;
  private readonly controlMode: Publisher<"vehicle_control_mode">;
  private readonly actuatorArmed: Publisher<"actuator_armed">;
  private readonly home: Publisher<"home_position">;
  private readonly batteries: readonly Publisher<"battery_status">[];
  /** Times in µs of PX4's clock: now, first tick, armed, mode entered, took off, next battery message. */
  private readonly now = new Float64Array(1);
  private readonly since = { first: 0, armed: 0, mode: 0, takeOff: 0, battery: 0 };
  private ticks = 0;
  /** The state published last, packed into one number; −1 before the first publication. */
  private lastState = -1;
  private lastNavState = -1;
  private lastHomeCount = 0;

  constructor(options: DriverOptions) {
    const { runtime, origin, batteries } = options;
    this.runtime = runtime;
    this.estimate = options.estimate;
    this.navigatorTicks = options.navigatorTicks;
    this.positionTicks = options.positionTicks;
    this.flightTaskTicks = options.flightTaskTicks;
    this.origin = origin;
    this.projection = px4Projection(origin);
    this.inputs = new DriverInputs(batteries);
    // Messages are published in the order in which their publishers are created.
    this.attitude = runtime.publisher("vehicle_attitude");
    this.angularVelocity = runtime.publisher("vehicle_angular_velocity");
    this.localPosition = runtime.publisher("vehicle_local_position");
    this.globalPosition = runtime.publisher("vehicle_global_position");
    this.landDetected = runtime.publisher("vehicle_land_detected");
    this.status = runtime.publisher("vehicle_status");
    this.controlMode = runtime.publisher("vehicle_control_mode");
    this.actuatorArmed = runtime.publisher("actuator_armed");
    this.home = runtime.publisher("home_position");
    this.batteries = Array.from({ length: batteries }, (_, i) => runtime.publisher("battery_status", i));
    this.motors = runtime.subscriber("actuator_motors");
    this.servos = runtime.subscriber("actuator_servos");
    this.trajectory = runtime.subscriber("trajectory_setpoint");
    this.attitudeSetpoint = runtime.subscriber("vehicle_attitude_setpoint");
    this.ratesSetpoint = runtime.subscriber("vehicle_rates_setpoint");
    this.torqueSetpoint = runtime.subscriber("vehicle_torque_setpoint");
    this.takeoffStatus = runtime.subscriber("takeoff_status");
    this.allocation = runtime.subscriber("control_allocator_status");
    this.fillConstants();
  }

  /** Publishes the inputs and steps PX4 to time `timeUs[0]` of its clock. */
  tick(timeUs: Float64Array): void {
    const now = timeUs[0]!;
    this.now[0] = now;
    if (this.since.first === 0) this.begin(now);
    this.updateChangeTimes(now);
    this.publishAttitude();
    if (this.ticks % this.flightTaskTicks === 0) this.publishLocalPosition();
    if (this.navigatorRuns) this.publishGlobalPosition();
    this.publishState();
    this.publishHome();
    if (now >= this.since.battery) this.publishBatteries(now);
    this.runtime.step(this.now);
    this.ticks += 1;
  }

  /** True if the navigator runs at the next tick. */
  private get navigatorRuns(): boolean {
    return this.ticks % this.navigatorTicks === 0;
  }

  /** True if the navigator ran at the last tick. Its outputs change only then. */
  get navigatorRan(): boolean {
    return (this.ticks - 1) % this.navigatorTicks === 0;
  }

  get positionRan(): boolean {
    return (this.ticks - 1) % this.positionTicks === 0;
  }

  /** True if the flight tasks ran at the last tick. The trajectory setpoint changes only then. */
  get flightTasksRan(): boolean {
    return (this.ticks - 1) % this.flightTaskTicks === 0;
  }

  private begin(now: number): void {
    this.since.first = now;
    this.since.battery = now;
    const {
      message,
      message: { at },
    } = this.localPosition;
    message.setU64(at.ref_timestamp, now);
  }

  private updateChangeTimes(now: number): void {
    const { inputs, since } = this;
    if (!inputs.armed) since.armed = 0;
    else if (since.armed === 0) since.armed = now;
    if (inputs.landed) since.takeOff = 0;
    else if (since.takeOff === 0) since.takeOff = now;
    if (inputs.navState !== this.lastNavState) since.mode = now;
    this.lastNavState = inputs.navState;
  }

  private fillConstants(): void {
    const local = this.localPosition.message;
    const { at } = local;
    for (const flag of [at.xy_global, at.z_global]) local.setU8(flag, 1);
    for (const none of [at.vxy_max, at.vz_max, at.hagl_min, at.hagl_max_z, at.hagl_max_xy])
      local.setF32(none, Number.NaN);
    local.setF64(at.ref_lat, this.origin.latDeg);
    local.setF64(at.ref_lon, this.origin.lonDeg);
    local.setF32(at.ref_alt, this.origin.altM);
    for (const [offset, value] of [
      [at.eph, HORIZONTAL_ACCURACY_M],
      [at.epv, VERTICAL_ACCURACY_M],
      [at.evh, HORIZONTAL_ACCURACY_M],
      [at.evv, VERTICAL_ACCURACY_M],
    ] as const) {
      local.setF32(offset, value);
    }
    const global = this.globalPosition.message;
    global.setF32(global.at.eph, 1);
    global.setF32(global.at.epv, 1);
    const status = this.status.message;
    status.setU8(status.at.vehicle_type, ROTARY_WING);
    status.setU8(status.at.system_type, SYSTEM_QUADROTOR);
    status.setU8(status.at.system_id, 1);
    status.setU8(status.at.component_id, 1);
    status.setU8(status.at.pre_flight_checks_pass, 1);
    const armed = this.actuatorArmed.message;
    armed.setU8(armed.at.ready_to_arm, 1);
  }

  private publishAttitude(): void {
    const { qBodyToNed, rateBody, rateDotBody } = this.estimate;
    const attitude = this.attitude.message;
    this.stamp(attitude);
    for (let i = 0; i < 4; i += 1) attitude.setF32(attitude.at.q, qBodyToNed[i]!, i);
    this.attitude.publish();
    const rates = this.angularVelocity.message;
    this.stamp(rates);
    for (let i = 0; i < 3; i += 1) {
      rates.setF32(rates.at.xyz, rateBody[i]!, i);
      rates.setF32(rates.at.xyz_derivative, rateDotBody[i]!, i);
    }
    this.angularVelocity.publish();
  }

  private publishLocalPosition(): void {
    const { posNed, velNed, accNed, qBodyToNed: q } = this.estimate;
    const local = this.localPosition.message;
    const { at } = local;
    const heading = math.atan2(2 * (q[0]! * q[3]! + q[1]! * q[2]!), 1 - 2 * (q[2]! * q[2]! + q[3]! * q[3]!));
    this.stamp(local);
    local.setF32(at.x, posNed[0]!);
    local.setF32(at.y, posNed[1]!);
    local.setF32(at.z, posNed[2]!);
    local.setF32(at.vx, velNed[0]!);
    local.setF32(at.vy, velNed[1]!);
    local.setF32(at.vz, velNed[2]!);
    local.setF32(at.z_deriv, velNed[2]!);
    local.setF32(at.ax, accNed[0]!);
    local.setF32(at.ay, accNed[1]!);
    local.setF32(at.az, accNed[2]!);
    local.setF32(at.heading, heading);
    local.setF32(at.unaided_heading, heading);
    local.setU8(at.xy_valid, this.validity(VALID.posXy));
    local.setU8(at.z_valid, this.validity(VALID.posZ));
    local.setU8(at.v_xy_valid, this.validity(VALID.velXy));
    local.setU8(at.v_z_valid, this.validity(VALID.velZ));
    local.setU8(at.heading_good_for_control, this.validity(VALID.heading));
    this.localPosition.publish();
  }

  private validity(bit: number): number {
    return (this.estimate.valid & bit) === 0 ? 0 : 1;
  }

  /** Publishes the global position. Only the navigator reads it, so this is called only when the navigator runs. */
  private publishGlobalPosition(): void {
    const global = this.globalPosition.message;
    this.stamp(global);
    this.projection.toGeodeticInto(this.geodetic, this.estimate.posNed);
    global.setF64(global.at.lat, this.geodetic[0]!);
    global.setF64(global.at.lon, this.geodetic[1]!);
    global.setF32(global.at.alt, this.geodetic[2]!);
    global.setF32(global.at.alt_ellipsoid, this.geodetic[2]!);
    global.setU8(global.at.lat_lon_valid, this.validity(VALID.posXy));
    global.setU8(global.at.alt_valid, this.validity(VALID.posZ));
    this.globalPosition.publish();
  }

  private publishState(): void {
    const { inputs } = this;
    const landed = (inputs.landed ? 4 : 0) + (inputs.maybeLanded ? 2 : 0) + (inputs.groundContact ? 1 : 0);
    const state = 16 * inputs.navState + 8 * (inputs.armed ? 1 : 0) + landed;
    if (state === this.lastState && this.ticks % MAX_STATE_PERIOD_TICKS !== 0) return;
    this.lastState = state;
    this.publishLandState();
    this.publishStatus();
    this.publishControlMode();
    const armed = this.actuatorArmed.message;
    armed.setU64(armed.at.timestamp, this.now[0]!);
    armed.setU8(armed.at.armed, inputs.armed ? 1 : 0);
    armed.setU8(armed.at.prearmed, inputs.armed ? 1 : 0);
    this.actuatorArmed.publish();
  }

  private publishLandState(): void {
    const { inputs } = this;
    const land = this.landDetected.message;
    land.setU64(land.at.timestamp, this.now[0]!);
    land.setU8(land.at.ground_contact, inputs.groundContact ? 1 : 0);
    land.setU8(land.at.maybe_landed, inputs.maybeLanded ? 1 : 0);
    land.setU8(land.at.landed, inputs.landed ? 1 : 0);
    this.landDetected.publish();
  }

  private publishStatus(): void {
    const { inputs, since } = this;
    const status = this.status.message;
    status.setU64(status.at.timestamp, this.now[0]!);
    status.setU64(status.at.armed_time, since.armed);
    status.setU64(status.at.takeoff_time, since.takeOff);
    status.setU64(status.at.nav_state_timestamp, since.mode);
    status.setU8(status.at.arming_state, inputs.armed ? ARMED : DISARMED);
    status.setU8(status.at.nav_state, inputs.navState);
    status.setU8(status.at.nav_state_user_intention, inputs.navState);
    this.status.publish();
  }

  private publishControlMode(): void {
    const { inputs } = this;
    const mode = this.controlMode.message;
    const { at } = mode;
    const flags = controlFlags(inputs.navState);
    const usesPositionControl = flags.altitude || flags.climbRate || flags.position || flags.velocity;
    mode.setU64(at.timestamp, this.now[0]!);
    mode.setU8(at.flag_armed, inputs.armed ? 1 : 0);
    mode.setU8(at.flag_multicopter_position_control_enabled, usesPositionControl ? 1 : 0);
    mode.setU8(at.flag_control_manual_enabled, flags.manual ? 1 : 0);
    mode.setU8(at.flag_control_auto_enabled, flags.auto ? 1 : 0);
    mode.setU8(at.flag_control_position_enabled, flags.position ? 1 : 0);
    mode.setU8(at.flag_control_velocity_enabled, flags.velocity ? 1 : 0);
    mode.setU8(at.flag_control_altitude_enabled, flags.altitude ? 1 : 0);
    mode.setU8(at.flag_control_climb_rate_enabled, flags.climbRate ? 1 : 0);
    mode.setU8(at.flag_control_attitude_enabled, flags.attitude ? 1 : 0);
    mode.setU8(at.flag_control_rates_enabled, flags.rates ? 1 : 0);
    mode.setU8(at.flag_control_allocation_enabled, flags.rates ? 1 : 0);
    mode.setU8(at.source_id, inputs.navState);
    this.controlMode.publish();
  }

  /**
   * Publishes home at the first tick and when it changes, but not at every tick, because each publication makes the
   * navigator recompute its altitudes.
   */
  private publishHome(): void {
    const { inputs } = this;
    if (inputs.homeCount === this.lastHomeCount) return;
    this.lastHomeCount = inputs.homeCount;
    const home = this.home.message;
    const { at } = home;
    this.projection.toGeodeticInto(this.geodetic, inputs.homeNed);
    home.setU64(at.timestamp, this.now[0]!);
    home.setF64(at.lat, this.geodetic[0]!);
    home.setF64(at.lon, this.geodetic[1]!);
    home.setF32(at.alt, this.geodetic[2]!);
    home.setF32(at.x, inputs.homeNed[0]!);
    home.setF32(at.y, inputs.homeNed[1]!);
    home.setF32(at.z, inputs.homeNed[2]!);
    home.setF32(at.yaw, inputs.homeYawRad);
    home.setU8(at.valid_alt, 1);
    home.setU8(at.valid_hpos, 1);
    home.setU8(at.valid_lpos, 1);
    home.setU32(at.update_count, inputs.homeCount);
    this.home.publish();
  }

  private publishBatteries(now: number): void {
    const { inputs } = this;
    this.since.battery = now + BATTERY_PERIOD_US;
    this.batteries.forEach((publisher, i) => {
      const battery = publisher.message;
      const { at } = battery;
      const volts = inputs.batteryVolts[i]!;
      battery.setU64(at.timestamp, now);
      battery.setF32(at.voltage_v, volts);
      battery.setF32(at.current_a, inputs.batteryAmps[i]!);
      battery.setF32(at.current_average_a, inputs.batteryAmps[i]!);
      battery.setF32(at.remaining, inputs.batteryRemaining[i]!);
      battery.setF32(at.scale, 1);
      battery.setU8(at.connected, volts > 0 ? 1 : 0);
      battery.setU8(at.cell_count, guessCellCount(volts));
      battery.setU8(at.id, i + 1);
      battery.setU8(at.warning, inputs.batteryWarning[i]!);
      publisher.publish();
    });
  }

  private stamp(message: Stamped): void {
    const now = this.now[0]!;
    message.setU64(message.at.timestamp, now);
    message.setU64(message.at.timestamp_sample, now);
  }
}

type Stamped = TopicBuffer<
  "vehicle_attitude" | "vehicle_angular_velocity" | "vehicle_local_position" | "vehicle_global_position"
>;
