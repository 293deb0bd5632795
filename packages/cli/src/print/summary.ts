/**
 * Formats the summary of a flight: outcome, events and files, in 24 lines or fewer on a terminal.
 *
 * Events are on the left; the ground track and, if there is space, the altitude are on the right. Below are the
 * extremes, the statistics of the integration, the fingerprint and the files. On a terminal, long event lists are
 * shortened in the middle, because the beginning and the end matter most; warnings are kept. If the output is not a
 * terminal, nothing is left out.
 */
import {
  autopilotText,
  eventText,
  type FlightEvent,
  type FlightResult,
  measuredExtremes,
  type RunSettings,
} from "@escapement/core";
import type { SitlReport } from "@escapement/px4";
import type { WrittenFile } from "../outputs/flight-outputs.ts";
import { sizeText } from "./written.ts";
import { padEnd, padStart, type Style, width, wrap } from "./style.ts";
import { verdictLines } from "./verdicts.ts";
import { drawAltitude, drawTrack, type Mark } from "./track.ts";

const MAX_LINES = 24;
const TRACK_COLUMNS = 24;
const TRACK_ROWS = 9;
const ALTITUDE_COLUMNS = 32;
const LEFT_WIDTH = 48;
/** A note is shown if at least this much of it fits. */
const MIN_NOTE_WIDTH = 12;
const TIME_WIDTH = 8;
/** Below this distance the ground track is not drawn. */
const MIN_DRAWN_DISTANCE_M = 0.5;

/** Warnings and errors that the PX4 library printed, once each. */
interface LibraryReport {
  readonly printed: readonly string[];
}

export interface SummaryContext {
  readonly version: string;
  readonly wallS: number;
  readonly terminalColumns: number;
  /** True on a terminal: the summary then has at most 24 lines. */
  readonly isShort: boolean;
  readonly wrote: readonly WrittenFile[];
  /** True if the flight was ended by Ctrl-C. */
  readonly interrupted?: boolean;
  /** Only for flights with PX4. */
  readonly px4?: SitlReport | LibraryReport | undefined;
}

export function renderSummary(flight: FlightResult, context: SummaryContext, style: Style): string {
  const { terminalColumns } = context;
  const scenario = scenarioText(flight.resolved.settings);
  const counted = scenario === undefined ? [] : [[style.quiet(scenario)]];
  const numbers = [...extremeRows(flight), [], ...counted, ...costRows(flight, context, style)];
  const verdicts = flight.verdicts.length === 0 ? [] : ["", ...verdictLines(flight.verdicts, style, terminalColumns)];
  const rows = numbers.flatMap((row) => joinGroups(row, terminalColumns));
  const foot = ["", ...rows, ...verdicts, ...wroteLines(context)];
  const maxLines = context.isShort ? MAX_LINES - foot.length - 2 : Infinity;
  const pictures = picturesFor(flight, terminalColumns).slice(0, maxLines);
  const columns = pictures.length > 0 ? LEFT_WIDTH : terminalColumns - 2;
  const body = besidePictures(eventLines(flight, context, style, maxLines, columns), pictures, style);
  return [headLine(flight, context, style), "", ...body, ...foot].join("\n");
}

/** States which descriptions the events come from, if there are several; undefined otherwise. */
export function scenarioText({ eventsFrom }: RunSettings): string | undefined {
  if (eventsFrom.length < 2) return undefined;
  const parts = eventsFrom.map(({ file, events }) => `${events} from ${file}`);
  return `scenario events: ${parts.join(", ")}`;
}

function headLine(
  { resolved: { definition, settings } }: FlightResult,
  { version, terminalColumns }: SummaryContext,
  style: Style,
): string {
  const { integrator, timeline, autopilot } = definition;
  const method =
    timeline.physicsPeriodS > 0 ? `${integrator.kind} ${timeline.physicsPeriodS * 1e3} ms` : integrator.kind;
  const parts = [definition.name, settings.vehicle, autopilotText(autopilot.kind), method, `seed ${definition.seed}`];
  const rest = parts.join(" · ");
  const line = `${style.strong(`escapement ${version}`)} ${style.quiet(`· ${rest}`)}`;
  return width(line) <= terminalColumns
    ? line
    : `${style.strong(definition.name)} ${style.quiet(`· ${parts.slice(1).join(" · ")}`)}`;
}

