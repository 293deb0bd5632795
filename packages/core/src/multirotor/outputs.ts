/**
 * The signals that the multirotor writes, one equation per output.
 *
 * `evaluatedOutputs` follow from an evaluation of the right-hand side and are part of the compiled program, because
 * they are needed at every tick of the autopilot. `directOutputs` follow from the state, the vehicle's constants and
 * the atmosphere. Together the two tables must cover every signal whose writer is `outputs` in the signal table: a
 * missing signal is a type error.
 */
import { SIGNALS } from "../signals/table.ts";
import { AIR_PRESSURE, AIR_TEMPERATURE } from "../world/environment.ts";
import { loadsInto } from "./equations/rotors/motors.ts";
import type { Input, OutputName, Outputs, Scratch, State, VehicleConstants } from "./memory.ts";

export type EvaluatedOutputs = { readonly [N in OutputName]?: EvaluatedOutput };
type EvaluatedOutput = (out: Float64Array, w: Scratch, vehicle: VehicleConstants, dx: State, u: Input) => void;

export const evaluatedOutputs = {
  batteryVoltage(out, w, vehicle, _dx, u) {
    for (let i = 0; i < vehicle.batteryCount; i += 1)
      out[i] = u.batteryConnected[i] !== 0 ? w.busVoltage[vehicle.batteries[i].bus] : 0;
  },
  batteryCurrent(out, w, vehicle, _dx, u) {
    for (let i = 0; i < vehicle.batteryCount; i += 1) out[i] = u.batteryConnected[i] !== 0 ? w.batteryCurrent[i] : 0;
  },
  rotorThrust(out, w, vehicle) {
    for (let i = 0; i < vehicle.rotorCount; i += 1) out[i] = w.thrust[i];
  },
  rotorTorque(out, w, vehicle) {
    for (let i = 0; i < vehicle.rotorCount; i += 1) out[i] = vehicle.rotors[i].direction * w.torque[i];
  },
  motorCurrent(out, w, vehicle) {
    const hasMotors = vehicle.motorCount > 0;
    for (let i = 0; i < vehicle.rotorCount; i += 1) out[i] = hasMotors ? w.current[i] : 0;
  },
  busVoltage(out, w, vehicle) {
    for (let bus = 0; bus < vehicle.busCount; bus += 1) out[bus] = w.busVoltage[bus];
  },
  busCurrent(out, w, vehicle) {
    loadsInto(w, vehicle);
    for (let bus = 0; bus < vehicle.busCount; bus += 1) out[bus] = w.busLoad[bus];
  },
  airDensity(out, w) {
    out[0] = w.density[0];
  },
  airVelBody(out, w) {
    for (let i = 0; i < 3; i += 1) out[i] = w.airVelocity[i];
  },
  accNed(out, _w, _vehicle, dx) {
    for (let i = 0; i < 3; i += 1) out[i] = dx.velNed[i];
  },
  rateDotBody(out, _w, _vehicle, dx) {
    for (let i = 0; i < 3; i += 1) out[i] = dx.rateBody[i];
  },
  /** Acceleration minus gravity, rotated into body axes by the transpose of the attitude matrix. */
  specificForceBody(out, w, _vehicle, dx) {
    const north = dx.velNed[0];
    const east = dx.velNed[1];
    const down = dx.velNed[2] - w.gravity[0];
    for (let i = 0; i < 3; i += 1) out[i] = w.rotation[i] * north + w.rotation[3 + i] * east + w.rotation[6 + i] * down;
  },
  contactForceNed(out, w) {
    for (let i = 0; i < 3; i += 1) out[i] = w.contactForceNed[i];
  },
} satisfies EvaluatedOutputs;

type EvaluatedName = keyof typeof evaluatedOutputs;
const evaluatedNames = Object.keys(evaluatedOutputs) as readonly EvaluatedName[];

const WARNING = SIGNALS.batteryWarning.values;

/** `air` is the atmosphere sampled at the vehicle's altitude. */
type DirectOutput = (out: Float64Array, x: State, vehicle: VehicleConstants, air: Float64Array) => void;

/** An equation for each output that is not among the evaluated ones. */
export type DirectOutputs = { readonly [N in Exclude<OutputName, EvaluatedName>]: DirectOutput };

export const directOutputs: DirectOutputs = {
  batteryRemaining(out, x, vehicle) {
    for (let i = 0; i < vehicle.batteryCount; i += 1) out[i] = remaining(x.batterySoc[i]);
  },
  batteryWarning(out, x, vehicle) {
    for (let i = 0; i < vehicle.batteryCount; i += 1) {
      const { lowSoc, criticalSoc, emergencySoc } = vehicle.batteries[i];
      const soc = remaining(x.batterySoc[i]);
      if (soc <= emergencySoc) out[i] = WARNING.emergency;
      else if (soc <= criticalSoc) out[i] = WARNING.critical;
      else out[i] = soc <= lowSoc ? WARNING.low : WARNING.none;
    }
  },
  airTemperature(out, _x, _vehicle, air) {
    out[0] = air[AIR_TEMPERATURE];
  },
  airPressure(out, _x, _vehicle, air) {
    out[0] = air[AIR_PRESSURE];
  },
};

function remaining(charge: number): number {
  return charge > 0 ? (charge > 1 ? 1 : charge) : 0;
}

/** Computes the evaluated outputs from the results of the right-hand side. */
export function outputsInto(y: Outputs, w: Scratch, vehicle: VehicleConstants, dx: State, u: Input): void {
  for (const name of evaluatedNames) evaluatedOutputs[name](y[name], w, vehicle, dx, u);
}

const { batteryRemaining, batteryWarning, airTemperature, airPressure, ...notCalled } = directOutputs;
// This line does not compile if a direct output is not named above. Every output named above must be called below.
notCalled satisfies Readonly<Record<string, never>>;

/** Calls each equation by name, because looking names up at every tick costs more than the equations. */
export function directOutputsInto(y: Outputs, x: State, vehicle: VehicleConstants, air: Float64Array): void {
  batteryRemaining(y.batteryRemaining, x, vehicle, air);
  batteryWarning(y.batteryWarning, x, vehicle, air);
  airTemperature(y.airTemperature, x, vehicle, air);
  airPressure(y.airPressure, x, vehicle, air);
}
