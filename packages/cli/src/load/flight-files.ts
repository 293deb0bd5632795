/**
 * Reads flight files, and the files that `extends`, `mission`, `vehicle` and `autopilot.parametersFile` name.
 *
 * A path is relative to the file that contains it, so a description can be extended from anywhere. Paths in an object
 * or on the command line are relative to the working folder. A name with a slash or a dot is a path; any other name is
 * a built-in. Line numbers are looked up only if there is a diagnostic to report.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import {
  assignedSpec,
  type Assignment,
  type AssignmentBase,
  assignmentBaseOf,
  autopilotErrors,
  builtInLoader,
  checkDefinition,
  definitionOf,
  type FileReading,
  type FlightDefinition,
  flightErrors,
  isPlainObject,
  mustResolve,
  namesFile,
  otherVersions,
  type PlainObject,
  type Registry,
  type Resolution,
  type ResolvedFlight,
  resolveFlight,
  SimError,
  specOf,
  type SpecContents,
  type SpecLayer,
  type SpecLoader,
  writtenKey,
} from "@escapement/core";
import { type FlightText, readFlightText, readMission, readParams } from "@escapement/formats";
import { COMMAND_LINE } from "../errors.ts";
import { type Excerpt, rememberExcerpt } from "./excerpts.ts";
import { readBytes, STANDARD_STREAM, useRecording } from "./read-files.ts";

/** Keys of the table in which each key is the name of a parameter. */
const PARAMETER_KEY = /^autopilot\.parameters\./;

/** The file name in errors about a description from standard input. */
const STANDARD_INPUT = "standard input";

interface FlightSource {
  /** A built-in's name or a path. */
  readonly name: string;
  /** Assignments from `--set`, `--seed` and other flags. */
  readonly assignments?: readonly Assignment[];
}

export class FlightFiles {
  private readonly registry: Registry;
  private readonly texts = new Map<string, FlightText>();
  private standardInput: FlightText | undefined;
  /** Descriptions of the flights in recordings, by path. */
  private readonly recorded = new Map<string, SpecLayer>();
  /** Warnings about definitions that were turned into descriptions. */
  private readonly warnings: SimError[] = [];

  constructor(registry: Registry) {
    this.registry = registry;
  }

  /** Resolves a flight by name. */
  async resolve({ name, assignments = [] }: FlightSource): Promise<Resolution> {
    if (name === STANDARD_STREAM) this.readStandardInput();
    if (/\.mcap$/i.test(name)) this.recorded.set(name, await this.layerOfRecording(name));
    const overrides = assignedSpec(assignments, () => this.assignmentBase(name), COMMAND_LINE);
    const resolution = await this.resolveLayer({
      file: COMMAND_LINE,
      spec: { extends: name, ...overrides },
      assigns: true,
    });
    if (overrides["extends"] !== undefined) return resolution;
    return { ...resolution, errors: resolution.errors.map(aboutArgument) };
  }

  /** Resolves a description. Every diagnostic has its line, and diagnostics are in the order of the files. */
  async resolveLayer(top: SpecLayer): Promise<Resolution> {
    const resolution = resolveFlight(top, this.registry, this.load, this.contents);
    const withLines = (errors: readonly SimError[]) => Promise.all(errors.map((error) => this.withLine(error)));
    const [diagnostics, warnings] = await Promise.all([withLines(resolution.errors), withLines(resolution.warnings)]);
    return { ...resolution, errors: inFileOrder(diagnostics), warnings: [...this.warnings, ...warnings] };
  }

  async mustResolve(source: FlightSource): Promise<ResolvedFlight> {
    return mustResolve(await this.resolve(source));
  }

  private assignmentBase(name: string): AssignmentBase {
    return assignmentBaseOf({ file: COMMAND_LINE, spec: { extends: name } }, this.registry, this.load, this.contents);
  }

