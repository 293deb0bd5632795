/**
 * The mission of a resolved flight: items, fence and rally points as plain JSON, with `null` for values not given.
 *
 * A description either names a mission file, which the caller reads, or lists items. A listed item is a MAVLink command
 * with its numbers, or a word from `mission-tables.ts` with metres from the origin. The same mission rules apply to
 * files and to listed items.
 */
import {
  defineParams,
  didYouMean,
  isPlainObject,
  type ParamsOf,
  type ParamTable,
  type PlainObject,
  show,
} from "../../params/index.ts";
import { ANY, boolean, number, section, sections } from "../../params/rows.ts";
import { checkMission, missionErrors, type MissionPlace } from "../../autopilot/mission-check.ts";
import type { Fence, GeoPosition, Mission, MissionItem } from "../../autopilot/mission.ts";
import type { Projection } from "../../world/geodesy/index.ts";
import type { Diagnostics, FlightErrorName } from "../diagnostics.ts";
import {
  fenceTable,
  ITEM_NUMBERS,
  ITEM_WORDS,
  itemKeys,
  MAX_CORNERS,
  MAX_FENCES,
  positionTable,
} from "../spec/mission-tables.ts";
import { missionTiming } from "../spec/tables.ts";

type NumberName = (typeof ITEM_NUMBERS)[number];
const MAX_ITEMS = 2000;

/** A mission item in JSON, which has no NaN. */
export type PlainItem = Omit<MissionItem, NumberName> & { readonly [K in NumberName]: number | null };

export type ResolvedMission = ParamsOf<typeof missionTiming> & PlainMission;

interface PlainMission {
  readonly items: readonly PlainItem[];
  /** The home position that the mission was planned for. */
  readonly home: GeoPosition | null;
  readonly fence: Fence | null;
  readonly rally: readonly GeoPosition[];
}

/** The content of a mission section, before its items are placed. */
export interface MissionParts {
  readonly timing: ParamsOf<typeof missionTiming>;
  readonly given: PlainObject;
  /** The mission in the file that the section names. */
  readonly fromFile?: Mission;
}

const MISSION_KEYS = ["file", "items", "home", "fence", "rally"] as const;

/** Checks the timing keys of the section, and reads the mission file if the section names one. */
export function missionParts(
  given: PlainObject,
  diagnostics: Diagnostics,
  read: (name: string) => Mission | undefined,
): MissionParts {
  const timing = diagnostics.params(missionTiming, given, "mission", MISSION_KEYS);
  const { file } = given;
  const before = diagnostics.count;
  if (file !== undefined) checkFile(given, diagnostics);
  const fromFile = typeof file === "string" && diagnostics.count === before ? read(file) : undefined;
  return { timing, given, ...(fromFile === undefined ? {} : { fromFile }) };
}

/** Reports keys that would repeat or replace the content of the mission file, which holds a whole mission. */
function checkFile(given: PlainObject, diagnostics: Diagnostics): void {
  const { file, items } = given;
  if (items !== undefined) {
    const what = "the mission is defined twice, by a file and by items";
    return diagnostics.add("inconsistent", "mission.file", what, "use one of the two");
  }
  if (typeof file !== "string") {
    diagnostics.add("wrongType", "mission.file", `${show(file)} is not a text`, "name a .plan or .waypoints file");
  }
  for (const name of ["home", "fence", "rally"]) {
    if (given[name] === undefined || given[name] === null) continue;
    diagnostics.add(
      "inconsistent",
      `mission.${name}`,
      `the mission comes from a file, which defines its own ${name}`,
      `write ${name} into the file, or list the items here instead of naming one`,
    );
  }
}

/** Returns the coordinates of the planned home, as far as the description or the file has them. */
export function plannedHome({ given, fromFile }: MissionParts): Partial<GeoPosition> | undefined {
  return fromFile?.home ?? (isPlainObject(given["home"]) ? (given["home"] as Partial<GeoPosition>) : undefined);
}

export function resolveMission(
  { timing, given, fromFile }: MissionParts,
  projection: Projection,
  diagnostics: Diagnostics,
): ResolvedMission | undefined {
  // The file's reader has already checked the rules of missions.
  if (fromFile !== undefined) return checkDefinedMission({ ...timing, ...plainMission(fromFile) }, diagnostics);
  if (given["file"] !== undefined) return undefined;
  const before = diagnostics.count;
  const items = itemsOf(given["items"], diagnostics);
  if (items === undefined) return undefined;
  const plain = items.map((item, i) => new ItemReader(item, `mission.items[${i}]`, projection, diagnostics).read());
  const home = optional(positionTable, given["home"], "mission.home", diagnostics);
  const fence = optional(fenceTable, given["fence"], "mission.fence", diagnostics);
  const rally = rallyPoints(positionTable, given["rally"], diagnostics);
  if (diagnostics.count > before) return undefined;
  const mission: ResolvedMission = {
    ...timing,
    items: plain,
    home,
    fence: fence === null ? null : fenceOf(fence),
    rally,
  };
  checkMissionRules(mission, diagnostics);
  return diagnostics.count > before ? undefined : mission;
}