function eventLines(
  { events, end, outcome, reason }: FlightResult,
  { interrupted }: SummaryContext,
  style: Style,
  maxLines: number,
  columns: number,
): string[] {
  const kind =
    interrupted === true
      ? style.trouble("interrupted")
      : outcome === "completed"
        ? style.accent(outcome)
        : style.trouble(outcome);
  const why = interrupted === true ? "ended by Ctrl-C" : reason;
  const indent = " ".repeat(TIME_WIDTH + 2);
  const last =
    `${secondsText(end.endUs)}  ${wrap(`${style.strong(kind)} ${style.quiet("—")} ${why}`, columns, indent)}`.split(
      "\n",
    );
  const space = maxLines - last.length;
  const shownEvents = events.length <= space ? events : events.filter(({ kind: of }) => of !== "autopilotMessage");
  const hiddenCount = events.length - shownEvents.length;
  const more =
    hiddenCount === 0
      ? []
      : [`${padStart("…", TIME_WIDTH)}  ${style.quiet(`${hiddenCount} autopilot messages: see --json`)}`];
  const lines = shortenEvents(shownEvents, space - more.length).map((shown) =>
    typeof shown === "number"
      ? `${padStart("…", TIME_WIDTH)}  ${style.quiet(`${shown} more`)}`
      : `${secondsText(shown.tUs)}  ${eventWithNote(shown, style, maxLines === Infinity ? maxLines : columns - indent.length)}`,
  );
  return [...lines, ...more, ...last];
}

/** Returns the text of an event and as much of its note as fits the line. */
function eventWithNote(event: FlightEvent, style: Style, maxWidth: number): string {
  const plain = eventText(event);
  const text = event.severity === "warning" ? style.trouble(plain) : plain;
  const note = `— ${event.cause?.note ?? ""}`;
  const left = maxWidth - width(plain) - 1;
  if (event.cause?.note === undefined || left < MIN_NOTE_WIDTH) return text;
  return `${text} ${style.quiet(width(note) <= left ? note : `${[...note].slice(0, left - 1).join("")}…`)}`;
}

/** Returns the rank of an event when space is short: warnings are kept first, mission items last. */
function rankOf({ severity, kind }: FlightEvent): number {
  if (severity === "warning") return 0;
  return kind === "missionItem" ? 2 : 1;
}

/**
 * Returns as many events as fit, leaving out those in the middle first. A number in the result is the number of events
 * left out at its place.
 */
function shortenEvents(events: readonly FlightEvent[], maxLines: number): (FlightEvent | number)[] {
  if (events.length <= maxLines) return [...events];
  const middle = (i: number) => Math.min(i, events.length - 1 - i);
  const byWeight = events
    .map((event, i) => ({ i, weight: 1000 * rankOf(event) + middle(i) }))
    .sort((a, b) => a.weight - b.weight)
    .map(({ i }) => i);
  for (let count = maxLines - 1; ; count -= 1) {
    const shown = withGaps(events, new Set(byWeight.slice(0, count)));
    if (shown.length <= maxLines || count <= 0) return shown;
  }
}

function withGaps(events: readonly FlightEvent[], chosen: ReadonlySet<number>): (FlightEvent | number)[] {
  const shown: (FlightEvent | number)[] = [];
  events.forEach((event, i) => {
    const last = shown[shown.length - 1];
    if (chosen.has(i)) shown.push(event);
    else if (typeof last === "number") shown[shown.length - 1] = last + 1;
    else shown.push(1);
  });
  return shown;
}

function besidePictures(lines: readonly string[], pictures: readonly string[], style: Style): string[] {
  return Array.from({ length: Math.max(lines.length, pictures.length) }, (_, i) => {
    const left = lines[i] ?? "";
    const right = pictures[i] ?? "";
    // A long line has no picture beside it.
    return width(left) > LEFT_WIDTH ? `  ${left}` : `  ${padEnd(left, LEFT_WIDTH)}${style.accent(right)}`.trimEnd();
  });
}

function picturesFor({ track, events, extremes }: FlightResult, columns: number): string[] {
  const marks = events.flatMap(({ tUs, kind, data, severity }): Mark[] => {
    if (severity === "warning") return [{ tUs, text: "×" }];
    // A mark is one character wide.
    const waypoint = kind === "missionItem" ? data.waypoint : undefined;
    return waypoint !== undefined && waypoint < 10 ? [{ tUs, text: String(waypoint) }] : [];
  });
  const start: Mark[] = [{ tUs: 0, text: "◆" }];
  if (track.timesUs.length < 2 || columns < LEFT_WIDTH + TRACK_COLUMNS + 4) return [];
  const isLocal = extremes.distanceMaxM < MIN_DRAWN_DISTANCE_M;
  const pictureColumns = columns - LEFT_WIDTH - 4;
  const altitude = () => [
    ...drawAltitude(
      track,
      Math.min(ALTITUDE_COLUMNS, pictureColumns),
      TRACK_ROWS,
      marks.filter(({ text }) => text === "×"),
    ),
    "",
    `altitude, ${extremes.altitudeMaxM.toFixed(1)} m high`,
  ];
  if (isLocal) return extremes.altitudeMaxM < MIN_DRAWN_DISTANCE_M ? [] : altitude();
  const { lines, sizeM } = drawTrack(track, TRACK_COLUMNS, TRACK_ROWS, [...start, ...marks]);
  const ground = [...lines, legendOf(marks), `north ↑  ${sizeM.toFixed(0)} m across`];
  if (pictureColumns < TRACK_COLUMNS + ALTITUDE_COLUMNS + 4) return ground;
  const beside = altitude();
  return ground.map((line, i) => `${padEnd(line, TRACK_COLUMNS + 4)}${beside[i] ?? ""}`);
}

