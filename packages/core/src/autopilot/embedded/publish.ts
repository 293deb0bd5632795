/**
 * Publishes the trajectory setpoint. NaN ("not commanded") becomes zero with a cleared validity bit.
 */
import { SETPOINT_BITS, type View } from "../../engine/index.ts";
import type { TrajectorySetpoint } from "./trajectory/setpoint.ts";

const { posXy, posZ, velXy, velZ, acc, yaw: yawBit, yawRate } = SETPOINT_BITS;
const ATTITUDE_AND_RATES = SETPOINT_BITS.attitude + SETPOINT_BITS.rates;

/** The part of a task that is published. */
interface PublishedTask {
  readonly active: boolean;
  readonly setpoint: TrajectorySetpoint;
}

export function publishSetpoint(bus: View<"autopilot">, task: PublishedTask): void {
  const { posNed, velNed, accNed, yaw } = task.setpoint;
  const { setPosNed, setVelNed, setAccNed } = bus;
  // x === x is false only for NaN.
  let mask = task.active ? ATTITUDE_AND_RATES : 0;
  if (posNed[0] === posNed[0]) mask += posXy;
  if (posNed[2] === posNed[2]) mask += posZ;
  if (velNed[0] === velNed[0]) mask += velXy;
  if (velNed[2] === velNed[2]) mask += velZ;
  if (accNed[2] === accNed[2]) mask += acc;
  if (yaw[0] === yaw[0]) mask += yawBit;
  if (yaw[1] === yaw[1]) mask += yawRate;
  for (let i = 0; i < 3; i += 1) {
    setPosNed[i] = zeroIfNaN(posNed[i]);
    setVelNed[i] = zeroIfNaN(velNed[i]);
    setAccNed[i] = zeroIfNaN(accNed[i]);
  }
  bus.setYaw[0] = zeroIfNaN(yaw[0]);
  bus.setYawRate[0] = zeroIfNaN(yaw[1]);
  bus.setpointValid[0] = mask;
}

function zeroIfNaN(x: number): number {
  return x === x ? x : 0;
}
