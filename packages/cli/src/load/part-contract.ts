/**
 * Checks custom parts against the contract of their family, so that an error names the part and the member.
 *
 * A kind is checked when its module is loaded, and its part when `make` returns it. After that, an error thrown by a
 * method of the part becomes a typed error with the name of the method. The checks change nothing else in a flight.
 */
import { isPlainObject, type Kind, type KindFamily, SENSOR_WRITERS, show, SimError } from "@escapement/core";
import { cliErrors } from "../errors.ts";

/** The module and the family of a kind, for errors. */
interface KindOrigin {
  readonly module: string;
  readonly family: KindFamily;
}

/** Module, family, and the name of the part, or its index in the list if it has no name. */
interface PartPlace extends KindOrigin {
  readonly part: string;
}

type Check = (value: unknown) => boolean;
interface Member {
  readonly name: string;
  /** A noun phrase for errors: "a function". */
  readonly must: string;
  readonly check: Check;
}

const isFunction: Check = (value) => typeof value === "function";
const isFiniteNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isText: Check = (value) => typeof value === "string" && value !== "";
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const method = (name: string): Member => ({ name, must: "a function", check: isFunction });
const number = (name: string): Member => ({ name, must: "a finite number", check: isFiniteNumber });
const SAVEABLE = [method("save"), method("load")];
const AXIS_KINDS = ["periodic", "listed", "every-boundary", "union"];
const axis: Member = {
  name: "axis",
  must: 'an axis, e.g. { kind: "periodic", startUs: 0, periodUs }',
  check: (value) => isRecord(value) && AXIS_KINDS.includes(value["kind"] as string),
};
const writerOf = (writers: readonly string[]): Member => ({
  name: "writer",
  must: writers.map((writer) => `"${writer}"`).join(" or "),
  check: (value) => writers.includes(value as string),
});
const source = (writers: readonly string[]): readonly Member[] => [
  writerOf(writers),
  axis,
  method("update"),
  ...SAVEABLE,
];

/** The required members of the part that a kind of each family makes. */
const PARTS: Readonly<Record<KindFamily, readonly Member[]>> = {
  winds: [method("sampleInto"), ...SAVEABLE],
  integrators: [
    number("order"),
    { name: "stats", must: "an object with counts", check: isRecord },
    method("advance"),
    method("restart"),
    number("memorySize"),
    method("saveInto"),
    method("restoreFrom"),
    ...SAVEABLE,
  ],
  estimators: source(["estimator"]),
  sensors: source(SENSOR_WRITERS),
  autopilots: source(["autopilot"]),
  atmospheres: [
    method("sampleInto"),
    number("minAltitudeM"),
    number("maxAltitudeM"),
    { name: "breaksM", must: "a list of numbers", check: isNumbers },
  ],
  gravities: [
    { name: "coefficients", must: "a list of four numbers", check: (value) => isNumbers(value) && value.length === 4 },
  ],
};

const PARAM_TYPES = [
  "number",
  "duration",
  "boolean",
  "text",
  "texts",
  "choice",
  "vector",
  "list",
  "section",
  "sections",
];

/** The required members of a kind. */
const KIND: readonly Member[] = [
  { name: "name", must: "a name", check: isText },
  { name: "about", must: "a sentence", check: (value) => typeof value === "string" },
  { name: "version", must: "a whole number", check: Number.isSafeInteger },
  { name: "params", must: "a table of parameters", check: isPlainObject },
  method("make"),
];

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(isFiniteNumber);
}

/** Returns the kind with a `make` that checks its part. Throws a typed error if the kind itself is wrong. */
export function checkKind(given: unknown, index: number, origin: KindOrigin): Kind<unknown, never> {
  const kind = given as Kind<unknown, never>;
  const place: PartPlace = { ...origin, part: `${origin.family}[${index}]` };
  if (!isRecord(given)) throw wrongMember(place, "", `is ${show(given)}`, "export a list of kinds");
  const named = isText(kind.name) ? { ...origin, part: `"${kind.name}"` } : place;
  checkMembers(given, KIND, named);
  for (const [key, param] of Object.entries(kind.params)) {
    if (isRecord(param) && PARAM_TYPES.includes(param.type)) continue;
    const types = PARAM_TYPES.join(", ");
    throw wrongMember(named, `params.${key}`, `has a parameter ${key} of unknown type`, `use one of: ${types}`);
  }
  return { ...kind, make: (params, context) => makeCheckedPart(kind, params as never, context, named) };
}

function makeCheckedPart(kind: Kind<unknown, never>, params: never, context: never, place: PartPlace): unknown {
  const part = callModule(() => kind.make(params, context), "make", place);
  if (!isRecord(part)) throw wrongMember(place, "make", `made ${show(part)}`, "return the part from make");
  checkMembers(part, PARTS[place.family], place);
  return withNamedErrors(part, place);
}

function checkMembers(value: object, members: readonly Member[], place: PartPlace): void {
  for (const { name, must, check } of members) {
    const found = (value as Readonly<Record<string, unknown>>)[name];
    if (check(found)) continue;
    const what = found === undefined ? `has no ${name}` : `has the wrong ${name}: ${show(found)}`;
    throw wrongMember(place, name, what, `set ${name} to ${must}`);
  }
}

/**
 * Wraps the part, so that an error thrown by a method names the method. Reads and writes of properties act on the part
 * itself.
 */
function withNamedErrors(part: object, place: PartPlace): object {
  const methods = new Map<unknown, unknown>();
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function" || typeof key === "symbol") return value;
      const known = methods.get(value);
      if (known !== undefined) return known;
      const wrapped = (...args: readonly unknown[]): unknown =>
        callModule(() => Reflect.apply(value, target, args) as unknown, key, place);
      methods.set(value, wrapped);
      return wrapped;
    },
  });
}

/** Runs code of the module. Rethrows a typed error; reports any other error as an error in the module. */
function callModule<T>(act: () => T, member: string, place: PartPlace): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof SimError) throw error;
    const thrown = error instanceof Error ? `${error.name}: ${error.message}` : show(error);
    // The text becomes part of a row, and rows must not depend on the folder, so it contains no path. The path is in
    // `where`.
    const name = nameOf(place.module);
    throw cliErrors.partThrew({
      what: `the part ${place.part} of ${name}${lineOf(error, name)} threw in ${member}: ${thrown}`,
      where: { file: place.module, key: keyOf(place, member) },
      fix: "correct the module",
      cause: error,
    });
  }
}

function nameOf(module: string): string {
  return module.replace(/^.*[\\/]/, "");
}

/** Returns the topmost line of the module on the stack, as text. */
function lineOf(error: unknown, name: string): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const frame = stack.split("\n").find((line) => line.includes(`/${name}:`));
  const [, line] = /:(\d+):\d+\)?$/.exec(frame ?? "") ?? [];
  return line === undefined ? "" : `, line ${line},`;
}

function wrongMember(place: PartPlace, member: string, what: string, fix: string): SimError {
  const where = { file: place.module, key: keyOf(place, member) };
  return cliErrors.badPart({ what: `the part ${place.part} of ${place.module} ${what}`, where, fix });
}

function keyOf({ family, part }: PartPlace, member: string): string {
  return [family, part, member].filter((text) => text !== "").join(" ");
}
