/**
 * Checks the JSON attachments of a recording, which are untrusted: the head determines how much memory the reader
 * allocates, and the requirements and digests are printed.
 */
import {
  checkParams,
  defineParams,
  isPlainObject,
  RECORDING_VERSION,
  show,
  SIGNAL_TABLE_VERSION,
  SimError,
  STICKS,
  WRITERS,
  type FingerprintDigests,
  type ParamTable,
  type PlainObject,
  type ResolvedRequirement,
} from "@escapement/core";
import { recordingErrors } from "../mcap/errors.ts";
import { FILE_VERSION, type RecordingHead } from "./channels.ts";

const count = (max: number, about: string) =>
  ({ type: "number", unit: "count", integer: true, min: 0, max, about }) as const;

/**
 * The versions that this program reads. They are compared first, because a different version may have different keys.
 */
const VERSIONS = [
  ["fileVersion", "file layout", FILE_VERSION],
  ["recordingVersion", "recording", RECORDING_VERSION],
  ["signalTableVersion", "signal table", SIGNAL_TABLE_VERSION],
] as const;

const headTable = defineParams({
  dims: {
    type: "section",
    about: "Dimensions of the vehicle.",
    table: {
      rotors: count(64, "Rotors."),
      batteries: count(64, "Batteries."),
      buses: count(64, "Buses."),
      sticks: { ...count(STICKS.length, "Axes of the pilot's sticks."), default: 0 },
    },
  },
  resolvedHash: { type: "text", about: "Hash of the flight." },
  parentHash: { type: "text", default: "", about: "Hash of the flight from which it was branched." },
  vehicle: { type: "text", default: "", about: "Name of the vehicle." },
});

const blockTable = defineParams({
  name: { type: "text", about: "Name of the block." },
  size: count(4096, "Values."),
  unit: { type: "text", about: "Unit." },
  components: { type: "texts", maxLength: 4096, default: [], about: "Names of the components." },
});
const requirementTable = defineParams({
  name: { type: "text", about: "Name of the requirement." },
  text: { type: "text", about: "Canonical text." },
  severity: { type: "choice", options: ["error", "warning"], about: "What a violation means." },
  mustOccur: { type: "boolean", about: "Whether untested counts as violated." },
});
const MAX_BLOCKS = 256;
const MAX_VERSIONS = 32;
/** The two lists of a description have at most this many requirements. */
const MAX_REQUIREMENTS = 2000;

/** Checks every value of the head. Throws a typed error that names the key. */
export function checkHead(foreign: unknown, file: string): RecordingHead {
  if (!isPlainObject(foreign)) throw damagedError(`head: ${show(foreign)} is not a table`, file);
  checkVersions(foreign, file);
  const also = [...VERSIONS.map(([key]) => key), "stateBlocks", "versions"];
  const {
    dims: { sticks = 0, ...counts },
    resolvedHash,
    parentHash,
    vehicle,
  } = checkTable(headTable, foreign, file, "", also) as unknown as RecordingHead;
  const { stateBlocks, versions = {} } = foreign;
  if (!Array.isArray(stateBlocks) || stateBlocks.length > MAX_BLOCKS) {
    throw damagedError(`stateBlocks: not a list of at most ${MAX_BLOCKS} blocks`, file);
  }
  const blocks = stateBlocks.map((block: unknown, i) => {
    const { components, ...rest } = checkTable(blockTable, block, file, `stateBlocks[${i}]`);
    const names = components as readonly string[];
    return (names.length === 0 ? rest : { ...rest, components: names }) as unknown as RecordingHead["stateBlocks"][0];
  });
  const twice = blocks.find(({ name }, i) => blocks.findIndex((other) => other.name === name) < i);
  if (twice !== undefined) throw damagedError(`stateBlocks: block ${show(twice.name)} is listed twice`, file);
  if (!isTextTable(versions, MAX_VERSIONS)) throw damagedError("versions: not a table of strings", file);
  return {
    fileVersion: FILE_VERSION,
    recordingVersion: RECORDING_VERSION,
    signalTableVersion: SIGNAL_TABLE_VERSION,
    dims: sticks === 0 ? counts : { ...counts, sticks },
    stateBlocks: blocks,
    resolvedHash,
    ...(parentHash === "" ? {} : { parentHash: parentHash! }),
    ...(vehicle === "" ? {} : { vehicle }),
    versions,
  };
}

function checkVersions(head: PlainObject, file: string): void {
  for (const [key, what, known] of VERSIONS) {
    if (head[key] === known) continue;
    throw recordingErrors.wrongVersion({
      what: `the ${what} has version ${show(head[key])}, but this program reads ${known}`,
      where: { file },
      fix: "read it with the version of Escapement that wrote it",
    });
  }
}

/**
 * Checks the form of the requirements. Their texts are not parsed, so that a recording can be read even if this version
 * does not know a quantity in them.
 */
export function checkRequirements(foreign: unknown, file: string): ResolvedRequirement[] {
  if (!Array.isArray(foreign) || foreign.length > MAX_REQUIREMENTS) {
    throw damagedError(`requirements: not a list of at most ${MAX_REQUIREMENTS} requirements`, file);
  }
  return foreign.map((each: unknown, i) => {
    const { name, text, severity, mustOccur } = checkTable(requirementTable, each, file, `requirements[${i}]`);
    return { name, text, severity, mustOccur } as ResolvedRequirement;
  });
}

/** Checks every value of the digests. */
export function checkDigests(foreign: unknown, file: string): FingerprintDigests {
  if (!isPlainObject(foreign)) throw damagedError(`digests: ${show(foreign)} is not a table`, file);
  const { format, plant, writers } = foreign;
  if (format !== "fp1" || typeof plant !== "string" || !isTextTable(writers, WRITERS.length)) {
    throw damagedError("digests: expected a format, a plant digest and a table of digests", file);
  }
  return { format, plant, writers };
}

function isTextTable(value: unknown, maxCount: number): value is Readonly<Record<string, string>> {
  if (!isPlainObject(value) || Object.keys(value).length > maxCount) return false;
  return Object.values(value).every((text) => typeof text === "string");
}

function checkTable(table: ParamTable, foreign: unknown, file: string, path: string, also: readonly string[] = []) {
  if (!isPlainObject(foreign)) throw damagedError(`${path}: ${show(foreign)} is not a table`, file);
  const found: Parameters<typeof checkParams>[2] = [];
  const values = checkParams(table, foreign, found, path, also);
  if (found[0] !== undefined) throw damagedError(`${found[0].key}: ${found[0].what} (${found[0].fix})`, file);
  return values;
}

function damagedError(what: string, file: string): SimError {
  return recordingErrors.damaged({
    what,
    where: { file },
    fix: "use a recording that Escapement wrote, unchanged",
  });
}
