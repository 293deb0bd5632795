/**
 * Flight files from disk: what `extends`, `mission` and `autopilot.parametersFile` name is found and read here.
 *
 * Paths resolve against the file that contains them, at the moment it is read, so a description can be extended from
 * anywhere. Built-ins are found by name first; a name with a slash or a dot is a path. Missions and parameters become
 * part of the description, content and all, because they decide bits.
 */
import { readFileSync } from "node:fs";
import { dirname, extname, isAbsolute, relative, resolve } from "node:path";
import {
  builtInLoader,
  builtInNames,
  isPlainObject,
  mustResolve,
  type PlainObject,
  type Registry,
  type Resolution,
  type ResolvedFlight,
  resolveFlight,
  SimError,
  type SpecLayer,
  type SpecLoader,
} from "@escapement/core";
import { fileErrors, type FlightText, readFlightText, readMission, readParams, type Reading } from "@escapement/formats";

export interface FlightSource {
  /** A built-in's name or a path. */
  readonly name: string;
  /** Laid over it: `--set`, `--seed`, `--until`. */
  readonly overrides?: PlainObject;
}

export class FlightFiles {
  private readonly registry: Registry;
  private readonly texts = new Map<string, FlightText>();
  readonly warnings: SimError[] = [];

  constructor(registry: Registry) {
    this.registry = registry;
  }

  /** Resolves a flight by name; every complaint has its line. */
  async resolve({ name, overrides = {} }: FlightSource): Promise<Resolution> {
    const top: SpecLayer = { file: "command line", spec: { extends: name, ...overrides } };
    const resolution = resolveFlight(top, this.registry, this.load);
    if (resolution.resolved !== undefined) return resolution;
    return { complaints: await Promise.all(resolution.complaints.map((complaint) => this.withLine(complaint))) };
  }

  async mustResolve(source: FlightSource): Promise<ResolvedFlight> {
    return mustResolve(await this.resolve(source));
  }

  readonly load: SpecLoader = (name, from) => {
    const isPath = /[./\\]/.test(name);
    const builtIn = isPath ? undefined : builtInLoader(this.registry)(name, from);
    if (builtIn !== undefined || !isPath) return builtIn;
    return this.read(this.pathFrom(name, from.file));
  };

  /** The text of a line, for showing it under an error. */
  readonly lineOf = (file: string, line: number): string | undefined => {
    try {
      return readFileSync(file, "utf8").split(/\r?\n/)[line - 1];
    } catch {
      return undefined;
    }
  };

  private read(path: string): SpecLayer {
    const text = readFlightText(readBytes(path), path);
    this.texts.set(path, text);
    return { file: path, spec: this.withContents(text.object, path) };
  }

  /** Replaces names of mission and parameter files by what they contain. */
  private withContents(spec: PlainObject, file: string): PlainObject {
    const contents: Record<string, unknown> = { ...spec };
    const mission = spec["mission"];
    const named = typeof mission === "string" ? { file: mission } : mission;
    if (isPlainObject(named) && typeof named["file"] === "string") {
      const { file: missionFile, ...rest } = named;
      const path = this.pathFrom(missionFile as string, file);
      contents["mission"] = { ...rest, items: this.take(readMission(readBytes(path), path)).items };
    }
    const autopilot = spec["autopilot"];
    if (isPlainObject(autopilot) && typeof autopilot["parametersFile"] === "string") {
      const { parametersFile, parameters = {}, ...rest } = autopilot;
      const path = this.pathFrom(parametersFile as string, file);
      const fromFile = Object.fromEntries(this.take(readParams(readBytes(path), path)).map(({ name, value }) => [name, value]));
      contents["autopilot"] = { ...rest, parameters: { ...fromFile, ...(isPlainObject(parameters) ? parameters : {}) } };
    }
    return contents;
  }

  private take<T>(reading: Reading<T>): T {
    this.warnings.push(...reading.warnings);
    if (reading.value !== undefined) return reading.value;
    throw reading.errors[0]!;
  }

  /** Paths are shown as short as they can be. */
  private pathFrom(name: string, file: string): string {
    if (isAbsolute(name)) return name;
    const base = this.texts.has(file) ? dirname(file) : ".";
    const path = resolve(base, name);
    const short = relative(process.cwd(), path);
    return short === "" || short.startsWith("..") ? path : short;
  }

  private async withLine(complaint: SimError): Promise<SimError> {
    const { file, key, line } = complaint.where;
    const text = file === undefined ? undefined : this.texts.get(file);
    if (text === undefined || key === undefined || line !== undefined) return complaint;
    const place = (await text.locator()).locate(key);
    const at = (place.key ?? place.value).line;
    const { code, what, fix } = complaint;
    return new SimError(code, { what, fix, where: { ...complaint.where, line: at }, cause: complaint });
  }
}

/** What `fly` calls a flight: a built-in, or a file without its extension. */
export function isFlightFile(name: string): boolean {
  return [".toml", ".json"].includes(extname(name));
}

export { builtInNames };

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw fileErrors.notFound({
      what: `${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
      where: { file: path },
      fix: "check the path; it is relative to the file that names it",
      cause: error,
    });
  }
}
