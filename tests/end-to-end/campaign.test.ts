/** Tests campaigns as a user runs them: threads, parts, a kill and the cache all give the same results. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countRows, journalRows, kill, resultHashes, untilRows } from "../support/campaign-run.ts";
import { type BuiltCommand, buildCommand, CommandSession } from "../support/command.ts";
import { MISBEHAVING_PARTS } from "../support/misbehaving-parts.ts";

const CAMPAIGN = `
name = "short hops"
flight = { extends = "hover", timeline = { endS = 2 } }
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
highest = "max altitude during 1 s..2 s"
`;
const LIST = `[plan]
kind = "list"
file = "whole/results.parquet"

`;
/** One thread, because each thread compiles the flight again. */
const ONE = ["--jobs", "1"];
let command: BuiltCommand;
let folder: string;
let session: CommandSession;
const run = (...args: string[]) => session.run(args);
const results = (name: string) => resultHashes(join(folder, name));

beforeAll(async () => {
  command = await buildCommand();
  folder = mkdtempSync(join(tmpdir(), "escapement-campaign-"));
  session = new CommandSession(command, folder);
  writeFileSync(join(folder, "hops.campaign.toml"), CAMPAIGN);
  const { code, out, err } = await run("campaign", "hops.campaign.toml", "-o", "whole", "--jobs", "1", "--no-cache");
  expect(code, `${out}\n${err}`).toBe(0);
});

afterAll(() => rmSync(folder, { recursive: true }));

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
    // Add a line that was only partly written.
    writeFileSync(join(folder, "killed", "journal.ndjson"), '{"k":5,"out', { flag: "a" });
    expect(countRows(join(folder, "killed"))).toBeLessThan(6);
    expect((await run(...args)).code).toBe(0);
    expect(results("killed")).toEqual(results("whole"));
  });

  it("if it was flown in parts and merged", async () => {
    for (const part of ["1/2", "2/2"]) {
      const name = `part-${part[0]}`;
      const args = [
        "campaign",
        "hops.campaign.toml",
        "--shard",
        part,
        "-o",
        name,
        ...ONE,
        "--exit",
        "flown",
        "--no-cache",
      ];
      const { code, out } = await run(...args);
      expect(code).toBe(0);
      expect(out).toContain(`part ${part[0]} of 2: the counts are for this part only`);
      // Probabilities and criteria are about all flights in order, and a part has only some of the flights.
      const { probabilities, criteria } = JSON.parse(readFileSync(join(folder, name, "summary.json"), "utf8"));
      expect(new Set(probabilities)).toEqual(new Set([null]));
      const open = expect.objectContaining({ verdict: "open", estimate: null, low: null, high: null });
      expect(criteria).toEqual([open, open]);
    }
    expect((await run("campaign", "merge", "part-1", "part-2", "-o", "joined")).code).toBe(0);
    expect(results("joined")).toEqual(results("whole"));
    // The folder has the campaign too, so its flights can be flown by number.
    expect((await run("fly", "joined#3")).out).toContain("fingerprint");
    const half = await run("campaign", "merge", "part-1", "-o", "half");
    expect(half.code).not.toBe(0);
  });

  it("from the cache, without flying", async () => {
    await run("campaign", "hops.campaign.toml", "-o", "first", ...ONE);
    // Use a separate process, which has nothing in memory.
    const { out } = await command.run(["campaign", "hops.campaign.toml", "-o", "again", "--json"], { cwd: folder });
    expect(JSON.parse(out).run).toMatchObject({ flown: 0, cached: 6 });
    expect(results("again")).toEqual(results("whole"));
  });
});

