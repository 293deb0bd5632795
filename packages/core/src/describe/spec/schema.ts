/**
 * A JSON Schema of flight descriptions for editors, made from the same tables as the checks.
 *
 * The schema lists every key with its unit, range, default and description, so that an editor can mark errors while the
 * user types. Only `resolve` checks rules that span sections: it may reject a description that passes the schema, but
 * it accepts none that the schema rejects.
 */
import { describe, type Kind, type Param, type ParamTable } from "../../params/index.ts";
import { vehicleTable } from "../../multirotor/vehicle.ts";
import { PARAMETER_TABLE, type ParameterSpec } from "../../autopilot/index.ts";
import { ACTION_NAMES, ACTIONS } from "../../sources/scenario/index.ts";
import { geodeticGoto } from "../sections/goto-spec.ts";
import { fenceTable, ITEM_NUMBERS, ITEM_WORDS, positionTable } from "./mission-tables.ts";
import type { Registry } from "../registry.ts";
import { DEFAULT_KINDS, TOP_KEYS } from "./flight-keys.ts";
import { MAX_NAME_LENGTH, MAX_NOTE_LENGTH, NAME_PATTERN } from "../sections/event-labels.ts";
import { EVENT_KEYS } from "../sections/scenario-spec.ts";
import {
  environmentTable,
  generalTable,
  missionTiming,
  outputsTable,
  stopTable,
  timelineTable,
  requirementTable,
  vehicleTextTable,
} from "./tables.ts";

type JsonSchema = { readonly [key: string]: unknown };

const SCHEMA_DIALECT = "http://json-schema.org/draft-07/schema#";
const DURATION = {
  type: "string",
  pattern: "^\\s*[0-9]*\\.?[0-9]+([eE][+-]?[0-9]+)?\\s*(us|µs|ms|s|min|h)\\s*$",
} as const;
const NUMBER_OR_NOTHING = { type: ["number", "null"] } as const;

/** Returns the JSON Schema of flight files for the kinds of a registry. */
export function flightSchema(registry: Registry): JsonSchema {
  const names = [...Object.keys(registry.flights), ...Object.keys(registry.vehicles)];
  const builtIn = { anyOf: [{ enum: names }, { type: "string", pattern: "[./\\\\]" }] };
  const replaceable = { enum: [...Object.keys(generalTable), ...TOP_KEYS.slice(2)] };
  return {
    $schema: SCHEMA_DIALECT,
    title: "Escapement flight",
    ...object({
      ...properties(generalTable),
      extends: {
        description: "Built-ins by name, files by path; later ones override earlier ones.",
        anyOf: [builtIn, { type: "array", items: builtIn }],
      },
      replace: {
        description: "Top-level keys whose values in this file replace those of the extended flights completely.",
        anyOf: [replaceable, { type: "array", items: replaceable }],
      },
      vehicle: vehicleSchema(registry),
      environment: object({
        ...properties(environmentTable),
        atmosphere: kindSchema(registry.atmospheres, DEFAULT_KINDS.atmosphere, "Air."),
        gravity: kindSchema(registry.gravities, DEFAULT_KINDS.gravity, "Gravity."),
      }),
      timeline: tableSchema(timelineTable),
      wind: kindSchema(registry.winds, DEFAULT_KINDS.wind, "Wind."),
      integrator: kindSchema(registry.integrators, DEFAULT_KINDS.integrator, "Integration method."),
      estimator: kindSchema(registry.estimators, DEFAULT_KINDS.estimator, "Estimate of the state for the autopilot."),
      sensors: object(
        Object.fromEntries(
          registry.sensors.map((kind) => [
            kind.name,
            { description: kind.about, anyOf: [{ type: "boolean" }, tableSchema(kind.params)] },
          ]),
        ),
      ),
      autopilot: autopilotSchema(registry),
      mission: missionSchema(),
      scenario: { description: "Events.", type: "array", items: eventSchema(registry) },
      stop: tableSchema(stopTable),
      requirements: requirementsSchema("Requirements, judged during the flight."),
      alsoRequire: requirementsSchema("Requirements in addition to those of the extended flights."),
      outputs: tableSchema(outputsTable),
    }),
  };
}

function requirementsSchema(description: string): JsonSchema {
  const item = { anyOf: [{ type: "string" }, tableSchema(requirementTable)] };
  return { description, type: "array", items: item };
}

