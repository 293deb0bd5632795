/**
 * The summary of a flight: the first screen answers "did it work, what happened, where is it", in 24 lines or fewer.
 *
 * Left the events, right the ground track and, where there is room, the altitude; below the extremes, the numbers of the
 * integration, the fingerprint and the files. Long event lists are shortened in the middle: how it began and how it ended
 * matter most, and what went wrong is always shown.
 */
import type { FlightEvent, FlightResult } from "@escapement/core";
import { padEnd, padStart, type Style, width } from "./style.ts";
import { drawAltitude, drawTrack, type Mark } from "./track.ts";

const MOST_LINES = 24;
const TRACK_COLUMNS = 24;
const TRACK_ROWS = 9;
const ALTITUDE_COLUMNS = 32;
const LEFT_WIDTH = 48;
/** A flight that went nowhere has no track worth drawing. */
const LEAST_DISTANCE_M = 0.5;

export interface SummaryContext {
  readonly version: string;
  readonly wallS: number;
  readonly terminalColumns: number;
  readonly wrote: readonly { readonly path: string; readonly bytes: number }[];
  /** Ended by Ctrl-C. */
  readonly interrupted?: boolean;
}

export function renderSummary(flight: FlightResult, context: SummaryContext, style: Style): string {
  const foot = ["", ...extremeLines(flight), "", ...costLines(flight, context, style), ...wroteLines(context)];
  const room = Math.min(MOST_LINES - foot.length - 2, 13);
  const body = besidePictures(eventLines(flight, context, style, room), flight, context, style);
  return [headLine(flight, context, style), "", ...body, ...foot].join("\n");
}

function headLine(
  { resolved: { flown, run } }: FlightResult,
  { version, terminalColumns }: SummaryContext,
  style: Style,
): string {
  const { integrator, timeline, autopilot } = flown;
  const method =
    timeline.physicsPeriodS > 0 ? `${integrator.kind} ${timeline.physicsPeriodS * 1e3} ms` : integrator.kind;
  const parts = [flown.name, run.vehicle, autopilotText(autopilot.kind), method, `seed ${flown.seed}`];
  const rest = parts.join(" · ");
  const line = `${style.strong(`escapement ${version}`)} ${style.quiet(`· ${rest}`)}`;
  return width(line) <= terminalColumns
    ? line
    : `${style.strong(flown.name)} ${style.quiet(`· ${parts.slice(1).join(" · ")}`)}`;
}

function autopilotText(kind: string): string {
  return kind === "none" ? "no autopilot" : kind === "function" ? "own autopilot" : `${kind} autopilot`;
}

function eventLines(
  { events, end, outcome, reason }: FlightResult,
  { interrupted, terminalColumns }: SummaryContext,
  style: Style,
  room: number,
): string[] {
  const word =
    interrupted === true
      ? style.trouble("interrupted")
      : outcome === "completed"
        ? style.accent(outcome)
        : style.trouble(outcome);
  const why = interrupted === true ? "ended by Ctrl-C" : reason.split("\n")[0]!;
  const kept = shortened(events, room - 1);
  const lines = kept.map((event) => {
    if (event === undefined) return `${padStart("…", 8)}  ${style.quiet(`${events.length - kept.length + 1} more`)}`;
    return `${secondsText(event.tUs)}  ${event.isTrouble ? style.trouble(event.what) : event.what}`;
  });
  const last = `${secondsText(end.endUs)}  ${style.strong(word)} ${style.quiet("—")} ${why}`;
  return [...lines, cut(last, terminalColumns - 3)];
}

/** As many events as there is room for: first and last ones, trouble before progress; `undefined` where some are left out. */
function shortened(events: readonly FlightEvent[], room: number): (FlightEvent | undefined)[] {
  if (events.length <= room) return [...events];
  const distance = (i: number) => Math.min(i, events.length - 1 - i);
  const order = events.map((event, i) => ({ i, weight: (event.isTrouble ? 0 : 1000) + distance(i) }));
  const chosen = order
    .sort((a, b) => a.weight - b.weight)
    .slice(0, room - 1)
    .map(({ i }) => i)
    .sort((a, b) => a - b);
  const gap = chosen.findIndex((i, k) => i !== k);
  const shown: (FlightEvent | undefined)[] = chosen.map((i) => events[i]!);
  shown.splice(gap < 0 ? shown.length : gap, 0, undefined);
  return shown;
}

function besidePictures(
  lines: readonly string[],
  flight: FlightResult,
  context: SummaryContext,
  style: Style,
): string[] {
  const pictures = picturesFor(flight, context.terminalColumns);
  if (pictures.length === 0) return lines.map((line) => `  ${line}`);
  return Array.from({ length: Math.max(lines.length, pictures.length) }, (_, i) => {
    const left = lines[i] ?? "";
    const right = pictures[i] ?? "";
    // A long line has the row for itself.
    return width(left) >= LEFT_WIDTH ? `  ${left}` : `  ${padEnd(left, LEFT_WIDTH)}${style.accent(right)}`.trimEnd();
  });
}

