/**
 * Decides which columns the page holds. If the rows take more memory than a limit, only columns that the page shows or
 * plots are kept. A dropped column that is plotted later is requested again. The worker flies a simulated flight again
 * to compute the column; it still has the columns of a log.
 */
import { effect, untracked } from "@preact/signals-core";
import { columnsOf, findQuantity } from "../data/quantities.ts";
import { placesOf, type RowsStore } from "../data/rows-store.ts";
import { SHOWN_SIGNALS } from "../data/shown-signals.ts";
import type { FlightId } from "../protocol.ts";
import type { ViewState } from "./state.ts";
import type { ViewFlight } from "./view-flight.ts";

/** Rows may take this much memory before columns are dropped. */
const MAX_ROW_BYTES = 256_000_000;

/** Requests columns from a worker. The result is undefined if the worker does not have them. */
type AskColumns = (
  flight: ViewFlight,
  columns: readonly number[],
  untilUs: number,
) => Promise<Float32Array | undefined>;

export class ColumnKeeper {
  private readonly state: ViewState;
  private readonly flights: () => Iterable<ViewFlight>;
  private readonly ask: AskColumns;
  private readonly maxBytes: number;
  private readonly waiting = new Set<FlightId>();

  /** `flights` returns all flights with rows, including removed ones that an undo can restore. */
  constructor(state: ViewState, flights: () => Iterable<ViewFlight>, ask: AskColumns, maxBytes = MAX_ROW_BYTES) {
    this.state = state;
    this.flights = flights;
    this.ask = ask;
    this.maxBytes = maxBytes;
    effect(() => {
      for (const flight of state.shown.value) {
        // A flight that is still being flown gets its columns when it has ended.
        if (flight.end.value === undefined || flight.rowCount.value === 0) continue;
        void flight.columnFills.value;
        const missing = [...this.plotted(flight)].filter((column) => !flight.rows.value.has(column));
        if (missing.length > 0) untracked(() => void this.fill(flight, missing));
      }
    });
  }

  /** Drops columns that nothing shows if the rows take too much memory. Call it when rows have arrived. */
  limit(): void {
    const flights = [...this.flights()];
    const bytes = flights.reduce((sum, { rows }) => sum + rows.peek().ownBytes, 0);
    if (bytes <= this.maxBytes) return;
    for (const flight of flights) {
      // Keep the columns of recorded and live flights, because they cannot be requested again.
      if (!["described", "log"].includes(flight.head.peek()?.origin ?? "")) continue;
      const rows = flight.rows.peek();
      const needed = untracked(() => this.plotted(flight));
      rows.columns.forEach(({ signal = "" }, column) => {
        if (!SHOWN_SIGNALS.has(signal) && !needed.has(column)) rows.drop(column);
      });
    }
  }

  /** Returns the columns of all quantities that are plotted. */
  private plotted(flight: ViewFlight): ReadonlySet<number> {
    const { columns } = flight.rows.value;
    const { quantities } = flight.series.value;
    const places = placesOf(columns);
    const names = new Set(this.state.panels.value.flatMap((panel) => panel.quantities));
    const found = [...names].flatMap((name) => findQuantity(quantities, name) ?? []);
    return new Set(found.flatMap((quantity) => [...columnsOf(quantity, places)]));
  }

  private async fill(flight: ViewFlight, columns: readonly number[]): Promise<void> {
    if (this.waiting.has(flight.id)) return;
    this.waiting.add(flight.id);
    const rows: RowsStore = flight.rows.peek();
    const values = await this.ask(flight, columns, rows.lastUs).catch(() => undefined);
    this.waiting.delete(flight.id);
    // The flight may have different rows by now, e.g. from a new worker.
    if (values === undefined || flight.rows.peek() !== rows || values.length !== columns.length * rows.count) return;
    columns.forEach((column, i) => rows.fill(column, values.slice(i * rows.count, (i + 1) * rows.count)));
    flight.columnFills.value += 1;
  }
}
