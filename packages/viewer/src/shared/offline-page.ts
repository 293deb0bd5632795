/**
 * Writes a page as one HTML file that contains its script, style and data. The page fetches and sends nothing.
 *
 * Data is embedded as JSON and base64 in inert script elements, escaped so that no text in it can end an element.
 */

export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/** Data of a page: a head as JSON, and bytes. */
export interface DataBlock {
  readonly head: unknown;
  readonly bytes: Uint8Array;
}

interface PageParts {
  readonly title: string;
  /** A line that marks the file as a page of this program. */
  readonly mark: string;
  readonly blocks: readonly DataBlock[];
  readonly assets: PageAssets;
  /** Other elements, as HTML. */
  readonly others?: readonly string[];
}

export function offlinePage({ title, mark, blocks, assets, others = [] }: PageParts): string {
  const elements = blocks.flatMap(({ head, bytes }, i) => [
    `<script type="application/json" id="head-${i}">${inertJson(head)}</script>`,
    `<script type="application/octet-stream" id="values-${i}">${base64(bytes)}</script>`,
  ]);
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    mark,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)} — Escapement</title>`,
    `<style>${assets.style}</style>`,
    "</head>",
    '<body><main id="page"></main>',
    ...elements,
    ...others,
    `<script type="module">${inertScript(assets.script)}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** Writes JSON without "<", so that nothing in it can end its element or start another. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/**
 * Escapes "</script", which would end the element, and "<!--". Both occur only in strings, whose values stay the same.
 */
export function inertScript(text: string): string {
  return text.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x6000) text += btoa(String.fromCharCode(...bytes.subarray(i, i + 0x6000)));
  return text;
}
