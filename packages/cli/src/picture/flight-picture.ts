/**
 * Draws a flight: the ground track, north up and to scale, beside the altitude over time with its events.
 */
import { eventText, type FlightEvent, type FlightResult, type Track } from "@escapement/core";
import { grid, linearAxis, type Scale, scale } from "./axes.ts";
import { type Dot, type Drawing, INK, label, type Line, PALETTE, type Shape } from "./drawing.ts";

const WIDTH = 1000;
const HEIGHT = 440;
const TOP = 64;
const BOTTOM = HEIGHT - 52;
const TRACK = { left: 62, right: 62 + BOTTOM - TOP };
const TIME = { left: 470, right: WIDTH - 24 };
const [PATH, MARK, CLIMB] = PALETTE;
const MIN_SPAN_M = 2;
const MAX_TEXTS = 6;
const TEXT_HEIGHT = 14;
const MARGIN = 0.06;

export function flightPicture(result: FlightResult): Drawing {
  const { track, events, resolved, outcome, fingerprint, end } = result;
  const title = `${resolved.definition.name}: ${outcome} after ${(end.endUs / 1e6).toFixed(1)} s`;
  const shapes: Shape[] = [
    label(TRACK.left, 28, title, 18, "start"),
    label(WIDTH - 24, 28, fingerprint, 12, "end", "#777777"),
    ...(track.timesUs.length === 0 ? [] : [...trackPlot(track, events), ...timePlot(track, events, end.endUs)]),
  ];
  return { width: WIDTH, height: HEIGHT, background: "#ffffff", title, shapes };
}

function trackPlot(track: Track, events: readonly FlightEvent[]): Shape[] {
  const [east, north] = squareRanges(track);
  const x = scale(east[0], east[1], TRACK.left, TRACK.right);
  const y = scale(north[0], north[1], BOTTOM, TOP);
  const path = { shape: "line", points: polyline(track.east, track.north, x, y), colour: PATH, width: 2 } as const;
  const home = dotAt(track, 0, x, y, INK);
  return [
    ...grid(linearAxis(x, "east (m)", 7), linearAxis(y, "north (m)", 6)),
    path,
    home,
    ...waypointMarks(track, events, x, y),
  ];
}

function waypointMarks(track: Track, events: readonly FlightEvent[], x: Scale, y: Scale): Shape[] {
  return events.flatMap((event) => {
    const waypoint = event.kind === "missionItem" ? event.data.waypoint : undefined;
    if (waypoint === undefined && !isWarning(event)) return [];
    const at = indexAt(track, event.tUs);
    const dot = dotAt(track, at, x, y, isWarning(event) ? MARK : PATH);
    return waypoint === undefined ? [dot] : [dot, label(dot.x + 7, dot.y - 6, String(waypoint), 12, "start")];
  });
}

function isWarning({ severity }: FlightEvent): boolean {
  return severity === "warning";
}

function timePlot(track: Track, events: readonly FlightEvent[], endUs: number): Shape[] {
  const altitudes = [...track.altitude];
  const low = Math.min(0, ...altitudes);
  const high = Math.max(low + MIN_SPAN_M, ...altitudes);
  const warnings = events.filter(isWarning).slice(0, MAX_TEXTS);
  const x = scale(0, Math.max(endUs / 1e6, 1e-3), TIME.left, TIME.right);
  // Leave space above the path for the texts.
  const textFraction = Math.max(MARGIN, (TEXT_HEIGHT * (warnings.length + 1)) / (BOTTOM - TOP));
  const y = scale(low, low + (high - low) / (1 - textFraction), BOTTOM, TOP);
  const seconds = Float64Array.from(track.timesUs, (tUs) => tUs / 1e6);
  const path = { shape: "line", points: polyline(seconds, track.altitude, x, y), colour: CLIMB, width: 2 } as const;
  const marks = events.map((event): Line => {
    const at = x.toPixel(event.tUs / 1e6);
    const isBad = isWarning(event);
    return {
      shape: "line",
      points: [at, BOTTOM, at, isBad ? TOP : BOTTOM - 8],
      colour: isBad ? MARK : INK,
      width: isBad ? 1.5 : 1,
    };
  });
  const texts = warnings.map((event, i) => {
    const at = x.toPixel(event.tUs / 1e6);
    const isLate = at > (TIME.left + TIME.right) / 2;
    return label(
      at + (isLate ? -5 : 5),
      TOP + 12 + TEXT_HEIGHT * i,
      eventText(event),
      12,
      isLate ? "end" : "start",
      MARK,
    );
  });
  return [...grid(linearAxis(x, "time (s)", 7), linearAxis(y, "altitude (m)", 6)), ...marks, path, ...texts];
}

/** Makes both ranges equally long, so that the scale is the same in both directions. */
function squareRanges({ east, north }: Track): [readonly [number, number], readonly [number, number]] {
  const range = (values: Float64Array) => [Math.min(...values), Math.max(...values)] as const;
  const [e, n] = [range(east), range(north)];
  const span = Math.max(e[1] - e[0], n[1] - n[0], MIN_SPAN_M) * (1 + 2 * MARGIN);
  const around = ([low, high]: readonly [number, number]) =>
    [(low + high - span) / 2, (low + high + span) / 2] as const;
  return [around(e), around(n)];
}

function polyline(xs: Float64Array, ys: Float64Array, x: Scale, y: Scale): number[] {
  return Array.from(xs, (value, i) => [x.toPixel(value), y.toPixel(ys[i]!)]).flat();
}

function indexAt({ timesUs }: Track, tUs: number): number {
  const at = timesUs.findIndex((time) => time >= tUs);
  return at < 0 ? timesUs.length - 1 : at;
}

function dotAt(track: Track, index: number, x: Scale, y: Scale, colour: string): Dot {
  return { shape: "dot", x: x.toPixel(track.east[index]!), y: y.toPixel(track.north[index]!), radius: 4.5, colour };
}