const inclusion = boolean("Whether to stay inside.");
const pointTable = defineParams({ latDeg: number("deg", ANY, "Latitude."), lonDeg: number("deg", ANY, "Longitude.") });
const positionOfAnyHeight = defineParams({ ...pointTable, altM: number("m", ANY, "Altitude.") });
const circleTable = defineParams({
  center: section(pointTable, "Centre."),
  radiusM: number("m", ANY, "Radius."),
  inclusion,
});
const polygonTable = defineParams({
  points: sections(pointTable, { maxLength: MAX_CORNERS }, "Corners."),
  inclusion,
});
const definedFence = defineParams({
  circles: sections(circleTable, { maxLength: MAX_FENCES }, "Circles."),
  polygons: sections(polygonTable, { maxLength: MAX_FENCES }, "Polygons."),
});

/** Checks a mission in the form of a definition: from a mission file, or from a definition that comes from outside. */
export function checkDefinedMission(given: PlainObject, diagnostics: Diagnostics): ResolvedMission | undefined {
  const before = diagnostics.count;
  const timing = diagnostics.params(missionTiming, given, "mission", MISSION_KEYS.slice(1));
  const items = itemsOf(given["items"], diagnostics)?.map((item, i) =>
    new ItemReader(item, `mission.items[${i}]`, undefined, diagnostics).read(),
  );
  const home = optional(positionOfAnyHeight, given["home"], "mission.home", diagnostics);
  const fence = optional(definedFence, given["fence"], "mission.fence", diagnostics);
  const rally = rallyPoints(positionOfAnyHeight, given["rally"], diagnostics);
  if (items === undefined || diagnostics.count > before) return undefined;
  return { ...timing, items, home, fence, rally };
}

function itemsOf(items: unknown, diagnostics: Diagnostics): readonly unknown[] | undefined {
  if (Array.isArray(items) && items.length > 0 && items.length <= MAX_ITEMS) return items;
  const what = Array.isArray(items) ? `the mission has ${items.length} items` : "the mission is not a list of items";
  return diagnostics.add(
    "wrongLength",
    "mission.items",
    what,
    `write between 1 and ${MAX_ITEMS} tables [[mission.items]], or name a file`,
  );
}

/** Checks the rules of missions and reports each diagnostic at its key. */
export function checkMissionRules(mission: ResolvedMission, diagnostics: Diagnostics): void {
  for (const { name, what, fix, place, fatal } of checkMission(toMission(mission))) {
    const key = keyOf(place);
    if (fatal) diagnostics.add(missionErrors[name], key, what, fix);
    else diagnostics.warn(missionErrors[name], key, what, fix);
  }
}

function keyOf({ part, index }: MissionPlace): string {
  switch (part) {
    case "home":
      return "mission.home";
    case "circles":
    case "polygons":
      return `mission.fence.${part}[${index}]`;
    default:
      return `mission.${part}[${index}]`;
  }
}

function optional<T extends ParamTable>(
  table: T,
  given: unknown,
  key: string,
  diagnostics: Diagnostics,
): ParamsOf<T> | null {
  if (given === undefined || given === null) return null;
  const found = diagnostics.table(given, key, `write [${key}]`);
  return found === undefined ? null : diagnostics.params(table, found, key);
}

function rallyPoints(point: typeof positionTable, given: unknown, diagnostics: Diagnostics): readonly GeoPosition[] {
  const table = { rally: sections(point, { maxLength: MAX_CORNERS }, "Rally points.", []) };
  return diagnostics.params(table, { rally: given }, "mission").rally;
}

function fenceOf({ circles, polygons }: ParamsOf<typeof fenceTable>): Fence {
  return {
    circles: circles.map(({ latDeg, lonDeg, radiusM, inclusion }) => ({
      center: { latDeg, lonDeg },
      radiusM,
      inclusion,
    })),
    polygons: polygons.map(({ latsDeg, lonsDeg, inclusion }) => ({
      points: latsDeg.map((latDeg, i) => ({ latDeg, lonDeg: lonsDeg[i] ?? Number.NaN })),
      inclusion,
    })),
  };
}

/** Reads one item, written by number or by word. */
class ItemReader {
  private readonly given: unknown;
  private readonly key: string;
  /** Absent if all items are written by number. */
  private readonly projection: Projection | undefined;
  private readonly diagnostics: Diagnostics;

  constructor(given: unknown, key: string, projection: Projection | undefined, diagnostics: Diagnostics) {
    this.given = given;
    this.key = key;
    this.projection = projection;
    this.diagnostics = diagnostics;
  }

