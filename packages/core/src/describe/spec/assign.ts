/**
 * Assignments to keys of a description, as `--set` and campaigns make them: `wind.kind`, `vehicle.batteries[0].soc`,
 * `scenario[2].at`, and events by name: `scenario.engineOut.at`.
 *
 * Assignments become a layer above the description, so the rules for layers and all checks apply to them. A layer
 * replaces a list as a whole; an assignment to an entry therefore copies the list. A list that the description does not
 * contain, e.g. the batteries of a built-in vehicle, is copied from the resolved flight.
 */
import { didYouMean, isPlainObject, type PlainObject, show } from "../../params/index.ts";
import { flightErrors } from "../errors.ts";
import type { SimError } from "../../errors/index.ts";
import { FLIGHT_RULES } from "./flight-keys.ts";

/** Keys of tables, and indices of list entries. */
type KeyPath = readonly (string | number)[];

export interface Assignment {
  readonly path: KeyPath;
  readonly value: unknown;
}

/** The description to which values are assigned. */
export interface AssignmentBase {
  /** The description with everything that it extends. */
  readonly spec: PlainObject;
  /** The resolved flight as a description (`specOf`); undefined if the description has errors. */
  readonly filled: PlainObject | undefined;
}

/** The list whose entries have names. */
const NAMED_LIST = "scenario";
/**
 * The two keys for each time of an event: as text with a unit, and in seconds. An assignment to one removes the other.
 */
const TIME_FORMS = [
  ["at", "atS"],
  ["for", "forS"],
  ["from", "fromS"],
  ["after", "afterS"],
] as const;

const KEY = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+|\[[0-9]{1,4}\])*$/;

/** Returns the steps of a dotted key; undefined if the text is not a dotted key. */
export function parseKeyPath(text: string): KeyPath | undefined {
  if (!KEY.test(text)) return undefined;
  return text.split(/\.|(?=\[)/).map((step) => (step.startsWith("[") ? Number(step.slice(1, -1)) : step));
}

export function keyPathText(path: KeyPath): string {
  return path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );
}

export function reachesIntoList(path: KeyPath): boolean {
  return path.some((step) => typeof step === "number") || (path[0] === NAMED_LIST && path.length > 1);
}

/**
 * Returns the spec of a layer that makes the assignments; the caller must set the layer's `assigns`. Later assignments
 * win. `base` is called only if an assignment reaches into a list. Throws a typed error if a list or an entry does not
 * exist.
 */
export function assignedSpec(
  assignments: readonly Assignment[],
  base: () => AssignmentBase,
  file: string,
): PlainObject {
  return assignments.reduce<PlainObject>((spec, assignment) => {
    const { path, value } = assignment;
    if (!reachesIntoList(path)) return withValue(spec, path, value);
    return withEntry(spec, assignment, base(), file);
  }, {});
}

function withValue(spec: PlainObject, path: KeyPath, value: unknown, walked: KeyPath = []): PlainObject {
  const [first, ...rest] = path;
  const here = [...walked, first!];
  if (rest.length === 0) return { ...spec, [first!]: value };
  return { ...spec, [first!]: withValue(tableOf(spec[first!], here), rest, value, here) };
}

/** Returns a section as a table. If an earlier assignment set the section to a bare name, the table holds that name. */
function tableOf(old: unknown, path: KeyPath): PlainObject {
  if (isPlainObject(old)) return old;
  const { shorthand = {} } = FLIGHT_RULES;
  const section = keyPathText(path);
  return typeof old === "string" && Object.hasOwn(shorthand, section) ? { [shorthand[section]!]: old } : {};
}

/** Copies the list that the path reaches into, and sets the value in the copy. */
function withEntry(spec: PlainObject, { path, value }: Assignment, base: AssignmentBase, file: string): PlainObject {
  const at = path[0] === NAMED_LIST ? 1 : path.findIndex((step) => typeof step === "number");
  const listPath = path.slice(0, at);
  const found = [spec, base.spec, base.filled]
    .map((from) => (from === undefined ? undefined : valueAt(from, listPath)))
    .find((candidate) => candidate !== undefined);
  const where = { file, key: keyPathText(path) };
  if (!Array.isArray(found)) throw missingListError(listPath, where);
  const list = withPatch(found, path.slice(at), value, { where, walked: listPath });
  return withValue(withGroup(spec, listPath, base), listPath, list);
}

