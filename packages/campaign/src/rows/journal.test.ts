/** The journal: its rows after a killed process, and the rejection of journals of other campaigns. */
import fs, { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { encodeLine, type Manifest, type Row } from "@escapement/formats";
import { Journal, readJournal } from "./journal.ts";
import { JournalRows } from "./journal-rows.ts";
import { NumberSet } from "./number-set.ts";
import { codeOf } from "../../../../tests/support/flights.ts";
import { volume } from "../../../../tests/support/volume.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-journal-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newPath = () => join(folder, `${(files += 1)}.ndjson`);

const manifest: Manifest = {
  format: 1,
  identity: "c1:0000000000000001",
  code: "aa".repeat(32),
  judged: "bb".repeat(32),
  name: "gusts",
  file: "gusts.campaign.toml",
  plan: { kind: "random", flights: 8 },
  flights: 8,
  seed: 1,
  seeds: "per-flight",
  keys: [],
  requirements: [],
  measures: [],
  criteria: [],
  isRepeatable: true,
};
const row = (k: number, reason = `flight µ${k}`): Row => ({
  k,
  hash: "0123456789abcdef",
  fingerprint: "fp1:0000",
  outcome: "completed",
  reason,
  endUs: 1000 * k,
  varied: [],
  verdicts: [],
  measures: [],
});

function open(path: string, options: { manifest?: Manifest; fresh?: boolean } = {}) {
  const found: Row[] = [];
  const { manifest: own = manifest, fresh = false } = options;
  const journal = Journal.open(path, { manifest: own, fresh, onRow: (each) => found.push(each) });
  return { journal, found };
}

/** Returns a journal with five rows, not in the order of their numbers. */
function writeJournal(): string {
  const path = newPath();
  const { journal } = open(path);
  for (const k of [1, 0, 4, 2, 3]) journal.append(row(k));
  journal.close();
  return path;
}

describe("a journal", () => {
  it("returns its rows in the order of writing, and in the order of their numbers", () => {
    const path = writeJournal();
    const { journal, found } = open(path);
    journal.close();
    expect(found.map(({ k }) => k)).toEqual([1, 0, 4, 2, 3]);
    expect([...new JournalRows(path)]).toEqual([0, 1, 2, 3, 4].map((k) => row(k)));
  });

  it.each([
    ["a number beyond the flights of the campaign", row(2 ** 40)],
    ["a value of a key that is not varied", { ...row(1), varied: [1] }],
    ["a measure that the campaign does not have", { ...row(1), measures: [1] }],
  ])("with a row that has %s is rejected", (_, foreign) => {
    const path = newPath();
    writeFileSync(path, encodeLine(manifest) + encodeLine(foreign));
    expect(() => [...new JournalRows(path)]).toThrow("CAMPAIGN-005");
  });

  it.each([
    ["a requirement without a name", { requirements: [{ text: "never tilt > 1 deg" }] }],
    ["a shard that does not exist", { shard: { index: 2, count: 2 } }],
    ["a key without a distribution", { keys: [{ key: "vehicle.massKg", unit: "kg" }] }],
  ])("with %s in its manifest is rejected", (_, change) => {
    const path = newPath();
    writeFileSync(path, encodeLine({ ...manifest, ...change } as Manifest));
    expect(() => readJournal(path, () => {})).toThrow("CAMPAIGN-005");
  });

  it("that was cut at any byte keeps the complete rows, and continues after them", () => {
    const whole = writeJournal();
    const bytes = readFileSync(whole);
    const firstLine = bytes.indexOf(10) + 1;
    const path = newPath();
    // Cut the file before and after the end of each line, and at some other lengths.
    const step = volume(7, 1);
    const lengths = [...bytes.keys()].filter((i) => i % step === 0 || bytes[i] === 10 || bytes[i - 1] === 10);
    for (const length of lengths) {
      copyFileSync(whole, path);
      truncateSync(path, length);
      const { journal, found } = open(path);
      const complete = bytes.subarray(firstLine, Math.max(firstLine, length)).filter((byte) => byte === 10).length;
      expect(found.length).toBe(complete);
      expect(journal.found.isTorn).toBe(length > 0 && bytes[length - 1] !== 10);
      journal.append(row(7));
      journal.close();
      const rows: Row[] = [];
      expect(readJournal(path, (each) => rows.push(each))).toEqual(manifest);
      expect(rows).toEqual([...found, row(7)]);
    }
  });

  it("uses the last row of a flight that has several", () => {
    const path = newPath();
    const { journal } = open(path);
    journal.append(row(0, "poisoned"));
    journal.append(row(0, "second try"));
    journal.close();
    expect([...new JournalRows(path)].map(({ reason }) => reason)).toEqual(["second try"]);
  });

  it.each([
    ["other flights", { identity: "c1:0000000000000002" }],
    ["another build of the program", { code: "cc".repeat(32) }],
    ["other requirements", { judged: "dd".repeat(32) }],
    ["another part of the campaign", { shard: { index: 1, count: 2 } }],
  ])("of %s is rejected, and --fresh sets it aside", (what, change) => {
    const path = writeJournal();
    const other = { ...manifest, ...change };
    expect(() => open(path, { manifest: other })).toThrow(
      expect.objectContaining({ code: "CAMPAIGN-004", what: expect.stringContaining(what) }),
    );
    const before = readFileSync(path);
    const { journal, found } = open(path, { manifest: other, fresh: true });
    journal.close();
    expect(found).toEqual([]);
    const aside = readdirSync(folder).filter((name) => name.startsWith(`${files}.`) && name !== `${files}.ndjson`);
    expect(aside.map((name) => readFileSync(join(folder, name)).equals(before))).toEqual([true]);
  });

  it.each(["hello\n", '{"format":1}\n', "x".repeat(5000) + "\n"])(
    "is not opened if the file begins with %j",
    (text) => {
      const path = newPath();
      writeFileSync(path, text);
      expect(() => open(path)).toThrow(expect.objectContaining({ code: "CAMPAIGN-005" }));
      expect(readFileSync(path, "utf8")).toBe(text);
    },
  );
});

describe("a set of numbers", () => {
  it("has what was added and not what was deleted", () => {
    const set = new NumberSet();
    for (const k of [0, 7, 8, 5000, 5000]) set.add(k);
    set.delete(8);
    expect([set.size, set.has(5000), set.has(8), set.has(4999), set.has(1e6)]).toEqual([3, true, false, false, false]);
  });
});

describe("a disk that does not store what was written", () => {
  const realSync = fs.fsync;
  afterEach(() => {
    fs.fsync = realSync;
    syncBuiltinESMExports();
  });

  it("fails the next row and the end, even if a later request to store it succeeds", async () => {
    const { journal } = open(newPath());
    journal.append(row(0));
    const failed = new Promise<void>((done) => {
      const failing = (_fd: number, then: fs.NoParamCallback) => {
        then(new Error("EIO: i/o error, fsync"));
        done();
      };
      fs.fsync = failing as typeof fs.fsync;
      syncBuiltinESMExports();
    });
    await failed;
    expect(codeOf(() => journal.append(row(1)))).toBe("CAMPAIGN-013");
    expect(codeOf(() => journal.close())).toBe("CAMPAIGN-013");
  });
});
