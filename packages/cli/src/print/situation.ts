/** Prints the situation at an instant of a flight: a table per writer, with units and the names of values. */
import { type Situation, type SignalName, signalSpec, valueName } from "@escapement/core";
import { quatToEulerInto } from "@escapement/core/math";
import { padEnd, type Style, wrap } from "./style.ts";

type Value = Situation["state"][number];

/** Counters of the sensors' measurements. */
const SENSOR_COUNT = /^(gyro|accel|mag|baro|gnss|pitot|range)Count$/;
/** Memory values that are printed; the JSON output has all of them. */
const PRINTED_MEMORY = /integral|hoverThrust\.hover|takeoff\.state|failsafe/i;

/** Signals on the short screen, by section. Sections and signals are printed in this order. */
const MAIN_STATE = ["posNed", "velNed", "rateBody", "motorOutput", "rotorSpeed", "batterySoc"];
const MAIN_VEHICLE = ["windNed", "batteryVoltage", "rotorThrust"];
const MAIN_AUTOPILOT = ["armed", "navState", "landDetected", "missionIndex", "failsafe", "setPosNed", "setVelNed"];
/** Scenario signals that are printed only while they differ from their initial values. */
const FAULTS: readonly SignalName[] = [
  "windGustNed",
  "motorGain",
  "motorOffset",
  "motorJam",
  "propellerChip",
  "propellerImbalance",
  "batteryConnected",
  "sensorFaultKind",
  "sensorFaultLevel",
];
const DEG_PER_RAD = 180 / Math.PI;

/** Returns the main values at an instant, for one screen. */
export function situationText(situation: Situation, name: string, style: Style, columns: number): string {
  const signals = situation.signals.flatMap(({ values }) => values);
  const pick = (from: readonly Value[], names: readonly string[]) =>
    names.flatMap((wanted) => from.filter((value) => value.name === wanted));
  const [position, velocity, ...rest] = pick(situation.state, MAIN_STATE);
  const state = [position, velocity, attitudeOf(situation.state), ...rest].filter((value) => value !== undefined);
  const faults = pick(signals, FAULTS).filter(isActive);
  return [
    headLine(situation, name, style),
    section("state", state, style, columns),
    faults.length === 0
      ? `${style.quiet("scenario")}\n  no fault, no gust`
      : section("scenario", faults, style, columns),
    section("vehicle", pick(signals, MAIN_VEHICLE), style, columns),
    section("autopilot", pick(signals, MAIN_AUTOPILOT), style, columns),
    style.quiet("every value: --all or --json"),
  ].join("\n");
}

/** Returns the attitude as Euler angles, or undefined if the state has no attitude. */
function attitudeOf(state: readonly Value[]): Value | undefined {
  const quaternion = state.find(({ name }) => name === "qBodyToNed");
  if (quaternion === undefined) return undefined;
  const euler = new Float64Array(3);
  quatToEulerInto(euler, Float64Array.from(quaternion.values));
  const degrees = [...euler].map((angle) => Math.round(angle * DEG_PER_RAD * 100) / 100);
  return { name: "attitude", unit: "deg", components: ["roll", "pitch", "yaw"], values: degrees };
}

function isActive({ name, values }: Value): boolean {
  const { initial } = signalSpec(name as SignalName);
  return values.some((value, i) => value !== (typeof initial === "number" ? initial : initial[i]));
}

/** Returns the state, the signals of every writer, and the main memory values of the parts. */
export function wholeSituationText(situation: Situation, name: string, style: Style, columns: number): string {
  const { due, state, signals, memory } = situation;
  const dueLine = `  ${style.quiet(padEnd("due", 5))}${wrap(due.join(", "), columns, "       ")}`;
  const printedMemory = memory.flatMap(({ part, values }) =>
    values
      .filter((value) => PRINTED_MEMORY.test(value.name))
      .map((value) => ({ name: `${part}.${value.name}`, unit: "", components: [], values: value.values })),
  );
  return [
    `${headLine(situation, name, style)}\n${dueLine}`,
    section("state", state, style, columns),
    ...signals.filter(hasData).map(({ writer, values }) => section(writer, values, style, columns)),
    ...(printedMemory.length === 0 ? [] : [section("memory", printedMemory, style, columns)]),
  ].join("\n\n");
}

/** Returns false for a sensor that has measured nothing, because its zeros would look like measurements. */
function hasData({ values }: Situation["signals"][number]): boolean {
  const counts = values.filter(({ name }) => SENSOR_COUNT.test(name));
  return counts.length === 0 || counts.some((count) => count.values.some((value) => value > 0));
}

function headLine({ tUs, boundary }: Situation, name: string, style: Style): string {
  return `${style.strong(name)} at ${style.accent(`${(tUs / 1e6).toFixed(6)} s`)}  boundary ${boundary}`;
}

function section(title: string, values: readonly Value[], style: Style, columns: number): string {
  const nameWidth = Math.max(...values.map(({ name }) => name.length));
  const unitWidth = Math.max(...values.map(({ unit }) => unit.length));
  const indent = " ".repeat(nameWidth + unitWidth + 6);
  const lines = values.map((value) => {
    const label = `  ${padEnd(value.name, nameWidth)}  ${style.quiet(padEnd(value.unit, unitWidth))}  `;
    return `${label}${wrap(valuesText(value), columns, indent)}`;
  });
  return [style.quiet(title), ...lines].join("\n");
}

function valuesText({ name, components, values }: Value): string {
  return values
    .map((value, i) => {
      const text = namedValue(name, value) ?? numberText(value);
      const component = components[i];
      return component === undefined ? text : `${component} ${text}`;
    })
    .join(", ");
}

/** Returns the name of an enumeration's value, or undefined for numbers. */
function namedValue(name: string, value: number): string | undefined {
  const values = isSignal(name) ? signalSpec(name).values : undefined;
  return values === undefined || signalSpec(name as SignalName).unit === "mask"
    ? undefined
    : valueName(name as Parameters<typeof valueName>[0], value);
}

function isSignal(name: string): name is SignalName {
  try {
    return signalSpec(name as SignalName) !== undefined;
  } catch {
    return false;
  }
}

/** Formats a number with at most four significant digits; the JSON output has every digit. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value);
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}
