/**
 * Opens the viewer that a report contains if it was written with `--flies`. The address selects the report or the
 * viewer, so that the browser's back button returns to the report.
 */
import { element } from "../shared/elements.ts";
import { decodeBase64 } from "../view/store/base64.ts";
import { PAGE_IDS } from "../view/page-ids.ts";
import { PACKED_IDS } from "./packed-viewer.ts";

const ADDRESS = "#fly";
/** Beginning of the links that the viewer makes. */
const LINK = /^#e\d+\./;

/** Builds a link to the viewer; undefined if the report does not contain the viewer. */
export function flyLink(): HTMLElement | undefined {
  if (packedText(PACKED_IDS.script) === undefined) return undefined;
  const link = element("a", "fly-this", "Fly this") as HTMLAnchorElement;
  link.href = ADDRESS;
  link.title = "Open the flight in the viewer: go to any instant, add an event there, compare both futures";
  return link;
}

/** Shows the viewer if the address selects it. Returns whether it does. */
export function openViewer(): boolean {
  const [script, style] = [packedText(PACKED_IDS.script), packedText(PACKED_IDS.style)];
  if (script === undefined || style === undefined) return false;
  window.addEventListener("hashchange", () => location.reload());
  if (location.hash !== ADDRESS && !LINK.test(location.hash)) return false;
  void replacePage(script, style);
  return true;
}

async function replacePage(script: string, style: string): Promise<void> {
  const [code, css] = await Promise.all([unpack(script), unpack(style)]);
  for (const old of document.querySelectorAll("#page, style")) old.remove();
  const [styleElement, scriptElement] = [document.createElement("style"), document.createElement("script")];
  Object.assign(styleElement, { id: PAGE_IDS.style, textContent: css });
  Object.assign(scriptElement, { id: PAGE_IDS.script, type: "module", textContent: code });
  document.head.append(styleElement);
  document.body.append(scriptElement);
}

function packedText(id: string): string | undefined {
  return document.getElementById(id)?.textContent ?? undefined;
}

function unpack(base64: string): Promise<string> {
  const bytes = new Blob([decodeBase64(base64)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(bytes).text();
}
