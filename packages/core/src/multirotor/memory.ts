/**
 * The memory map of the multirotor's equations: where every parameter, whole number and intermediate value lies.
 *
 * The equations work on four flat arrays: state x, input u, packed parameters p (float) and n (whole numbers), and
 * scratch w. V8 is fastest when index constants stand in the module that uses them, so each module of equations repeats
 * the few it needs; a test compares every repetition with this map. Sizes are fixed maxima (12 rotors, 8 batteries,
 * buses and servos, 32 points of contact, 12 knots of a curve), so that offsets are constants whatever the vehicle.
 */

/** State: the rigid body comes first; the other blocks start where `N` says. */
export const X = { X_POS: 0, X_VEL: 3, X_Q: 6, X_RATE: 10, X_MOTOR: 13 } as const;

/** Propulsion levels and actuator kinds as whole numbers in n. */
export const CODES = {
  LEVEL_LINEAR: 0,
  LEVEL_REFERENCE: 1,
  LEVEL_MOMENTUM: 2,
  ACTUATOR_DIRECT: 0,
  ACTUATOR_FIRST: 1,
  ACTUATOR_SECOND: 2,
} as const;

/** Whole numbers: counts, offsets of state blocks and of input signals, and who belongs to which bus. */
export const N = {
  N_ROTORS: 0,
  N_BATTERIES: 1,
  N_BUSES: 2,
  N_SERVOS: 3,
  N_POINTS: 4,
  N_LEVEL: 5,
  /** Motors that draw current: all of them, or none at the linear level. */
  N_MOTORS: 6,
  N_TWO_RC: 7,
  N_MOTOR_ACTUATOR: 8,
  N_SERVO_ACTUATOR: 9,
  N_X_MOTOR_RATE: 10,
  N_X_SERVO: 11,
  N_X_SERVO_RATE: 12,
  N_X_SPEED: 13,
  N_X_SOC: 14,
  N_X_V1: 15,
  N_X_V2: 16,
  N_U_GAIN: 17,
  N_U_OFFSET: 18,
  N_U_JAM: 19,
  N_U_CONNECTED: 20,
  N_U_WIND: 21,
  N_AIR_CELLS: 22,
  N_AIR_SEGMENTS: 23,
  N_BODY_DRAG: 24,
  /** Not 0 where any battery is ideal. */
  N_IDEAL: 25,
  /** One a rotor: the place of its command in u, and its bus. */
  N_U_MOTOR: 32,
  N_ROTOR_BUS: 44,
  N_U_SERVO: 56,
  /** One a battery: its bus, whether it is an ideal source, the number of knots of its curve. */
  N_BATTERY_BUS: 64,
  N_BATTERY_IDEAL: 72,
  N_BATTERY_KNOTS: 80,
  /** First segment of the density table that a cell of altitude can lie in. */
  N_AIR_CELL: 96,
} as const;

/** Parameters of the whole vehicle. */
export const P = {
  P_INV_MASS: 0,
  P_DRAG: 1,
  P_DRAG_AREA: 2,
  P_DRAG_CENTRE: 5,
  P_DAMPING: 8,
  /** Inertia and its inverse: xx, yy, zz, xy, xz, yz. */
  P_INERTIA: 11,
  P_INV_INERTIA: 17,
  P_GRAVITY: 23,
  P_ORIGIN_ALTITUDE: 27,
  P_HUB_INFLOW: 28,
  P_JAM_RATE: 29,
  /** Actuators: 1/τ, ωn/(2ζ), 2ζωn, rate limit. */
  P_MOTOR_ACTUATOR: 30,
  P_SERVO_ACTUATOR: 34,
  P_REACH: 38,
  P_AIR_START: 39,
  P_AIR_INV_CELL: 40,
  /** Inflow λh of a blade in hover, its C_T near there as k0 + k1·angle, and 1/λ² of the unstalled one. */
  P_HOVER_INFLOW: 41,
  P_BLADE_OFFSET: 42,
  P_BLADE_SLOPE: 43,
  P_INV_HOVER2: 44,
  P_ROTOR: 64,
  P_BATTERY: 448,
  P_BUS: 832,
  P_POINT: 864,
  P_AIR: 1200,
} as const;

