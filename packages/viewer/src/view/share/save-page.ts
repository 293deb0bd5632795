/**
 * Saves the page as one file that needs no server, with the flights that it shows. It is made from the page's own
 * elements if the page is one file already, or else from the files on the server.
 */
import { download } from "../download.ts";
import { singleHtml } from "../html.ts";
import { PAGE_IDS } from "../page-ids.ts";
import { encodeBase64 } from "../store/base64.ts";

/** Offers the page for download. `link` contains the flights that it opens. */
export async function savePage(link: string, version: string): Promise<void> {
  const html = singleHtml({ ...(await partsOf()), version, data: { flights: [], files: [], link } });
  download("flight.html", new Blob([html], { type: "text/html" }));
}

async function partsOf(): Promise<{ readonly script: string; readonly style: string; readonly engine: string }> {
  const [script, style, engine] = [PAGE_IDS.script, PAGE_IDS.style, PAGE_IDS.engine].map(
    (id) => document.getElementById(id)?.textContent,
  );
  if (script != null && style != null && engine != null) return { script, style, engine };
  const [page, css, worker] = await Promise.all([
    text("whole-page.js"),
    text("view.css"),
    fetch("whole-engine.js").then((answer) => answer.body!.pipeThrough(new CompressionStream("deflate-raw"))),
  ]);
  return { script: page, style: css, engine: encodeBase64(new Uint8Array(await new Response(worker).arrayBuffer())) };
}

async function text(name: string): Promise<string> {
  return (await fetch(name)).text();
}
