/**
 * A flight that ends its thread gets a row with the outcome `poisoned`, and a flight that throws gets one with
 * `failed`. The other flights are not affected. Flights that hang or run out of memory are in the long tests, because
 * they take time.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { journalRows } from "../support/campaign-run.ts";
import { type BuiltCommand, buildCommand, CommandSession } from "../support/command.ts";
import { misbehavingCampaign, MISBEHAVING_PARTS } from "../support/misbehaving-parts.ts";
import { isFullVolume } from "../support/volume.ts";

/** Further flights that end their thread. Each takes two more threads, which start slowly. */
const MORE = isFullVolume ? [1, 2] : [];
let command: BuiltCommand;
let folder: string;

beforeAll(async () => {
  command = await buildCommand();
  folder = mkdtempSync(join(tmpdir(), "escapement-poisoned-"));
  writeFileSync(join(folder, "parts.mjs"), MISBEHAVING_PARTS);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

it("a flight that ends its thread is poisoned after two tries, a flight that throws is failed, and the exit code is 7", async () => {
  writeFileSync(
    join(folder, "bad.campaign.toml"),
    misbehavingCampaign(["well", "throw", "exit", "well", ...MORE.map(() => "exit")]),
  );
  const args = ["campaign", "bad.campaign.toml", "--with", "parts.mjs", "--jobs", "1", "--json"];
  const { code, out, err } = await command.run(args, { cwd: folder });
  expect(code, err).toBe(7);
  const rows = journalRows(join(folder, "bad")).sort((a, b) => Number(a["k"]) - Number(b["k"]));
  expect(rows.map(({ outcome }) => outcome)).toEqual([
    "time ran out",
    "failed",
    "poisoned",
    "time ran out",
    ...MORE.map(() => "poisoned"),
  ]);
  // The reason contains no path, so that a row is the same in every folder.
  expect(rows[1]!["reason"]).toBe(
    'the part "misbehaving" of parts.mjs, line 4, threw in sampleInto: Error: the wind part gave up',
  );
  // The two good flights have the same definition.
  expect(rows[0]!["fingerprint"]).toBe(rows[3]!["fingerprint"]);

  const { notes, failedFlights, criteria } = JSON.parse(out);
  expect([failedFlights, criteria[0].verdict]).toEqual([2 + MORE.length, "open"]);
  const tries = (notes as string[]).filter((note) => note.startsWith("flight 2:"));
  expect(tries.map((note) => /flown again|poisoned/.exec(note)![0])).toEqual(["flown again", "poisoned"]);

  // A part with a different text may fly differently, so its rows are never mixed with these.
  writeFileSync(join(folder, "parts.mjs"), `${MISBEHAVING_PARTS}\n// changed`);
  const changed = await new CommandSession(command, folder).run(args);
  expect([changed.code, changed.out + changed.err]).toEqual([1, expect.stringContaining("CAMPAIGN-004")]);
});
