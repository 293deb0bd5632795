/**
 * Reads flight files from the disk, from standard input and from recordings.
 *
 * Paths in an object or on the command line are relative to the working folder.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import {
  assignedSpec,
  type Assignment,
  type AssignmentBase,
  assignmentBaseOf,
  definitionOf,
  hasReadyCode,
  mustResolve,
  type PlainObject,
  type Registry,
  type Resolution,
  type ResolvedFlight,
  SimError,
  type SpecLayer,
  type SpecLoader,
} from "@escapement/core";
import { FlightLayers, readFlightText, type RecordingStream, type TextFiles } from "@escapement/formats";
import { COMMAND_LINE } from "../errors.ts";
import { readBytes, STANDARD_STREAM, useRecording } from "./read-files.ts";

/** File name in errors about a description from standard input. */
const STANDARD_INPUT = "standard input";

/** A flight of a campaign by its number. */
export interface NumberedName {
  /** A campaign file, the folder of a run, or the identity of a campaign that was flown in this folder. */
  readonly campaign: string;
  readonly k: number;
  /** First digits of the hash of the build that flew it. */
  readonly code?: string;
}

/**
 * Reads `gusts.campaign.toml#4711`, `gusts#4711` and `c1:3f9a2c71d0e844b5/4711@9bb5725a1c20`; undefined for other
 * names.
 */
export function numberedName(name: string): NumberedName | undefined {
  const [, campaign, k] = /^(.+)#([0-9]{1,10})$/.exec(name) ?? [];
  if (campaign !== undefined) return { campaign, k: Number(k) };
  const [, identity, number, code] = /^(c1:[0-9a-f]{16})\/([0-9]{1,10})(?:@([0-9a-f]{6,64}))?$/.exec(name) ?? [];
  if (identity === undefined) return undefined;
  return { campaign: identity, k: Number(number), ...(code === undefined ? {} : { code }) };
}

interface FlightSource {
  /** A built-in's name or a path. */
  readonly name: string;
  /** Assignments from `--set`, `--seed` and other flags. */
  readonly assignments?: readonly Assignment[];
}

interface FlightLayersInfo {
  readonly names: readonly string[];
  /**
   * The description that the flight extends, merged with all descriptions below it; empty if the flight extends
   * nothing.
   */
  readonly inherited: PlainObject;
  /** The flight, merged with all descriptions that it extends. */
  readonly merged: PlainObject;
}

/** Files on the disk; paths are shown relative to the working folder if they lie inside it. */
export const DISK: TextFiles = {
  read: readBytes,
  exists: existsSync,
  pathFrom(name, file) {
    if (isAbsolute(name)) return name;
    const path = resolve(file === undefined ? "." : dirname(file), name);
    const short = relative(process.cwd(), path);
    return short === "" || short.startsWith("..") ? path : short;
  },
  textOf(path) {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  },
};

export class FlightFiles extends FlightLayers {
  constructor(registry: Registry) {
    super(registry, DISK);
  }

  /** Resolves a flight by name, and loads the code that the build made for its vehicle. */
  async resolve(source: FlightSource): Promise<Resolution> {
    const layer = await this.layerFor(source);
    const resolution = this.resolveLayer(layer);
    const { plant } = resolution;
    if (plant !== undefined && !hasReadyCode(plant)) await import("@escapement/core/kernels");
    if (layer.spec["extends"] !== source.name) return resolution;
    return { ...resolution, errors: resolution.errors.map(withArgumentKey) };
  }

  /**
   * Returns a flight as one description without `extends`, and the built-in flight that it extends, if there is one.
   */
  async describe(source: FlightSource): Promise<AssignmentBase & { readonly root: string | undefined }> {
    const layer = await this.layerFor(source);
    const root = builtInRoot(layer, this.load, this.registry);
    return { ...assignmentBaseOf(layer, this.registry, this.load, this.contents), root };
  }

