/**
 * Measures the viewer in a real browser, and prints the median of each row, or the reason why there is no browser, as
 * JSON on the last line. It is not bundled, because the launcher looks for the browser relative to its own source file.
 */
import { ViewBench } from "../../tests/support/view-page.ts";
import { launchChromium } from "../../tests/determinism/runtimes/chromium.ts";
import { measureFrames } from "./frames.ts";
import { medianOf, type PageEffort, type Pair } from "./pair.ts";
import { measureWorker } from "./worker-flights.ts";

export interface PageTimes {
  readonly worker: Pair;
  readonly frame: Pair;
  readonly scrub: Pair;
}

const FULL: PageEffort = { rounds: 5, frameRounds: 9, flights: 5, flightS: 600, moves: 60 };
const QUICK: PageEffort = { rounds: 1, frameRounds: 1, flights: 1, flightS: 30, moves: 5 };

async function measurePage(nodeFile: string, effort: PageEffort): Promise<PageTimes | { readonly missing: string }> {
  const browser = await launchChromium({ isIsolated: true, hasWebGl: false });
  if ("missing" in browser) return browser;
  await browser.close();
  const bench = await ViewBench.start();
  try {
    const worker = await measureWorker(bench, nodeFile, effort);
    const { intervals, scrubs } = await measureFrames(bench, effort);
    return { worker: medianOf(worker), frame: medianOf(intervals), scrub: medianOf(scrubs) };
  } finally {
    await bench.stop();
  }
}

const [nodeFile = "", effort] = process.argv.slice(2);
const found = await measurePage(nodeFile, effort === "quick" ? QUICK : FULL);
process.stdout.write(`${JSON.stringify(found)}\n`);