describe("a campaign that follows another one", () => {
  const check = async (name: string, plan: string) => {
    writeFileSync(join(folder, name), CAMPAIGN.replace(/\[plan\][^[]*/, plan).replace(/criteria = .*/, ""));
    return run("check", name, "--json");
  };

  it("samples around the worst flight of that campaign", async () => {
    const plan = (from: string) => `[plan]\nkind = "importance"\nflights = 4\nfrom = "${from}"\n\n`;
    const { out } = await check("around.campaign.toml", plan("whole"));
    const { worst } = JSON.parse(readFileSync(join(folder, "whole", "summary.json"), "utf8"));
    expect(JSON.parse(out).campaign.plan.shift).toEqual({ "wind.w20Mps": worst[0].varied[0] });
    const missing = await check("around.campaign.toml", plan("nowhere"));
    expect([missing.code, missing.out + missing.err]).toEqual([1, expect.stringContaining("CAMPAIGN-015")]);
  });

  it("gets a warning if it searches with a yes-or-no condition", async () => {
    const { out } = await check(
      "facts.campaign.toml",
      '[plan]\nkind = "falsify"\nrequirement = "lands"\n\n[[requirements]]\nname = "lands"\ntext = "eventually landed"\n\n',
    );
    expect(JSON.parse(out).warnings.map(({ code }: { code: string }) => code)).toEqual(["CAMPAIGN-018"]);
  });
});

describe("a campaign of a different build", () => {
  it("takes rows over after a sample was flown again, and reports it", async () => {
    // A module with parts that no flight uses changes the hash of the code, but no row.
    writeFileSync(join(folder, "unused.mjs"), MISBEHAVING_PARTS);
    await run("campaign", "hops.campaign.toml", "-o", "first", ...ONE);
    const { out, err } = await run(
      "campaign",
      "hops.campaign.toml",
      "-o",
      "over",
      "--with",
      "unused.mjs",
      "--cache-from",
      "first",
      ...ONE,
      "--json",
    );
    const { run: counts, takenOver } = JSON.parse(out);
    expect([counts.flown, takenOver?.rows, takenOver?.repeated], err).toEqual([1, 5, 1]);
    const rowsOf = (name: string) => journalRows(join(folder, name)).sort((a, b) => Number(a["k"]) - Number(b["k"]));
    expect(rowsOf("over")).toEqual(rowsOf("whole"));
    const again = await run("campaign", "hops.campaign.toml", "-o", "over", "--with", "unused.mjs", ...ONE);
    expect(again.out).toContain("5 rows are reused from build");
    const nowhere = await run("campaign", "hops.campaign.toml", "-o", "first", "--cache-from", "nowhere");
    expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining("CAMPAIGN-015")]);
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

  it("opens in the viewer by its number", async () => {
    const { code, err } = await run("view", "--save", "hops-2.html", "hops.campaign.toml#2");
    expect(code, err).toBe(0);
    expect(readFileSync(join(folder, "hops-2.html"), "utf8")).toContain('"hops-2"');
  });

  it("is flown again by the identity of its campaign, if the code has the hash after `@`", async () => {
    // An identity refers to the folder that was used last.
    await run("campaign", "hops.campaign.toml", "-o", "first", ...ONE);
    const { identity, code } = JSON.parse(readFileSync(join(folder, "whole", "campaign.json"), "utf8")).campaign
      .manifest;
    const row = journalRows(join(folder, "whole")).find(({ k }) => k === 4)!;
    const named = await run("fly", `${identity}/4@${code.slice(0, 12)}`, "--json");
    expect(JSON.parse(named.out).fingerprint).toBe(row["fingerprint"]);
    const other = await run("fly", `${identity}/4@000000000000`);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining("CAMPAIGN-014")]);
    const unknown = await run("fly", "c1:0000000000000000/4");
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("CAMPAIGN-015")]);
  });

  it("has the values that the results of a different campaign list", async () => {
    const listed = CAMPAIGN.replace(/\[plan\][^]*?(?=\[\[requirements)/, LIST);
    writeFileSync(join(folder, "listed.campaign.toml"), listed);
    const { code, err } = await run("campaign", "listed.campaign.toml", ...ONE, "--exit", "flown");
    expect(code, err).toBe(0);
    const valuesIn = (name: string) =>
      journalRows(join(folder, name))
        .sort((a, b) => Number(a["k"]) - Number(b["k"]))
        .map(({ varied }) => varied);
    expect(valuesIn("listed")).toEqual(valuesIn("whole"));
  });
});