function object(props: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: "object", additionalProperties: false, properties: props, ...more };
}

function properties(table: ParamTable): JsonSchema {
  return Object.fromEntries(Object.keys(table).map((key) => [key, paramSchema(table[key]!)]));
}

function tableSchema(table: ParamTable, also: JsonSchema = {}): JsonSchema {
  return object({ ...properties(table), ...also });
}

function paramSchema(param: Param): JsonSchema {
  const text = `${param.about} ${capital(describe(param))}.`;
  const fallback = param.default === undefined ? {} : { default: param.default };
  return { description: text, ...fallback, ...typeSchema(param) };
}

function typeSchema(param: Param): JsonSchema {
  switch (param.type) {
    case "number":
      return { type: param.integer === true ? "integer" : "number", ...bounds(param) };
    case "duration":
      return { type: "number", ...(param.zero === true ? { minimum: 0 } : { exclusiveMinimum: 0 }) };
    case "boolean":
      return { type: "boolean" };
    case "text":
      return { type: "string" };
    case "texts":
      return {
        type: "array",
        items: { type: "string" },
        ...(param.maxLength === undefined ? {} : { maxItems: param.maxLength }),
      };
    case "choice":
      return { enum: param.options };
    case "vector":
      return { type: "array", items: { type: "number", ...bounds(param) }, minItems: param.size, maxItems: param.size };
    case "list":
      return { type: "array", items: { type: "number", ...bounds(param) }, ...lengths(param) };
    case "section":
      return tableSchema(param.table);
    case "sections":
      return { type: "array", items: tableSchema(param.table), ...lengths(param) };
  }
}

function bounds({
  min,
  max,
  open = false,
}: {
  readonly min?: number;
  readonly max?: number;
  readonly open?: boolean;
}): JsonSchema {
  return {
    ...(min === undefined ? {} : { [open ? "exclusiveMinimum" : "minimum"]: min }),
    ...(max === undefined ? {} : { [open ? "exclusiveMaximum" : "maximum"]: max }),
  };
}

function lengths({ minLength, maxLength }: { readonly minLength?: number; readonly maxLength?: number }): JsonSchema {
  return {
    ...(minLength === undefined ? {} : { minItems: minLength }),
    ...(maxLength === undefined ? {} : { maxItems: maxLength }),
  };
}

/**
 * Returns the schema of a name, or of a table of one of the kinds. Without `kind`, the table is for the default or
 * inherited kind.
 */
function kindSchema<Part, Context>(
  kinds: readonly Kind<Part, Context>[],
  fallback: string | undefined,
  about: string,
  also: JsonSchema = {},
): JsonSchema {
  const names = kinds.map(({ name }) => name);
  const anyTable = object({ ...anyKindsProperties(kinds.map(({ params }) => params)), ...also });
  const tables = kinds.map((kind) =>
    object(
      { kind: { const: kind.name, description: kind.about }, ...properties(kind.params), ...also },
      { required: ["kind"] },
    ),
  );
  const choice = fallback === undefined ? {} : { default: fallback };
  return { description: about, ...choice, anyOf: [{ enum: names }, ...tables, anyTable] };
}

/** Merges the keys of several tables. A key with different meanings accepts any of them. */
function anyKindsProperties(tables: readonly ParamTable[]): JsonSchema {
  const schemas = new Map<string, JsonSchema[]>();
  for (const table of tables) {
    for (const [key, schema] of Object.entries(properties(table))) {
      const known = schemas.get(key) ?? [];
      const isNew = known.every((other) => JSON.stringify(other) !== JSON.stringify(schema));
      schemas.set(key, isNew ? [...known, schema as JsonSchema] : known);
    }
  }
  return Object.fromEntries(
    [...schemas].map(([key, known]) => [key, known.length === 1 ? known[0]! : { anyOf: known }]),
  );
}

function vehicleSchema(registry: Registry): JsonSchema {
  const names = Object.keys(registry.vehicles);
  const named = { anyOf: [{ enum: names }, { type: "string", pattern: "[./\\\\]" }] };
  return {
    description: "The vehicle.",
    default: "iris",
    anyOf: [named, tableSchema(vehicleTable, { extends: named, ...properties(vehicleTextTable) })],
  };
}

