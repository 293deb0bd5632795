/** `escapement report`: one self-contained page of a flight, or of two side by side. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { flownOf, summarise } from "@escapement/core";
import { makeReport, type PageAssets, type Report, reportHtml } from "@escapement/viewer";
import { loadRecording } from "../load/recording-files.ts";
import { VERSION } from "../version.ts";

export function addReport(program: Command): void {
  program
    .command("report")
    .description("write a page with plots of a flight that opens offline")
    .argument("<recording>", "an .mcap file written by fly --record")
    .argument("[other]", "a second one to compare with")
    .option("-o, --output <file.html>", "name of the page", "flight.html")
    .addHelpText("after", "\nExamples:\n  escapement report flight.mcap -o flight.html\n  escapement report before.mcap after.mcap -o change.html")
    .action(async (path: string, other: string | undefined, flags: { output: string }) => {
      const reports = await Promise.all([path, ...(other === undefined ? [] : [other])].map(reportOf));
      const html = reportHtml(reports, assets());
      writeFileSync(flags.output, html);
      process.stdout.write(`wrote ${flags.output} (${(html.length / 1e6).toFixed(1)} MB)\n`);
    });
}

async function reportOf(path: string): Promise<Report> {
  const { recording } = await loadRecording(path);
  const { word, reason, events, extremes } = summarise(recording);
  return makeReport({ recording, flown: flownOf(recording), outcome: word, reason, events, extremes, version: VERSION });
}

/** Script and style of the page stand beside the bundled command. */
function assets(): PageAssets {
  const read = (name: string) => readFileSync(new URL(`./${name}`, import.meta.url), "utf8");
  return { script: read("report-page.js"), style: read("report-page.css") };
}
