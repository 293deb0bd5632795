/**
 * The report as one HTML file: script, style and data inside, nothing fetched, nothing sent.
 *
 * Data travels as JSON and base64 in inert script elements; texts are escaped so that no flight's name can end one.
 */
import type { Report } from "./data.ts";

export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

export function reportHtml(reports: readonly Report[], assets: PageAssets): string {
  const title = reports.map(({ head }) => head.title).join(" and ");
  const blocks = reports.map(
    ({ head, values }, i) =>
      `<script type="application/json" id="head-${i}">${inert(JSON.stringify(head))}</script>\n` +
      `<script type="application/octet-stream" id="values-${i}">${base64(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))}</script>`,
  );
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
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

/** Text inside a script element ends it only with "</script". */
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
