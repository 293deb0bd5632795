/**
 * Writes the state that PX4 reports over MAVLink to the bus. Missing values become 0 with their flag cleared, because
 * the bus must not contain NaN.
 */
import { SETPOINT_BITS, SIGNALS } from "@escapement/core";
import type { View } from "@escapement/core";
import type { VehicleLink, VehicleReport } from "./vehicle-link.ts";

type Bus = View<"autopilot">;

/** MAVLink's battery charge states: `failsafe` is 0 at ok and stops increasing at emergency. */
const CHARGE_OK = 1;
const CHARGE_EMERGENCY = 4;
const LANDED_ON_GROUND = 1;
const LAND = SIGNALS.landDetected.values;

export function publishReport(bus: Bus, report: VehicleReport, missionCount: number): void {
  bus.navState[0] = report.navState;
  bus.landDetected[0] =
    report.landedState === LANDED_ON_GROUND || report.landedState === 0 ? LAND.landed : LAND["in the air"];
  bus.missionIndex[0] = report.missionCurrent;
  bus.missionCount[0] = missionCount;
  // Publish one item per tick, so that an item that PX4 completes immediately, such as a change of speed, does not hide
  // the item before it.
  const reached = report.missionReached.shift();
  if (reached !== undefined) bus.missionReached[0] = reached;
  bus.missionFinished[0] =
    missionCount > 0 && (report.missionComplete || bus.missionReached[0]! >= missionCount - 1) ? 1 : 0;
  bus.failsafe[0] = Math.max(0, Math.min(CHARGE_EMERGENCY, report.chargeState) - CHARGE_OK);
}

export function publishSetpoints(bus: Bus, link: VehicleLink): void {
  const { setpoint, attitudeTarget } = link;
  let valid = 0;
  if (setpoint !== undefined) {
    const { x, y, z, vx, vy, vz, afx, afy, afz, yaw, yaw_rate: yawRate } = setpoint;
    valid |= writeFinite(bus.setPosNed, 0, x) & writeFinite(bus.setPosNed, 1, y) & SETPOINT_BITS.posXy;
    valid |= writeFinite(bus.setPosNed, 2, z) & SETPOINT_BITS.posZ;
    valid |= writeFinite(bus.setVelNed, 0, vx) & writeFinite(bus.setVelNed, 1, vy) & SETPOINT_BITS.velXy;
    valid |= writeFinite(bus.setVelNed, 2, vz) & SETPOINT_BITS.velZ;
    valid |=
      writeFinite(bus.setAccNed, 0, afx) &
      writeFinite(bus.setAccNed, 1, afy) &
      writeFinite(bus.setAccNed, 2, afz) &
      SETPOINT_BITS.acc;
    valid |= writeFinite(bus.setYaw, 0, yaw) & SETPOINT_BITS.yaw;
    valid |= writeFinite(bus.setYawRate, 0, yawRate) & SETPOINT_BITS.yawRate;
  }
  if (attitudeTarget !== undefined) {
    const { q, body_roll_rate: roll, body_pitch_rate: pitch, body_yaw_rate: yaw, thrust } = attitudeTarget;
    const known = q.every((part) => Number.isFinite(part)) && q.some((part) => part !== 0);
    for (let i = 0; i < 4; i += 1) bus.setQBodyToNed[i] = known ? q[i]! : i === 0 ? 1 : 0;
    if (known) valid |= SETPOINT_BITS.attitude;
    const { setRateBody: rates } = bus;
    valid |=
      writeFinite(rates, 0, roll) & writeFinite(rates, 1, pitch) & writeFinite(rates, 2, yaw) & SETPOINT_BITS.rates;
    writeFinite(bus.setThrustBody, 2, -thrust);
  }
  bus.setpointValid[0] = valid;
}

/** Writes the value if it is finite, otherwise 0. Returns a mask: all bits set if it was finite, otherwise 0. */
function writeFinite(out: Float64Array, index: number, value: number): number {
  const known = Number.isFinite(value);
  out[index] = known ? value : 0;
  return known ? -1 : 0;
}
