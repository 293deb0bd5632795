/**
 * Merges the journals of the parts of a campaign. Parts of different campaigns or builds, and parts judged by different
 * requirements, are rejected. So are two different rows of one flight, because a flight always gives the same row.
 */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { encodeLine, type Manifest, type Row } from "@escapement/formats";
import { differenceOf, Journal, JOURNAL_FILE, journalOf, readManifest } from "../rows/journal.ts";
import { JournalRows } from "../rows/journal-rows.ts";
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

const MAX_LISTED = 20;

export function mergeJournals(parts: readonly string[], folder: string): MergedJournal {
  const paths = parts.map((part) =>
    journalOf(part, (facts) =>
      campaignErrors.notMergeable({ ...facts, fix: "give the folders that `campaign --shard` wrote" }),
    ),
  );
  const manifest = commonManifest(paths);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, JOURNAL_FILE);
  const journal = Journal.open(path, { manifest, fresh: true, onRow: () => {} });
  const known = new KnownRows();
  try {
    for (const part of paths) {
      for (const row of new JournalRows(part)) {
        const line = encodeLine(row);
        if (known.isNew(row, line, part)) journal.appendLine(line);
      }
    }
  } finally {
    journal.close();
  }
  const missing: number[] = [];
  for (let k = 0; k < manifest.flights && missing.length < MAX_LISTED; k += 1) if (!known.has(k)) missing.push(k);
  return { journal: path, manifest, rows: known.size, missing, missingCount: manifest.flights - known.size };
}

/** The rows that were merged so far. It stores a hash per row, so memory does not grow with the size of the rows. */
class KnownRows {
  private readonly numbers = new NumberSet();
  private readonly poisoned = new NumberSet();
  private hashes = new Float64Array(1024);

  get size(): number {
    return this.numbers.size;
  }

  has(k: number): boolean {
    return this.numbers.has(k);
  }

  /** Returns true if a row must be written: it is the first row of its flight, or it replaces a poisoned row. */
  isNew({ k, outcome }: Row, line: string, path: string): boolean {
    const hash = hashOf(line);
    if (this.numbers.has(k) && !this.poisoned.has(k)) {
      if (outcome !== "poisoned" && this.hashes[k] !== hash) throw otherRow(k, path);
      return false;
    }
    if (this.numbers.has(k) && outcome === "poisoned") return false;
    this.numbers.add(k);
    if (outcome === "poisoned") this.poisoned.add(k);
    else this.poisoned.delete(k);
    if (k >= this.hashes.length) {
      const longer = new Float64Array(Math.max(k + 1, 2 * this.hashes.length));
      longer.set(this.hashes);
      this.hashes = longer;
    }
    this.hashes[k] = hash;
    return true;
  }
}

/** Returns 48 bits of the line's hash. */
function hashOf(line: string): number {
  return createHash("sha256").update(line).digest().readUIntBE(0, 6);
}

function otherRow(k: number, path: string): Error {
  return campaignErrors.notMergeable({
    what: `flight ${k} has a different row in another part`,
    where: { file: path },
    fix: "fly it again on both machines to find the one that differs; a flight must not depend on the machine",
  });
}

/** Returns the manifest of the whole campaign. */
function commonManifest(paths: readonly string[]): Manifest {
  let common: Manifest | undefined;
  for (const path of paths) {
    const { shard: _shard, ...manifest } = readManifest(path);
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
