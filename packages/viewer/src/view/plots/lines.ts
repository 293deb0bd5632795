/**
 * The lines of a plot: the quantities of the active flight, and the same quantities of other flights as thinner lines.
 */
import { lineColour } from "../../shared/colours.ts";
import type { RowsStore } from "../data/rows-store.ts";
import { type PlotTimes, plotTimes, type Series, seriesOf } from "../data/series.ts";
import type { TimeSpan } from "../protocol.ts";
import { shiftUsOf } from "../flights/alignment.ts";
import type { Panel, ViewState } from "../store/state.ts";
import type { ViewFlight } from "../store/view-flight.ts";

export interface PlotLine {
  readonly flight: ViewFlight;
  readonly rows: RowsStore;
  readonly series: Series;
  readonly quantity: string;
  readonly colour: string;
  readonly width: number;
  readonly dash?: readonly number[];
  /** Shift from the plot's times to the flight's times. */
  readonly offsetUs: number;
  readonly isActive: boolean;
}

/** Colours of quantities that have a plot of their own, so that the plots look different at a glance. */
const COLOURS: Readonly<Record<string, number>> = { groundSpeed: 2, climb: 3, error: 1, estimateError: 4 };
const SET_DASH = [5, 4];
const OTHER_DASH = [2, 3];

/** Returns the lines of a panel. `fine` holds rows at every boundary, which replace the active flight's log rows. */
export function linesOf(panel: Panel, state: ViewState, isDark: boolean, fine?: RowsStore): PlotLine[] {
  const active = state.active.peek();
  const others = state.shown.peek().filter((flight) => flight !== active);
  const lines: PlotLine[] = [];
  for (const flight of [...others, ...(active === undefined ? [] : [active])]) {
    const isActive = flight === active;
    const rows = isActive && fine !== undefined ? fine : flight.rows.peek();
    const all = seriesOf(rows);
    const offsetUs = shiftUsOf(flight, state);
    panel.quantities.forEach((quantity, i) => {
      const series = all.get(quantity);
      if (series === undefined || (!isActive && series.quantity.isSetpoint)) return;
      const colour = lineColour(COLOURS[quantity] ?? i, isDark);
      const dash = isActive ? (series.quantity.isSetpoint ? SET_DASH : undefined) : OTHER_DASH;
      lines.push({
        flight,
        rows,
        series,
        quantity,
        offsetUs,
        colour: isActive ? colour : `${colour}99`,
        width: isActive ? 1.7 : 1.1,
        isActive,
        ...(dash === undefined ? {} : { dash }),
      });
    });
  }
  return lines;
}

/** Returns the times of a plot, from the longest of the shown flights. */
export function timesOf(state: ViewState, span: TimeSpan, points: number, fine?: RowsStore): PlotTimes {
  if (fine !== undefined) return plotTimes(fine, span, points);
  const longest = state.shown.peek().reduce<RowsStore | undefined>((best, flight) => {
    const rows = flight.rows.peek();
    return best === undefined || rows.lastUs > best.lastUs ? rows : best;
  }, undefined);
  if (longest === undefined) return { timesUs: new Float64Array(0) };
  return plotTimes(longest, span, points);
}

/** Replaces NaN with null, which the plot library expects for a gap. */
export function nanToNull(values: Float32Array): (number | null)[] {
  return Array.from(values, (value) => (Number.isNaN(value) ? null : value));
}