  /**
   * Returns the names of the descriptions that a flight consists of, the most specific one first, and the values that
   * the flight changes in the description that it extends.
   */
  async layersOf(source: FlightSource): Promise<FlightLayersInfo> {
    const top = await this.layerFor(source);
    const below = this.load(source.name, top);
    const names: string[] = [];
    for (let layer = below; layer !== undefined && !names.includes(layer.file);) {
      names.push(layer.file);
      const next: unknown = layer.spec["extends"];
      layer = typeof next === "string" ? this.load(next, layer) : undefined;
    }
    const parent = below?.spec["extends"];
    const base = typeof parent === "string" ? this.load(parent, below!) : undefined;
    const isBuiltIn = [this.registry.flights, this.registry.vehicles].some((table) =>
      Object.hasOwn(table, source.name),
    );
    const inherited = isBuiltIn ? below : base;
    const specOf = (layer: SpecLayer | undefined) =>
      layer === undefined ? {} : assignmentBaseOf(layer, this.registry, this.load, this.contents).spec;
    return { names, inherited: specOf(inherited), merged: specOf(top) };
  }

  /** Makes the layer of the command line, which extends the flight. */
  private async layerFor({ name, assignments = [] }: FlightSource): Promise<SpecLayer> {
    // Standard input can be read only once.
    if (name === STANDARD_STREAM && !this.given.has(name)) this.readStandardInput();
    if (/\.mcap$/i.test(name) && !this.given.has(name)) {
      await useRecording(name, {}, async (recording) => this.addRecording(name, recording));
    }
    const numbered = numberedName(name);
    if (numbered !== undefined) {
      const layer = await this.layerOfNumber(numbered);
      this.given.set(name, () => layer);
    }
    const overrides = assignedSpec(assignments, () => this.assignmentBase(name), COMMAND_LINE);
    return { file: COMMAND_LINE, spec: { extends: name, ...overrides }, assigns: true };
  }

  /**
   * Reads a file in TOML or JSON. Errors about it then have line numbers, and paths in it are relative to its folder.
   */
  readObject(path: string): PlainObject {
    return this.layerOf(readFlightText(readBytes(path, "check the path"), path), path).spec;
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
    this.given.set(STANDARD_STREAM, () => this.layerOf(text, STANDARD_INPUT));
  }

  /** Returns the layer of flight k of a campaign. */
  private async layerOfNumber(named: NumberedName): Promise<SpecLayer> {
    const { numberedFlight } = await import("../campaign/numbered-flight.ts");
    return { file: `${named.campaign}#${named.k}`, spec: await numberedFlight(named, this.registry) };
  }

  /**
   * Adds the flight of a recording under the path of the recording, so that resolving that path does not read the file
   * again.
   */
  addRecording(path: string, recording: Pick<RecordingStream, "resolved" | "vehicle" | "requirements">): void {
    const { vehicle, requirements } = recording;
    const layer = this.layerOfDefinition(path, definitionOf(recording, this.registry), vehicle, requirements);
    this.given.set(path, () => layer);
  }
}

/** Follows `extends` from a description to the next, and returns the built-in flight at the end, if there is one. */
export function builtInRoot(top: SpecLayer, load: SpecLoader, registry: Registry): string | undefined {
  const seen = new Set<string>();
  for (let layer: SpecLayer | undefined = top; layer !== undefined;) {
    const name: unknown = layer.spec["extends"];
    if (typeof name !== "string" || seen.has(layer.file)) return undefined;
    if (Object.hasOwn(registry.flights, name)) return name;
    seen.add(layer.file);
    layer = load(name, layer);
  }
  return undefined;
}

/** Replaces keys by the names that they have on the command line: the argument `flight` and the flag `--require`. */
function withArgumentKey(diagnostic: SimError): SimError {
  const { code, what, where, fix } = diagnostic;
  if (where.file !== COMMAND_LINE) return diagnostic;
  const isRequirement = where.key?.startsWith("alsoRequire") === true;
  if (!isRequirement && where.key !== "extends") return diagnostic;
  const key = isRequirement ? "--require" : "flight";
  return new SimError(code, { what, fix, where: { ...where, key }, cause: diagnostic });
}
