/**
 * The parameters of the embedded autopilot: PX4's names, units and defaults, the range that our control laws accept,
 * and one sentence each.
 *
 * Defaults are those of PX4 v1.17. They include the values that PX4's scripts set for every multicopter (NAV_ACC_RAD,
 * RTL_RETURN_ALT, RTL_DESCEND_ALT) and in simulation (COM_LOW_BAT_ACT). Our ranges are wider than the sliders of a
 * ground station. The rows of the rotors (CA_ROTORn_…) depend on the vehicle; `parameters.ts` adds them.
 */
export interface ParameterSpec {
  readonly default: number;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly integer?: true;
  readonly about: string;
}

function defineParameters<const T extends { readonly [name: string]: ParameterSpec }>(table: T): T {
  return table;
}

/** The parameters of the embedded autopilot, by PX4's names. */
// prettier-ignore
export const PARAMETER_TABLE = defineParameters({
  // position and velocity control
  MPC_XY_P: { default: 0.95, unit: "1/s", min: 0, max: 20, about: "Velocity setpoint per metre of horizontal position error." },
  MPC_Z_P: { default: 1, unit: "1/s", min: 0, max: 20, about: "Velocity setpoint per metre of vertical position error." },
  MPC_XY_VEL_P_ACC: { default: 1.8, unit: "1/s", min: 0.01, max: 50, about: "Acceleration per m/s of horizontal velocity error." },
  MPC_XY_VEL_I_ACC: { default: 0.4, unit: "1/s2", min: 0, max: 60, about: "Acceleration per metre of integrated horizontal velocity error." },
  MPC_XY_VEL_D_ACC: { default: 0.2, unit: "1", min: 0, max: 10, about: "Acceleration per m/s² of measured horizontal acceleration." },
  MPC_Z_VEL_P_ACC: { default: 4, unit: "1/s", min: 0.01, max: 50, about: "Acceleration per m/s of vertical velocity error." },
  MPC_Z_VEL_I_ACC: { default: 2, unit: "1/s2", min: 0, max: 60, about: "Acceleration per metre of integrated vertical velocity error." },
  MPC_Z_VEL_D_ACC: { default: 0, unit: "1", min: 0, max: 10, about: "Acceleration per m/s² of measured vertical acceleration." },
  MPC_XY_VEL_MAX: { default: 12, unit: "m/s", min: 0.1, max: 100, about: "Maximum horizontal velocity setpoint in any mode." },
  MPC_Z_VEL_MAX_UP: { default: 3, unit: "m/s", min: 0.1, max: 50, about: "Maximum climb rate setpoint in any mode." },
  MPC_Z_VEL_MAX_DN: { default: 1.5, unit: "m/s", min: 0.1, max: 50, about: "Maximum sink rate setpoint in any mode." },
  MPC_TILTMAX_AIR: { default: 45, unit: "deg", min: 1, max: 89, about: "Maximum tilt of the thrust vector in flight." },
  MPC_TILTMAX_LND: { default: 12, unit: "deg", min: 1, max: 89, about: "Maximum tilt of the thrust vector before and during take-off." },
  MPC_THR_MIN: { default: 0.12, unit: "1", min: 0, max: 1, about: "Minimum collective thrust in flight." },
  MPC_THR_MAX: { default: 1, unit: "1", min: 0.01, max: 1, about: "Maximum collective thrust." },
  MPC_THR_HOVER: { default: 0.5, unit: "1", min: 0.05, max: 0.9, about: "Collective thrust at hover." },
  MPC_USE_HTE: { default: 1, unit: "flag", min: 0, max: 1, integer: true, about: "1: replace MPC_THR_HOVER by the estimated hover thrust once the estimate is valid." },
  MPC_THR_XY_MARG: { default: 0.3, unit: "1", min: 0, max: 1, about: "Thrust kept for horizontal control when the vertical demand saturates." },
  MPC_ACC_DECOUPLE: { default: 1, unit: "flag", min: 0, max: 1, integer: true, about: "1: tilt as if the vertical acceleration were zero; 0: include it." },
  MPC_VEL_LP: { default: 0, unit: "Hz", min: 0, max: 1000, about: "Cut-off of the velocity low-pass in front of the controller; 0 is off." },
  MPC_VEL_NF_FRQ: { default: 0, unit: "Hz", min: 0, max: 1000, about: "Centre of the velocity notch filter; 0 is off." },
  MPC_VEL_NF_BW: { default: 5, unit: "Hz", min: 0, max: 1000, about: "Bandwidth of the velocity notch filter." },
  MPC_VELD_LP: { default: 5, unit: "Hz", min: 0, max: 1000, about: "Cut-off of the low-pass on the differentiated velocity; 0 is off." },
  MPC_XY_VEL_ALL: { default: -10, unit: "m/s", min: -20, max: 100, about: "If not negative, sets MPC_XY_CRUISE, MPC_XY_VEL_MAX and MPC_VEL_MANUAL together." },
  MPC_Z_VEL_ALL: { default: -3, unit: "m/s", min: -3, max: 50, about: "If not negative, sets all vertical speeds: climb to this value, sink to 75 %, take-off to 60 % and MPC_LAND_SPEED to 50 % of it." },
  SYS_VEHICLE_RESP: { default: -0.4, unit: "1", min: -1, max: 1, about: "If not negative, sets accelerations, jerk and tilt from sluggish (0) to agile (1)." },

  // trajectories
  MPC_XY_CRUISE: { default: 5, unit: "m/s", min: 0.1, max: 100, about: "Horizontal speed on straight legs of missions, Return and Hold." },
  MPC_Z_V_AUTO_UP: { default: 3, unit: "m/s", min: 0.1, max: 50, about: "Climb rate in automatic modes." },
  MPC_Z_V_AUTO_DN: { default: 1.5, unit: "m/s", min: 0.1, max: 50, about: "Sink rate in automatic modes." },
  MPC_ACC_HOR: { default: 3, unit: "m/s2", min: 0.1, max: 50, about: "Horizontal acceleration of planned trajectories." },
  MPC_ACC_UP_MAX: { default: 4, unit: "m/s2", min: 0.1, max: 50, about: "Upward acceleration of planned trajectories." },
  MPC_ACC_DOWN_MAX: { default: 3, unit: "m/s2", min: 0.1, max: 50, about: "Downward acceleration of planned trajectories." },
  MPC_JERK_AUTO: { default: 4, unit: "m/s3", min: 0.1, max: 500, about: "Jerk of planned trajectories." },
  MPC_XY_TRAJ_P: { default: 0.5, unit: "1", min: 0.01, max: 5, about: "Fraction of MPC_ACC_HOR used as centripetal acceleration in corners." },
  MPC_XY_ERR_MAX: { default: 2, unit: "m", min: 0, max: 100, about: "Horizontal lag at which the planned trajectory stops and waits; 0 never waits." },
  MPC_YAWRAUTO_MAX: { default: 60, unit: "deg/s", min: 0.1, max: 1800, about: "Maximum yaw rate of planned headings." },
  MPC_YAWRAUTO_ACC: { default: 20, unit: "deg/s2", min: 0.1, max: 10000, about: "Yaw acceleration of planned headings." },
  MPC_YAW_MODE: { default: 0, unit: "enum", min: 0, max: 5, integer: true, about: "Heading without a commanded yaw: 0 to the waypoint, 1 to home, 2 from home, 3 along the trajectory, 4 to the waypoint before moving, 5 fixed." },
  MPC_TKO_SPEED: { default: 1.5, unit: "m/s", min: 0.1, max: 50, about: "Climb rate during take-off below MPC_LAND_ALT1." },
  MPC_TKO_RAMP_T: { default: 3, unit: "s", min: 0, max: 30, about: "Time over which thrust is ramped up at take-off." },
  MPC_LAND_ALT1: { default: 10, unit: "m", min: 0, max: 1000, about: "Height below which a landing begins to slow down." },
  MPC_LAND_ALT2: { default: 5, unit: "m", min: 0, max: 1000, about: "Height below which a landing sinks at MPC_LAND_SPEED." },
  MPC_LAND_SPEED: { default: 0.7, unit: "m/s", min: 0.05, max: 20, about: "Sink rate close to the ground." },
  MPC_LAND_CRWL: { default: 0.3, unit: "m/s", min: 0.05, max: 20, about: "Minimum sink rate of a landing with a range sensor. This autopilot has no range sensor and only keeps LNDMC_Z_VEL_MAX below this value." },

  // sticks in position mode
  MPC_VEL_MANUAL: { default: 10, unit: "m/s", min: 0.1, max: 100, about: "Horizontal speed at full stick." },
  MPC_MAN_Y_MAX: { default: 150, unit: "deg/s", min: 0, max: 1800, about: "Yaw rate at full stick." },
  MPC_HOLD_DZ: { default: 0.1, unit: "1", min: 0, max: 0.9, about: "Dead zone around the centre of every stick." },
  MPC_XY_MAN_EXPO: { default: 0.6, unit: "1", min: 0, max: 1, about: "Share of the cubic in the curve of the roll and pitch sticks; 0 is a straight line." },
  MPC_Z_MAN_EXPO: { default: 0.6, unit: "1", min: 0, max: 1, about: "Share of the cubic in the curve of the throttle stick." },
  MPC_YAW_EXPO: { default: 0.6, unit: "1", min: 0, max: 1, about: "Share of the cubic in the curve of the yaw stick." },
  MPC_HOLD_MAX_XY: { default: 0.8, unit: "m/s", min: 0, max: 100, about: "Horizontal speed below which a vehicle with released sticks holds its position; 0: at any speed." },
  MPC_HOLD_MAX_Z: { default: 0.6, unit: "m/s", min: 0, max: 100, about: "Vertical speed below which a vehicle with released throttle holds its height; 0: at any speed." },

  // attitude and rate control
  MC_ROLL_P: { default: 4, unit: "1/s", min: 0, max: 50, about: "Roll rate per radian of roll error." },
  MC_PITCH_P: { default: 4, unit: "1/s", min: 0, max: 50, about: "Pitch rate per radian of pitch error." },
  MC_YAW_P: { default: 2.8, unit: "1/s", min: 0, max: 50, about: "Yaw rate per radian of yaw error." },
  MC_YAW_WEIGHT: { default: 0.4, unit: "1", min: 0, max: 1, about: "Weight of yaw against tilt when both have an error." },
  MC_ROLLRATE_MAX: { default: 220, unit: "deg/s", min: 0, max: 10000, about: "Maximum roll rate setpoint." },
  MC_PITCHRATE_MAX: { default: 220, unit: "deg/s", min: 0, max: 10000, about: "Maximum pitch rate setpoint." },
  MC_YAWRATE_MAX: { default: 200, unit: "deg/s", min: 0, max: 10000, about: "Maximum yaw rate setpoint." },
  MC_ROLLRATE_P: { default: 0.15, unit: "s", min: 0, max: 10, about: "Roll torque per rad/s of rate error." },
  MC_ROLLRATE_I: { default: 0.2, unit: "1", min: 0, max: 100, about: "Roll torque per radian of integrated rate error." },
  MC_ROLLRATE_D: { default: 0.003, unit: "s2", min: 0, max: 1, about: "Roll torque per rad/s² of angular acceleration." },
  MC_ROLLRATE_FF: { default: 0, unit: "s", min: 0, max: 10, about: "Roll torque per rad/s of rate setpoint." },
  MC_ROLLRATE_K: { default: 1, unit: "1", min: 0.01, max: 50, about: "Factor on P, I and D of the roll rate controller." },
  MC_PITCHRATE_P: { default: 0.15, unit: "s", min: 0, max: 10, about: "Pitch torque per rad/s of rate error." },
  MC_PITCHRATE_I: { default: 0.2, unit: "1", min: 0, max: 100, about: "Pitch torque per radian of integrated rate error." },
  MC_PITCHRATE_D: { default: 0.003, unit: "s2", min: 0, max: 1, about: "Pitch torque per rad/s² of angular acceleration." },
  MC_PITCHRATE_FF: { default: 0, unit: "s", min: 0, max: 10, about: "Pitch torque per rad/s of rate setpoint." },
  MC_PITCHRATE_K: { default: 1, unit: "1", min: 0.01, max: 50, about: "Factor on P, I and D of the pitch rate controller." },
  MC_YAWRATE_P: { default: 0.2, unit: "s", min: 0, max: 10, about: "Yaw torque per rad/s of rate error." },
  MC_YAWRATE_I: { default: 0.1, unit: "1", min: 0, max: 100, about: "Yaw torque per radian of integrated rate error." },
  MC_YAWRATE_D: { default: 0, unit: "s2", min: 0, max: 1, about: "Yaw torque per rad/s² of angular acceleration." },
  MC_YAWRATE_FF: { default: 0, unit: "s", min: 0, max: 10, about: "Yaw torque per rad/s of rate setpoint." },
  MC_YAWRATE_K: { default: 1, unit: "1", min: 0.01, max: 50, about: "Factor on P, I and D of the yaw rate controller." },
  MC_RR_INT_LIM: { default: 0.3, unit: "1", min: 0, max: 10, about: "Maximum integrated roll torque." },
  MC_PR_INT_LIM: { default: 0.3, unit: "1", min: 0, max: 10, about: "Maximum integrated pitch torque." },
  MC_YR_INT_LIM: { default: 0.3, unit: "1", min: 0, max: 10, about: "Maximum integrated yaw torque." },
  MC_YAW_TQ_CUTOFF: { default: 2, unit: "Hz", min: 0, max: 1000, about: "Cut-off of the low-pass on the yaw torque; 0 is off." },
  MC_AIRMODE: { default: 0, unit: "enum", min: 0, max: 2, integer: true, about: "Whether thrust may rise to keep control: 0 no, 1 for roll and pitch, 2 also for yaw." },
  IMU_GYRO_CUTOFF: { default: 40, unit: "Hz", min: 0, max: 1000, about: "Cut-off of the second-order low-pass on body rates, if the gyro filter is on." },
  IMU_DGYRO_CUTOFF: { default: 20, unit: "Hz", min: 0, max: 1000, about: "Cut-off of the low-pass on angular acceleration, if the gyro filter is on." },
  THR_MDL_FAC: { default: 0, unit: "1", min: 0, max: 1, about: "Fraction of the square in the motors' thrust curve; 0: thrust is linear in the command." },
  CA_AIRFRAME: { default: 0, unit: "enum", min: 0, max: 0, integer: true, about: "0: multirotor, the only airframe this autopilot flies." },
  CA_METHOD: { default: 2, unit: "enum", min: 1, max: 2, integer: true, about: "Allocation: 1 and 2 both desaturate axis by axis, as PX4 does for multirotors." },

  // navigation
  NAV_ACC_RAD: { default: 2, unit: "m", min: 0.05, max: 1000, about: "Horizontal acceptance radius of waypoints that set none." },
  NAV_MC_ALT_RAD: { default: 0.8, unit: "m", min: 0.05, max: 1000, about: "Vertical acceptance radius." },
  NAV_LOITER_RAD: { default: 80, unit: "m", min: -10000, max: 10000, about: "Loiter radius; multirotors use it only to accept loiters to an altitude." },
  MIS_YAW_ERR: { default: 12, unit: "deg", min: 0, max: 180, about: "Maximum heading error at which a commanded yaw counts as reached." },
  MIS_YAW_TMT: { default: -1, unit: "s", min: -1, max: 1000, about: "Positive: do not wait for the heading of a waypoint." },
  MIS_TAKEOFF_ALT: { default: 2.5, unit: "m", min: 0, max: 10000, about: "Height above the take-off position to which the take-off mode climbs." },
  RTL_TYPE: { default: 0, unit: "enum", min: 0, max: 0, integer: true, about: "0: return to home or to a nearer rally point." },
  RTL_RETURN_ALT: { default: 30, unit: "m", min: 0, max: 10000, about: "Height over the destination at which Return flies." },
  RTL_DESCEND_ALT: { default: 10, unit: "m", min: 0, max: 10000, about: "Height to which Return descends before it waits, with RTL_LAND_DELAY." },
  RTL_LAND_DELAY: { default: 0, unit: "s", min: -1, max: 100000, about: "Time to wait over the destination before landing; −1 waits forever." },
  RTL_MIN_DIST: { default: 10, unit: "m", min: 0.5, max: 10000, about: "Distance below which Return climbs only into a cone over the destination." },
  RTL_CONE_ANG: { default: 45, unit: "deg", min: 0, max: 90, integer: true, about: "Half angle of the cone over the destination; 0 always climbs to RTL_RETURN_ALT." },
  GF_ACTION: { default: 2, unit: "enum", min: 0, max: 5, integer: true, about: "On leaving the fence: 0 nothing, 1 warn, 2 Hold, 3 Return, 4 terminate, 5 Land." },
  GF_MAX_HOR_DIST: { default: 0, unit: "m", min: 0, max: 1000000, about: "Maximum horizontal distance from home; 0 is unlimited." },
  GF_MAX_VER_DIST: { default: 0, unit: "m", min: 0, max: 1000000, about: "Maximum height over home; 0 is unlimited." },

  // arming, failsafes, battery
  COM_SPOOLUP_TIME: { default: 1, unit: "s", min: 0, max: 30, about: "Time from arming until the vehicle may take off." },
  COM_DISARM_LAND: { default: 2, unit: "s", min: -1, max: 100000, about: "Time on the ground after which a landed vehicle disarms; not positive: never." },
  COM_DISARM_PRFLT: { default: 10, unit: "s", min: -1, max: 100000, about: "Time after spool-up after which a vehicle that has not taken off disarms; not positive: never." },
  COM_TAKEOFF_ACT: { default: 0, unit: "enum", min: 0, max: 1, integer: true, about: "After a take-off on request: 0 hold, 1 fly the mission." },
  COM_LOW_BAT_ACT: { default: 3, unit: "enum", min: 0, max: 3, integer: true, about: "On a critical battery: 0 warn, 1 Return, 2 Land, 3 Return, and Land when it becomes an emergency." },
  COM_FAIL_ACT_T: { default: 5, unit: "s", min: 0, max: 100, about: "Time for which the vehicle holds before a failsafe acts, so that a pilot may take over." },
  COM_ARM_BAT_MIN: { default: -1, unit: "1", min: -1, max: 1, about: "Remaining charge needed to arm; −1: any charge that is not critical." },
  COM_LKDOWN_TKO: { default: 3, unit: "s", min: -1, max: 100, about: "Time after spool-up during which a flipped vehicle disarms." },
  CBRK_FLIGHTTERM: { default: 121212, unit: "key", min: 0, max: 121212, integer: true, about: "121212: never terminate a flight because of attitude." },
  FD_FAIL_R: { default: 60, unit: "deg", min: 0, max: 180, integer: true, about: "Roll beyond which the attitude has failed; 0 is off." },
  FD_FAIL_P: { default: 60, unit: "deg", min: 0, max: 180, integer: true, about: "Pitch beyond which the attitude has failed; 0 is off." },
  FD_FAIL_R_TTRI: { default: 0.3, unit: "s", min: 0, max: 100, about: "Time for which the roll must be beyond its limit." },
  FD_FAIL_P_TTRI: { default: 0.3, unit: "s", min: 0, max: 100, about: "Time for which the pitch must be beyond its limit." },
  BAT_LOW_THR: { default: 0.15, unit: "1", min: 0, max: 1, about: "Remaining charge below which the battery is low." },
  BAT_CRIT_THR: { default: 0.07, unit: "1", min: 0, max: 1, about: "Remaining charge below which the battery is critical." },
  BAT_EMERGEN_THR: { default: 0.05, unit: "1", min: 0, max: 1, about: "Remaining charge below which the battery state is an emergency." },

  // land detector and hover-thrust estimator
  LNDMC_TRIG_TIME: { default: 1, unit: "s", min: 0, max: 100, about: "Time from touch-down to landed; each of three stages takes a third." },
  LNDMC_Z_VEL_MAX: { default: 0.25, unit: "m/s", min: 0, max: 20, about: "Vertical speed below which the vehicle may be on the ground." },
  LNDMC_XY_VEL_MAX: { default: 1.5, unit: "m/s", min: 0, max: 100, about: "Horizontal speed below which the vehicle may be on the ground." },
  LNDMC_ROT_MAX: { default: 20, unit: "deg/s", min: 0, max: 10000, about: "Roll and pitch rate below which the vehicle may be on the ground." },
  HTE_HT_NOISE: { default: 0.0036, unit: "1/s", min: 0.0001, max: 1, about: "Expected change of the hover thrust per second." },
  HTE_HT_ERR_INIT: { default: 0.1, unit: "1", min: 0, max: 1, about: "Uncertainty of MPC_THR_HOVER at the start." },
  HTE_ACC_GATE: { default: 3, unit: "1", min: 1, max: 100, about: "Standard deviations beyond which a measured acceleration is not used." },
  HTE_THR_RANGE: { default: 0.2, unit: "1", min: 0.01, max: 0.5, about: "Maximum difference between the estimate and MPC_THR_HOVER." },
  HTE_VZ_THR: { default: 2, unit: "m/s", min: 0.1, max: 100, about: "Vertical speed above which the estimator gives its measurements less weight." },
  HTE_VXY_THR: { default: 10, unit: "m/s", min: 0.1, max: 100, about: "Horizontal speed above which the estimator gives its measurements less weight." },
});

export type TableName = keyof typeof PARAMETER_TABLE;
