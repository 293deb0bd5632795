/**
 * The inputs of an autopilot at assembly: its period, the vehicle's rotors, the origin of the local frame, the mission
 * and the parameters. During the flight it reads only the bus.
 */
import type { GeoPosition, Mission } from "./mission.ts";

/** A rotor as control allocation uses it. Body axes: x forward, y right, z down. */
export interface RotorGeometry {
  /** Position relative to the centre of mass, metres. */
  readonly posBody: readonly number[];
  /** Direction of thrust; (0, 0, −1) is up. */
  readonly axisBody: readonly number[];
  /** Reaction torque per thrust, metres; positive if the rotor turns counter-clockwise seen from above. */
  readonly torqueRatioM: number;
  /** Index of its motor channel, from 0. */
  readonly channel: number;
  /** Thrust at full command relative to the other rotors; 1 if absent. */
  readonly relativeThrust?: number;
}

/** A PX4 parameter that the scenario changes in flight, active once its bit of `parameterChanges` is set. */
export interface ParameterChange {
  readonly name: string;
  readonly value: number;
  /** A power of two. */
  readonly bit: number;
}

export interface AutopilotContext {
  /** The autopilot's period. */
  readonly periodUs: number;
  /** Its first tick; 0 if absent. */
  readonly startUs?: number;
  readonly rotors: readonly RotorGeometry[];
  /** Origin of the local frame. */
  readonly origin: GeoPosition;
  readonly mission?: Mission;
  /** Parameter values that differ from the defaults, by PX4's names. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** In the order in which they take effect. If two take effect at the same tick, the later one wins. */
  readonly parameterChanges?: readonly ParameterChange[];
}
