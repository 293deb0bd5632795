/**
 * Reads and writes QGC WPL 110, the tab-separated mission text of many ground stations.
 *
 * Each item has twelve columns: index, current, frame, command, p1 to p4, latitude, longitude, altitude, autocontinue.
 * White space separates columns; `#` lines and blank lines are skipped. Some tools store home as item 0. PX4 does not,
 * so such an item becomes the planned home, with a warning. So this format cannot express a mission that starts with an
 * AMSL waypoint before its take-off. Write such a mission as a plan.
 */
import {
  DO_JUMP,
  NAV_TAKEOFF,
  NAV_WAYPOINT,
  SimError,
  type GeoPosition,
  type Mission,
  type MissionFrame,
  type MissionItem,
} from "@escapement/core";
import { fileErrors } from "../text/file-errors.ts";
import { Findings, type Reading } from "../text/findings.ts";
import { decodeText, linesOf, parseNumber, quote } from "../text/text.ts";
import { diagnose, unsupportedFrame, frameOf, mavFrameOf } from "./shared.ts";

const HEADER = /^QGC\s+WPL\s+(\S+)\s*$/;
const COLUMNS = [
  "index",
  "current",
  "frame",
  "command",
  "p1",
  "p2",
  "p3",
  "p4",
  "latitude",
  "longitude",
  "altitude",
  "autocontinue",
];

interface WplItem extends MissionItem {
  readonly line: number;
  readonly current: boolean;
}

/** Reads a mission in QGC WPL 110 format. */
export function readWpl(input: string | Uint8Array, file: string): Reading<Mission> {
  const findings = new Findings(file);
  try {
    const lines = linesOf(decodeText(input, file));
    checkHeader(lines[0]!, findings);
    if (findings.errors.length > 0) return findings.reading(noMission);
    const items = readItems(lines, findings);
    const { home, flown, shift } = splitHome(items, findings);
    warnAboutStart(flown, findings);
    const mission: Mission = {
      items: flown.map((item) => plainItem(item, shift)),
      ...(home === undefined ? {} : { home }),
    };
    if (findings.errors.length === 0) diagnose(mission, findings, ({ index }) => ({ line: flown[index]?.line ?? 1 }));
    return findings.reading(() => mission);
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    findings.errors.push(error);
    return findings.reading(noMission);
  }
}

function noMission(): Mission {
  return { items: [] };
}

function checkHeader(first: string, findings: Findings): void {
  const match = HEADER.exec(first);
  if (match === null) {
    findings.error(fileErrors.wrongHeader, `the first line is ${quote(first)}`, 'start the file with "QGC WPL 110"', {
      line: 1,
    });
  } else if (match[1] !== "110") {
    findings.error(fileErrors.wrongVersion, `QGC WPL ${quote(match[1]!)} is not supported`, "save it as QGC WPL 110", {
      line: 1,
    });
  }
}

function readItems(lines: readonly string[], findings: Findings): WplItem[] {
  const items: WplItem[] = [];
  let expected = 0;
  lines.forEach((text, i) => {
    if (i === 0 || text.trim() === "" || text.trimStart().startsWith("#")) return;
    const item = readItem(text, expected, { line: i + 1 }, findings);
    expected += 1;
    if (item !== undefined) items.push(item);
  });
  return items;
}

