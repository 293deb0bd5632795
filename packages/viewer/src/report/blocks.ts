/** Reads the data blocks that a report page contains. */
import type { ReportBlock } from "./data.ts";
import { float32Values } from "./float32.ts";
import type { AnyHead } from "./html.ts";

/** One block per flight: a page of several flights compares them. */
export function readBlocks(document: Document): ReportBlock<AnyHead>[] {
  const found: ReportBlock<AnyHead>[] = [];
  for (let i = 0; ; i += 1) {
    const head = document.getElementById(`head-${i}`)?.textContent;
    const values = document.getElementById(`values-${i}`)?.textContent;
    if (head === null || head === undefined || values === null || values === undefined) return found;
    const bytes = Uint8Array.from(atob(values), (letter) => letter.charCodeAt(0));
    found.push({ head: JSON.parse(head) as AnyHead, values: float32Values(bytes) });
  }
}
