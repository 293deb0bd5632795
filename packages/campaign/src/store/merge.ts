/**
 * Joins the journals of the parts of a campaign. Parts of other campaigns, builds or requirements are refused, and so are
 * two different rows of one flight: a flight always gives the same row.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { encodeLine, type Manifest, type Row } from "@escapement/formats";
import { differenceOf, Journal, JOURNAL_FILE, readJournal, rowsInOrder } from "../rows/journal.ts";
import { NumberSet } from "../rows/number-set.ts";
import { campaignErrors } from "../spec/errors.ts";

interface MergedJournal {
  readonly journal: string;
  readonly manifest: Manifest;
  readonly rows: number;
  /** Numbers without a row, at most the first twenty. */
  readonly missing: readonly number[];
  readonly missingCount: number;
}

const MOST_LISTED = 20;

export function mergeJournals(parts: readonly string[], folder: string): MergedJournal {
  const paths = parts.map((part) => {
    const path = join(part, JOURNAL_FILE);
    if (existsSync(path)) return path;
    throw campaignErrors.notMergeable({
      what: `there is no ${JOURNAL_FILE} in it`,
      where: { file: part },
      fix: "give the folders that `campaign --shard` wrote",
    });
  });
  const manifest = commonManifest(paths);
  mkdirSync(folder, { recursive: true });
  const lines = new Map<number, string>();
  for (const path of paths) {
    for (const row of rowsInOrder(path)) addRow(lines, row, path);
  }
  const path = join(folder, JOURNAL_FILE);
  const known = new NumberSet();
  const journal = Journal.open(path, { manifest, fresh: true, onRow: () => {} });
  const rows = [...lines.keys()].sort((a, b) => a - b);
  for (const k of rows) {
    journal.appendLine(lines.get(k)!);
    known.add(k);
  }
  journal.close();
  const missing: number[] = [];
  for (let k = 0; k < manifest.flights && missing.length < MOST_LISTED; k += 1) if (!known.has(k)) missing.push(k);
  return { journal: path, manifest, rows: rows.length, missing, missingCount: manifest.flights - known.size };
}

function addRow(lines: Map<number, string>, row: Row, path: string): void {
  const line = encodeLine(row);
  const other = lines.get(row.k);
  if (other !== undefined && other !== line && row.outcome !== "poisoned") {
    throw campaignErrors.notMergeable({
      what: `flight ${row.k} has another row in another part`,
      where: { file: path },
      fix: "fly it again with both parts' machines; a flight must not depend on who flies it",
    });
  }
  if (other === undefined || row.outcome !== "poisoned") lines.set(row.k, line);
}

/** The manifest of the whole campaign. */
function commonManifest(paths: readonly string[]): Manifest {
  let common: Manifest | undefined;
  for (const path of paths) {
    const { shard: _shard, ...manifest } = readJournal(path, () => {});
    const difference = common === undefined ? undefined : differenceOf(manifest, common);
    if (difference !== undefined) {
      throw campaignErrors.notMergeable({
        what: `it belongs to ${difference}`,
        where: { file: path },
        fix: "merge parts of one campaign, flown by one build and judged by the same requirements",
      });
    }
    common ??= manifest;
  }
  return common!;
}