function readItem(text: string, expected: number, where: { line: number }, findings: Findings): WplItem | undefined {
  const words = text.trim().split(/\s+/);
  if (words.length !== COLUMNS.length) {
    findings.error(
      fileErrors.wrongColumns,
      `the item has ${words.length} columns`,
      `write ${COLUMNS.length} columns: ${COLUMNS.join(", ")}`,
      where,
    );
    return undefined;
  }
  const before = findings.errors.length;
  const numbers = words.map((word, column) => {
    const nanAllowed = column >= 4 && column <= 10;
    const value = parseNumber(word, nanAllowed);
    if (value === undefined) {
      const fix = word.includes(",") ? "use a decimal point" : `write a decimal number${nanAllowed ? " or nan" : ""}`;
      findings.error(fileErrors.notNumber, `${COLUMNS[column]} ${quote(word)} is not a number`, fix, where);
    }
    return value ?? 0;
  });
  const [index, current, mavFrame, command, p1, p2, p3, p4, latDeg, lonDeg, altM, autoContinue] = numbers;
  if (findings.errors.length > before) return undefined;
  if (index !== expected) {
    findings.error(
      fileErrors.wrongOrder,
      `the line has index ${index}, but item ${expected} is next`,
      "number the items from 0 without gaps",
      where,
    );
  }
  checkFlag(current, "current", where, findings);
  checkFlag(autoContinue, "autocontinue", where, findings);
  const frame = frameOf(mavFrame);
  if (frame === undefined) {
    const { what, fix } = unsupportedFrame(mavFrame);
    findings.error(fileErrors.unsupported, what, fix, where);
    return undefined;
  }
  const rest = { p1, p2, p3, p4, latDeg, lonDeg, altM, autoContinue: autoContinue === 1 };
  return { command, frame, ...rest, line: where.line, current: current === 1 };
}

function checkFlag(value: number, name: string, where: { line: number }, findings: Findings): void {
  if (value === 0 || value === 1) return;
  findings.error(fileErrors.wrongType, `${name} is ${value}`, "write 0 or 1", where);
}

/** Separates item 0 if it is the home position: a waypoint in frame 0 before a take-off. */
function splitHome(
  items: readonly WplItem[],
  findings: Findings,
): { readonly home?: GeoPosition; readonly flown: readonly WplItem[]; readonly shift: number } {
  const [first, second] = items;
  const isHome = first?.command === NAV_WAYPOINT && first.frame === "amsl" && second?.command === NAV_TAKEOFF;
  if (first === undefined || !isHome) return { flown: items, shift: 0 };
  const { latDeg, lonDeg, altM } = first;
  findings.warn(
    fileErrors.homeDropped,
    "item 0 is the home position, not an item to fly",
    "nothing to do: it becomes the planned home, and jumps are renumbered",
    { line: first.line },
  );
  return { home: { latDeg, lonDeg, altM }, flown: items.slice(1), shift: 1 };
}

function warnAboutStart(items: readonly WplItem[], findings: Findings): void {
  const marked = items.filter((item) => item.current);
  for (const item of marked) {
    if (marked.length === 1 && item === items[0]) return;
    findings.warn(
      fileErrors.ignored,
      "the item is marked as current",
      "nothing to do: the mission starts at its first item",
      {
        line: item.line,
      },
    );
  }
}

function plainItem({ line: _line, current: _current, ...item }: WplItem, shift: number): MissionItem {
  return item.command === DO_JUMP ? { ...item, p1: item.p1 - shift } : item;
}

interface WrittenMission {
  readonly text: string;
  /** Parts of the mission that the format cannot store. */
  readonly lost: readonly ("home" | "fence" | "rally")[];
}

/** Writes a mission, with one tab between columns, LF line ends, and numbers that read back to the same bits. */
export function writeWpl(mission: Mission): WrittenMission {
  const lines = mission.items.map((item, index) =>
    [
      index,
      index === 0 ? 1 : 0,
      mavFrameOf(item.frame),
      item.command,
      ...[item.p1, item.p2, item.p3, item.p4].map(numberText),
      degreesText(item.latDeg, item.frame),
      degreesText(item.lonDeg, item.frame),
      numberText(item.altM),
      item.autoContinue ? 1 : 0,
    ].join("\t"),
  );
  const lost: ("home" | "fence" | "rally")[] = [];
  if (mission.home !== undefined) lost.push("home");
  if (mission.fence !== undefined) lost.push("fence");
  if (mission.rally !== undefined) lost.push("rally");
  return { text: ["QGC WPL 110", ...lines, ""].join("\n"), lost };
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Formats an angle with eight decimals, as other tools do, or with more digits if the number needs them. */
function degreesText(value: number, frame: MissionFrame): string {
  const fixed = value.toFixed(8);
  return frame !== "mission" && Object.is(Number(fixed), value) ? fixed : numberText(value);
}
