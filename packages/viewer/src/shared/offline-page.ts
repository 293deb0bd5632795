/**
 * A page as one HTML file: script, style and data inside, nothing fetched, nothing sent.
 *
 * Data is embedded as JSON and base64 in inert script elements, escaped so that no name can end one.
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
    `<title>${escaped(title)} — Escapement</title>`,
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

/** JSON without "<": nothing in it can end its element or start another. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** Only "</script" ends a script element, and a string can contain it in escaped form. */
export function inertScript(text: string): string {
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
