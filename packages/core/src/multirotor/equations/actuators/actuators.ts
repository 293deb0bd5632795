/**
 * Actuators, from the command to their output: direct, first order, or second order with a rate limit.
 *
 * Direct outputs have no derivative; the plant's jump sets them right after the autopilot has run. First order:
 * ẏ = (c − y)/τ. Second order, in one saturating form:
 *   ẏ = v,  v̇ = 2ζωn·(v* − v),  v* = clamp(ωn/(2ζ)·(c − y), ±limit).
 * Without the limit this is ÿ = ωn²(c − y) − 2ζωn·ẏ. With it, v follows a target that never exceeds the limit, so
 * |v| ≤ limit needs no clamp or switched derivative, and the right-hand side stays continuous.
 */
import {
  ACTUATOR_DIRECT,
  ACTUATOR_FIRST,
  type ActuatorConstants,
  type Input,
  type Scratch,
  type State,
  type VehicleConstants,
} from "../../memory.ts";

/** Computes the derivatives of outputs that lag behind their command. Direct outputs have the derivative 0. */
export function laggedActuatorsInto(dx: State, x: State, u: Input, vehicle: VehicleConstants): void {
  const kind = vehicle.motorActuatorKind;
  for (let i = 0; i < vehicle.rotorCount && kind !== ACTUATOR_DIRECT; i += 1) {
    const error = u.motorCommand[vehicle.rotors[i].channel] - x.motorOutput[i];
    if (kind === ACTUATOR_FIRST) dx.motorOutput[i] = error * vehicle.motorActuator.inverseTau;
    else secondOrderInto(dx.motorOutput, dx.motorOutputRate, x.motorOutputRate, vehicle.motorActuator, error, i);
  }
  if (vehicle.servoCount > 0) servosInto(dx, x, u, vehicle);
}

function servosInto(dx: State, x: State, u: Input, vehicle: VehicleConstants): void {
  const kind = vehicle.servoActuatorKind;
  for (let i = 0; i < vehicle.servoCount; i += 1) {
    dx.servoOutput[i] = 0;
    if (kind === ACTUATOR_DIRECT) continue;
    const error = u.servoCommand[vehicle.servoChannels[i]] - x.servoOutput[i];
    if (kind === ACTUATOR_FIRST) dx.servoOutput[i] = error * vehicle.servoActuator.inverseTau;
    else secondOrderInto(dx.servoOutput, dx.servoOutputRate, x.servoOutputRate, vehicle.servoActuator, error, i);
  }
}

/** Computes ẏ and v̇ of channel i from its rate v and its error c − y. */
function secondOrderInto(
  outputDot: Float64Array,
  rateDot: Float64Array,
  rate: Float64Array,
  actuator: ActuatorConstants,
  error: number,
  i: number,
): void {
  const limit = actuator.rateLimit;
  const target = Math.max(-limit, Math.min(limit, actuator.approachRate * error));
  outputDot[i] = rate[i];
  rateDot[i] = actuator.dampingRate * (target - rate[i]);
}

/**
 * Computes the duty of each rotor after faults and dead zone: clamp01(gain·output + offset), or 0 while jammed (the
 * speed controller switches off). Sets the derivatives of the outputs to 0; `laggedActuatorsInto` overwrites the
 * derivatives of outputs that lag.
 */
export function dutiesInto(dx: State, w: Scratch, x: State, u: Input, vehicle: VehicleConstants): void {
  let anyJammed = 0;
  let anyChipped = 0;
  for (let i = 0; i < vehicle.rotorCount; i += 1) {
    const raw = u.motorGain[i] * x.motorOutput[i] + u.motorOffset[i];
    const duty = raw < 0 ? 0 : raw > 1 ? 1 : raw;
    const jammed = u.motorJam[i];
    w.duty[i] = duty < vehicle.rotors[i].deadzone || jammed !== 0 ? 0 : duty;
    dx.motorOutput[i] = 0;
    anyJammed += jammed;
    anyChipped += u.propellerChip[i];
  }
  w.anyJammed[0] = anyJammed;
  w.anyChipped[0] = anyChipped;
}

/** Sets direct outputs to the command; others keep their state. Idempotent. */
export function setDirectOutputs(x: State, u: Input, vehicle: VehicleConstants): void {
  if (vehicle.motorActuatorKind === ACTUATOR_DIRECT) {
    for (let i = 0; i < vehicle.rotorCount; i += 1) x.motorOutput[i] = u.motorCommand[vehicle.rotors[i].channel];
  }
  if (vehicle.servoActuatorKind === ACTUATOR_DIRECT) {
    for (let i = 0; i < vehicle.servoCount; i += 1) x.servoOutput[i] = u.servoCommand[vehicle.servoChannels[i]];
  }
}
