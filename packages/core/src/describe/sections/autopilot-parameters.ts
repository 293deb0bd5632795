/**
 * Checks the names and ranges of the PX4 parameters in a description, if the chosen autopilot has a parameter table.
 *
 * An unknown name that a user wrote is an error, because the parameter would silently have no effect. Two other cases
 * are warnings that list the dropped names: the parameter file of a real vehicle holds hundreds of values that no
 * simulator uses, and a description for another autopilot may hold parameters of that autopilot. External autopilots
 * check their own parameters.
 */
import { didYouMean, type PlainObject, show } from "../../params/index.ts";
import type { Vehicle } from "../../multirotor/vehicle.ts";
import { autopilotErrors, type ParameterSpec, parameterSpecs } from "../../autopilot/index.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { rotorGeometries } from "../build/rotor-geometry.ts";
import type { EventDraft } from "./scenario-spec.ts";

type Specs = ReadonlyMap<string, ParameterSpec>;

/** Autopilots without any parameters. */
const WITHOUT_PARAMETERS: readonly string[] = ["none", "fixed-command"];

/**
 * Returns every parameter of the autopilot, or undefined for an external autopilot. Names and ranges do not depend on
 * the vehicle, so they can be checked even if the vehicle has errors. The defaults of the rotor parameters do depend on
 * the vehicle.
 */
export function parametersOf(kind: string, vehicle: Vehicle | undefined): Specs | undefined {
  if (kind === "embedded") return parameterSpecs(vehicle === undefined ? [] : rotorGeometries(vehicle));
  return WITHOUT_PARAMETERS.includes(kind) ? new Map() : undefined;
}

interface GivenParameters {
  readonly written: unknown;
  readonly file?: { readonly name: string; readonly values: Readonly<Record<string, number>> };
  /** Whether a parameter in the description was written for another autopilot. */
  readonly isForOther?: (name: string) => boolean;
}

/** Matches the name of a parameter of one rotor, and captures the rotor's index. */
const ROTOR_ROW = /^CA_R(?:OTOR)?(\d+)_/;

/**
 * Returns the default of every parameter that the flight uses. A definition holds all of them, so that it can be read,
 * compared and logged. Rows of rotors that the vehicle does not have are omitted.
 */
function defaultsOf(specs: Specs): Record<string, number> {
  const rotors = specs.get("CA_ROTOR_COUNT")?.default ?? 0;
  const used = [...specs].filter(([name]) => Number(ROTOR_ROW.exec(name)?.[1] ?? -1) < rotors);
  // Adding 0 turns −0 into 0. `JSON.stringify` drops the sign of −0, so a definition with −0 would change when it is
  // written.
  return Object.fromEntries(used.map(([name, spec]) => [name, spec.default + 0]));
}

/**
 * Merges the defaults and both sources: values in the description override values from the file. Each value must be a
 * finite number.
 */
export function resolveParameters(
  { written = {}, file, isForOther = () => false }: GivenParameters,
  specs: Specs | undefined,
  diagnostics: Diagnostics,
): Record<string, number> {
  const parameters = defaultsOf(specs ?? new Map());
  if (file !== undefined) addFromFile(parameters, file, specs, diagnostics);
  const fix = "write e.g. [autopilot.parameters] MPC_XY_CRUISE = 4";
  const table = diagnostics.table(written, "autopilot.parameters", fix) ?? {};
  const unknown: string[] = [];
  for (const name of Object.keys(table)) {
    if (specs !== undefined && !specs.has(name) && isForOther(name)) unknown.push(name);
    else if (checkUsable(name, table[name], bothAt(`autopilot.parameters.${name}`), specs, diagnostics))
      parameters[name] = table[name] as number;
  }
  warnUnknown(unknown, "autopilot.parameters", "the description", diagnostics);
  return parameters;
}

function addFromFile(
  into: Record<string, number>,
  { name: file, values }: NonNullable<GivenParameters["file"]>,
  specs: Specs | undefined,
  diagnostics: Diagnostics,
): void {
  const unknown: string[] = [];
  for (const name of Object.keys(values)) {
    if (specs !== undefined && !specs.has(name)) unknown.push(name);
    else if (checkUsable(name, values[name], bothAt("autopilot.parametersFile"), specs, diagnostics))
      into[name] = values[name]!;
  }
  warnUnknown(unknown, "autopilot.parametersFile", file, diagnostics);
}

function warnUnknown(unknown: readonly string[], key: string, of: string, diagnostics: Diagnostics): void {
  if (unknown.length === 0) return;
  const some = unknown.slice(0, 5).join(", ");
  diagnostics.warn(
    autopilotErrors.unknownParameter,
    key,
    `this autopilot does not have ${countText(unknown.length)} of ${of}: ${some}${unknown.length > 5 ? " …" : ""}`,
    "no action is needed; they are left out",
  );
}

function countText(count: number): string {
  return count === 1 ? "1 parameter" : `${count} parameters`;
}

const bothAt = (key: string) => ({ name: key, value: key });

/**
 * Returns true if the parameter exists and may have the value. If not, reports an error at the key of its name or of
 * its value.
 */
function checkUsable(
  name: string,
  value: unknown,
  keys: { readonly name: string; readonly value: string },
  specs: Specs | undefined,
  diagnostics: Diagnostics,
): boolean {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    diagnostics.add("wrongType", keys.value, `${show(value)} is not a finite number`, "use a finite number");
    return false;
  }
  if (specs === undefined) return true;
  const spec = specs.get(name);
  if (spec === undefined) {
    const otherwise =
      specs.size === 0 ? "leave parameters out, or choose another autopilot" : "see escapement list parameters";
    const fix = didYouMean(name, [...specs.keys()], otherwise);
    diagnostics.add(autopilotErrors.unknownParameter, keys.name, `the autopilot has no parameter ${show(name)}`, fix);
    return false;
  }
  const isWhole = spec.integer !== true || Number.isInteger(value);
  if (value >= spec.min && value <= spec.max && isWhole) return true;
  diagnostics.add(
    autopilotErrors.badParameter,
    keys.value,
    `${name} = ${value} ${spec.unit} cannot be used`,
    `use a ${spec.integer === true ? "whole number" : "number"} from ${spec.min} to ${spec.max}`,
  );
  return false;
}

/** Checks the events that change parameters against the autopilot's table. */
export function checkParameterEvents(
  events: readonly EventDraft[],
  specs: Specs | undefined,
  diagnostics: Diagnostics,
): void {
  let changes = 0;
  for (const { key, action, params } of events) {
    if (action !== "parameter") continue;
    changes += 1;
    const { name, value } = params as PlainObject;
    const keys = { name: `${key}.parameter.name`, value: `${key}.parameter.value` };
    checkUsable(name as string, value, keys, specs, diagnostics);
    if (changes === MAX_CHANGES + 1) {
      diagnostics.add(
        "wrongLength",
        `${key}.parameter`,
        `the scenario has more than ${MAX_CHANGES} parameter changes`,
        `use at most ${MAX_CHANGES} in one flight`,
      );
    }
  }
}

/** Each change is one bit of a number, and a float64 represents integers of up to 53 bits exactly. */
const MAX_CHANGES = 50;
