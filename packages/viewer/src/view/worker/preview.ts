/** Flies the next part of a flight with additional events, while the reader drags or types. Nothing of it is kept. */
import type { OutcomeKind } from "@escapement/core";
import type { EventSpec, RowBatch } from "../protocol.ts";
import type { FlownFlight } from "./flown-flight.ts";
import { RowBuffer } from "./rows.ts";
import { registry } from "./texts.ts";

interface PreviewRequest {
  readonly atUs: number;
  readonly events: readonly EventSpec[];
  /** Index, among the events that the text lists, of the event that `events` replace. */
  readonly replaced?: number;
  readonly horizonUs: number;
  readonly columns: readonly number[];
}

interface PreviewedFuture {
  readonly batch: RowBatch;
  readonly endUs?: number;
  readonly outcome?: OutcomeKind;
}

export function preview(
  flight: FlownFlight,
  { atUs, events, replaced, horizonUs, columns }: PreviewRequest,
): PreviewedFuture {
  const { session } = flight;
  const buffer = new RowBuffer(columns);
  const without = replaced === undefined ? [] : [flight.firstListedEvent + replaced];
  const resolved = session.resolveBranch({ atUs, events, without });
  const onRow: RowBuffer["add"] = (tUs, row) => {
    if (tUs >= atUs) buffer.add(tUs, row);
  };
  const options = { registry, onRow, checkpointEveryUs: Infinity, fingerprint: "none" } as const;
  const { session: branch } = session.branchTo(resolved, Math.min(atUs, session.nowUs), { options });
  branch.advance(atUs + horizonUs);
  const batch = buffer.take();
  if (!branch.isOver) return { batch };
  const { outcome, end } = branch.result();
  return { batch, endUs: end.endUs, outcome };
}
