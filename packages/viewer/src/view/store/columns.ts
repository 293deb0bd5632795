/**
 * Which columns the page holds. Rows above a limit of memory keep only the columns that the page shows or plots; a
 * column that is plotted later is asked for: a flight is flown again for it, and a log has it in its worker.
 */
import { effect, untracked } from "@preact/signals-core";
import { columnsOf, findQuantity } from "../data/quantities.ts";
import { placesOf, type RowsStore } from "../data/rows-store.ts";
import { SHOWN_SIGNALS } from "../data/shown-signals.ts";
import type { FlightId } from "../protocol.ts";
import type { ViewState } from "./state.ts";
import type { ViewFlight } from "./view-flight.ts";

/** Rows may take this much memory before columns are dropped. */
const MOST_ROW_BYTES = 256_000_000;

/** Asks a worker for columns. The result is undefined if it has none. */
type AskColumns = (
  flight: ViewFlight,
  columns: readonly number[],
  untilUs: number,
) => Promise<Float32Array | undefined>;

export class ColumnKeeper {
  private readonly state: ViewState;
  private readonly flights: () => Iterable<ViewFlight>;
  private readonly ask: AskColumns;
  private readonly mostBytes: number;
  private readonly waiting = new Set<FlightId>();

  /** `flights`: all flights with rows, also removed ones that an undo can restore. */
  constructor(state: ViewState, flights: () => Iterable<ViewFlight>, ask: AskColumns, mostBytes = MOST_ROW_BYTES) {
    this.state = state;
    this.flights = flights;
    this.ask = ask;
    this.mostBytes = mostBytes;
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
    if (bytes <= this.mostBytes) return;
    for (const flight of flights) {
      // The columns of other flights could not be had again.
      if (!["described", "log"].includes(flight.head.peek()?.origin ?? "")) continue;
      const rows = flight.rows.peek();
      const needed = untracked(() => this.plotted(flight));
      rows.columns.forEach(({ signal = "" }, column) => {
        if (!SHOWN_SIGNALS.has(signal) && !needed.has(column)) rows.drop(column);
      });
    }
  }

  /** The columns of all quantities that are plotted. */
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
    // The flight may have other rows by now, e.g. from a new worker.
    if (values === undefined || flight.rows.peek() !== rows || values.length !== columns.length * rows.count) return;
    columns.forEach((column, i) => rows.fill(column, values.slice(i * rows.count, (i + 1) * rows.count)));
    flight.columnFills.value += 1;
  }
}