function missingListError(path: KeyPath, where: { readonly file: string; readonly key: string }): SimError {
  return flightErrors.unknownKey({
    what: `this flight has no list ${show(keyPathText(path))}`,
    where,
    fix: "run `escapement check --full`, which prints every key of a flight",
  });
}

function valueAt(from: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      isPlainObject(value) && typeof step === "string" && Object.hasOwn(value, step) ? value[step] : undefined,
    from,
  );
}

/**
 * Copies the other keys of the group (`MergeRules.alternatives`) that the list belongs to. The description may use
 * another group, e.g. a mission that names a file. The new layer removes the keys of that group, so it must hold every
 * key of the list's own group.
 */
function withGroup(spec: PlainObject, [section, key]: KeyPath, { spec: below, filled }: AssignmentBase): PlainObject {
  const { alternatives = {} } = FLIGHT_RULES;
  const groups = typeof section === "string" && Object.hasOwn(alternatives, section) ? alternatives[section]! : [];
  const group = groups.find((keys) => keys.includes(String(key))) ?? [];
  const [old, full] = [below[section!], filled?.[section!]];
  if (group.length === 0 || !isPlainObject(full) || (isPlainObject(old) && Object.hasOwn(old, String(key))))
    return spec;
  const copied = Object.fromEntries(group.filter((name) => full[name] !== undefined).map((name) => [name, full[name]]));
  const own = spec[section!];
  return { ...spec, [section!]: { ...copied, ...(isPlainObject(own) ? own : {}) } };
}

interface Walk {
  readonly where: { readonly file: string; readonly key: string };
  /** The steps of the path that lead to the present value. */
  readonly walked: KeyPath;
}

/** Returns a copy of a table or list with a value at the end of the path. */
function withPatch(old: unknown, path: KeyPath, value: unknown, walk: Walk): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const next = { ...walk, walked: [...walk.walked, step] };
  if (Array.isArray(old)) {
    const index = indexIn(old, step, walk);
    return old.map((entry: unknown, i) => (i === index ? withPatch(entry, rest, value, next) : entry));
  }
  if (typeof step === "number") throw missingListError(walk.walked, walk.where);
  const table = isPlainObject(old) ? old : {};
  const removedKey = walk.walked[0] === NAMED_LIST && walk.walked.length === 2 ? otherTimeKey(step) : undefined;
  const kept = Object.fromEntries(Object.entries(table).filter(([key]) => key !== removedKey));
  return { ...kept, [step]: withPatch(table[step], rest, value, next) };
}

function otherTimeKey(key: string): string | undefined {
  const forms = TIME_FORMS.find((pair) => pair.some((name) => name === key));
  return forms?.find((name) => name !== key);
}

function indexIn(list: readonly unknown[], step: string | number, { where, walked }: Walk): number {
  const key = keyPathText(walked);
  if (typeof step === "number") {
    if (step < list.length) return step;
    throw flightErrors.unknownKey({
      what: `${key} has ${list.length} ${list.length === 1 ? "entry" : "entries"}, so ${key}[${step}] does not exist`,
      where,
      fix: list.length === 0 ? "leave it out" : `use ${key}[0] to ${key}[${list.length - 1}]`,
    });
  }
  const names = list.map((entry) => (isPlainObject(entry) ? entry["name"] : undefined));
  const index = names.indexOf(step);
  if (index >= 0) return index;
  const known = names.filter((name) => typeof name === "string");
  throw flightErrors.unknownKey({
    what: `this flight has no event named ${show(step)}`,
    where,
    fix: didYouMean(
      step,
      known,
      known.length === 0 ? `give the event a name, or write ${key}[0]` : `use one of: ${known.join(", ")}`,
    ),
  });
}
