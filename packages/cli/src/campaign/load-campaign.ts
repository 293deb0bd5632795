/** Reads a campaign file, its base flight and all files that they refer to, and resolves the campaign. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  assignmentBaseOf,
  flightErrors,
  isPlainObject,
  mustResolve,
  type PlainObject,
  type Registry,
  resolveFlight,
  show,
  SimError,
  type SpecLayer,
} from "@escapement/core";
import {
  type Campaign,
  campaignErrors,
  CampaignFlyer,
  criteriaErrors,
  factRequirements,
  firstFlightErrors,
  flattenVary,
  type FlownBy,
  keyErrors,
  refusedCampaign,
  resolveCampaign,
  type VariedSpec,
} from "@escapement/campaign";
import { LOCKSTEP_KIND, SITL_KIND } from "@escapement/px4";
import { builtInRoot, FlightFiles } from "../load/flight-files.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { registry as builtIn } from "../registry.ts";
import { campaignCode } from "./code-hash.ts";
import { readColumns } from "./list-file.ts";
import { readSummary } from "./stored-summary.ts";

export interface LoadedCampaign {
  readonly campaign: Campaign;
  readonly registry: Registry;
  /** Absolute paths of custom parts. */
  readonly modules: readonly string[];
  readonly warnings: readonly SimError[];
  /** The built-in flight that the base flight extends, if there is one. */
  readonly root: string | undefined;
}

/** A campaign: the path of its file, or its description as an object. */
type CampaignSource = string | PlainObject;

/** File name in errors if the campaign is given as an object. */
const OBJECT_NAME = "campaign";

/** Number of flights that are resolved, to find errors, before a campaign starts. */
const FLIGHTS_TRIED_AT_START = 8;
/** The same number for `check`. */
export const FLIGHTS_TRIED_BY_CHECK = 100;

/**
 * Loads a campaign. Resolves its first `tried` flights, and throws one error that lists all errors with their lines.
 */
export async function loadCampaign(
  source: CampaignSource,
  modules: readonly string[] = [],
  parts?: Registry,
  tried = FLIGHTS_TRIED_AT_START,
): Promise<LoadedCampaign> {
  const registry = parts ?? (await withCustomParts(builtIn, modules));
  const files = new FlightFiles(registry);
  const [file, written] = typeof source === "string" ? [source, files.readObject(source)] : [OBJECT_NAME, source];
  const given = withShift(written, files, file);
  const layer: SpecLayer = { file, spec: flightSpec(given, file) };
  const resolution = resolveFlight(layer, registry, files.load, files.contents);
  const { resolved } = resolution;
  if (resolved === undefined) {
    // Check the campaign's own tables with a built-in flight instead, so that all errors are listed together.
    const own = ownErrors(given, file, registry);
    throw campaignError(files, [...resolution.errors.map((error) => inCampaign(error, file)), ...own]);
  }
  const flownBy = flownByOf(resolved.definition.autopilot.kind);
  const base = assignmentBaseOf(layer, registry, files.load, files.contents);
  const { campaign, errors, vary } = resolveCampaign(given, {
    file,
    base,
    resolved,
    code: campaignCode(flownBy, modules),
    flownBy,
    ...(await columnsOf(given, files, file)),
  });
  // The listed values of one flight belong together, so check only the flights of a list, not the ends of each key.
  const inKeys = planKindOf(given) === "list" ? [] : keyErrors({ file, base, vary }, registry);
  if (campaign === undefined) throw campaignError(files, [...errors, ...inKeys]);
  const { plan } = new CampaignFlyer(campaign, { registry });
  const inFlights = inKeys.length > 0 ? inKeys : firstFlightErrors(campaign, registry, tried);
  const planErrors = [...criteriaErrors(campaign.manifest, plan), ...inFlights].map((error) => inFile(error, file));
  if (planErrors.length > 0) throw campaignError(files, planErrors);
  const warnings = files.locate([
    ...resolution.warnings.map((warning) => inCampaign(warning, file)),
    ...factWarnings(campaign, file),
  ]);
  const root = builtInRoot(layer, files.load, registry);
  return {
    campaign: typeof source === "string" ? campaign : withoutFile(campaign),
    registry,
    modules: modules.map((path) => resolve(path)),
    warnings,
    root,
  };
}

function flightSpec({ flight, requirements }: PlainObject, file: string): PlainObject {
  // Check the requirements of the campaign together with the flight, because they may name its events.
  const own = requirements === undefined ? {} : { alsoRequire: requirements };
  if (typeof flight === "string") return { extends: flight, ...own };
  if (isPlainObject(flight)) return { ...flight, ...own };
  throw (flight === undefined ? flightErrors.missing : flightErrors.wrongType)({
    what: flight === undefined ? "the campaign does not name a flight" : `${show(flight)} is not a flight`,
    where: { file, key: "flight" },
    fix: 'flight = "mission", a file, or a table [flight]',
  });
}

