/** The data that a report page carries in itself, read back where it is shown. */
import type { ReportHead } from "./data.ts";

export interface Block {
  readonly head: ReportHead;
  readonly values: Float32Array;
}

/** One block a flight: a page of two flights compares them. */
export function readBlocks(document: Document): Block[] {
  const found: Block[] = [];
  for (let i = 0; ; i += 1) {
    const head = document.getElementById(`head-${i}`)?.textContent;
    const values = document.getElementById(`values-${i}`)?.textContent;
    if (head === null || head === undefined || values === null || values === undefined) return found;
    const bytes = Uint8Array.from(atob(values), (letter) => letter.charCodeAt(0));
    found.push({ head: JSON.parse(head) as ReportHead, values: new Float32Array(bytes.buffer) });
  }
}

