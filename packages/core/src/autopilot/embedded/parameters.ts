/**
 * The values of the embedded autopilot's parameters. They are checked when set; rotor rows are added, and PX4's
 * dependencies between parameters are applied.
 *
 * These values are not on the hot path: every controller copies the values that it needs when it is configured, at the
 * start and after a change.
 */
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { MOTOR_CHANNELS } from "../../signals/table.ts";
import { nearestName } from "../../params/index.ts";
import type { RotorGeometry } from "../context.ts";
import { autopilotErrors } from "../errors.ts";
import { PARAMETER_TABLE, type ParameterSpec, type TableName } from "./parameter-table.ts";

/** PX4's thrust coefficient of a rotor; only ratios between rotors matter. */
const THRUST_COEFFICIENT = 6.5;

/** A parameter of one rotor. `of` returns the default that follows from the rotor; undefined if none follows. */
interface RotorParameter extends ParameterSpec {
  readonly of: (rotor: RotorGeometry) => number | undefined;
}

/** The parameters of one rotor, with the defaults of a vehicle without rotors. */
// prettier-ignore
const ROTOR_FIELDS = {
  PX: { default: 0, unit: "m", min: -100, max: 100, about: "Rotor position forward of the centre of mass.", of: ({ posBody }) => posBody[0] },
  PY: { default: 0, unit: "m", min: -100, max: 100, about: "Rotor position right of the centre of mass.", of: ({ posBody }) => posBody[1] },
  PZ: { default: 0, unit: "m", min: -100, max: 100, about: "Rotor position below the centre of mass.", of: ({ posBody }) => posBody[2] },
  AX: { default: 0, unit: "1", min: -100, max: 100, about: "Forward part of the thrust direction.", of: ({ axisBody }) => axisBody[0] },
  AY: { default: 0, unit: "1", min: -100, max: 100, about: "Rightward part of the thrust direction.", of: ({ axisBody }) => axisBody[1] },
  AZ: { default: -1, unit: "1", min: -100, max: 100, about: "Downward part of the thrust direction; −1 is up.", of: ({ axisBody }) => axisBody[2] },
  CT: { default: THRUST_COEFFICIENT, unit: "1", min: 0, max: 1000, about: "Thrust at full command relative to the other rotors.", of: ({ relativeThrust = 1 }) => THRUST_COEFFICIENT * relativeThrust },
  KM: { default: 0.05, unit: "m", min: -10, max: 10, about: "Torque per thrust; positive for counter-clockwise rotors.", of: ({ torqueRatioM }) => torqueRatioM },
} as const satisfies Readonly<Record<string, RotorParameter>>;
type RotorField = keyof typeof ROTOR_FIELDS;

type ParameterName = TableName | "CA_ROTOR_COUNT" | `CA_ROTOR${number}_${RotorField}` | `CA_R${number}_SLEW`;

/** Every parameter, in a fixed order, with the defaults of a vehicle without rotors. */
const DEFAULT_SPECS: ReadonlyMap<string, ParameterSpec> = new Map<string, ParameterSpec>([
  ...Object.entries(PARAMETER_TABLE),
  [
    "CA_ROTOR_COUNT",
    { default: 0, unit: "count", min: 1, max: MOTOR_CHANNELS, integer: true, about: "Number of rotors." },
  ],
  ...Array.from({ length: MOTOR_CHANNELS }, (_, i) => [...rotorSpecs(i, undefined), slewSpec(i)]).flat(),
]);
/** The index of each parameter. */
const INDEX: ReadonlyMap<string, number> = new Map([...DEFAULT_SPECS.keys()].map((name, i) => [name, i]));

function rotorSpecs(i: number, rotor: RotorGeometry | undefined): (readonly [string, ParameterSpec])[] {
  return Object.entries<RotorParameter>(ROTOR_FIELDS).map(([field, { of, ...spec }]) => [
    `CA_ROTOR${i}_${field}`,
    { ...spec, default: (rotor && of(rotor)) ?? spec.default },
  ]);
}

function slewSpec(i: number): readonly [string, ParameterSpec] {
  const about = "Minimum time from stopped to full command of this motor; 0 is off.";
  return [`CA_R${i}_SLEW`, { default: 0, unit: "s", min: 0, max: 10, about }];
}

/** Returns every parameter with its default for a vehicle with these rotors, in a fixed order. */
export function parameterSpecs(rotors: readonly RotorGeometry[]): ReadonlyMap<string, ParameterSpec> {
  const specs = new Map(DEFAULT_SPECS);
  specs.set("CA_ROTOR_COUNT", { ...specs.get("CA_ROTOR_COUNT")!, default: rotors.length });
  rotors.slice(0, MOTOR_CHANNELS).forEach((rotor, i) => {
    for (const [name, spec] of rotorSpecs(i, rotor)) specs.set(name, spec);
  });
  return specs;
}

export class Parameters implements Saveable {
  readonly specs: ReadonlyMap<string, ParameterSpec>;
  /** Values as set, in the order of the specs. */
  private readonly given: Float64Array;
  /** Values after PX4's dependencies are applied. */
  private readonly values: Float64Array;