function factWarnings(campaign: Campaign, file: string): SimError[] {
  return factRequirements(campaign).map((name) =>
    campaignErrors.noDirection({
      what: `"${name}" contains only yes-or-no conditions, so its margin does not show how close a flight comes to violating it`,
      where: { file, key: "plan.requirement" },
      fix: "compare a measured quantity, e.g. altitude < 20 cm instead of landed",
    }),
  );
}

/** Removes the file name from a campaign that was given as an object, because no command could use it. */
function withoutFile(campaign: Campaign): Campaign {
  return { ...campaign, manifest: { ...campaign.manifest, file: "" } };
}

/**
 * Returns the errors in the campaign's own tables, checked with a built-in flight because its own flight has errors.
 * Skips keys that depend on the flight.
 */
function ownErrors(given: PlainObject, file: string, registry: Registry): readonly SimError[] {
  const layer: SpecLayer = { file, spec: { extends: "hover" } };
  const resolved = mustResolve(resolveFlight(layer, registry));
  const base = assignmentBaseOf(layer, registry);
  const { errors } = resolveCampaign(given, { file, base, resolved, code: "", flownBy: "threads" });
  const needsFlight = ["plan.requirement", "criteria"];
  return errors.filter(({ where }) => !needsFlight.some((key) => where.key?.startsWith(key)));
}

function campaignError(files: FlightFiles, errors: readonly SimError[]): SimError {
  return refusedCampaign(files.locate(errors));
}

function inFile(error: SimError, file: string): SimError {
  const { code, what, where, fix } = error;
  return new SimError(code, { what, where: { ...where, file }, fix, cause: error });
}

/** Converts keys of the base flight to keys of the campaign file, in which they are below `flight`. */
function inCampaign(error: SimError, file: string): SimError {
  const { code, what, where, fix } = error;
  if (where.file !== file) return error;
  const { key: own = "extends" } = where;
  const isOwn = own.startsWith("alsoRequire");
  const key = isOwn ? own.replace("alsoRequire", "requirements") : own === "extends" ? "flight" : `flight.${own}`;
  return new SimError(code, { what, where: { ...where, key }, fix, cause: error });
}

function planKindOf({ plan }: PlainObject): unknown {
  return isPlainObject(plan) ? plan["kind"] : undefined;
}

function flownByOf(kind: string): FlownBy {
  if (kind === LOCKSTEP_KIND) return "children";
  return kind === SITL_KIND ? "sitl" : "threads";
}

/** Distributions of discrete values, which cannot be shifted. */
const DISCRETE: ReadonlySet<string> = new Set(["choice", "list", "integers"]);

/** Sets the shift of a plan `importance` to the values of the worst flight of the run that it names. */
function withShift(given: PlainObject, files: FlightFiles, file: string): PlainObject {
  const plan = isPlainObject(given["plan"]) ? given["plan"] : {};
  const { from } = plan;
  if (plan["kind"] !== "importance" || typeof from !== "string" || from === "" || "shift" in plan) return given;
  const folder = files.pathFrom(from, { file, spec: given });
  const { worst = [], campaign } = readSummary(folder) ?? {};
  if (campaign === undefined || worst.length === 0) {
    throw campaignErrors.notStored({
      what: "there is no run with a worst flight",
      where: { file: folder },
      fix: "give plan.from the folder of a campaign with requirements, and fly that campaign first",
    });
  }
  const vary = isPlainObject(given["vary"]) ? flattenVary(given["vary"]) : {};
  const isShifted = (key: string) =>
    isPlainObject(vary[key]) && !Object.keys(vary[key]).some((word) => DISCRETE.has(word));
  const values = campaign.keys.map(({ key }, i) => [key, worst[0]!.varied[i]] as const);
  const shift = Object.fromEntries(values.filter(([key]) => isShifted(key)));
  return { ...given, plan: { ...plan, shift } };
}

/** Returns the columns of the file that a plan `list` names. */
async function columnsOf(
  given: PlainObject,
  files: FlightFiles,
  file: string,
): Promise<{ readonly columns?: readonly VariedSpec[] }> {
  const plan = isPlainObject(given["plan"]) ? given["plan"] : {};
  const name = plan["file"];
  if (plan["kind"] !== "list" || typeof name !== "string" || name === "") return {};
  const path = files.pathFrom(name, { file, spec: given });
  return { columns: await readColumns(readFileSync(path), path) };
}
