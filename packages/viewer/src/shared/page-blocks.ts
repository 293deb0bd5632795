/** Reads the data that an offline page contains, in its browser. */
import type { DataBlock } from "./offline-page.ts";

export function readBlocks(document: Document): DataBlock[] {
  const found: DataBlock[] = [];
  for (let i = 0; ; i += 1) {
    const head = document.getElementById(`head-${i}`)?.textContent;
    const values = document.getElementById(`values-${i}`)?.textContent;
    if (head === null || head === undefined || values === null || values === undefined) return found;
    found.push({ head: JSON.parse(head), bytes: Uint8Array.from(atob(values), (letter) => letter.charCodeAt(0)) });
  }
}
