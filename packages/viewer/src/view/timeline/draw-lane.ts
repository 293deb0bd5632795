/** Draws one lane: the ribbon of modes, bars of gusts and faults, ticks of events, and the curve from its fork. */
import { flightColour, ink } from "../../shared/colours.ts";
import { modeColour, modeName } from "../../shared/modes.ts";
import { darkenForWhite } from "../hud/mode-chip.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import { bandsOf } from "./bands.ts";
import { type Lane, shownOf } from "./lanes.ts";

export const LANE_PX = 30;
const RIBBON = { top: 3, height: 17 };
const TICKS = { top: 22, height: 5 };
const BAR_PX = 3;

interface LaneDrawing {
  readonly context: CanvasRenderingContext2D;
  readonly x: (tUs: number) => number;
  readonly width: number;
  readonly top: number;
  readonly isActive: boolean;
  readonly isDark: boolean;
}

export function drawLane(lane: Lane, drawing: LaneDrawing): void {
  const flight = shownOf(lane);
  const { context } = drawing;
  context.save();
  const alpha = flight.isHidden.peek() ? 0.35 : 1;
  context.globalAlpha = alpha * (drawing.isActive ? 1 : 0.62);
  drawRibbon(flight, drawing);
  context.globalAlpha = alpha;
  for (const each of lane.flights) drawEnd(each, drawing);
  drawBands(flight, drawing);
  for (const each of lane.flights) drawTicks(each, drawing);
  context.restore();
}

function drawRibbon(flight: ViewFlight, { context, x, top, width, isActive }: LaneDrawing): void {
  const startUs = flight.fork.peek()?.forkUs ?? 0;
  const [left, right] = [x(startUs), x(flight.flownUs.peek())];
  const y = top + RIBBON.top;
  if (right > left) {
    context.save();
    context.beginPath();
    context.roundRect(left, y, Math.max(2, right - left), RIBBON.height, 4);
    context.clip();
    for (const { mode, fromUs, toUs } of bandsOf(flight, 0).modes) {
      if (toUs < startUs) continue;
      const [from, to] = [Math.max(left, x(fromUs)), x(toUs)];
      context.fillStyle = Number.isNaN(mode) ? ink("quiet") : darkenForWhite(modeColour(mode));
      context.fillRect(from, y, Math.max(0.5, to - from + 0.5), RIBBON.height);
      drawName(context, mode, { from: Math.max(from, 0), to: Math.min(to, width), y, isActive });
    }
    context.restore();
  }
  if (flight.end.peek() === undefined) drawUnflown(context, right, x(flight.endUs), y);
}

interface NamePlace {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly isActive: boolean;
}

function drawName(context: CanvasRenderingContext2D, mode: number, { from, to, y, isActive }: NamePlace): void {
  if (Number.isNaN(mode) || to - from < 34) return;
  const text = modeName(mode);
  context.font = "11px system-ui, sans-serif";
  if (context.measureText(text).width > to - from - 10) return;
  context.save();
  // White text would not be readable on the pale ribbons of inactive flights.
  context.globalAlpha = 1;
  context.fillStyle = isActive ? "#ffffff" : ink("text");
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(text, from + 7, y + RIBBON.height / 2 + 0.5);
  context.restore();
}

/** Hatches the time that has not been flown yet. */
function drawUnflown(context: CanvasRenderingContext2D, from: number, to: number, y: number): void {
  if (to - from < 2) return;
  hatch(context, from, y, to - from, RIBBON.height, ink("line"));
}

function hatch(
  context: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  height: number,
  colour: string,
): void {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (let at = left - height; at < left + width; at += 5) {
    context.moveTo(at, top + height);
    context.lineTo(at + height, top);
  }
  context.stroke();
  context.restore();
}

function drawBands(flight: ViewFlight, { context, x, top }: LaneDrawing): void {
  const startUs = flight.fork.peek()?.forkUs ?? 0;
  for (const { kind, fromUs, toUs } of bandsOf(flight, 0).bands) {
    if (toUs < startUs) continue;
    const left = x(Math.max(startUs, fromUs));
    const width = Math.max(2, x(toUs) - left);
    const y = top + RIBBON.top + RIBBON.height - BAR_PX;
    context.fillStyle = ink(kind);
    context.fillRect(left, y, width, BAR_PX);
    // Hatch faults too, so that they can be recognised without colour.
    if (kind === "fault") hatch(context, left, y, width, BAR_PX, "#000000aa");
  }
}

function drawTicks(flight: ViewFlight, { context, x, top, width }: LaneDrawing): void {
  const startUs = flight.fork.peek()?.forkUs ?? 0;
  for (const { tUs, severity } of flight.events.peek()) {
    const at = x(tUs);
    if (tUs < startUs || at < -4 || at > width + 4) continue;
    if (severity === "warning") {
      context.fillStyle = ink("trouble");
      context.beginPath();
      context.moveTo(at, top + TICKS.top - 1);
      context.lineTo(at - 4, top + TICKS.top + 6);
      context.lineTo(at + 4, top + TICKS.top + 6);
      context.fill();
    } else {
      context.fillStyle = ink("quiet");
      context.fillRect(at - 0.75, top + TICKS.top, 1.5, TICKS.height);
    }
  }
}

/** Draws a cross at the end of a flight that was not completed. */
function drawEnd(flight: ViewFlight, { context, x, top }: LaneDrawing): void {
  const end = flight.end.peek();
  if (end === undefined || end.outcome === "completed") return;
  const [at, y] = [x(end.endUs), top + RIBBON.top + RIBBON.height / 2];
  context.strokeStyle = ink("trouble");
  context.lineWidth = 2.2;
  context.lineCap = "round";
  context.beginPath();
  context.moveTo(at - 4, y - 4);
  context.lineTo(at + 4, y + 4);
  context.moveTo(at - 4, y + 4);
  context.lineTo(at + 4, y - 4);
  context.stroke();
}

/** Draws a curve from the parent's lane to the start of a branch. */
export function drawFork(flight: ViewFlight, parentTop: number, { context, x, top, isDark }: LaneDrawing): void {
  const fork = flight.fork.peek();
  if (fork === undefined) return;
  const at = x(fork.forkUs);
  const [from, to] = [parentTop + RIBBON.top + RIBBON.height / 2, top + RIBBON.top + RIBBON.height / 2];
  context.strokeStyle = flightColour(flight.slot, isDark);
  context.fillStyle = context.strokeStyle;
  context.lineWidth = 1.8;
  context.beginPath();
  context.moveTo(at, from);
  context.bezierCurveTo(at, (from + to) / 2, at - 6, to - 8, at + 1, to);
  context.stroke();
  context.beginPath();
  context.arc(at, from, 3, 0, 2 * Math.PI);
  context.fill();
}
