/** The column of plots, which share one zoom and show values at the playhead, and a button that adds a quantity. */
import { effect } from "@preact/signals-core";
import { button, element } from "../../shared/elements.ts";
import type { Commands } from "../commands.ts";
import type { Frame } from "../frame.ts";
import type { Panel } from "../store/state.ts";
import type { Store } from "../store/store.ts";
import { bandsOf } from "../timeline/bands.ts";
import { shownSpan } from "../timeline/time-scale.ts";
import { makeMeasureTable } from "./measure-table.ts";
import { LogLines } from "./log-lines.ts";
import { Microscope } from "./microscope.ts";
import { panelMenu } from "./panel-menu.ts";
import { firstPanels } from "./panels.ts";
import { acceptQuantities } from "./quantity-drag.ts";
import { SpectrumPlot } from "./spectrum.ts";
import { type PlotContext, pointsOf, TimePlot } from "./time-plot.ts";
import { XyPlot } from "./xy.ts";

/**
 * While rows arrive, the plots are drawn for about this long per frame, so that the page stays responsive. The values
 * of a large log are always computed in such slices.
 */
const SLICE_MS = 4;

/** The interface of every kind of plot. */
interface AnyPlot {
  readonly node: HTMLElement;
  readonly caption: HTMLElement;
  readonly title: HTMLElement;
  readonly panel: Panel;
  /** Limits of the vertical axis; undefined if they cannot be fixed. */
  readonly valueRange: readonly [low: number, high: number] | undefined;
  /** Computes values until a time of `performance.now()`. Returns false if some rows are left. */
  prepare?(untilMs: number): boolean;
  /** Redraws the plot. Returns true if the plot had to be made first, which takes several times as long. */
  refresh(): boolean | void;
  move(hoverUs: number | undefined): void;
  dispose(): void;
}

export function makePlots(store: Store, frame: Frame, commands: Commands, isDark: () => boolean): HTMLElement {
  const { state } = store;
  const list = element("div", "plot-list");
  const scope = new Microscope(store, () => list.clientWidth);
  const logLines = new LogLines(store, () => pointsOf(list.clientWidth));
  let hoverUs: number | undefined;
  let plots: AnyPlot[] = [];
  let differences: TimePlot[] = [];
  const requestMove = frame.part("plots", () => {
    for (const plot of [...plots, ...differences]) plot.move(hoverUs);
  });
  const queue = drawQueue(store, frame);
  const requestDraw = (canWait = false) => queue.add([...plots, ...differences], canWait);
  const context: PlotContext = {
    store,
    isDark,
    fine: () => scope.rows(),
    logLines: () => logLines.shown(),
    onHover: (tUs) => {
      hoverUs = tUs;
      requestMove();
    },
  };
  effect(() => {
    const head = state.active.value?.head.value;
    if (head !== undefined && state.panels.value.length === 0) state.panels.value = firstPanels(head);
  });
  effect(() => {
    const panels = state.panels.value;
    const hasDifferences = state.areDifferencesShown.value && state.reference.value !== undefined;
    const kept = plots.filter(({ panel }) => panels.includes(panel));
    for (const plot of plots) if (!kept.includes(plot)) plot.dispose();
    queue.clear();
    plots = panels.map((panel) => kept.find((plot) => plot.panel === panel) ?? makePlot(panel, context));
    for (const plot of differences) plot.dispose();
    differences = (hasDifferences ? panels : [])
      .filter(({ kind }) => kind === "time")
      .map((panel) => new TimePlot(panel, context, true));
    const nodes = plots.flatMap(({ node, panel }) => {
      const below = differences.find((each) => each.panel === panel);
      return below === undefined ? [node] : [node, below.node];
    });
    list.replaceChildren(...nodes);
    requestDraw();
  });
  watch(store, scope, requestDraw, requestMove);
  effect(() => {
    void logLines.found.value;
    requestDraw();
  });
  new ResizeObserver(() => requestDraw()).observe(list);
  const add = button("+ add a quantity", () => commands.run("add-quantity"));
  const foot = element("div", "plot-foot", add, boundaryBadge(scope), resetButton(store));
  acceptQuantities(foot, store, undefined);
  return element("div", "plots", makeMeasureTable(store, frame), list, foot);
}

