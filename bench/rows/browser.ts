/**
 * Measures the viewer in a real browser: flights in its worker, and the frames of the page.
 *
 * The worker's row is the median of five rounds in one run; the other rows are medians of nine rounds. Without a
 * browser the group has no readings.
 */
import { dirname, join } from "node:path";
import type { PageTimes } from "../browser/measure-page.ts";
import { runJson } from "../run-json.ts";
import type { Group, Row } from "./row.ts";

const WORKER: Row = {
  name: "flying in the page's worker",
  about: "Processor time of the default mission with its rows and checkpoints in the worker of a page in Chromium.",
  unit: "ms",
  base: "the same script in a worker of Node",
  limit: { of: "base", max: 1.4 },
};
const FRAME: Row = {
  name: "frames while flying ahead",
  about:
    "The 95th percentile of the intervals between frames while the worker simulates a flight of ten minutes and the page draws it, with the 3-D scene off.",
  unit: "ms",
  base: "the same on an idle page",
  limit: { of: "base", max: 1.3 },
};
const SCRUB: Row = {
  name: "scrubbing",
  about:
    "Processor time of the page's thread (scripts, layout and painting) per pointer move on the timeline of a flight of ten minutes, with the 3-D scene off.",
  unit: "ms",
  base: "the interval between frames on an idle page",
  limit: { of: "base", max: 0.5 },
};

export const browser: Group = {
  name: "browser",
  rows: [WORKER, FRAME, SCRUB],
  measure: ({ isQuick }) => {
    const nodeFile = join(dirname(process.argv[1]!), "engine-in-node.mjs");
    const found = runJson<PageTimes | { readonly missing: string }>(
      "bench/browser/measure-page.ts",
      [nodeFile, isQuick ? "quick" : "full"],
      { flags: ["--import", "tsx", "--conditions=source"] },
    );
    if ("missing" in found) {
      process.stderr.write(`browser: not measured: ${found.missing}\n`);
      return [];
    }
    return (
      [
        [WORKER, found.worker],
        [FRAME, found.frame],
        [SCRUB, found.scrub],
      ] as const
    ).map(([{ name }, { measured, base }]) => ({ row: name, value: measured, ratios: { base: measured / base } }));
  },
};