describe("a campaign that was flown", () => {
  it("has its page written again with the same bytes", async () => {
    const { code, err } = await run("campaign", "report", "whole", "-o", "again.html");
    expect(code, err).toBe(0);
    expect(readFileSync(join(folder, "again.html"))).toEqual(readFileSync(join(folder, "whole", "report.html")));
  });

  it("can be judged by more requirements, with the same flights and verdicts on all requirements", async () => {
    const more = ["--require", "never altitude > 10 cm", "--criterion", "no flight fails"];
    const { code, out, err } = await run("campaign", "judge", "whole", ...more, ...ONE, "--json");
    expect(code, err).toBe(0);
    const { requirements, criteria } = JSON.parse(out);
    expect(requirements.map(({ name }: { name: string }) => name)).toEqual(["low", "level", "never altitude > 10 cm"]);
    expect(requirements[2].flights.violated).toBe(6);
    expect(criteria).toMatchObject([{ text: "no flight fails", verdict: "met" }]);
    const bits = (name: string) =>
      journalRows(join(folder, name))
        .map(({ k, fingerprint }) => `${String(k)} ${String(fingerprint)}`)
        .sort();
    expect(bits("whole-judged")).toEqual(bits("whole"));
    expect((await run("campaign", "judge", "part-9", ...more)).code).toBe(1);
  });

  it("can be checked before it is flown, which reports its first flights and all errors", async () => {
    const { code, out } = await run("check", "hops.campaign.toml", "--json");
    expect(code).toBe(0);
    const { first, campaign } = JSON.parse(out);
    expect(first.map(({ k }: { k: number }) => k)).toEqual([0, 1, 2]);
    expect(campaign.manifest.identity).toMatch(/^c1:[0-9a-f]{16}$/);
    const row = journalRows(join(folder, "whole")).find(({ k }) => k === 2)!;
    expect(first[2].varied).toEqual(row["varied"]);
  });

  it("shows the seeds of its first flights when it is checked, if no key is varied", async () => {
    const flight = 'flight = { extends = "hover", timeline = { endS = 1 } }';
    writeFileSync(join(folder, "seeds.campaign.toml"), `${flight}\nplan = { kind = "random", flights = 2 }\n`);
    const { code, out } = await run("check", "seeds.campaign.toml");
    expect(code).toBe(0);
    expect(out).toMatch(/^flight 0: seed \d+\nflight 1: seed \d+\n$/);
  });
});