  constructor(rotors: readonly RotorGeometry[], overrides: Readonly<Record<string, number>> = {}) {
    this.specs = parameterSpecs(rotors);
    this.given = Float64Array.from([...this.specs.values()], (spec) => spec.default);
    this.values = new Float64Array(this.given.length);
    for (const name of Object.keys(overrides).sort()) this.check(name, overrides[name]!);
    for (const name of Object.keys(overrides)) this.given[INDEX.get(name)!] = overrides[name]!;
    this.derive();
  }

  get(name: ParameterName): number {
    return this.values[INDEX.get(name)!];
  }

  set(name: string, value: number): void {
    this.check(name, value);
    this.given[INDEX.get(name)!] = value;
    this.derive();
  }

  /** Throws a typed error if a name is unknown or a value out of range. */
  check(name: string, value: number): void {
    const spec = this.specs.get(name);
    const where = { key: `params.${name}` };
    if (spec === undefined) {
      const near = nearestName(name, [...INDEX.keys()]);
      throw autopilotErrors.unknownParameter({
        what: `the embedded autopilot has no parameter "${name}"`,
        where,
        fix: near === undefined ? "use a name that `escapement list parameters` shows" : `did you mean "${near}"?`,
      });
    }
    const whole = spec.integer !== true || Number.isInteger(value);
    if (!(value >= spec.min && value <= spec.max) || !whole) {
      throw autopilotErrors.badParameter({
        what: `${name} = ${value} ${spec.unit} cannot be used`,
        where,
        fix: `use a ${spec.integer === true ? "whole number" : "number"} from ${spec.min} to ${spec.max}`,
      });
    }
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.given);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.given);
    this.derive();
  }

  private assign(name: ParameterName, value: number): void {
    this.values[INDEX.get(name)!] = value;
  }

  private limitTo(name: ParameterName, limit: ParameterName): void {
    this.assign(name, Math.min(this.get(name), this.get(limit)));
  }

  /** Applies PX4's dependencies: some parameters set others, and design values stay within their absolute limits. */
  private derive(): void {
    this.values.set(this.given);
    const response = this.get("SYS_VEHICLE_RESP");
    if (response >= 0) {
      const agility = response * response;
      const between = (slow: number, fast: number) => slow + agility * (fast - slow);
      this.assign("MPC_ACC_HOR", between(1, 15));
      this.assign("MPC_ACC_DOWN_MAX", between(0.8, 15));
      this.assign("MPC_ACC_UP_MAX", between(1, 15));
      this.assign("MPC_JERK_AUTO", between(1, 25));
      this.assign("MPC_TILTMAX_AIR", agility < 0.5 ? 45 : 45 + 50 * (agility - 0.5));
    }
    const xySpeed = this.get("MPC_XY_VEL_ALL");
    if (xySpeed >= 0) {
      this.assign("MPC_XY_CRUISE", xySpeed);
      this.assign("MPC_XY_VEL_MAX", xySpeed);
      this.assign("MPC_VEL_MANUAL", xySpeed);
    }
    const zSpeed = this.get("MPC_Z_VEL_ALL");
    if (zSpeed >= 0) {
      this.assign("MPC_Z_V_AUTO_UP", zSpeed);
      this.assign("MPC_Z_VEL_MAX_UP", zSpeed);
      this.assign("MPC_Z_V_AUTO_DN", zSpeed * 0.75);
      this.assign("MPC_Z_VEL_MAX_DN", zSpeed * 0.75);
      this.assign("MPC_TKO_SPEED", zSpeed * 0.6);
      this.assign("MPC_LAND_SPEED", zSpeed * 0.5);
    }
    this.limitTo("MPC_TILTMAX_LND", "MPC_TILTMAX_AIR");
    this.limitTo("MPC_XY_CRUISE", "MPC_XY_VEL_MAX");
    this.limitTo("MPC_VEL_MANUAL", "MPC_XY_VEL_MAX");
    this.limitTo("MPC_Z_V_AUTO_UP", "MPC_Z_VEL_MAX_UP");
    this.limitTo("MPC_Z_V_AUTO_DN", "MPC_Z_VEL_MAX_DN");
    this.limitTo("MPC_TKO_SPEED", "MPC_Z_VEL_MAX_UP");
    this.limitTo("MPC_LAND_SPEED", "MPC_Z_VEL_MAX_DN");
    this.limitTo("MPC_THR_HOVER", "MPC_THR_MAX");
    this.assign("MPC_THR_HOVER", Math.max(this.get("MPC_THR_HOVER"), this.get("MPC_THR_MIN")));
    this.assign("MPC_LAND_ALT1", Math.max(this.get("MPC_LAND_ALT1"), this.get("MPC_LAND_ALT2")));
    // Keep LNDMC_Z_VEL_MAX below the slowest commanded descent, which would otherwise be taken for a landing.
    const slowest = Math.min(this.get("MPC_LAND_CRWL"), this.get("MPC_LAND_SPEED")) / 1.2;
    this.assign("LNDMC_Z_VEL_MAX", Math.min(this.get("LNDMC_Z_VEL_MAX"), slowest));
  }
}
