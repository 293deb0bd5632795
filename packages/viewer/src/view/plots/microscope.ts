/**
 * Shows every boundary of a short span. When the plots zoom in beyond the log's resolution, the span is flown again
 * with all its boundaries, and the plots draw those instead of the log rows.
 */
import { effect, signal } from "@preact/signals-core";
import { RowsStore } from "../data/rows-store.ts";
import type { TimeSpan } from "../protocol.ts";
import type { Store } from "../store/store.ts";

/** If log rows are farther apart than this on the screen, every boundary is shown. */
const MAX_ROW_SPACING_PX = 4;
const DEBOUNCE_MS = 120;

interface FineRows {
  readonly flight: number;
  readonly hash: string;
  readonly span: TimeSpan;
  readonly rows: RowsStore;
}

export class Microscope {
  private readonly store: Store;
  private timer: ReturnType<typeof setTimeout> | undefined;
  readonly found = signal<FineRows | undefined>(undefined);

  constructor(store: Store, widthPx: () => number) {
    this.store = store;
    effect(() => {
      const span = store.state.span.value;
      const flight = store.state.active.value;
      const head = flight?.head.value;
      void flight?.end.value;
      clearTimeout(this.timer);
      if (span === undefined || flight === undefined || head?.canBranch !== true || span.fromUs >= flight.endUs) return;
      const rowPx = (widthPx() * head.logPeriodUs) / (span.toUs - span.fromUs);
      if (rowPx < MAX_ROW_SPACING_PX || this.covers(flight.id, head.hash, span)) return;
      this.timer = setTimeout(() => void this.load(flight.id, head.hash, span), DEBOUNCE_MS);
    });
  }

  /** Returns the rows at every boundary of the active flight, if they cover the shown span. */
  rows(): RowsStore | undefined {
    const { state } = this.store;
    const [span, flight] = [state.span.value, state.active.value];
    const found = this.found.value;
    if (span === undefined || flight === undefined || found === undefined) return undefined;
    return this.covers(flight.id, flight.head.value?.hash ?? "", span) ? found.rows : undefined;
  }

  /** Formats the time between two boundaries, e.g. `1 ms`. */
  stepText(): string {
    const rows = this.rows();
    if (rows === undefined || rows.count < 2) return "";
    const stepUs = rows.timeUs(1) - rows.timeUs(0);
    return stepUs >= 1000 ? `${Number((stepUs / 1000).toFixed(2))} ms` : `${stepUs} µs`;
  }

  private covers(flight: number, hash: string, span: TimeSpan): boolean {
    const found = this.found.peek();
    if (found === undefined || found.flight !== flight || found.hash !== hash) return false;
    return found.span.fromUs <= span.fromUs && found.span.toUs >= span.toUs;
  }

  private async load(id: number, hash: string, shown: TimeSpan): Promise<void> {
    const columns = this.store.state.flight(id)?.head.peek()?.columns ?? [];
    const margin = (shown.toUs - shown.fromUs) / 2;
    const span = { fromUs: Math.max(0, Math.round(shown.fromUs - margin)), toUs: Math.round(shown.toUs + margin) };
    const answer = await this.store.microscope(id, span, [...columns.keys()]);
    if (answer === undefined) return;
    const rows = new RowsStore(columns);
    rows.add(0, { timesUs: answer.timesUs, values: Float32Array.from(answer.values) });
    this.found.value = { flight: id, hash, span, rows };
  }
}
