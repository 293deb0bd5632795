/** Campaigns as a user runs them: the same results by threads, parts, after a kill and from the cache. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countRows, journalRows, kill, resultHashes, untilRows } from "../support/campaign-run.ts";
import { type BuiltCommand, buildCommand } from "../support/command.ts";

const CAMPAIGN = `
name = "short hops"
flight = { extends = "hover", timeline = { endS = 3 } }
criteria = ["every flight: low", "P(level) >= 10 % with 90 % confidence"]

[plan]
kind = "random"
flights = 6

[vary]
"wind.w20Mps" = { uniform = [3, 15] }

[[requirements]]
name = "low"
text = "always altitude < 5 m"

[[requirements]]
name = "level"
text = "never tilt > 1 deg"
severity = "warning"

[measures]
highest = "max altitude during 1 s..3 s"
`;
let command: BuiltCommand;
let folder: string;
const run = (...args: string[]) => command.run(args, { cwd: folder });
const results = (name: string) => resultHashes(join(folder, name));

beforeAll(async () => {
  command = await buildCommand();
  folder = mkdtempSync(join(tmpdir(), "escapement-campaign-"));
  writeFileSync(join(folder, "hops.campaign.toml"), CAMPAIGN);
  const { code, out, err } = await run("campaign", "hops.campaign.toml", "-o", "whole", "--jobs", "1", "--no-cache");
  expect(code, `${out}\n${err}`).toBe(0);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("a campaign has the same results, byte for byte,", () => {
  it("with two threads", async () => {
    expect((await run("campaign", "hops.campaign.toml", "-o", "two", "--jobs", "2", "--no-cache")).code).toBe(0);
    expect(results("two")).toEqual(results("whole"));
  });

  it("if it was killed and continued", async () => {
    const args = ["campaign", "hops.campaign.toml", "-o", "killed", "--jobs", "1", "--no-cache"];
    const child = command.start(args, { cwd: folder });
    await untilRows(join(folder, "killed"), 1, child);
    await kill(child);
    // A line that was being written.
    writeFileSync(join(folder, "killed", "journal.ndjson"), '{"k":5,"out', { flag: "a" });
    expect(countRows(join(folder, "killed"))).toBeLessThan(6);
    expect((await run(...args)).code).toBe(0);
    expect(results("killed")).toEqual(results("whole"));
  });

  it("if it was flown in parts and joined", async () => {
    for (const part of ["1/2", "2/2"]) {
      const name = `part-${part[0]}`;
      const args = ["campaign", "hops.campaign.toml", "--shard", part, "-o", name, "--exit", "flown", "--no-cache"];
      expect((await run(...args)).code).toBe(0);
    }
    expect((await run("campaign", "merge", "part-1", "part-2", "-o", "joined")).code).toBe(0);
    expect(results("joined")).toEqual(results("whole"));
    const half = await run("campaign", "merge", "part-1", "-o", "half");
    expect(half.code).not.toBe(0);
  });

  it("from the cache, without flying", async () => {
    await run("campaign", "hops.campaign.toml", "-o", "first");
    const { out } = await run("campaign", "hops.campaign.toml", "-o", "again", "--json");
    expect(JSON.parse(out).run).toMatchObject({ flown: 0, cached: 6 });
    expect(results("again")).toEqual(results("whole"));
  });
});

describe("a flight of a campaign", () => {
  it("is flown again by its number with the same bits and verdicts", async () => {
    const row = journalRows(join(folder, "whole")).find(({ k }) => k === 5)!;
    const { out, code } = await run("fly", "hops.campaign.toml#5", "--json");
    const flight = JSON.parse(out);
    expect(flight.fingerprint).toBe(row["fingerprint"]);
    const kept = (row["verdicts"] as { verdict: string; low: unknown }[]).map(({ verdict, low }) => [verdict, low]);
    expect(flight.verdicts.map(({ verdict, low }: { verdict: string; low: unknown }) => [verdict, low])).toEqual(kept);
    expect(code).toBe(0);
  });
});

describe("a flight that violates a requirement", () => {
  it("is shrunk to a flight file that violates it too", async () => {
    const args = ["hops.campaign.toml#5", "--require", "never tilt > 0.0001 deg", "-o", "small.toml"];
    const { code, out, err } = await run("shrink", ...args);
    expect(code, err).toBe(0);
    expect(out).toContain("wrote small.toml");
    expect((await run("fly", "small.toml")).code).toBe(5);
    expect((await run("shrink", ...args)).err).toContain("FILE-");
  });

  it("is not shrunk if it holds", async () => {
    const { code, err } = await run("shrink", "hops.campaign.toml#5", "--require", "never tilt > 80 deg");
    expect([code, err.includes("SEARCH-002")]).toEqual([1, true]);
  });
});

describe("a mistake", () => {
  it("is reported with its line before anything is flown", async () => {
    writeFileSync(join(folder, "wrong.campaign.toml"), CAMPAIGN.replace("altitude < 5 m", "altitud < 5 m"));
    const { code, err } = await run("campaign", "wrong.campaign.toml", "-o", "wrong");
    expect(code).toBe(1);
    expect(err).toContain("REQUIRE-002");
    expect(err).toContain('did you mean "altitude"?');
  });

  it("in a measure or a criterion too", async () => {
    const wrong = CAMPAIGN.replace("max altitude", "max altitud").replace("P(level)", "P(levl)");
    writeFileSync(join(folder, "wrong.campaign.toml"), wrong);
    const { code, err } = await run("campaign", "wrong.campaign.toml", "-o", "wrong");
    expect(code).toBe(1);
    expect(err).toContain("measures.highest");
  });
});