function picturesFor({ track, events, extremes }: FlightResult, columns: number): string[] {
  const marks = events.flatMap(({ tUs, what, isTrouble }): Mark[] => {
    const number = /^waypoint (\d)$/.exec(what)?.[1];
    return number !== undefined ? [{ tUs, text: number }] : isTrouble ? [{ tUs, text: "×" }] : [];
  });
  const start: Mark[] = [{ tUs: 0, text: "◆" }];
  if (track.timesUs.length < 2 || columns < LEFT_WIDTH + TRACK_COLUMNS + 4) return [];
  const isLocal = extremes.distanceMaxM < LEAST_DISTANCE_M;
  const room = columns - LEFT_WIDTH - 4;
  const altitude = () => [
    ...drawAltitude(
      track,
      Math.min(ALTITUDE_COLUMNS, room),
      TRACK_ROWS,
      marks.filter(({ text }) => text === "×"),
    ),
    "",
    `altitude, ${extremes.altitudeMaxM.toFixed(1)} m high`,
  ];
  if (isLocal) return extremes.altitudeMaxM < LEAST_DISTANCE_M ? [] : altitude();
  const { lines, sizeM } = drawTrack(track, TRACK_COLUMNS, TRACK_ROWS, [...start, ...marks]);
  const ground = [...lines, "", `north ↑  ${sizeM.toFixed(0)} m across`];
  if (room < TRACK_COLUMNS + ALTITUDE_COLUMNS + 4) return ground;
  const beside = altitude();
  return ground.map((line, i) => `${padEnd(line, TRACK_COLUMNS + 4)}${beside[i] ?? ""}`);
}

function extremeLines({ extremes: e }: FlightResult): string[] {
  const cell = (name: string, value: string) => `${name} ${value}`;
  const rows = [
    [
      cell("altitude", `${e.altitudeMaxM.toFixed(1)} m max`),
      cell("speed", `${e.speedMaxMps.toFixed(2)} m/s max`),
      cell("tilt", `${e.tiltMaxDeg.toFixed(1)}° max`),
    ],
    [
      cell("position error", `${e.positionErrorRmsM.toFixed(2)} m rms, ${e.positionErrorMaxM.toFixed(2)} m max`),
      cell("wind", `${e.windMeanMps.toFixed(1)} m/s mean, ${e.windMaxMps.toFixed(1)} m/s max`),
    ],
  ];
  if (e.voltageMinV > 0) {
    const left = `${(100 * e.batteryRemaining).toFixed(0)} % left`;
    rows.push([
      cell(
        "battery",
        `${e.voltageMinV.toFixed(2)} V lowest, ${e.powerMeanW.toFixed(0)} W mean, ${e.energyWh.toFixed(2)} Wh used, ${left}`,
      ),
    ]);
  }
  return rows.map((row) => `  ${row.join("    ")}`);
}

function costLines({ end, fingerprint }: FlightResult, context: SummaryContext, style: Style): string[] {
  const { stats } = end;
  const counts = [`${grouped(end.boundaries)} boundaries`, `${grouped(stats.evaluations)} evaluations`];
  if (stats.rejected > 0) counts.push(`${grouped(stats.rejected)} rejected steps`);
  if (stats.seams > 0) counts.push(`${grouped(stats.seams)} seams`);
  if (end.correctedSlots > 0) counts.push(`${grouped(end.correctedSlots)} corrected slots`);
  if (end.clampedChannels > 0) counts.push(style.trouble(`${grouped(end.clampedChannels)} clamped commands`));
  const seconds = end.endUs / 1e6;
  const speed = context.wallS > 0 ? ` (${speedText(seconds / context.wallS)} real time)` : "";
  return [
    `  ${style.quiet(counts.join(", "))}`,
    `  ${seconds.toFixed(1)} s in ${context.wallS.toFixed(2)} s${speed}    fingerprint ${style.accent(fingerprint === "" ? "off" : fingerprint)}`,
  ];
}

function wroteLines({ wrote, terminalColumns }: SummaryContext): string[] {
  if (wrote.length === 0) return [];
  const files = wrote.map(({ path, bytes }) => `${path} (${sizeText(bytes)})`);
  const lines: string[] = [];
  for (const file of files) {
    const last = lines[lines.length - 1];
    if (last !== undefined && width(last) + 2 + width(file) < terminalColumns - 8)
      lines[lines.length - 1] = `${last}, ${file}`;
    else lines.push(file);
  }
  const shown = lines.slice(0, 3).map((line, i) => `  ${i === 0 ? "wrote" : "     "} ${line}`);
  const recording = wrote.find(({ path }) => path.endsWith(".mcap"));
  return ["", ...shown, ...(recording === undefined ? [] : [`  open it: escapement report ${recording.path}`])];
}

export function speedText(factor: number): string {
  return `${factor >= 10 ? Math.round(factor) : factor.toFixed(1)}×`;
}

function secondsText(tUs: number): string {
  return padStart((tUs / 1e6).toFixed(2), 8);
}

function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, " ");
}

export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  const excess = width(text) - columns + 1;
  return `${[...text].slice(0, -excess).join("")}…`;
}