  read(): PlainItem {
    const { projection } = this;
    const given = this.diagnostics.table(this.given, this.key, "e.g. { waypoint = { northM = 20, altitudeM = 10 } }");
    if (given === undefined) return EMPTY_ITEM;
    const words = Object.keys(given).filter((name) => Object.hasOwn(ITEM_WORDS, name));
    return words.length > 0 && projection !== undefined
      ? this.readByWord(given, words, projection)
      : this.readByNumber(given);
  }

  private readByWord(given: PlainObject, words: readonly string[], projection: Projection): PlainItem {
    const other = Object.keys(given).find((name) => name !== words[0]);
    if (other !== undefined) {
      const what = `the item has two words, ${show(words[0])} and ${show(other)}`;
      return this.reject("inconsistent", other, what, "write two items");
    }
    const word = words[0] as keyof typeof ITEM_WORDS;
    const { table, item } = ITEM_WORDS[word];
    const key = `${this.key}.${word}`;
    const value = this.diagnostics.table(given[word] === true ? {} : given[word], key, `write ${word} = { … }`);
    if (value === undefined) return EMPTY_ITEM;
    const params = this.diagnostics.unlessDiagnosed(() => this.diagnostics.params(table, value, key));
    return params === undefined ? EMPTY_ITEM : item(params as never, projection);
  }

  private readByNumber(item: PlainObject): PlainItem {
    const words = Object.keys(ITEM_WORDS);
    const unknown = Object.keys(item).filter((name) => !itemKeys.includes(name));
    for (const name of unknown) {
      const fix = didYouMean(
        name,
        [...itemKeys, ...words],
        `use one of the known keys: ${[...words, ...itemKeys].join(", ")}`,
      );
      this.reject("unknownKey", name, `unknown key ${show(name)}`, fix);
    }
    const { command, frame = "relative", autoContinue = true } = item;
    // An unknown key is already reported; it is most likely a misspelled word.
    const isMissing = command === undefined && unknown.length > 0;
    if (!isMissing && (typeof command !== "number" || !Number.isInteger(command))) {
      const what =
        command === undefined
          ? "the item has no MAVLink command number and is not written as a word"
          : `${show(command)} is not a MAVLink command number`;
      this.reject("wrongType", "command", what, "e.g. 22 take-off, 16 waypoint, 21 land");
    }
    if (frame !== "relative" && frame !== "amsl" && frame !== "mission") {
      this.reject("unknownChoice", "frame", `${show(frame)} is not a frame`, "use one of: relative, amsl, mission");
    }
    if (typeof autoContinue !== "boolean") {
      this.reject("wrongType", "autoContinue", `${show(autoContinue)} is not a boolean`, "use true or false");
    }
    return {
      command: command as number,
      frame: frame as MissionItem["frame"],
      ...numbersOf((name) => this.readNumber(item, name)),
      autoContinue: autoContinue !== false,
    };
  }

  private readNumber(item: PlainObject, name: NumberName): number | null {
    const value = item[name];
    if (value === undefined || value === null || Number.isNaN(value)) return null;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    this.reject("wrongType", name, `${show(value)} is not a number`, "use a finite number, or leave it out");
    return null;
  }

  /** Adds a diagnostic about a key of the item, or about the item itself. */
  private reject(code: FlightErrorName, name: string, what: string, fix: string): PlainItem {
    this.diagnostics.add(code, name === "" ? this.key : `${this.key}.${name}`, what, fix);
    return EMPTY_ITEM;
  }
}

/** Returns a record with every number of an item. */
function numbersOf<T>(read: (name: NumberName) => T): Record<NumberName, T> {
  return Object.fromEntries(ITEM_NUMBERS.map((name) => [name, read(name)])) as Record<NumberName, T>;
}

const EMPTY_ITEM: PlainItem = { command: 0, frame: "relative", ...numbersOf(() => null), autoContinue: true };

/** Converts the mission to the form that autopilots use, with NaN for values not given. */
export function toMission({ items, home, fence, rally }: PlainMission): Mission {
  return {
    items: items.map((item) => ({ ...item, ...numbersOf((name) => item[name] ?? Number.NaN) })),
    ...(home === null ? {} : { home }),
    ...(fence === null ? {} : { fence }),
    ...(rally.length === 0 ? {} : { rally }),
  };
}

/** Converts the mission read from a file to plain JSON; the inverse of `toMission`. */
function plainMission({ items, home, fence, rally }: Mission): PlainMission {
  const plain = items.map((item) => ({
    ...item,
    ...numbersOf((name) => (Number.isFinite(item[name]) ? item[name] : null)),
  }));
  return { items: plain, home: home ?? null, fence: fence ?? null, rally: rally ?? [] };
}
