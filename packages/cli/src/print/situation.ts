/** Prints the situation at an instant of a flight: a table per writer, with units and the names of values. */
import { type Situation, type SignalName, signalSpec, valueName } from "@escapement/core";
import { padEnd, type Style, wrap } from "./style.ts";

type Value = Situation["state"][number];

/** Memory values that are printed; the JSON output has all of them. */
const PRINTED_MEMORY = /integral|hoverThrust\.hover|takeoff\.state|failsafe/i;

export function situationText(situation: Situation, name: string, style: Style, columns: number): string {
  const { tUs, boundary, due, state, signals, memory } = situation;
  const head = `${style.strong(name)} at ${style.accent(`${(tUs / 1e6).toFixed(6)} s`)}  boundary ${boundary}`;
  const dueLine = `  ${style.quiet(padEnd("due", 5))}${wrap(due.join(", "), columns, "       ")}`;
  const remembered = memory.flatMap(({ part, values }) =>
    values
      .filter((value) => PRINTED_MEMORY.test(value.name))
      .map((value) => ({ name: `${part}.${value.name}`, unit: "", components: [], values: value.values })),
  );
  return [
    `${head}\n${dueLine}`,
    section("state", state, style, columns),
    ...signals.map(({ writer, values }) => section(writer, values, style, columns)),
    ...(remembered.length === 0 ? [] : [section("memory", remembered, style, columns)]),
  ].join("\n\n");
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
