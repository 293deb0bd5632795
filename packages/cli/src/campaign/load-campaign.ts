/** Reads a campaign file with its base flight and everything that both name, and resolves it. */
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
  CampaignFlyer,
  criteriaMistakes,
  type FlownBy,
  pointMistakes,
  refusedCampaign,
  resolveCampaign,
  type VariedSpec,
} from "@escapement/campaign";
import { LOCKSTEP_KIND, SITL_KIND } from "@escapement/px4";
import { builtInRoot, FlightFiles } from "../load/flight-files.ts";
import { withOwnParts } from "../load/own-parts.ts";
import { registry as builtIn } from "../registry.ts";
import { campaignCode } from "./code-hash.ts";
import { readColumns } from "./list-file.ts";

export interface LoadedCampaign {
  readonly campaign: Campaign;
  readonly registry: Registry;
  /** Absolute paths of custom parts. */
  readonly modules: readonly string[];
  readonly warnings: readonly SimError[];
  /** The built-in flight that the base flight extends, if there is one. */
  readonly root: string | undefined;
}

/** Where a campaign is described: a file, or an object with the folder that its paths are relative to. */
type CampaignSource = string | PlainObject;

/** The file name in errors about an object. */
const OBJECT_NAME = "campaign";

/** Number of flights that are resolved before a campaign starts, and by `check`. */
const TRIED_AT_START = 8;
export const TRIED_BY_CHECK = 100;

/** Throws one error that lists every mistake with its line. The first `tried` flights are resolved. */
export async function loadCampaign(
  source: CampaignSource,
  modules: readonly string[] = [],
  parts?: Registry,
  tried = TRIED_AT_START,
): Promise<LoadedCampaign> {
  const registry = parts ?? (await withOwnParts(builtIn, modules));
  const files = new FlightFiles(registry);
  const [file, given] = typeof source === "string" ? [source, files.readObject(source)] : [OBJECT_NAME, source];
  const layer: SpecLayer = { file, spec: flightSpec(given, file) };
  const resolution = resolveFlight(layer, registry, files.load, files.contents);
  const { resolved } = resolution;
  if (resolved === undefined) {
    // The campaign's own tables are checked with a flight that is valid, so that all mistakes are listed at once.
    const own = ownMistakes(given, file, registry);
    throw refused(files, [...resolution.errors.map((error) => inCampaign(error, file)), ...own]);
  }
  const flownBy = flownByOf(resolved.definition.autopilot.kind);
  const { campaign, errors } = resolveCampaign(given, {
    file,
    base: assignmentBaseOf(layer, registry, files.load, files.contents),
    resolved,
    code: campaignCode(flownBy, modules),
    flownBy,
    ...columnsOf(given, files, file),
  });
  if (campaign === undefined) throw refused(files, errors);
  const { plan } = new CampaignFlyer(campaign, { registry });
  const mistakes = [...criteriaMistakes(campaign.manifest, plan), ...pointMistakes(campaign, registry, tried)].map(
    (error) => inFile(error, file),
  );
  if (mistakes.length > 0) throw refused(files, mistakes);
  const warnings = files.located(resolution.warnings.map((warning) => inCampaign(warning, file)));
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
  // The requirements of the campaign are checked with the flight, whose events they may name.
  const own = requirements === undefined ? {} : { alsoRequire: requirements };
  if (typeof flight === "string") return { extends: flight, ...own };
  if (isPlainObject(flight)) return { ...flight, ...own };
  throw (flight === undefined ? flightErrors.missing : flightErrors.wrongType)({
    what: flight === undefined ? "the campaign names no flight" : `${show(flight)} is not a flight`,
    where: { file, key: "flight" },
    fix: 'flight = "mission", a file, or a table [flight]',
  });
}

/** An object has no file that a command could name. */
function withoutFile(campaign: Campaign): Campaign {
  return { ...campaign, manifest: { ...campaign.manifest, file: "" } };
}

/** Mistakes of a campaign whose flight has mistakes too. What only the flight could define is not checked. */
function ownMistakes(given: PlainObject, file: string, registry: Registry): readonly SimError[] {
  const layer: SpecLayer = { file, spec: { extends: "hover" } };
  const resolved = mustResolve(resolveFlight(layer, registry));
  const base = assignmentBaseOf(layer, registry);
  const { errors } = resolveCampaign(given, { file, base, resolved, code: "", flownBy: "threads" });
  const needsFlight = ["plan.requirement", "criteria"];
  return errors.filter(({ where }) => !needsFlight.some((key) => where.key?.startsWith(key)));
}

function refused(files: FlightFiles, errors: readonly SimError[]): SimError {
  return refusedCampaign(files.located(errors));
}

function inFile(error: SimError, file: string): SimError {
  const { code, what, where, fix } = error;
  return new SimError(code, { what, where: { ...where, file }, fix, cause: error });
}

/** Keys of the base flight are below `flight` in the campaign file. */
function inCampaign(error: SimError, file: string): SimError {
  const { code, what, where, fix } = error;
  if (where.file !== file) return error;
  const { key: own = "extends" } = where;
  const isOwn = own.startsWith("alsoRequire");
  const key = isOwn ? own.replace("alsoRequire", "requirements") : own === "extends" ? "flight" : `flight.${own}`;
  return new SimError(code, { what, where: { ...where, key }, fix, cause: error });
}

function flownByOf(kind: string): FlownBy {
  if (kind === LOCKSTEP_KIND) return "children";
  return kind === SITL_KIND ? "sitl" : "threads";
}

/** The columns of the file that a plan `list` names. */
function columnsOf(given: PlainObject, files: FlightFiles, file: string): { readonly columns?: readonly VariedSpec[] } {
  const plan = isPlainObject(given["plan"]) ? given["plan"] : {};
  const name = plan["file"];
  if (plan["kind"] !== "list" || typeof name !== "string" || name === "") return {};
  const path = files.pathFrom(name, { file, spec: given });
  return { columns: readColumns(readFileSync(path, "utf8"), path) };
}
