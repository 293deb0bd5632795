/**
 * Resolves flight descriptions whose layers, missions and parameters are texts, on disk or in a web page.
 *
 * A path is relative to the file that contains it, so a description can be extended from anywhere. A name with a slash
 * or a dot is a path; any other name is a built-in. Line numbers are looked up only if there is a diagnostic to report.
 */
import {
  autopilotErrors,
  builtInLoader,
  checkDefinition,
  type FileReading,
  type FlightDefinition,
  flightErrors,
  isPlainObject,
  isVehicleSpec,
  isPath,
  otherVersions,
  type PlainObject,
  type Registry,
  type Resolution,
  type ResolvedRequirement,
  resolveFlight,
  SimError,
  specOf,
  type SpecContents,
  type SpecLayer,
  type SpecLoader,
  type Where,
  writtenKey,
} from "@escapement/core";
import { readMission } from "../missions/index.ts";
import { readParams } from "../params/params-file.ts";
import { excerptOf, storeExcerpt } from "./excerpts.ts";
import { type FlightText, readFlightText } from "./flight-text.ts";

/** Paths of the keys that are names of autopilot parameters. */
const PARAMETER_KEY = /^autopilot\.parameters\./;

/** Access to the files that descriptions name. */
export interface TextFiles {
  /**
   * Returns the bytes of a file. Throws a typed error with this fix if it cannot be read; `namedBy` is the key that
   * names the file.
   */
  read(path: string, fix: string, namedBy: Where): Uint8Array;
  exists(path: string): boolean;
  /** Resolves a name that is written in `file`, or outside any file. */
  pathFrom(name: string, file: string | undefined): string;
  /** Returns the text of a file, to show its lines with errors, or undefined if it cannot be read. */
  textOf(path: string): string | undefined;
}

export class FlightLayers {
  protected readonly registry: Registry;
  /** Layers that are not files, by name: descriptions of recordings, standard input. */
  protected readonly given = new Map<string, () => SpecLayer>();
  private readonly files: TextFiles;
  private readonly texts = new Map<string, FlightText>();
  /** Lines of files with errors. A file can have an error on every line, so it is split only once. */
  private readonly lines = new Map<string, readonly string[]>();
  /** Warnings about definitions that were turned into descriptions. */
  private readonly warnings: SimError[] = [];

  constructor(registry: Registry, files: TextFiles) {
    this.registry = registry;
    this.files = files;
  }

  /** Resolves a description. Every diagnostic has its line, and diagnostics are in the order of the files. */
  resolveLayer(top: SpecLayer): Resolution {
    const resolution = resolveFlight(top, this.registry, this.load, this.contents);
    const warnings = [...this.warnings, ...resolution.warnings.map((warning) => this.withLine(warning))];
    return { ...resolution, errors: this.locate(resolution.errors), warnings };
  }

  /** Adds lines to diagnostics, and puts them in the order of the files. */
  locate(errors: readonly SimError[]): SimError[] {
    return sortByFile(errors.map((error) => this.withLine(error)));
  }

  readonly load: SpecLoader = (name, from, key = "extends") => {
    const given = this.given.get(name);
    if (given !== undefined) return given();
    if (!isPath(name)) return builtInLoader(this.registry)(name, from) ?? this.suggestFile(name, from);
    const path = this.pathFrom(name, from);
    const text = readFlightText(this.bytesOf(path, from, key), path);
    const layer = this.layerOf(text, path);
    if (key === "extends" && isCampaign(layer.spec)) {
      throw flightErrors.extendsMissing({
        what: `${name} is a campaign, not a flight`,
        where: { file: from.file, key },
        fix: `name one of its flights, e.g. ${name}#0, or fly all of them: escapement campaign ${name}`,
      });
    }
    // A vehicle file that the command line names is flown like a built-in vehicle.
    const isNamedFlight = key === "extends" && !this.texts.has(from.file);
    return isNamedFlight && isVehicleSpec(layer.spec) ? { file: `vehicle ${path}`, spec: { vehicle: name } } : layer;
  };

  readonly contents: SpecContents = {
    mission: (name, from) => this.readContents(name, from, writtenKey(from, "mission", "file"), readMission),
    parameters: (name, from) => this.readContents(name, from, "autopilot.parametersFile", readParams),
  };

  /** Resolves a name that is written in a layer. */
  pathFrom(name: string, from: SpecLayer): string {
    return this.files.pathFrom(name, this.texts.has(from.file) ? from.file : undefined);
  }

