/** Makes report pages for tests: bundles the page's script from its sources, and turns flights into pages. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { findStream, type RecordedFlight, summarise } from "@escapement/core";
import { type FlightReport, makeReport, type PageAssets } from "@escapement/viewer";

const root = fileURLToPath(new URL("../../", import.meta.url));
const require = createRequire(`${root}packages/viewer/package.json`);

const STYLES = {
  report: ["shared/tokens.css", "report/style.css"],
  campaign: ["shared/tokens.css", "report/style.css", "campaign/style.css"],
} as const;

/** Builds a page's assets in memory, like those of the release. */
export async function pageAssets(kind: keyof typeof STYLES = "report"): Promise<PageAssets> {
  const build = await rolldown({
    input: `${root}packages/viewer/src/${kind}/page.ts`,
    platform: "browser",
    resolve: { conditionNames: ["source", "import", "browser", "default"] },
    logLevel: "silent",
  });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const plots = readFileSync(require.resolve("uplot/dist/uPlot.min.css"), "utf8");
  const own = STYLES[kind].map((file) => readFileSync(`${root}packages/viewer/src/${file}`, "utf8"));
  return { script: output[0].code, style: [...(kind === "report" ? [plots] : []), ...own].join("\n") };
}

/** Makes the report of a flight, with its verdicts. */
export function reportOf(flight: RecordedFlight): FlightReport {
  return reportsOf([flight])[0]!;
}

/** Makes the reports of one page. The later flights are compared with the first one. */
export function reportsOf(flights: readonly RecordedFlight[]): FlightReport[] {
  const rows = flights.map(({ recording }) => findStream(recording, "state").timesUs.length);
  return flights.map(({ recording, resolved, verdicts }, i) => {
    const { kind: outcome, reason, events, extremes } = summarise(recording);
    return makeReport({
      recording,
      definition: resolved.definition,
      outcome,
      reason,
      events,
      extremes,
      verdicts,
      version: "test",
      longestRows: Math.max(...rows),
      ...(i === 0 ? {} : { first: flights[0]!.recording }),
    });
  });
}