/**
 * Redraws plots in one frame, or over several frames while rows arrive. New plots are made one by one. The values of a
 * large log are computed beforehand in separate tasks, because frames can be slow if the scene is drawn in software.
 */
function drawQueue({ state }: Store, frame: Frame) {
  /** The plot that has waited longest comes first. */
  const stale = new Set<AnyPlot>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const areBandsRead = (untilMs: number) => {
    const active = state.active.peek();
    return active === undefined || bandsOf(active, untilMs).isComplete;
  };
  const isPrepared = (plot: AnyPlot, untilMs: number) => plot.prepare?.(untilMs) !== false;
  const compute = () => {
    const untilMs = performance.now() + SLICE_MS;
    const isDone = areBandsRead(untilMs) && [...stale].every((plot) => isPrepared(plot, untilMs));
    timer = isDone ? undefined : setTimeout(compute);
    if (isDone) request();
  };
  const draw = () => {
    // A new flight replaces the lines of the old one when it has rows, not before, so that the plots are made once.
    if (state.active.peek()?.state.peek() === "opening") return;
    // A live flight or a flight by hand gets few rows per frame, and its newest values are read, so its plots do not
    // wait.
    const isSlow = state.isLive.peek() || state.isByHand.peek();
    const isGrowing = !isSlow && state.shown.peek().some((flight) => flight.state.peek() === "flying");
    const untilMs = performance.now() + SLICE_MS;
    if (!areBandsRead(untilMs)) timer ??= setTimeout(compute);
    for (const plot of timer === undefined ? stale : []) {
      if (!isPrepared(plot, untilMs)) {
        timer = setTimeout(compute);
        break;
      }
      stale.delete(plot);
      const isNew = plot.refresh() === true;
      if (performance.now() < untilMs) continue;
      if (isNew && stale.size > 0) {
        timer = setTimeout(() => {
          timer = undefined;
          draw();
        });
      }
      // Plots that are only redrawn, e.g. with a new span, change in the same frame.
      if (isGrowing || isNew) break;
    }
    if (stale.size > 0 && timer === undefined) request.soon();
  };
  const request = frame.part("plots", draw);
  return {
    add(plots: readonly AnyPlot[], canWait: boolean) {
      for (const plot of plots) stale.add(plot);
      if (canWait) request.soon();
      else request();
    },
    /** Empties the queue, because its plots may have been removed. */
    clear: () => stale.clear(),
  };
}

function makePlot(panel: Panel, context: PlotContext): AnyPlot {
  const kinds = { time: TimePlot, xy: XyPlot, spectrum: SpectrumPlot };
  const plot: AnyPlot = new kinds[panel.kind](panel, context);
  plot.caption.append(panelMenu(panel, context.store, plot.title, () => plot.valueRange));
  acceptQuantities(plot.node, context.store, panel.id);
  return plot;
}

function watch(
  { state }: Store,
  scope: Microscope,
  requestDraw: (canWait?: boolean) => void,
  requestMove: () => void,
): void {
  effect(() => {
    for (const flight of state.shown.value) void flight.rowCount.value;
    requestDraw(true);
  });
  effect(() => {
    for (const flight of state.shown.value) {
      void [flight.columnFills.value, flight.fork.value, flight.events.value];
    }
    void [state.activeId.value, state.isDark.value, state.marks.value, scope.found.value, state.arePlotsShown.value];
    void [state.referenceId.value, state.alignment.value, state.active.value?.state.value];
    shownSpan(state);
    requestDraw();
  });
  effect(() => {
    void [state.nowUs.value, state.peekUs.value];
    requestMove();
  });
}

/** Builds the note that the plots show every boundary, with the time between two boundaries. */
function boundaryBadge(scope: Microscope): HTMLElement {
  const node = element("span", "badge");
  effect(() => {
    const text = scope.stepText();
    node.hidden = text === "";
    node.textContent = `every boundary: ${text}`;
  });
  return node;
}

function resetButton({ state }: Store): HTMLElement {
  const node = button("show all", () => (state.span.value = undefined));
  effect(() => {
    node.hidden = state.span.value === undefined;
  });
  return node;
}
