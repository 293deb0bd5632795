/**
 * The trajectory setpoint on the bus: NaN, "not commanded", becomes zero and a missing validity bit.
 */
import type { Ports } from "./ports.ts";
import type { AutoTask } from "./trajectory/auto-task.ts";

// Bits of `setpointValid`
const POSITION_XY = 1;
const POSITION_Z = 2;
const VELOCITY_XY = 4;
const VELOCITY_Z = 8;
const ACCELERATION = 16;
const YAW = 32;
const YAW_RATE = 64;
const ATTITUDE_AND_RATES = 128 + 256;

export function publishSetpoint(ports: Ports, task: AutoTask): void {
  const { posNed, velNed, accNed, yaw } = task.setpoint;
  const { setPosNed, setVelNed, setAccNed } = ports;
  // A number equals itself, NaN does not.
  let mask = task.active ? ATTITUDE_AND_RATES : 0;
  if (posNed[0] === posNed[0]) mask += POSITION_XY;
  if (posNed[2] === posNed[2]) mask += POSITION_Z;
  if (velNed[0] === velNed[0]) mask += VELOCITY_XY;
  if (velNed[2] === velNed[2]) mask += VELOCITY_Z;
  if (accNed[2] === accNed[2]) mask += ACCELERATION;
  if (yaw[0] === yaw[0]) mask += YAW;
  if (yaw[1] === yaw[1]) mask += YAW_RATE;
  for (let i = 0; i < 3; i += 1) {
    setPosNed[i] = numberOr0(posNed[i]);
    setVelNed[i] = numberOr0(velNed[i]);
    setAccNed[i] = numberOr0(accNed[i]);
  }
  ports.setYaw[0] = numberOr0(yaw[0]);
  ports.setYawRate[0] = numberOr0(yaw[1]);
  ports.setpointValid[0] = mask;
}

function numberOr0(x: number): number {
  return x === x ? x : 0;
}
