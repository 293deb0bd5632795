/**
 * The summary of a flight: the first screen answers "did it work, what happened, where is it", in 24 lines or fewer.
 *
 * Left the events, right the ground track; below the extremes, the numbers of the integration, the fingerprint and the
 * files. Long event lists are shortened in the middle: how it began and how it ended matter most.
 */
import type { FlownFlight } from "@escapement/core";
import { padEnd, padStart, type Style, width } from "./style.ts";
import { drawTrack } from "./track.ts";

const EVENT_ROWS = 12;
const TRACK_COLUMNS = 20;
const LEFT_WIDTH = 46;

export interface SummaryContext {
  readonly version: string;
  readonly wallS: number;
  readonly terminalColumns: number;
  readonly wrote: readonly { readonly path: string; readonly bytes: number }[];
}

export function renderSummary(flight: FlownFlight, context: SummaryContext, style: Style): string {
  const { flown } = flight.resolved;
  const parts = [
    `escapement ${context.version}`,
    flown.name,
    `${flown.autopilot.kind} autopilot`,
    integratorText(flight),
    `seed ${flown.seed}`,
  ];
  return [
    style.quiet(parts.join(" · ")),
    "",
    ...besideTrack(eventLines(flight, style), flight, context, style),
    "",
    ...extremeLines(flight),
    "",
    ...costLines(flight, context, style),
    ...context.wrote.map(({ path, bytes }) => `  wrote ${path} (${sizeText(bytes)})`),
  ].join("\n");
}

function integratorText({ resolved }: FlownFlight): string {
  const { integrator, timeline } = resolved.flown;
  return timeline.physicsPeriodS > 0 ? `${integrator.kind} ${timeline.physicsPeriodS * 1e3} ms` : integrator.kind;
}

function eventLines({ events, end, outcome, reason }: FlownFlight, style: Style): string[] {
  const lines = events.map(({ tUs, what, isTrouble }) => `${secondsText(tUs)}  ${isTrouble ? style.trouble(what) : what}`);
  const last = outcome === "completed" ? style.accent(outcome) : style.trouble(outcome);
  const room = EVENT_ROWS - 1;
  const shown = lines.length <= room ? lines : [...lines.slice(0, 6), `${padStart("…", 8)}  ${lines.length - room + 1} more`, ...lines.slice(lines.length - room + 7)];
  return [...shown, `${secondsText(end.endUs)}  ${style.strong(last)} — ${reason}`];
}

function besideTrack(lines: string[], flight: FlownFlight, context: SummaryContext, style: Style): string[] {
  const position = flight.signal("posNed");
  if (context.terminalColumns < LEFT_WIDTH + TRACK_COLUMNS + 4 || flight.extremes.distanceMaxM < 0.5) return lines.map((line) => `  ${line}`);
  const north = position.values.filter((_, i) => i % 3 === 0);
  const east = position.values.filter((_, i) => i % 3 === 1);
  const { lines: drawn, sizeM } = drawTrack({ north, east }, TRACK_COLUMNS, 9);
  const right = [...drawn, "", `north ↑   ${sizeM.toFixed(0)} m across`];
  return Array.from({ length: Math.max(lines.length, right.length) }, (_, i) => {
    const left = lines[i] ?? "";
    const drawing = right[i] ?? "";
    // A long line has the row for itself.
    return width(left) > LEFT_WIDTH ? `  ${left}` : `  ${padEnd(left, LEFT_WIDTH)}${style.accent(drawing)}`.trimEnd();
  });
}

function extremeLines({ extremes: e }: FlownFlight): string[] {
  const rows = [
    [["altitude", `${e.altitudeMaxM.toFixed(1)} m max`], ["speed", `${e.speedMaxMps.toFixed(2)} m/s max`], ["tilt", `${e.tiltMaxDeg.toFixed(1)}° max`]],
    [
      ["position error", `${e.positionErrorRmsM.toFixed(2)} m rms, ${e.positionErrorMaxM.toFixed(2)} m max`],
      ["wind", `${e.windMeanMps.toFixed(1)} m/s mean, ${e.windMaxMps.toFixed(1)} m/s max`],
    ],
  ];
  if (e.voltageMinV > 0) {
    const left = `${(100 * e.batteryRemaining).toFixed(0)} % left`;
    rows.push([["battery", `${e.voltageMinV.toFixed(2)} V lowest, ${e.powerMeanW.toFixed(0)} W mean, ${e.energyWh.toFixed(2)} Wh used, ${left}`]]);
  }
  return rows.map((row) => `  ${row.map(([name, value]) => `${name}  ${value}`).join("    ")}`);
}

function costLines({ end, fingerprint }: FlownFlight, context: SummaryContext, style: Style): string[] {
  const { stats } = end;
  const counts = [`${grouped(end.boundaries)} boundaries`, `${grouped(stats.evaluations)} evaluations`];
  if (stats.rejected > 0) counts.push(`${grouped(stats.rejected)} rejected steps`);
  if (stats.seams > 0) counts.push(`${grouped(stats.seams)} seams`);
  if (end.correctedSlots > 0) counts.push(`${grouped(end.correctedSlots)} corrected slots`);
  if (end.clampedChannels > 0) counts.push(style.trouble(`${grouped(end.clampedChannels)} clamped commands`));
  const seconds = end.endUs / 1e6;
  const speed = context.wallS > 0 ? ` (${Math.round(seconds / context.wallS)}× real time)` : "";
  return [
    `  ${counts.join(", ")}`,
    `  ${seconds.toFixed(1)} s in ${context.wallS.toFixed(2)} s${speed}    fingerprint  ${style.accent(fingerprint === "" ? "off" : fingerprint)}`,
  ];
}

function secondsText(tUs: number): string {
  return padStart((tUs / 1e6).toFixed(2), 8);
}

function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, " ");
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