/** Explains the marks on the map. */
function legendOf(marks: readonly Mark[]): string {
  const parts = ["◆ home"];
  if (marks.some(({ text }) => text === "×")) parts.push("× warning");
  if (marks.some(({ text }) => /\d/.test(text))) parts.push("1 waypoint");
  return parts.join("  ");
}

/** Puts groups side by side, on as many lines as needed. Without groups, returns an empty line. */
function joinGroups(groups: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const group of groups) {
    const joined = `${lines[lines.length - 1]}    ${group}`;
    if (lines.length > 0 && width(joined) <= columns) lines[lines.length - 1] = joined;
    else lines.push(`  ${wrap(group, columns, "  ")}`);
  }
  return groups.length === 0 ? [""] : lines.flatMap((line) => line.split("\n"));
}

function extremeRows({ extremes: e }: FlightResult): string[][] {
  const measured = measuredExtremes(e);
  const first = [
    `altitude ${e.altitudeMaxM.toFixed(1)} m max`,
    `speed ${e.speedMaxMps.toFixed(2)} m/s max`,
    `tilt ${e.tiltMaxDeg.toFixed(1)}° max`,
  ];
  const second = [
    ...(measured.positionError
      ? [`position error ${e.positionErrorRmsM.toFixed(2)} m rms, ${e.positionErrorMaxM.toFixed(2)} m max`]
      : []),
    ...(measured.wind ? [`wind ${e.windMeanMps.toFixed(1)} m/s mean, ${e.windMaxMps.toFixed(1)} m/s max`] : []),
  ];
  const used = `${e.powerMeanW.toFixed(0)} W mean, ${e.energyWh.toFixed(2)} Wh used, ${(100 * e.batteryRemaining).toFixed(0)} % left`;
  const third = measured.battery ? [`battery ${e.voltageMinV.toFixed(2)} V lowest, ${used}`] : [];
  return [first, second, third].filter((row) => row.length > 0);
}

function costRows({ end, fingerprint }: FlightResult, context: SummaryContext, style: Style): string[][] {
  const { stats } = end;
  const counts = [`${groupDigits(end.boundaries)} boundaries`, `${groupDigits(stats.evaluations)} evaluations`];
  if (stats.rejected > 0) counts.push(`${groupDigits(stats.rejected)} rejected steps`);
  if (stats.seams > 0) counts.push(`${groupDigits(stats.seams)} seams`);
  if (end.correctedSlots > 0) counts.push(`${groupDigits(end.correctedSlots)} corrected slots`);
  if (!end.code.startsWith("compiled")) counts.push(end.code);
  if (end.clampedChannels > 0) counts.push(style.trouble(`${groupDigits(end.clampedChannels)} clamped commands`));
  const seconds = end.endUs / 1e6;
  const speed = context.wallS > 0 ? ` (${speedText(seconds / context.wallS)} real time)` : "";
  return [
    [style.quiet(counts.join(", "))],
    [
      `${seconds.toFixed(1)} s in ${context.wallS.toFixed(2)} s${speed}`,
      `fingerprint ${style.accent(fingerprint === "" ? "off" : fingerprint)}`,
    ],
  ];
}

function wroteLines({ wrote, terminalColumns, isShort }: SummaryContext): string[] {
  if (wrote.length === 0) return [];
  const files = wrote.map(({ path, bytes }) => `${path} (${sizeText(bytes)})`);
  const lines: string[] = [];
  for (const file of files) {
    const last = lines[lines.length - 1];
    if (last !== undefined && width(last) + 2 + width(file) < terminalColumns - 8)
      lines[lines.length - 1] = `${last}, ${file}`;
    else lines.push(file);
  }
  const shown = (isShort ? lines.slice(0, 3) : lines).map((line, i) => `  ${i === 0 ? "wrote" : "     "} ${line}`);
  const recording = wrote.find(({ kind }) => kind === "recording");
  return ["", ...shown, ...(recording === undefined ? [] : [`  plot it: escapement report ${recording.path}`])];
}

export function speedText(factor: number): string {
  return `${factor >= 10 ? Math.round(factor) : factor.toFixed(1)}×`;
}

function secondsText(tUs: number): string {
  return padStart((tUs / 1e6).toFixed(2), TIME_WIDTH);
}

function groupDigits(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, " ");
}
