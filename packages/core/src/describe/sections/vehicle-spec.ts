/**
 * The vehicle of a description: a name, a file, or a table that extends either.
 *
 * A vehicle file holds the keys of a vehicle and may extend another vehicle. It is merged like any description, and
 * diagnostics name the file that set the key.
 */
import { SimError } from "../../errors/index.ts";
import { isPlainObject, oneOfNames, type PlainObject, show } from "../../params/index.ts";
import { readVehicle, type Vehicle, vehicleTable } from "../../multirotor/vehicle.ts";
import type { Diagnostics, PlaceOf } from "../diagnostics.ts";
import {
  collectLayers,
  type MergedSpec,
  mergeLayers,
  type MergeRules,
  isPath,
  type SpecLayer,
  type SpecLoader,
  writtenKey,
} from "../spec/layers.ts";
import type { Registry } from "../registry.ts";
import { TOP_KEYS } from "../spec/flight-keys.ts";
import { generalTable, vehicleTextTable } from "../spec/tables.ts";

const RULES: MergeRules = {
  // Inertia is either three moments with products or nine entries. If layers use different forms, the later one wins.
  alternatives: { "": [["inertiaKgM2"], ["inertiaDiagKgM2", "inertiaProductsKgM2"]] },
};

/** Keys that both a flight and a vehicle may have. */
const SHARED_KEYS: readonly string[] = ["extends", "about"];

/** Returns true if a file holds keys of a vehicle and none that only a flight has. */
export function isVehicleSpec(spec: PlainObject): boolean {
  const flightKeys: readonly string[] = [...TOP_KEYS, ...Object.keys(generalTable)];
  const keys = Object.keys(spec).filter((key) => !SHARED_KEYS.includes(key));
  return keys.some((key) => Object.hasOwn(vehicleTable, key)) && !keys.some((key) => flightKeys.includes(key));
}

export class VehicleSpec {
  /** Absent if the extended vehicle cannot be loaded. */
  private readonly merged: MergedSpec | undefined;
  private readonly own: SpecLayer;

  constructor(given: PlainObject, from: SpecLayer, registry: Registry, load: SpecLoader, diagnostics: Diagnostics) {
    this.own = { file: from.file, spec: given };
    this.merged = this.merge(from, registry, load, diagnostics);
  }

  /** Returns the layer and key that set a key of the vehicle; undefined if the flight itself set it. */
  placeOf(key: string): ReturnType<PlaceOf> | undefined {
    const place = this.merged?.placeOf(key);
    return place === undefined || place.layer === this.own ? undefined : place;
  }

  /** True if the description has an empty list of feet. */
  get removesFeet(): boolean {
    const contact = this.merged?.spec["contact"];
    const feet = isPlainObject(contact) ? contact["feet"] : undefined;
    return Array.isArray(feet) && feet.length === 0;
  }

  /** Returns the length of a list of the vehicle, even if the vehicle has errors; undefined if it is not a list. */
  lengthOf(list: "rotors" | "batteries"): number | undefined {
    const value = this.merged?.spec[list];
    return Array.isArray(value) ? value.length : undefined;
  }

  resolve(diagnostics: Diagnostics): Vehicle | undefined {
    const { merged } = this;
    if (merged === undefined) return undefined;
    const { about } = merged.spec;
    diagnostics.params(vehicleTextTable, about === undefined ? {} : { about }, "vehicle");
    return diagnostics.unlessDiagnosed(() =>
      diagnostics.collectFrom((found) => readVehicle(merged.spec, found, "vehicle", Object.keys(vehicleTextTable))),
    );
  }

  private merge(
    from: SpecLayer,
    registry: Registry,
    load: SpecLoader,
    diagnostics: Diagnostics,
  ): MergedSpec | undefined {
    const names = Object.keys(registry.vehicles);
    const base = this.own.spec["extends"];
    if (base !== undefined && !(typeof base === "string" && (isPath(base) || names.includes(base)))) {
      return diagnostics.add(
        "unknownKind",
        "vehicle.extends",
        `unknown vehicle ${show(base)}`,
        `${oneOfNames(base, names)}, or a file`,
      );
    }
    // A name means a built-in vehicle here, even if a flight has the same name. A path is relative to the file that
    // contains it.
    const loadVehicle: SpecLoader = (name, layer) => {
      if (Object.hasOwn(registry.vehicles, name)) return { file: `vehicle ${name}`, spec: registry.vehicles[name]! };
      if (!isPath(name)) return undefined;
      return layer === this.own ? load(name, from, writtenKey(from, "vehicle", "extends")) : load(name, layer);
    };
    try {
      const layers = collectLayers(this.own, loadVehicle, names, (error) => {
        throw error;
      });
      return mergeLayers(layers, RULES);
    } catch (error) {
      if (!(error instanceof SimError)) throw error;
      const { file, key } = error.where;
      const isOwn = file === this.own.file && key === "replace";
      diagnostics.errors.push(isOwn ? diagnostics.withPlaceOf(error, "vehicle.replace") : error);
      return undefined;
    }
  }
}

/** Returns the section as a table. Names were expanded to tables when layers were merged; the default is the iris. */
export function vehicleTableOf(given: unknown, diagnostics: Diagnostics): PlainObject | undefined {
  if (given === undefined) return { extends: "iris" };
  if (isPlainObject(given)) return given;
  return diagnostics.add(
    "wrongType",
    "vehicle",
    `${show(given)} is not a vehicle`,
    'use a name or a table, e.g. vehicle = "iris"',
  );
}
