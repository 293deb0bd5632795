/**
 * Gets lines of the active flight from all rows of its log, if the log has more rows than the page holds. The worker
 * downsamples them to the width of the plots, so that every spike is drawn and a narrow span shows every row.
 */
import { effect, signal } from "@preact/signals-core";
import type { PlotTimes } from "../data/series.ts";
import type { TimeSpan } from "../protocol.ts";
import type { Store } from "../store/store.ts";
import { shownSpan } from "../timeline/time-scale.ts";

const DEBOUNCE_MS = 60;

interface FoundLines {
  readonly flight: number;
  readonly span: TimeSpan;
  readonly times: PlotTimes;
  readonly lines: ReadonlyMap<string, Float32Array>;
}

export class LogLines {
  private readonly store: Store;
  private timer: ReturnType<typeof setTimeout> | undefined;
  readonly found = signal<FoundLines | undefined>(undefined);

  /** `points` returns how many points a line may have. */
  constructor(store: Store, points: () => number) {
    this.store = store;
    const { state } = store;
    effect(() => {
      const flight = state.active.value;
      const span = shownSpan(state);
      const quantities = state.panels.value.flatMap((panel) => (panel.kind === "time" ? panel.quantities : []));
      clearTimeout(this.timer);
      const isDownsampled = (flight?.head.value?.rowsPerSentRow ?? 1) > 1;
      if (flight === undefined || !isDownsampled || flight.end.value === undefined) return;
      this.timer = setTimeout(
        () => void this.request(flight.id, [...new Set(quantities)], span, points()),
        DEBOUNCE_MS,
      );
    });
  }

  /** Returns the lines of the shown span; undefined if there are none yet. */
  shown(): FoundLines | undefined {
    const { state } = this.store;
    const found = this.found.value;
    const { fromUs, toUs } = shownSpan(state);
    if (found === undefined || found.flight !== state.activeId.value) return undefined;
    return found.span.fromUs === fromUs && found.span.toUs === toUs ? found : undefined;
  }

  private async request(flight: number, quantities: readonly string[], span: TimeSpan, points: number): Promise<void> {
    const answer = await this.store.lines(flight, quantities, span, points);
    if (answer === undefined) return;
    const { timesUs, bucketUs, lines } = answer;
    this.found.value = {
      flight,
      span,
      times: { timesUs, ...(bucketUs === undefined ? {} : { bucketUs }) },
      lines: new Map(quantities.map((name, i) => [name, lines[i]!])),
    };
  }
}
