/** The parameters of the trajectory generator, in SI units. */
import type { Parameters } from "../parameters.ts";

const DEG = 0.017453292519943295;

export class TaskParameters {
  cruise = 5;
  speedMaxXy = 12;
  speedMaxUp = 3;
  speedMaxDown = 1.5;
  autoUp = 3;
  autoDown = 1.5;
  accXy = 3;
  accUp = 4;
  accDown = 3;
  jerk = 4;
  cornerGain = 0.5;
  lagMax = 2;
  altRadius = 0.8;
  takeoffSpeed = 1.5;
  takeoffAcc = 0.5;
  landAlt1 = 10;
  landAlt2 = 5;
  landSpeed = 0.7;
  yawMode = 0;
  yawRateMax = 1;
  yawAccMax = 1;
  yawTolerance = 0.2;

  read(p: Parameters): void {
    this.cruise = p.get("MPC_XY_CRUISE");
    this.speedMaxXy = p.get("MPC_XY_VEL_MAX");
    this.speedMaxUp = p.get("MPC_Z_VEL_MAX_UP");
    this.speedMaxDown = p.get("MPC_Z_VEL_MAX_DN");
    this.autoUp = p.get("MPC_Z_V_AUTO_UP");
    this.autoDown = p.get("MPC_Z_V_AUTO_DN");
    this.accXy = p.get("MPC_ACC_HOR");
    this.accUp = p.get("MPC_ACC_UP_MAX");
    this.accDown = p.get("MPC_ACC_DOWN_MAX");
    this.jerk = p.get("MPC_JERK_AUTO");
    this.cornerGain = p.get("MPC_XY_TRAJ_P");
    this.lagMax = p.get("MPC_XY_ERR_MAX");
    this.altRadius = p.get("NAV_MC_ALT_RAD");
    this.takeoffSpeed = p.get("MPC_TKO_SPEED");
    const ramp = p.get("MPC_TKO_RAMP_T");
    this.takeoffAcc = ramp > 0 ? this.takeoffSpeed / ramp : this.accUp;
    this.landAlt1 = p.get("MPC_LAND_ALT1");
    this.landAlt2 = p.get("MPC_LAND_ALT2");
    this.landSpeed = p.get("MPC_LAND_SPEED");
    this.yawMode = p.get("MPC_YAW_MODE");
    this.yawRateMax = p.get("MPC_YAWRAUTO_MAX") * DEG;
    this.yawAccMax = p.get("MPC_YAWRAUTO_ACC") * DEG;
    this.yawTolerance = p.get("MIS_YAW_ERR") * DEG;
  }
}