describe("a campaign that keeps flights", () => {
  it("has recordings and pages of the worst flights, and shrinks the worst violation", async () => {
    const text = CAMPAIGN.replace("never tilt > 1 deg", "never tilt > 0.0001 deg").replace(
      "flights = 6",
      "flights = 3",
    );
    writeFileSync(join(folder, "kept.campaign.toml"), `${text}\n[keep]\nrecordings = 1\nshrunk = true\n`);
    const { code, out, err } = await run("campaign", "kept.campaign.toml", ...ONE, "--exit", "flown", "--json");
    expect(code, err).toBe(0);
    const { kept, shrunk, worst } = JSON.parse(out);
    expect(kept).toMatchObject([{ k: worst[0].k, recording: `flights/${worst[0].k}.mcap` }]);
    expect(kept[0].sketch.timesS.at(-1)).toBe(2);
    expect(shrunk).toMatchObject([
      { requirement: "level", file: expect.stringMatching(/^flights\/\d-small-2\.toml$/) },
    ]);
    expect((await run("replay", `kept/${kept[0].recording}`)).code).toBe(0);
    expect((await run("fly", `kept/${shrunk[0].file}`)).code).toBe(0);
    const again = await run("campaign", "kept.campaign.toml", ...ONE, "--exit", "flown", "--json");
    expect(JSON.parse(again.out).shrunk).toEqual(shrunk);
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

  it("is not shrunk if the named requirement holds", async () => {
    const { code, err } = await run("shrink", "hops.campaign.toml#5", "--require", "never tilt > 80 deg");
    expect([code, err.includes("SEARCH-002")]).toEqual([1, true]);
  });
});

describe("an error", () => {
  it("is reported with its line before anything is flown", async () => {
    writeFileSync(join(folder, "wrong.campaign.toml"), CAMPAIGN.replace("altitude < 5 m", "altitud < 5 m"));
    const { code, err } = await run("campaign", "wrong.campaign.toml", "-o", "wrong");
    expect(code).toBe(1);
    expect(err).toContain("REQUIRE-002");
    expect(err).toContain('did you mean "altitude"?');
  });

  it("in a measure or a criterion is reported together with all other errors", async () => {
    const wrong = CAMPAIGN.replace("max altitude", "max altitud").replace("P(level)", "P(levl)");
    writeFileSync(join(folder, "wrong.campaign.toml"), wrong);
    const { code, err } = await run("campaign", "wrong.campaign.toml", "-o", "wrong");
    expect(code).toBe(1);
    expect(err).toContain("measures.highest");
    expect(err).toContain("criteria[1]");
  });

  it("in the flight is reported together with an error in the plan", async () => {
    const wrong = CAMPAIGN.replace("endS = 2", "endS = -2").replace("flights = 6", "flight = 6");
    writeFileSync(join(folder, "wrong.campaign.toml"), wrong);
    const { err } = await run("campaign", "wrong.campaign.toml", "-o", "wrong");
    expect(err).toContain("flight.timeline.endS");
    expect(err).toContain("plan.flight");
  });

  it("in a distribution is reported together with an error in the plan", async () => {
    const wrong = CAMPAIGN.replace("[3, 15]", "[15, 3]").replace("flights = 6", "flight = 6");
    writeFileSync(join(folder, "wrong.campaign.toml"), wrong);
    const { err } = await run("campaign", "wrong.campaign.toml", "-o", "wrong");
    expect(err).toContain("vary.wind.w20Mps");
    expect(err).toContain("plan.flight");
  });

  it("in a varied key is reported together with an error in the plan", async () => {
    const wrong = CAMPAIGN.replace('"wind.w20Mps"', '"wind.w20Mp"').replace("flights = 6", "flight = 6");
    writeFileSync(join(folder, "wrong.campaign.toml"), wrong);
    const { err } = await run("campaign", "wrong.campaign.toml", "-o", "wrong");
    expect(err).toMatch(/vary\.wind\.w20Mp, line \d+[^]*did you mean "w20Mps"/);
    expect(err).toContain("plan.flight");
  });

  it.each([
    ["CAMPAIGN-007", ["merge", "gone", "-o", "never"]],
    ["CAMPAIGN-015", ["report", "gone"]],
    ["CAMPAIGN-015", ["diff", "gone", "gone"]],
    ["CAMPAIGN-015", ["judge", "gone", "--require", "never tilt > 45 deg"]],
  ])("%s: a folder that does not exist: %j", async (expected, args) => {
    const { code, err } = await run("campaign", ...args);
    expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(`${expected}  the folder does not exist`))]);
  });

  it("is reported if a range exceeds the valid values of its key", async () => {
    writeFileSync(join(folder, "wrong.campaign.toml"), CAMPAIGN.replace("[3, 15]", "[-3, 15]"));
    const { code, err } = await run("campaign", "wrong.campaign.toml", "-o", "wrong");
    expect([code, err.includes("CAMPAIGN-003")]).toEqual([1, true]);
    expect(err).toContain("vary.wind.w20Mps");
  });
});