function autopilotSchema(registry: Registry): JsonSchema {
  const known = Object.fromEntries(
    Object.entries<ParameterSpec>(PARAMETER_TABLE).map(
      ([name, { about, unit, min, max, default: fallback, integer }]) => [
        name,
        {
          description: `${about} In ${unit}.`,
          type: integer === true ? "integer" : "number",
          minimum: min,
          maximum: max,
          default: fallback,
        },
      ],
    ),
  );
  return kindSchema(registry.autopilots, DEFAULT_KINDS.autopilot, "Autopilot.", {
    parameters: {
      description: "PX4's parameters by PX4's names.",
      type: "object",
      properties: known,
      additionalProperties: { type: "number" },
    },
    parametersFile: { description: "A parameter file of a ground station.", type: "string" },
  });
}

function missionSchema(): JsonSchema {
  const numbers = Object.fromEntries(ITEM_NUMBERS.map((key) => [key, NUMBER_OR_NOTHING]));
  const numbered = object(
    {
      command: { type: "integer", description: "Number of the MAVLink command." },
      frame: { enum: ["relative", "amsl", "mission"] },
      autoContinue: { type: "boolean" },
      ...numbers,
    },
    { required: ["command"] },
  );
  const worded = Object.entries(ITEM_WORDS).map(([word, { about, table }]) =>
    object({ [word]: { description: about, anyOf: [{ const: true }, tableSchema(table)] } }, { required: [word] }),
  );
  const place = tableSchema(positionTable);
  return {
    description: "A .plan or .waypoints file, or the mission itself.",
    anyOf: [
      { type: "string" },
      object({
        ...properties(missionTiming),
        file: { type: "string", description: "A .plan or .waypoints file, relative to this one." },
        items: { type: "array", minItems: 1, maxItems: 2000, items: { anyOf: [...worded, numbered] } },
        home: place,
        fence: tableSchema(fenceTable),
        rally: { type: "array", items: place },
      }),
    ],
  };
}

function eventSchema(registry: Registry): JsonSchema {
  const timing: Record<string, JsonSchema> = {};
  for (const [key, about] of Object.entries(EVENT_KEYS)) timing[key] = { description: about, ...eventKeySchema(key) };
  const actions = Object.fromEntries(
    ACTION_NAMES.map((name) => [
      name,
      { description: ACTIONS[name].about, anyOf: [{ const: true }, tableSchema(ACTIONS[name].params)] },
    ]),
  );
  const { params, about } = ACTIONS.goto;
  const goto = { description: about, anyOf: [tableSchema(params), tableSchema(geodeticGoto)] };
  return object({ ...timing, ...actions, goto, ...settingSchemas(registry) });
}

/** Returns the schemas of settings that change in flight, with the keys of their sections. */
function settingSchemas(registry: Registry): JsonSchema {
  const sensors = registry.sensors.map(({ name, about, params }) =>
    object({ kind: { const: name, description: about }, ...properties(params) }, { required: ["kind"] }),
  );
  const vehicle = Object.entries(vehicleTable).filter(([key]) => key !== "initial");
  return {
    wind: kindSchema(registry.winds, undefined, ACTIONS.wind.about),
    estimator: kindSchema(registry.estimators, undefined, ACTIONS.estimator.about),
    integrator: kindSchema(registry.integrators, undefined, ACTIONS.integrator.about),
    sensor: { description: ACTIONS.sensor.about, anyOf: sensors },
    vehicle: { description: ACTIONS.vehicle.about, ...tableSchema(Object.fromEntries(vehicle)) },
  };
}

function eventKeySchema(key: string): JsonSchema {
  switch (key) {
    case "step":
      return { type: "integer", minimum: 0 };
    case "when":
      return { type: "string" };
    case "name":
      return { type: "string", maxLength: MAX_NAME_LENGTH, pattern: NAME_PATTERN.source };
    case "note":
      return { type: "string", maxLength: MAX_NOTE_LENGTH };
    case "repeats":
      return { type: "boolean" };
    case "snap":
      return { enum: ["autopilot"] };
    case "at":
    case "from":
    case "for":
    case "after":
      return DURATION;
    case "forS":
      return { type: "number", exclusiveMinimum: 0 };
    default:
      return { type: "number", minimum: 0 };
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