  /** Makes the layer of a text, which is a description or a definition that `check` printed. */
  layerOf(text: FlightText, path: string): SpecLayer {
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

  /** Makes the layer of a definition, e.g. that of a recording, which may contain requirements. */
  protected layerOfDefinition(
    path: string,
    definition: FlightDefinition,
    vehicleName: string | undefined,
    requirements: readonly ResolvedRequirement[] = [],
  ): SpecLayer {
    this.warnings.push(...otherVersions(definition, this.registry, path));
    const spec = { ...specOf(definition), ...(requirements.length === 0 ? {} : { requirements }) };
    return { file: path, spec, ...(vehicleName === undefined ? {} : { vehicleName }) };
  }

  /** If the name with .toml or .json added is that of a file, throws an error that suggests this file. */
  private suggestFile(name: string, from: SpecLayer): undefined {
    const file = [".toml", ".json"]
      .map((ending) => `${name}${ending}`)
      .find((path) => this.files.exists(this.pathFrom(path, from)));
    if (file === undefined) return undefined;
    throw flightErrors.extendsMissing({
      what: `"${name}" is not built in`,
      where: { file: from.file, key: "extends" },
      fix: `did you mean "${file}"?`,
    });
  }

  private readContents<T>(
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

  /** Reads a file that a layer names under a key. */
  private bytesOf(path: string, from: SpecLayer, key: string): Uint8Array {
    const base = this.texts.has(from.file)
      ? "is relative to the file that names it"
      : "is relative to the working folder";
    return this.files.read(path, `check the path; it ${base}`, { file: from.file, key });
  }

  /** Adds the line to a diagnostic, and stores the line's text for printing. */
  private withLine(diagnostic: SimError): SimError {
    const { file, key, line } = diagnostic.where;
    if (file === undefined) return diagnostic;
    const text = this.texts.get(file);
    if (line !== undefined || text === undefined || key === undefined) {
      if (line !== undefined) this.storeLine(diagnostic, file, line);
      return diagnostic;
    }
    const locator = text.locator();
    const place = locator.locate(key);
    const at = (place.key ?? place.value).line;
    const { code, what, fix } = diagnostic;
    const located = new SimError(code, { what, fix, where: { ...diagnostic.where, line: at }, cause: diagnostic });
    const mark =
      place.exact && place.value.line === at && !isAboutKey(diagnostic) ? place.value : (place.key ?? place.value);
    storeExcerpt(located, { line: at, text: locator.lineText(at), mark });
    return located;
  }

  /** Stores the line of a file that is not a parsed flight: a mission, parameters, or text with syntax errors. */
  private storeLine(diagnostic: SimError, file: string, line: number): void {
    // The reader of the text may already have stored an excerpt, which also marks the part that is wrong.
    if (excerptOf(diagnostic) !== undefined) return;
    const text = this.linesOf(file)[line - 1];
    if (text !== undefined) storeExcerpt(diagnostic, { line, text });
  }

  private linesOf(file: string): readonly string[] {
    let lines = this.lines.get(file);
    if (lines === undefined) {
      lines = this.files.textOf(file)?.split(/\r?\n/) ?? [];
      this.lines.set(file, lines);
    }
    return lines;
  }
}

/** Returns the definition in a file that `check` printed as TOML or JSON, or undefined if the file is a description. */
function definitionIn(object: PlainObject): PlainObject | undefined {
  if (isPlainObject(object["flown"])) return object["flown"];
  if (object["format"] === undefined) return undefined;
  // TOML has no null, so a value that is null in a definition is absent from the text.
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

/** Groups diagnostics by file and sorts them by line; files are in the order of their first diagnostic. */
function sortByFile(diagnostics: readonly SimError[]): SimError[] {
  const files = [...new Set(diagnostics.map(({ where }) => where.file))];
  const rank = ({ where }: SimError) => files.indexOf(where.file) * 1e9 + (where.line ?? 0);
  return [...diagnostics].sort((a, b) => rank(a) - rank(b));
}

/** Returns true if the key itself is wrong and should be underlined, false if its value is wrong. */
function isAboutKey({ code, where: { key = "" } }: SimError): boolean {
  if (code === flightErrors.unknownKey.code) return true;
  // Parameter files and scenario events also name parameters, but not as keys of the flight; then the value is wrong,
  // not the key.
  return code === autopilotErrors.unknownParameter.code && PARAMETER_KEY.test(key);
}

/** Whether a file describes a campaign. Flights have no key `plan`. */
function isCampaign({ plan }: PlainObject): boolean {
  return isPlainObject(plan) && typeof plan["kind"] === "string";
}
