/** Returns the parameters of the trajectory generator, in SI units. */
import { DEG } from "../constants.ts";
import type { Parameters } from "../parameters.ts";

export function taskParameters(p: Parameters) {
  const accUp = p.get("MPC_ACC_UP_MAX");
  const takeoffSpeed = p.get("MPC_TKO_SPEED");
  const rampS = p.get("MPC_TKO_RAMP_T");
  return {
    cruise: p.get("MPC_XY_CRUISE"),
    speedMaxXy: p.get("MPC_XY_VEL_MAX"),
    speedMaxUp: p.get("MPC_Z_VEL_MAX_UP"),
    speedMaxDown: p.get("MPC_Z_VEL_MAX_DN"),
    autoUp: p.get("MPC_Z_V_AUTO_UP"),
    autoDown: p.get("MPC_Z_V_AUTO_DN"),
    accXy: p.get("MPC_ACC_HOR"),
    accUp,
    accDown: p.get("MPC_ACC_DOWN_MAX"),
    jerk: p.get("MPC_JERK_AUTO"),
    cornerGain: p.get("MPC_XY_TRAJ_P"),
    lagMax: p.get("MPC_XY_ERR_MAX"),
    altRadius: p.get("NAV_MC_ALT_RAD"),
    takeoffSpeed,
    takeoffAcc: rampS > 0 ? takeoffSpeed / rampS : accUp,
    landAlt1: p.get("MPC_LAND_ALT1"),
    landAlt2: p.get("MPC_LAND_ALT2"),
    landSpeed: p.get("MPC_LAND_SPEED"),
    yawMode: p.get("MPC_YAW_MODE"),
    yawRateMax: p.get("MPC_YAWRAUTO_MAX") * DEG,
    yawAccMax: p.get("MPC_YAWRAUTO_ACC") * DEG,
    yawTolerance: p.get("MIS_YAW_ERR") * DEG,
  };
}