/** Places inside one rotor's 32 parameters. */
export const ROTOR = {
  ROTOR_STRIDE: 32,
  R_POS: 0,
  R_AXIS: 3,
  /** r × (−a): moment about the centre of mass per newton of thrust. */
  R_ARM: 6,
  R_DIR: 9,
  /** −direction·J: angular momentum about the axis over speed. */
  R_SPIN: 10,
  R_INV_INERTIA: 11,
  R_KE: 12,
  R_INV_OHM: 13,
  R_OHM: 14,
  R_IDLE: 15,
  R_FRICTION: 16,
  R_MAX_CURRENT: 17,
  R_INV_ESC: 18,
  R_DEADZONE: 19,
  R_RADIUS: 20,
  /** Meaning by level: linear maxThrust, torque ratio; reference kT, kQ, inflow gains; momentum as named. */
  R_A: 21,
  R_B: 22,
  R_C: 23,
  R_D: 24,
  R_E: 25,
  R_F: 26,
  R_G: 27,
  R_H: 28,
  /** 1/(η·R), what a volt on the winding draws from the bus at full duty; and R·Imax. */
  R_DRAW: 30,
  R_MAX_DROP: 31,
} as const;

/** Places inside one battery's 48 parameters. */
export const BATTERY = {
  BATTERY_STRIDE: 48,
  B_CONDUCTANCE: 0,
  B_INV_CHARGE: 1,
  B_RATE_1: 2,
  B_INV_C1: 3,
  B_RATE_2: 4,
  B_INV_C2: 5,
  B_CUTOFF: 6,
  B_LOW: 7,
  B_CRITICAL: 8,
  B_EMERGENCY: 9,
  B_SOC: 12,
  B_OCV: 24,
  B_SLOPE: 36,
} as const;

export const BUS = { BUS_STRIDE: 4, U_POWER: 0, U_BROWN_OUT: 1 } as const;

/** Places inside one contact point's 10 parameters. */
export const POINT = {
  POINT_STRIDE: 10,
  C_POS: 0,
  C_STIFFNESS: 3,
  C_DISSIPATION: 4,
  C_FRICTION: 5,
  C_SLIP2: 6,
  C_INV_GRIP: 7,
  C_INV_DAMPING: 8,
} as const;

/** Places inside one segment of the density table: lower border, centre, 1/half width, nine coefficients. */
export const AIR = { AIR_STRIDE: 12, A_FLOOR: 0, A_CENTRE: 1, A_INV_HALF: 2, A_COEFFICIENT: 3 } as const;

/** Scratch: what the equations pass on to each other, and what outputs read. */
export const W = {
  W_ROTATION: 0,
  W_AIR: 9,
  W_RHO: 12,
  W_GRAVITY: 13,
  W_ALTITUDE: 14,
  W_FORCE: 16,
  W_MOMENT: 19,
  W_SPIN: 22,
  W_CONTACT: 28,
  W_CONTACT_MOMENT: 31,
  W_DUTY: 36,
  W_THRUST: 48,
  W_TORQUE: 60,
  W_CURRENT: 72,
  W_BACK_EMF: 84,
  W_IN_PLANE: 96,
  W_VOLTAGE: 132,
  W_LOAD: 140,
  W_SERVED: 148,
  W_SOURCE: 156,
  W_CONDUCTANCE: 164,
  W_LIMIT: 172,
  W_BATTERY_CURRENT: 180,
  W_STATUS: 188,
  /** Not 0 while any rotor is jammed. */
  W_JAMMED: 189,
  W_INDUCED: 192,
  /**
   * Of the momentum level, one a rotor: λi, λc, μ², m, the blade's angle at λi = 0 and its slope, the last step, C_T; of
   * the step being made: angle over stall angle, r, 1/λi.
   */
  W_INFLOW: 204,
  W_CLIMB: 216,
  W_ACROSS: 228,
  W_ADVANCE: 240,
  W_ANGLE: 252,
  W_SLOPE: 264,
  W_MOVED: 276,
  W_BLADE: 288,
  W_STALL: 300,
  W_RELIEF: 312,
  W_INV_INFLOW: 324,
  /** The signals of writer `outputs`, as they lie in the bus. */
  W_OUTPUTS: 336,
} as const;

export const P_FIXED_SIZE = P.P_AIR;
export const N_FIXED_SIZE = N.N_AIR_CELL;
export const W_SIZE = 440;
