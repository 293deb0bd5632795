/** A plot below each plot, with the active flight's values minus the reference's values at the same instants. */
import { lineColour } from "../../shared/colours.ts";
import type { RowsStore } from "../data/rows-store.ts";
import { Series, seriesOf } from "../data/series.ts";
import { shiftUsOf } from "../flights/alignment.ts";
import type { Panel, ViewState } from "../store/state.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import type { PlotLine } from "./lines.ts";

/** Returns the lines of a difference plot; none if there is nothing to compare. */
export function differenceLines(panel: Panel, state: ViewState, isDark: boolean): PlotLine[] {
  const [active, reference] = comparedFlights(state);
  if (active === undefined || reference === undefined) return [];
  return panel.quantities.flatMap((quantity, i) => {
    const series = differenceOf(quantity, active, reference, shiftUsOf(reference, state));
    if (series === undefined) return [];
    const colour = lineColour(i, isDark);
    const rows = active.rows.peek();
    return [{ flight: active, rows, series, quantity, colour, width: 1.5, offsetUs: 0, isActive: true }];
  });
}

/** Returns the flight whose differences are shown, and the reference. The first is undefined if it is the reference. */
export function comparedFlights(state: ViewState): readonly [ViewFlight | undefined, ViewFlight | undefined] {
  const [active, reference] = [state.active.peek(), state.reference.peek()];
  return active === reference ? [undefined, reference] : [active, reference];
}

interface CachedDifference {
  readonly reference: RowsStore;
  readonly count: number;
  readonly shiftUs: number;
  readonly series: Series;
}

/** Cached differences, by the flight's rows and the quantity's name. */
const cache = new WeakMap<RowsStore, Map<string, CachedDifference>>();

function differenceOf(name: string, flight: ViewFlight, reference: ViewFlight, shiftUs: number): Series | undefined {
  const [rows, others] = [flight.rows.peek(), reference.rows.peek()];
  const byName = cache.get(rows) ?? new Map<string, CachedDifference>();
  cache.set(rows, byName);
  const found = byName.get(name);
  if (found?.reference === others && found.count === others.count && found.shiftUs === shiftUs) return found.series;
  const [own, other] = [seriesOf(rows).get(name), seriesOf(others).get(name)];
  if (own === undefined || other === undefined || own.quantity.isSetpoint || own.quantity.isCode) return undefined;
  const isAngle = own.quantity.unit === "°";
  const series = new Series(
    {
      ...own.quantity,
      compute: (_read, _previous, { row }) => {
        const atUs = rows.timeUs(row) + shiftUs;
        const difference = atUs > others.lastUs ? Number.NaN : own.at(row) - other.at(others.rowAt(atUs));
        return isAngle ? withinHalfTurn(difference) : difference;
      },
    },
    rows,
  );
  byName.set(name, { reference: others, count: others.count, shiftUs, series });
  return series;
}

function withinHalfTurn(deg: number): number {
  return deg - 360 * Math.round(deg / 360);
}
