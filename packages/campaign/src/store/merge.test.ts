/**
 * Merging the parts of a campaign: every row once, a list of missing numbers, and rejection of parts that do not fit.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Manifest, Row } from "@escapement/formats";
import { exampleManifest, exampleRow } from "../../../../tests/support/campaign-rows.ts";
import { withoutFlight } from "../fly/one.ts";
import { Journal, JOURNAL_FILE } from "../rows/journal.ts";
import { JournalRows } from "../rows/journal-rows.ts";
import { mergeJournals } from "./merge.ts";

const FLIGHTS = 3000;
const PARTS = 3;
const folder = mkdtempSync(join(tmpdir(), "escapement-merge-"));
afterAll(() => rmSync(folder, { recursive: true }));
const manifest: Manifest = { ...exampleManifest, flights: FLIGHTS };
const at = (name: string) => join(folder, name);

function write(name: string, shard: number | undefined, rows: Iterable<Row>, changes: Partial<Manifest> = {}): string {
  mkdirSync(at(name));
  const part = shard === undefined ? {} : { shard: { index: shard, count: PARTS } };
  const journal = Journal.open(join(at(name), JOURNAL_FILE), {
    manifest: { ...manifest, ...part, ...changes },
    fresh: false,
    onRow: () => {},
  });
  for (const row of rows) journal.append(row);
  journal.close();
  return at(name);
}

const numbers = (shard: number) => Array.from({ length: FLIGHTS / PARTS }, (_, i) => PARTS * i + shard);
const parts = [0, 1, 2].map((shard) => write(`part-${shard}`, shard, numbers(shard).reverse().map(exampleRow)));

describe("parts of a campaign", () => {
  it("are merged in any order into all rows, each once, in the order of the flights", () => {
    const merged = mergeJournals([parts[2]!, parts[0]!, parts[1]!, parts[0]!], at("whole"));
    expect([merged.rows, merged.missingCount, merged.manifest]).toEqual([FLIGHTS, 0, manifest]);
    let k = 0;
    for (const row of new JournalRows(merged.journal)) expect(row).toEqual(exampleRow(k++));
    expect(k).toBe(FLIGHTS);
  });

  it("report the flights that are missing", () => {
    const { missing, missingCount } = mergeJournals([parts[0]!, parts[2]!], at("some"));
    expect([missingCount, missing.slice(0, 3)]).toEqual([FLIGHTS / PARTS, [1, 4, 7]]);
  });

  it("replace a poisoned row by the row of another part, in either order", () => {
    const poisoned = write("poisoned", 1, [withoutFlight(4, "poisoned", "lost", [])]);
    for (const [i, order] of [
      [parts[1]!, poisoned],
      [poisoned, parts[1]!],
    ].entries()) {
      const { journal, rows } = mergeJournals(order, at(`healed-${i}`));
      expect(rows).toBe(FLIGHTS / PARTS);
      expect([...new JournalRows(journal)][1]).toEqual(exampleRow(4));
    }
  });

  it("are rejected if they have two rows of one flight, or belong to another build", () => {
    const other = write("other", 1, [{ ...exampleRow(4), fingerprint: "fp1:other" }]);
    expect(() => mergeJournals([parts[1]!, other], at("never-1"))).toThrow(
      /CAMPAIGN-007.*flight 4 has a different row/s,
    );
    const build = write("build", 1, [], { code: "ff".repeat(32) });
    expect(() => mergeJournals([parts[0]!, build], at("never-2"))).toThrow(/CAMPAIGN-007.*another build/s);
    expect(() => mergeJournals([at("nowhere")], at("never-3"))).toThrow(/CAMPAIGN-007.*the folder does not exist/s);
    expect(() => mergeJournals([folder], at("never-4"))).toThrow(/CAMPAIGN-007.*no journal.ndjson in it/s);
  });
});
