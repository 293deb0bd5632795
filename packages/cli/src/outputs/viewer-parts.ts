/** The scripts and the style of the page that flies, for pages that contain it. They are files beside the command. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { invariant } from "@escapement/core";

/** Places of the page's scripts: beside the command, one folder above a chunk of it, or in the build folder. */
const PLACES = ["./view/", "../view/", "../../dist/view/"];

/** The folder of the page's scripts. */
export function viewerFolder(): string {
  const urls = PLACES.map((place) => new URL(place, import.meta.url));
  const url = urls.find((candidate) => existsSync(new URL("index.html", candidate)));
  invariant(url !== undefined, 'the page is not beside the command: run "npm run build"');
  return fileURLToPath(url);
}

/** The page's script and style, and the script of its worker, compressed and in base64. */
export function viewerParts(): { readonly script: string; readonly style: string; readonly engine: string } {
  const folder = viewerFolder();
  const read = (name: string) => readFileSync(`${folder}${name}`, "utf8");
  return { script: read("whole-page.js"), style: read("view.css"), engine: packed(read("whole-engine.js")) };
}

/** A text compressed (deflate without a head) and in base64. */
export function packed(text: string): string {
  return deflateRawSync(text, { level: 9 }).toString("base64");
}
