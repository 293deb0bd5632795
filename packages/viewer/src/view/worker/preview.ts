/** The next part of a flight with further events, flown while somebody drags or types. Nothing of it is kept. */
import type { OutcomeKind } from "@escapement/core";
import type { EventSpec, RowBatch } from "../protocol.ts";
import type { FlownFlight } from "./flown-flight.ts";
import { RowBuffer } from "./rows.ts";
import { registry } from "./texts.ts";

interface PreviewRequest {
  readonly atUs: number;
  readonly events: readonly EventSpec[];
  readonly horizonUs: number;
  readonly columns: readonly number[];
}

interface PreviewedFuture {
  readonly batch: RowBatch;
  readonly endUs?: number;
  readonly outcome?: OutcomeKind;
}

export function preview(
  { session }: FlownFlight,
  { atUs, events, horizonUs, columns }: PreviewRequest,
): PreviewedFuture {
  const buffer = new RowBuffer(columns);
  const resolved = session.resolveBranch({ atUs, events });
  const onRow: RowBuffer["add"] = (tUs, row) => {
    if (tUs >= atUs) buffer.add(tUs, row);
  };
  const options = { registry, onRow, checkpointEveryUs: Infinity };
  const { session: branch } = session.branchTo(resolved, Math.min(atUs, session.nowUs), { options });
  branch.advance(atUs + horizonUs);
  const batch = buffer.take();
  if (!branch.isOver) return { batch };
  const { outcome, end } = branch.result();
  return { batch, endUs: end.endUs, outcome };
}
