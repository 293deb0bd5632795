/**
 * Actuators between the command and what acts: direct, first order, or second order with a rate limit.
 *
 * Direct outputs have no derivative and are set by the plant's jump right after the autopilot spoke. First order:
 * ẏ = (c − y)/τ. Second order, in one saturating form:
 *   ẏ = v,  v̇ = 2ζωn·(v* − v),  v* = clamp(ωn/(2ζ)·(c − y), ±limit).
 * Unlimited this is ÿ = ωn²(c − y) − 2ζωn·ẏ. Limited, v follows a target that never exceeds the limit, so |v| ≤ limit
 * holds by itself (no clamp afterwards, no switched derivative) and the right-hand side stays continuous.
 */
const X_MOTOR = 13;
const N_ROTORS = 0;
const N_SERVOS = 3;
const N_MOTOR_ACTUATOR = 8;
const N_SERVO_ACTUATOR = 9;
const N_X_MOTOR_RATE = 10;
const N_X_SERVO = 11;
const N_X_SERVO_RATE = 12;
const N_U_MOTOR = 32;
const N_U_SERVO = 56;
const N_U_GAIN = 17;
const N_U_OFFSET = 18;
const N_U_JAM = 19;
const P_MOTOR_ACTUATOR = 30;
const P_SERVO_ACTUATOR = 34;
const P_ROTOR = 64;
const ROTOR_STRIDE = 32;
const R_DEADZONE = 19;
const ACTUATOR_DIRECT = 0;
const ACTUATOR_FIRST = 1;
const W_DUTY = 36;
const W_JAMMED = 189;

/** Derivatives of the outputs that lag behind their command; direct ones are `dutiesInto`'s. */
export function laggedActuatorsInto(
  dx: Float64Array,
  x: Float64Array,
  u: Float64Array,
  p: Float64Array,
  n: Int32Array,
): void {
  const kind = n[N_MOTOR_ACTUATOR];
  const rate = n[N_X_MOTOR_RATE];
  for (let i = 0; i < n[N_ROTORS] && kind !== ACTUATOR_DIRECT; i += 1) {
    laggedInto(dx, x, u, p, kind, P_MOTOR_ACTUATOR, n[N_U_MOTOR + i], X_MOTOR + i, rate + i);
  }
  if (n[N_SERVOS] > 0) servosInto(dx, x, u, p, n);
}

function servosInto(dx: Float64Array, x: Float64Array, u: Float64Array, p: Float64Array, n: Int32Array): void {
  const servo = n[N_X_SERVO];
  const rate = n[N_X_SERVO_RATE];
  for (let i = 0; i < n[N_SERVOS]; i += 1) {
    if (n[N_SERVO_ACTUATOR] === ACTUATOR_DIRECT) dx[servo + i] = 0;
    else laggedInto(dx, x, u, p, n[N_SERVO_ACTUATOR], P_SERVO_ACTUATOR, n[N_U_SERVO + i], servo + i, rate + i);
  }
}

/** One channel that follows u[command]: output at x[y], and at x[v] its rate if the kind has one. */
function laggedInto(
  dx: Float64Array,
  x: Float64Array,
  u: Float64Array,
  p: Float64Array,
  kind: number,
  at: number,
  command: number,
  y: number,
  v: number,
): void {
  if (kind === ACTUATOR_FIRST) {
    dx[y] = (u[command] - x[y]) * p[at];
  } else {
    const limit = p[at + 3];
    const target = Math.max(-limit, Math.min(limit, p[at + 1] * (u[command] - x[y])));
    dx[y] = x[v];
    dx[v] = p[at + 2] * (target - x[v]);
  }
}

/**
 * Duty of each rotor after faults and dead zone: clamp01(gain·output + offset), 0 while jammed (the ESC gives up). Outputs
 * stand still, unless `laggedActuatorsInto` says otherwise afterwards.
 */
export function dutiesInto(
  dx: Float64Array,
  w: Float64Array,
  x: Float64Array,
  u: Float64Array,
  p: Float64Array,
  n: Int32Array,
): void {
  const rotors = n[N_ROTORS];
  const gain = n[N_U_GAIN];
  const offset = n[N_U_OFFSET];
  const jam = n[N_U_JAM];
  let anyJammed = 0;
  for (let i = 0; i < rotors; i += 1) {
    const raw = u[gain + i] * x[X_MOTOR + i] + u[offset + i];
    const duty = raw < 0 ? 0 : raw > 1 ? 1 : raw;
    const jammed = u[jam + i];
    w[W_DUTY + i] = duty < p[P_ROTOR + R_DEADZONE + i * ROTOR_STRIDE] || jammed !== 0 ? 0 : duty;
    dx[X_MOTOR + i] = 0;
    anyJammed += jammed;
  }
  w[W_JAMMED] = anyJammed;
}

/** Sets direct outputs to the command; others keep their state. Idempotent. */
export function snapActuators(x: Float64Array, u: Float64Array, n: Int32Array): void {
  if (n[N_MOTOR_ACTUATOR] === ACTUATOR_DIRECT) {
    for (let i = 0; i < n[N_ROTORS]; i += 1) x[X_MOTOR + i] = u[n[N_U_MOTOR + i]];
  }
  if (n[N_SERVO_ACTUATOR] === ACTUATOR_DIRECT) {
    for (let i = 0; i < n[N_SERVOS]; i += 1) x[n[N_X_SERVO] + i] = u[n[N_U_SERVO + i]];
  }
}
