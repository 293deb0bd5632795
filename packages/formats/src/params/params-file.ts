/**
 * Reads and writes QGroundControl's `.params` files: the parameters of an autopilot, one per line, separated by tabs
 * (vehicle id, component id, name, value, type).
 *
 * The type is MAVLink's number: 9 is float, 1 to 6 are uint8, int8, uint16, int16, uint32 and int32. PX4 has only int32
 * and float. Other integers are checked against their range, and a uint32 must fit an int32. All errors are reported
 * together, with their lines.
 */
import { SimError } from "@escapement/core";
import { fileErrors } from "../text/file-errors.ts";
import { Findings, type Reading } from "../text/findings.ts";
import { decodeText, linesOf, parseNumber, quote } from "../text/text.ts";

type ParameterType = "int32" | "float";

export interface Parameter {
  readonly name: string;
  /** A float is rounded to the nearest 32-bit value, as the autopilot will store it. */
  readonly value: number;
  readonly type: ParameterType;
}

const COLUMNS = 5;
/** MAVLink's limit for names. */
const NAME = /^[A-Za-z0-9_]{1,16}$/;
const FLOAT_TYPE = 9;
const INTEGER_RANGES: { readonly [mavType: number]: readonly [min: number, max: number] } = {
  1: [0, 255],
  2: [-128, 127],
  3: [0, 65535],
  4: [-32768, 32767],
  5: [0, 2147483647],
  6: [-2147483648, 2147483647],
};

/** Reads a QGroundControl parameter file and reports all its errors. */
export function readParams(input: string | Uint8Array, file: string): Reading<readonly Parameter[]> {
  const findings = new Findings(file);
  try {
    const parameters: Parameter[] = [];
    const lineOfName = new Map<string, number>();
    linesOf(decodeText(input, file)).forEach((text, i) => {
      if (text.trim() === "" || text.trimStart().startsWith("#")) return;
      const where = { line: i + 1 };
      const parameter = readLine(text, where, findings);
      if (parameter === undefined) return;
      const earlier = lineOfName.get(parameter.name);
      if (earlier !== undefined) {
        const what = `${parameter.name} is already given in line ${earlier}`;
        findings.error(fileErrors.duplicate, what, "keep one of the two lines", { key: parameter.name, ...where });
      }
      lineOfName.set(parameter.name, where.line);
      parameters.push(parameter);
    });
    return findings.reading(() => parameters);
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    findings.errors.push(error);
    return findings.reading(() => []);
  }
}

function readLine(text: string, where: { readonly line: number }, findings: Findings): Parameter | undefined {
  const words = text.trim().split(/\s+/);
  if (words.length !== COLUMNS) {
    const fix = "write vehicle id, component id, name, value and type, separated by tabs";
    findings.error(fileErrors.wrongColumns, `the line has ${words.length} columns instead of ${COLUMNS}`, fix, where);
    return undefined;
  }
  const [vehicle, component, name, valueWord, typeWord] = words as [string, string, string, string, string];
  const before = findings.errors.length;
  for (const [word, what] of [
    [vehicle, "vehicle id"],
    [component, "component id"],
  ] as const) {
    const id = parseNumber(word);
    if (id !== undefined && Number.isInteger(id) && id >= 0 && id <= 255) continue;
    findings.error(fileErrors.notNumber, `${what} ${quote(word)}`, "use a whole number from 0 to 255", where);
  }
  if (!NAME.test(name)) {
    findings.error(
      fileErrors.wrongType,
      `${quote(name)} is not a parameter name`,
      "use 1 to 16 letters, digits and _",
      where,
    );
  }
  const value = readValue(valueWord, typeWord, { key: name.slice(0, 16), ...where }, findings);
  if (findings.errors.length > before || value === undefined) return undefined;
  return { name, ...value };
}

function readValue(
  word: string,
  typeWord: string,
  where: { readonly key: string; readonly line: number },
  findings: Findings,
): Pick<Parameter, "value" | "type"> | undefined {
  const given = parseNumber(word);
  if (given === undefined) {
    findings.error(fileErrors.notNumber, `${quote(word)} is not a finite number`, "use a decimal point", where);
    return undefined;
  }
  if (typeWord === String(FLOAT_TYPE)) {
    const value = Math.fround(given);
    if (Number.isFinite(value)) return { value, type: "float" };
    findings.error(fileErrors.notNumber, `${quote(word)} is too large for a float`, "use a value below 3.4e38", where);
    return undefined;
  }
  const range = Object.hasOwn(INTEGER_RANGES, typeWord) ? INTEGER_RANGES[Number(typeWord)] : undefined;
  if (range === undefined) {
    findings.error(fileErrors.unsupported, `parameter type ${quote(typeWord)}`, "use 6 (int32) or 9 (float)", where);
    return undefined;
  }
  const [min, max] = range;
  if (!Number.isInteger(given) || given < min || given > max) {
    findings.error(
      fileErrors.notNumber,
      `${quote(word)} is not an integer of type ${typeWord}`,
      `use a whole number from ${min} to ${max}`,
      where,
    );
    return undefined;
  }
  // Adding 0 turns −0 into 0.
  return { value: given + 0, type: "int32" };
}

/**
 * Writes parameters sorted by name, as the ground station does; floats have the digits that read back to the same bits.
 */
export function writeParams(parameters: readonly Parameter[]): string {
  const sorted = [...parameters].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const lines = sorted.map(({ name, value, type }) =>
    [1, 1, name, type === "float" ? floatText(value) : String(value), type === "float" ? FLOAT_TYPE : 6].join("\t"),
  );
  return ["# Onboard parameters", "#", "# Vehicle-Id Component-Id Name Value Type", ...lines, ""].join("\n");
}

/** Formats a 32-bit float with the fewest digits that read back to it. */
function floatText(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const text = String(Number(value.toPrecision(digits)));
    if (Object.is(Math.fround(Number(text)), value)) return text;
  }
  return Object.is(value, -0) ? "-0" : String(Number(value.toPrecision(9)));
}