  /** Reads a description in TOML or JSON from standard input. */
  private readStandardInput(): void {
    const bytes = readBytes(STANDARD_STREAM, "pipe a flight description into the command");
    const isJson = /^\s*\{/.test(new TextDecoder().decode(bytes.subarray(0, 4096)));
    const text = readFlightText(bytes, `${STANDARD_INPUT}${isJson ? ".json" : ".toml"}`);
    this.standardInput = text;
  }

  readonly load: SpecLoader = (name, from, key = "extends") => {
    if (name === STANDARD_STREAM && this.standardInput !== undefined) {
      return this.layerOf(this.standardInput, STANDARD_INPUT);
    }
    if (!namesFile(name)) return builtInLoader(this.registry)(name, from) ?? this.withoutEnding(name, from);
    const recorded = this.recorded.get(name);
    if (recorded !== undefined) return recorded;
    const path = this.pathFrom(name, from);
    const text = readFlightText(this.bytesOf(path, from, key), path);
    return this.layerOf(text, path);
  };

  private layerOf(text: FlightText, path: string): SpecLayer {
    const definition = definitionIn(text.object);
    if (definition !== undefined) {
      const { run } = text.object;
      const vehicleName = isPlainObject(run) && typeof run["vehicle"] === "string" ? run["vehicle"] : undefined;
      const checked = checkDefinition(definition, { registry: this.registry, file: path });
      return this.layerOfDefinition(path, checked, vehicleName);
    }
    this.texts.set(path, text);
    return { file: path, spec: text.object };
  }

  private layerOfRecording(path: string): Promise<SpecLayer> {
    return useRecording(path, {}, async (recording) =>
      this.layerOfDefinition(path, definitionOf(recording, this.registry), recording.vehicle),
    );
  }

  private layerOfDefinition(path: string, definition: FlightDefinition, vehicleName: string | undefined): SpecLayer {
    this.warnings.push(...otherVersions(definition, this.registry, path));
    return { file: path, spec: specOf(definition), ...(vehicleName === undefined ? {} : { vehicleName }) };
  }

  /** If a name is not built in but a file with that name and an ending exists, suggests the file in the error. */
  private withoutEnding(name: string, from: SpecLayer): undefined {
    const file = [".toml", ".json"]
      .map((ending) => `${name}${ending}`)
      .find((path) => existsSync(this.pathFrom(path, from)));
    if (file === undefined) return undefined;
    throw flightErrors.extendsMissing({
      what: `"${name}" is not built in`,
      where: { file: from.file, key: "extends" },
      fix: `did you mean "${file}"?`,
    });
  }

  readonly contents: SpecContents = {
    mission: (name, from) => this.reading(name, from, writtenKey(from, "mission", "file"), readMission),
    parameters: (name, from) => this.reading(name, from, "autopilot.parametersFile", readParams),
  };

  /** Resolves a path that a layer contains; relative to the working folder if it lies inside it. */
  pathFrom(name: string, from: SpecLayer): string {
    if (isAbsolute(name)) return name;
    const path = resolve(this.texts.has(from.file) ? dirname(from.file) : ".", name);
    const short = relative(process.cwd(), path);
    return short === "" || short.startsWith("..") ? path : short;
  }

  private reading<T>(
    name: string,
    from: SpecLayer,
    key: string,
    read: (bytes: Uint8Array, file: string) => FileReading<T>,
  ): FileReading<T> {
    const path = this.pathFrom(name, from);
    try {
      return read(this.bytesOf(path, from, key), path);
    } catch (error) {
      if (!(error instanceof SimError)) throw error;
      return { value: undefined, errors: [error], warnings: [] };
    }
  }

  /** The bytes of a file that a layer names under a key. */
  private bytesOf(path: string, from: SpecLayer, key: string): Uint8Array {
    const start = this.texts.has(from.file) ? "is relative to the file that names it" : "starts in the working folder";
    return readBytes(path, `check the path; it ${start}`, { file: from.file, key });
  }

  /** Adds the line to a diagnostic, and stores the line's text for printing. */
  private async withLine(diagnostic: SimError): Promise<SimError> {
    const { file, key, line } = diagnostic.where;
    if (file === undefined) return diagnostic;
    const text = this.texts.get(file);
    if (line !== undefined || text === undefined || key === undefined) {
      if (line !== undefined) this.rememberLine(diagnostic, file, line);
      return diagnostic;
    }
    const locator = text.locator();
    const place = locator.locate(key);
    const at = (place.key ?? place.value).line;
    const { code, what, fix } = diagnostic;
    const located = new SimError(code, { what, fix, where: { ...diagnostic.where, line: at }, cause: diagnostic });
    const mark =
      place.exact && place.value.line === at && !isAboutKey(diagnostic) ? place.value : (place.key ?? place.value);
    rememberExcerpt(located, { line: at, text: locator.lineText(at), mark });
    return located;
  }

  /** Stores the line of a file that is not a parsed flight: a mission, parameters, or text with syntax errors. */
  private rememberLine(diagnostic: SimError, file: string, line: number): void {
    let excerpt: Excerpt | undefined;
    try {
      const text = readFileSync(file, "utf8").split(/\r?\n/)[line - 1];
      excerpt = text === undefined ? undefined : { line, text };
    } catch {
      excerpt = undefined;
    }
    if (excerpt !== undefined) rememberExcerpt(diagnostic, excerpt);
  }
}

/** The definition in a file that `check` printed as TOML or JSON; undefined if the file is a description. */
function definitionIn(object: PlainObject): PlainObject | undefined {
  if (isPlainObject(object["flown"])) return object["flown"];
  if (object["format"] === undefined) return undefined;
  // TOML has no null: absent values of a definition are null.
  const { mission = null, scenario = [], sensors = [], ...rest } = object;
  return { ...rest, scenario, sensors, mission: isPlainObject(mission) ? withNulls(mission) : mission };
}

function withNulls(mission: PlainObject): PlainObject {
  const { items } = mission;
  const numbers = { p1: null, p2: null, p3: null, p4: null, latDeg: null, lonDeg: null, altM: null };
  return {
    home: null,
    fence: null,
    rally: [],
    ...mission,
    items: Array.isArray(items) ? items.map((item) => (isPlainObject(item) ? { ...numbers, ...item } : item)) : items,
  };
}

/** On the command line the flight is an argument, not a key. */
function aboutArgument(diagnostic: SimError): SimError {
  const { code, what, where, fix } = diagnostic;
  if (where.file !== COMMAND_LINE || where.key !== "extends") return diagnostic;
  return new SimError(code, { what, fix, where: { ...where, key: "flight" }, cause: diagnostic });
}

/** Groups diagnostics by file and sorts them by line; files are in the order of their first diagnostic. */
function inFileOrder(diagnostics: readonly SimError[]): SimError[] {
  const files = [...new Set(diagnostics.map(({ where }) => where.file))];
  const rank = ({ where }: SimError) => files.indexOf(where.file) * 1e9 + (where.line ?? 0);
  return [...diagnostics].sort((a, b) => rank(a) - rank(b));
}

/** True if the key itself is wrong and should be underlined, false if its value is. */
function isAboutKey({ code, where: { key = "" } }: SimError): boolean {
  if (code === flightErrors.unknownKey.code) return true;
  // Files and scenario events also name parameters, but there the name is a value.
  return code === autopilotErrors.unknownParameter.code && PARAMETER_KEY.test(key);
}
