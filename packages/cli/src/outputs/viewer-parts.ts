/** Reads the scripts and the style of the viewer, which are files beside the command, for pages that include it. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { invariant } from "@escapement/core";

/** Folders that may contain the viewer, relative to this module; see `CANDIDATE_FOLDERS` in `pages.ts`. */
const CANDIDATE_FOLDERS = ["./view/", "../view/", "../../dist/view/"];

/** Finds the folder of the viewer's scripts. */
export function viewerFolder(): string {
  const urls = CANDIDATE_FOLDERS.map((place) => new URL(place, import.meta.url));
  const url = urls.find((candidate) => existsSync(new URL("index.html", candidate)));
  invariant(url !== undefined, 'the page is not beside the command: run "npm run build"');
  return fileURLToPath(url);
}

/** Reads the page's script and style, and the script of its worker, which is returned compressed and in base64. */
export function viewerParts(): { readonly script: string; readonly style: string; readonly engine: string } {
  const folder = viewerFolder();
  const read = (name: string) => readFileSync(`${folder}${name}`, "utf8");
  return { script: read("whole-page.js"), style: read("view.css"), engine: pack(read("whole-engine.js")) };
}

/** Compresses a text (raw deflate) and encodes it in base64. */
export function pack(text: string): string {
  return deflateRawSync(text, { level: 9 }).toString("base64");
}
