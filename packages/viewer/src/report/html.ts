/**
 * The report as one HTML file: script, style and data inside, nothing fetched, nothing sent.
 *
 * Data is embedded as JSON and base64 in inert script elements, escaped so that no flight's name can end one.
 */
import type { ComparisonHead } from "./comparison-head.ts";
import type { FlightHead, ReportBlock } from "./data.ts";
import { float32Bytes } from "./float32.ts";

export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

export type AnyHead = FlightHead | ComparisonHead;

/** One flight, several flights to compare, or a comparison of integrators. */
export type ReportPage = readonly ReportBlock<AnyHead>[];

/** Marks a file as a report page of this program. */
export const PAGE_MARK = '<meta name="generator" content="Escapement report">';

export function reportHtml(reports: ReportPage, assets: PageAssets): string {
  const title = [...new Set(reports.map(({ head }) => head.title))].join(", ");
  const blocks = reports.flatMap(({ head, values }, i) => {
    return [
      `<script type="application/json" id="head-${i}">${json(head)}</script>`,
      `<script type="application/octet-stream" id="values-${i}">${base64(float32Bytes(values))}</script>`,
    ];
  });
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    PAGE_MARK,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)} — Escapement</title>`,
    `<style>${assets.style}</style>`,
    "</head>",
    '<body><main id="page"></main>',
    ...blocks,
    `<script type="module">${inert(assets.script)}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** JSON without "<": nothing in it can end its element or start another. */
function json(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** Only "</script" ends a script element, and a string can contain it in escaped form. */
function inert(text: string): string {
  return text.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x6000) text += btoa(String.fromCharCode(...bytes.subarray(i, i + 0x6000)));
  return text;
}
