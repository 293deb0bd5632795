/** Makes the fields of a form from a parameter table, with unit, range, default and explanation. */
import type { Param, ParamTable } from "@escapement/core";
import { element } from "../../shared/elements.ts";
import { INITIAL_VALUES } from "./first-values.ts";

/** Values of the flight that some fields offer as choices or initial values. */
export interface FieldContext {
  readonly rotors: number;
  /** Forward and right of the centre, for each rotor; empty if they are not known. */
  readonly rotorPlacesM: readonly (readonly [forward: number, right: number])[];
  readonly batteries: number;
  /** Current values of the autopilot's parameters. */
  readonly parameters: Readonly<Record<string, number>>;
}

export interface Field {
  readonly key: string;
  readonly node: HTMLElement;
  /** Returns the value; undefined if the text is not a valid value. */
  readonly read: () => unknown;
  readonly write: (value: unknown) => void;
}

const NED = ["north", "east", "down"];

let lastId = 0;

export function fieldsOf(table: ParamTable, context: FieldContext): Field[] {
  // The form has no field for a table within the table, such as a series of stick movements. Only the text of a
  // description can contain one.
  const plain = Object.entries(table).filter(([, param]) => param.type !== "section");
  const fields = plain.map(([key, param]) => makeField(key, param, context));
  linkParameter(fields, context);
  return fields;
}

function makeField(key: string, param: Param, context: FieldContext): Field {
  const first = param.default ?? INITIAL_VALUES[key];
  if (key === "motor" || key === "battery") {
    return key === "motor"
      ? numberChoice(key, param, context.rotors, context.rotorPlacesM)
      : numberChoice(key, param, context.batteries);
  }
  switch (param.type) {
    case "choice":
      return choiceField(key, param, first as string | undefined);
    case "vector":
      return vectorField(key, param, param.size, (first ?? []) as readonly number[]);
    case "number":
    case "duration":
      return numberField(key, param, first as number | undefined);
    default:
      return textField(key, param, String(first ?? ""), key === "name" ? Object.keys(context.parameters) : []);
  }
}

function withLabel(param: Param, name: string, control: HTMLElement, id: string, unit = ""): HTMLElement {
  const label = element("label", "", name) as HTMLLabelElement;
  label.htmlFor = id;
  label.title = param.about;
  return element("div", "field", label, control, element("span", "unit", unit));
}

function inputOf(value: string): HTMLInputElement {
  const input = document.createElement("input");
  lastId += 1;
  input.id = `field-${lastId}`;
  input.value = value;
  input.autocomplete = "off";
  input.spellcheck = false;
  return input;
}

function numberField(key: string, param: Param, first: number | undefined): Field {
  const input = inputOf(first === undefined ? "" : String(first));
  input.inputMode = "decimal";
  const unit = "unit" in param && isInformativeUnit(param.unit) ? param.unit : "";
  const range = rangeText(param);
  return {
    key,
    node: withLabel(param, wordsOf(key), input, input.id, [unit, range].filter((text) => text !== "").join(", ")),
    read: () => numberOf(input),
    write: (value) => (input.value = String(value)),
  };
}

/** Returns false for the unit of a pure number, and for a placeholder such as "parameter unit". */
function isInformativeUnit(unit: string): boolean {
  return unit !== "1" && !unit.endsWith(" unit");
}

function numberOf(input: HTMLInputElement): number | undefined {
  const value = Number(input.value.replace(",", "."));
  const isValid = input.value.trim() !== "" && Number.isFinite(value);
  input.setAttribute("aria-invalid", String(!isValid));
  return isValid ? value : undefined;
}

function vectorField(key: string, param: Param, size: number, first: readonly number[]): Field {
  const inputs = Array.from({ length: size }, (_, i) => {
    const input = inputOf(String(first[i] ?? 0));
    input.inputMode = "decimal";
    input.setAttribute("aria-label", `${wordsOf(key)} ${NED[i] ?? i + 1}`);
    input.placeholder = NED[i] ?? "";
    return input;
  });
  const unit = "unit" in param ? `${param.unit} N E D` : "";
  const group = element("span", "vector", ...inputs);
  return {
    key,
    node: withLabel(param, wordsOf(key), group, inputs[0]!.id, unit),
    read: () => {
      const values = inputs.map(numberOf);
      return values.includes(undefined) ? undefined : values;
    },
    write: (value) => inputs.forEach((input, i) => (input.value = String((value as readonly number[])[i] ?? 0))),
  };
}

