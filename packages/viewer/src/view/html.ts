/**
 * Writes the viewer as one HTML file.
 *
 * Its content security policy allows only its own script and style, by their hashes, and a worker from a blob. It
 * fetches nothing. The flights that it opens are embedded as JSON.
 */
import { sha256Hex } from "@escapement/core";
import { inertJson, inertScript } from "../shared/offline-page.ts";
import { PAGE_IDS } from "./page-ids.ts";
import { htmlFrame } from "./served-html.ts";

/** A flight that a page opens when it starts. */
export interface EmbeddedFlight {
  readonly name: string;
  readonly text: string;
  /** Files that the text names, in base64, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** The fingerprint and the definition's hash that the flight must have, if it was flown before. */
  readonly expected?: { readonly fingerprint: string; readonly hash: string };
}

/** Data that a page opens when it starts: flights and other files in base64, or a link that contains the flights. */
export interface EmbeddedData {
  readonly flights: readonly EmbeddedFlight[];
  readonly files: readonly { readonly name: string; readonly base64: string }[];
  readonly link?: string;
}

interface SinglePageParts {
  /** The page's script, as one bundle. */
  readonly script: string;
  /** The worker's script, as one bundle, compressed (raw deflate) and encoded in base64. */
  readonly engine: string;
  readonly style: string;
  readonly version: string;
  readonly data: EmbeddedData;
}

export function singleHtml({ script, engine, style, version, data }: SinglePageParts): string {
  const code = inertScript(script);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(code)}'`,
    `style-src '${hashOf(style)}'`,
    "worker-src blob:",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return htmlFrame(version, [
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<style id="${PAGE_IDS.style}">${style}</style>`,
    "</head>",
    "<body>",
    `<script type="application/json" id="${PAGE_IDS.data}">${inertJson(data)}</script>`,
    `<script type="text/plain" id="${PAGE_IDS.engine}">${engine}</script>`,
    `<script type="module" id="${PAGE_IDS.script}">${code}</script>`,
  ]);
}

function hashOf(text: string): string {
  const bytes = sha256Hex(text)
    .match(/../g)!
    .map((byte) => Number.parseInt(byte, 16));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}
