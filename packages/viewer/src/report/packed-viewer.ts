/** The viewer inside a report: compressed, and inert until the reader opens it. */
import { inertJson } from "../shared/offline-page.ts";
import type { EmbeddedData } from "../view/html.ts";
import { PAGE_IDS } from "../view/page-ids.ts";

/** `script`, `engine` and `style` are compressed (raw deflate) and encoded in base64. */
export interface PackedViewer {
  readonly script: string;
  readonly engine: string;
  readonly style: string;
  readonly version: string;
  readonly data: EmbeddedData;
}

/** The elements that hold the packed script and style. */
export const PACKED_IDS = { script: "packed-script", style: "packed-style" } as const;

export function packedHtml({ script, engine, style, version, data }: PackedViewer): string[] {
  const inertElement = (id: string, text: string) => `<script type="text/plain" id="${id}">${text}</script>`;
  return [
    `<meta name="version" content="${version}">`,
    `<script type="application/json" id="${PAGE_IDS.data}">${inertJson(data)}</script>`,
    inertElement(PAGE_IDS.engine, engine),
    inertElement(PACKED_IDS.script, script),
    inertElement(PACKED_IDS.style, style),
  ];
}