function choiceField(key: string, param: Extract<Param, { type: "choice" }>, first: string | undefined): Field {
  const select = document.createElement("select");
  lastId += 1;
  select.id = `field-${lastId}`;
  select.append(...param.options.map((option) => new Option(option.replaceAll("-", " "), option)));
  select.value = first ?? param.options[0]!;
  return {
    key,
    node: withLabel(param, wordsOf(key), select, select.id),
    read: () => select.value,
    write: (value) => (select.value = String(value)),
  };
}

/**
 * Makes a choice among a few numbers, with one button each. If `placesM` is given, the buttons are arranged as seen
 * from above.
 */
function numberChoice(
  key: string,
  param: Param,
  count: number,
  placesM: readonly (readonly [forward: number, right: number])[] = [],
): Field {
  lastId += 1;
  const name = `choice-of-${lastId}`;
  const inputs = Array.from({ length: Math.max(1, count) }, (_, i) => {
    const input = inputOf(String(i + 1));
    input.type = "radio";
    input.name = name;
    input.checked = i === 0;
    return input;
  });
  const entries = inputs.map((input) => {
    const label = element("label", "", input, element("span", "", input.value));
    return label;
  });
  const group = element("span", "numbers-choice", ...entries);
  arrange(group, entries, placesM);
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", wordsOf(key));
  const title = element("span", "field-name", wordsOf(key));
  title.title = param.about;
  return {
    key,
    node: element("div", "field", title, group, element("span", "unit")),
    read: () => Number(inputs.find(({ checked }) => checked)?.value ?? 1),
    write: (value) => {
      for (const input of inputs) input.checked = input.value === String(value);
    },
  };
}

/**
 * Places the buttons of motors as seen from above. If there are fewer than three, or if two motors are above each
 * other, the buttons stay in one row.
 */
function arrange(group: HTMLElement, buttons: readonly HTMLElement[], placesM: readonly (readonly number[])[]): void {
  const reachM = Math.max(...placesM.flat().map(Math.abs));
  const keys = new Set(placesM.map((place) => place.map((each) => Math.round((4 * each) / reachM)).join()));
  if (buttons.length < 3 || keys.size !== buttons.length) return;
  group.classList.add("from-above");
  buttons.forEach((each, i) => {
    const [forward, right] = placesM[i]!;
    each.style.left = `${50 + (36 * right!) / reachM}%`;
    each.style.top = `${50 - (36 * forward!) / reachM}%`;
  });
}

function textField(key: string, param: Param, first: string, offers: readonly string[]): Field {
  const input = inputOf(first);
  const list = document.createElement("datalist");
  list.id = `${input.id}-offers`;
  list.append(...offers.map((offer) => new Option(offer)));
  if (offers.length > 0) input.setAttribute("list", list.id);
  return {
    key,
    node: element("div", "field-and-list", withLabel(param, wordsOf(key), input, input.id), list),
    read: () => (input.value.trim() === "" ? undefined : input.value.trim()),
    write: (value) => (input.value = String(value)),
  };
}

/** Shows the current value of an autopilot parameter when the reader chooses the parameter. */
function linkParameter(fields: readonly Field[], { parameters }: FieldContext): void {
  const [name, value] = [fields.find(({ key }) => key === "name"), fields.find(({ key }) => key === "value")];
  if (name === undefined || value === undefined) return;
  const show = () => {
    const current = parameters[String(name.read())];
    if (current !== undefined) value.write(Number(current.toPrecision(7)));
  };
  show();
  name.node.addEventListener("change", show);
}

function rangeText(param: Param): string {
  if (!("min" in param) || param.min === undefined || param.max === undefined) return "";
  return Math.abs(param.max) > 1e4 ? "" : `${param.min} to ${param.max}`;
}

const WORDS: Readonly<Record<string, string>> = {
  velNedMps: "velocity",
  posNedM: "position",
  yawDeg: "heading",
  gain: "keeps",
  sigma: "standard deviation",
  imbalanceGmm: "imbalance",
  share: "missing",
};

function wordsOf(key: string): string {
  return WORDS[key] ?? key;
}
