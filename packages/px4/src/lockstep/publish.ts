/** Writes PX4's outputs of a step to the bus. NaN, PX4's "not commanded", becomes 0 with its validity bit cleared. */
import { SETPOINT_BITS } from "@escapement/core";
import type { View } from "@escapement/core";
import type { LockstepDriver } from "./driver.ts";
import { MOTORS, SERVOS } from "./driver.ts";
import { motorCommand } from "./thrust-curve.ts";

type Bus = View<"autopilot">;

/**
 * Publishes motor and servo commands. Motor commands are 0 while PX4 is disarmed. Servos are read only if position
 * control ran, because few vehicles have servos.
 */
export function publishCommand(bus: Bus, driver: LockstepDriver, armed: boolean, thrustFactor: number): void {
  const { motors } = driver;
  const hasMotors = motors.read() && armed;
  for (let i = 0; i < MOTORS; i += 1) {
    bus.motorCommand[i] = hasMotors ? motorCommand(motors.message.f32(motors.message.at.control, i), thrustFactor) : 0;
  }
  if (driver.positionRan && driver.servos.read()) publishServos(bus, driver);
}

function publishServos(bus: Bus, { servos: { message } }: LockstepDriver): void {
  for (let i = 0; i < SERVOS; i += 1) bus.servoCommand[i] = finiteOr0(message.f32(message.at.control, i));
}

const { posXy, posZ, velXy, velZ, acc, yaw, yawRate } = SETPOINT_BITS;
const TRAJECTORY_BITS = posXy | posZ | velXy | velZ | acc | yaw | yawRate;

/** Publishes setpoints. The topics of the flight tasks and of position control are read only if these modules ran. */
export function publishSetpoints(bus: Bus, driver: LockstepDriver): void {
  let valid = bus.setpointValid[0]!;
  if (driver.flightTasksRan && driver.trajectory.read())
    valid = (valid & ~TRAJECTORY_BITS) | publishTrajectory(bus, driver);
  const { attitudeSetpoint, ratesSetpoint, torqueSetpoint, allocation } = driver;
  if (driver.positionRan && attitudeSetpoint.read()) {
    const { message } = attitudeSetpoint;
    for (let i = 0; i < 4; i += 1) bus.setQBodyToNed[i] = finiteOr0(message.f32(message.at.q_d, i));
    valid |= SETPOINT_BITS.attitude;
  }
  if (ratesSetpoint.read()) {
    const {
      message,
      message: { at },
    } = ratesSetpoint;
    bus.setRateBody[0] = finiteOr0(message.f32(at.roll));
    bus.setRateBody[1] = finiteOr0(message.f32(at.pitch));
    bus.setRateBody[2] = finiteOr0(message.f32(at.yaw));
    // Rate control passes the thrust setpoint on unchanged.
    for (let i = 0; i < 3; i += 1) bus.setThrustBody[i] = finiteOr0(message.f32(at.thrust_body, i));
    valid |= SETPOINT_BITS.rates;
  }
  if (torqueSetpoint.read()) {
    const { message } = torqueSetpoint;
    for (let i = 0; i < 3; i += 1) bus.setTorqueBody[i] = finiteOr0(message.f32(message.at.xyz, i));
  }
  if (driver.positionRan && allocation.read()) {
    const {
      message,
      message: { at },
    } = allocation;
    for (let i = 0; i < 3; i += 1) bus.unallocated[i] = finiteOr0(message.f32(at.unallocated_torque, i));
    bus.unallocated[3] = finiteOr0(message.f32(at.unallocated_thrust, 2));
  }
  bus.setpointValid[0] = valid;
}

function publishTrajectory(bus: Bus, driver: LockstepDriver): number {
  const { message } = driver.trajectory;
  const { at } = message;
  for (let i = 0; i < 3; i += 1) {
    bus.setPosNed[i] = finiteOr0(message.f32(at.position, i));
    bus.setVelNed[i] = finiteOr0(message.f32(at.velocity, i));
    bus.setAccNed[i] = finiteOr0(message.f32(at.acceleration, i));
  }
  bus.setYaw[0] = finiteOr0(message.f32(at.yaw));
  bus.setYawRate[0] = finiteOr0(message.f32(at.yawspeed));
  let valid = 0;
  if (Number.isFinite(message.f32(at.position, 0))) valid |= posXy;
  if (Number.isFinite(message.f32(at.position, 2))) valid |= posZ;
  if (Number.isFinite(message.f32(at.velocity, 0))) valid |= velXy;
  if (Number.isFinite(message.f32(at.velocity, 2))) valid |= velZ;
  if (Number.isFinite(message.f32(at.acceleration, 2))) valid |= acc;
  if (Number.isFinite(message.f32(at.yaw))) valid |= yaw;
  if (Number.isFinite(message.f32(at.yawspeed))) valid |= yawRate;
  return valid;
}

function finiteOr0(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
