/** Draws the marks behind the lines of every plot: gusts and faults as bands, warnings and forks as thin lines. */
import type uPlot from "uplot";
import { flightColour, ink } from "../../shared/colours.ts";
import type { ViewState } from "../store/state.ts";
import { bandsOf } from "../timeline/bands.ts";

export function drawPlotMarks(plot: uPlot, state: ViewState, isDark: boolean): void {
  const { ctx, bbox } = plot;
  const active = state.active.peek();
  const x = (tUs: number) => plot.valToPos(tUs / 1e6, "x", true);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  if (active !== undefined) {
    for (const { kind, fromUs, toUs } of bandsOf(active, 0).bands) {
      ctx.globalAlpha = kind === "fault" ? 0.13 : 0.16;
      ctx.fillStyle = ink(kind);
      ctx.fillRect(x(fromUs), bbox.top, Math.max(devicePixelRatio, x(toUs) - x(fromUs)), bbox.height);
    }
    ctx.globalAlpha = 0.7;
    ctx.fillStyle = ink("trouble");
    for (const { tUs, severity } of active.events.peek()) {
      if (severity === "warning") ctx.fillRect(x(tUs), bbox.top, devicePixelRatio, bbox.height);
    }
  }
  ctx.globalAlpha = 0.85;
  for (const flight of state.shown.peek()) {
    const fork = flight.fork.peek();
    if (fork === undefined) continue;
    ctx.fillStyle = flightColour(flight.slot, isDark);
    ctx.fillRect(x(fork.forkUs), bbox.top, 1.5 * devicePixelRatio, bbox.height);
  }
  drawMeasured(plot, state, x);
  ctx.restore();
}

/** Draws the marks a and b, and shades the span between them. */
function drawMeasured({ ctx, bbox }: uPlot, state: ViewState, x: (tUs: number) => number): void {
  const { aUs, bUs } = state.marks.peek();
  ctx.fillStyle = ink("accent");
  if (aUs !== undefined && bUs !== undefined) {
    ctx.globalAlpha = 0.09;
    ctx.fillRect(x(Math.min(aUs, bUs)), bbox.top, Math.abs(x(bUs) - x(aUs)), bbox.height);
  }
  ctx.globalAlpha = 0.9;
  for (const tUs of [aUs, bUs]) {
    if (tUs !== undefined) ctx.fillRect(x(tUs), bbox.top, devicePixelRatio, bbox.height);
  }
}
