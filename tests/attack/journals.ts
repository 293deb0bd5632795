/**
 * Attacks on campaign journals: damaged bytes, and strange manifests and rows with correct checksums. Each journal is
 * read and made into a summary and a JUnit file, as `campaign report` and `merge` do.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JournalRows, readJournal, summarise } from "@escapement/campaign";
import { canonicalJson } from "@escapement/core";
import { checkedText, encodeLine, type Manifest, type Row } from "@escapement/formats";
import { junitXml } from "../../packages/campaign/src/junit/junit.ts";

import { type Attack, verdictOf, WrongData } from "./attack.ts";
import { Chance, mutateBytes, mutateJson } from "./mutate.ts";

const FLIGHTS = 6;

const MANIFEST: Manifest = {
  format: 1,
  identity: "c1:0000000000000001",
  code: "aa".repeat(32),
  judged: "bb".repeat(32),
  name: "attack",
  file: "attack.campaign.toml",
  plan: { kind: "random", flights: FLIGHTS },
  flights: FLIGHTS,
  seed: 1,
  seeds: "per-flight",
  keys: [{ key: "vehicle.massKg", unit: "kg", distribution: { uniform: [1, 2] } }],
  requirements: [
    { name: "upright", text: "never tilt > 60 deg", severity: "error", mustOccur: false, unit: "deg" },
    { name: "quick", text: "landed within 60 s", severity: "warning", mustOccur: true, unit: null },
  ],
  measures: [{ name: "energyWh", unit: "Wh", text: "" }],
  criteria: ["pass rate >= 0.5"],
  isRepeatable: true,
};

const ROWS = Array.from({ length: FLIGHTS }, (_, k): Row => {
  const margins = { low: k - 2, high: k - 2, scaledLow: k - 2, scaledHigh: k - 2 };
  const binding = { predicate: "tilt > 60 deg", tUs: 1000 * k, margin: k - 2, value: 62 - k, unit: "deg" };
  return {
    k,
    hash: "0123456789abcdef",
    fingerprint: "fp1:0000-0000-0000-0000",
    outcome: k === 3 ? "crashed" : "completed",
    reason: `flight µ${k}`,
    endUs: 1_000_000 * k,
    varied: [1 + k / 8],
    verdicts: [
      { verdict: k < 2 ? "violated" : "holds", ...margins, binding },
      { verdict: "untested", ...margins, binding: null },
    ],
    measures: [k === 4 ? null : 2.5 * k],
  };
});

function use(path: string): void {
  const rows = new JournalRows(path);
  const { summary } = summarise({ rows, manifest: rows.manifest, countedEnd: Infinity, conclusions: {} });
  junitXml(summary, { attachment: "attack/report.html" });
  canonicalJson(summary);
}

/** Checks that the rows of a damaged file are the first of those that were written. */
function mustBeWritten(path: string): void {
  let count = 0;
  readJournal(path, (row) => {
    if (canonicalJson(row) !== canonicalJson(ROWS[count])) throw new WrongData(`row ${count} was never written`);
    count += 1;
  });
}

export const journals: Attack = {
  name: "campaign journals",
  cases: 1e5,
  prepare: async (seed) => {
    const path = join(mkdtempSync(join(tmpdir(), "escapement-attack-")), "journal.ndjson");
    const lines: readonly unknown[] = [MANIFEST, ...ROWS];
    const bytes = Buffer.from([encodeLine(MANIFEST), ...ROWS.map(encodeLine)].join(""));
    return async (i) => {
      const chance = new Chance(seed, `journal/${i}`);
      return verdictOf(() => {
        if (i % 2 === 0) {
          writeFileSync(path, mutateBytes(bytes, chance));
          mustBeWritten(path);
        } else {
          const at = chance.below(lines.length);
          const strange = lines.map((line, k) => (k === at ? mutateJson(line, chance) : line));
          writeFileSync(path, strange.map((line) => checkedText(line)).join(""));
        }
        use(path);
      });
    };
  },
};
