/**
 * Writes the pages of flights and of campaigns. Script and style are files beside the bundled command and are embedded
 * in the page.
 *
 * A page that Escapement wrote is replaced even without `overwrite`, because it can be written again.
 */
import { existsSync, readFileSync } from "node:fs";
import { invariant } from "@escapement/core";
import {
  CAMPAIGN_MARK,
  campaignHtml,
  type makeCampaignPage,
  type PackedViewer,
  PAGE_MARK,
  type PageAssets,
  type ReportPage,
  reportHtml,
} from "@escapement/viewer";
import { checkEnding, checkNames, hasMark, writeWhole } from "./files.ts";

/**
 * Folders that may contain script and style, relative to this module: its own folder if it is part of the bundled
 * command, the folder above if it is part of a chunk of the bundle, and the build folder if it runs from the sources.
 */
const CANDIDATE_FOLDERS = ["./", "../", "../../dist/"];

/** Checks the name of a page before the page is made. */
export function checkPage(path: string, overwrite: boolean): void {
  checkEnding(path, ".html", "the page");
  checkNames([path], mayReplace(path, overwrite));
}

/** Writes a report, with the viewer if one is given. Returns the number of bytes. */
export function writePage(path: string, blocks: ReportPage, overwrite: boolean, viewer?: PackedViewer): number {
  return writeWhole(path, reportHtml(blocks, readAssets("report-page"), viewer), mayReplace(path, overwrite));
}

export function writeCampaignPage(
  path: string,
  page: Awaited<ReturnType<typeof makeCampaignPage>>,
  overwrite: boolean,
): number {
  return writeWhole(path, campaignHtml(page, readAssets("campaign-page")), mayReplace(path, overwrite));
}

function mayReplace(path: string, overwrite: boolean): boolean {
  return overwrite || hasMark(path, PAGE_MARK) || hasMark(path, CAMPAIGN_MARK);
}

/** Returns the default name of the page, beside the recording. */
export function pageName(recording: string): string {
  return `${recording.replace(/\.mcap$/i, "")}.html`;
}

function readAssets(page: "report-page" | "campaign-page"): PageAssets {
  const read = (name: string) => {
    const urls = CANDIDATE_FOLDERS.map((place) => new URL(`${place}${name}`, import.meta.url));
    const url = urls.find((candidate) => existsSync(candidate));
    invariant(url !== undefined, `${name} is not beside the command: run "npm run build"`);
    return readFileSync(url, "utf8");
  };
  return { script: read(`${page}.js`), style: read(`${page}.css`) };
}
