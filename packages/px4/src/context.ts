/**
 * What PX4 is told about the flight at assembly: the same as every autopilot of the core.
 */
import type { GeoPosition, Mission } from "@escapement/core";

export interface RotorPlace {
  readonly posBody: readonly number[];
  readonly axisBody: readonly number[];
  readonly torqueRatioM: number;
  readonly channel: number;
  readonly relativeThrust?: number;
}

export interface ParameterChange {
  readonly name: string;
  readonly value: number;
}

export interface AutopilotContext {
  readonly periodUs: number;
  readonly startUs?: number;
  readonly rotors: readonly RotorPlace[];
  readonly origin: GeoPosition;
  readonly mission?: Mission;
  readonly parameters?: Readonly<Record<string, number>>;
  readonly parameterChanges?: readonly ParameterChange[];
}
