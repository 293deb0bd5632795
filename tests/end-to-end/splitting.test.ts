/** Tests a splitting campaign as a user runs it: it is killed, continued, and flown again by number. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countRows, journalRows, kill, resultHashes, untilRows } from "../support/campaign-run.ts";
import { type BuiltCommand, buildCommand, CommandSession } from "../support/command.ts";
import { EARLY_TAKE_OFF, EARLY_TAKE_OFF_TOML } from "../support/early-take-off.ts";
import { tiltsDeg, TURBULENT_HOVER } from "../support/rare-tilt.ts";

/** The flights lift off at 0.7 s, so they are in the air for 1 s. */
const END_S = 1.7;
const [highest, ...others] = tiltsDeg({ ...TURBULENT_HOVER, ...EARLY_TAKE_OFF, timeline: { endS: END_S } });
/** A tilt that some flights exceed and most do not, so that the campaign needs branches, but few levels. */
const TILT_DEG = ((highest! + others.at(-1)!) / 2).toFixed(2);

const CAMPAIGN = `
name = "tilts in turbulence"
criteria = ["P(level) >= 50 % with 95 % confidence"]

[flight]
extends = "hover"
${EARLY_TAKE_OFF_TOML}timeline = { endS = ${END_S} }
wind = { kind = "dryden", w20Mps = ${TURBULENT_HOVER.wind.w20Mps} }

[[requirements]]
name = "level"
text = "never tilt > ${TILT_DEG} deg"

[plan]
kind = "splitting"
particles = 8
share = 0.5
`;

let command: BuiltCommand;
let folder: string;
let session: CommandSession;
const run = (...args: string[]) => session.run(args);

beforeAll(async () => {
  command = await buildCommand();
  folder = mkdtempSync(join(tmpdir(), "escapement-splitting-"));
  session = new CommandSession(command, folder);
  writeFileSync(join(folder, "tilts.campaign.toml"), CAMPAIGN);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("a campaign that splits", () => {
  it("estimates the probability of a violation, and judges its criterion by the interval", async () => {
    const { code, out, err } = await run("campaign", "tilts.campaign.toml", "-o", "whole", "--jobs", "1", "--json");
    expect([0, 5, 6], err).toContain(code);
    const { rareEvent, criteria, flights } = JSON.parse(out);
    expect(flights).toBeGreaterThan(64);
    expect(rareEvent).toMatchObject({ requirement: 0, isComplete: true, undecided: 0, confidence: 0.95 });
    expect(rareEvent.runs).toHaveLength(8);
    expect(rareEvent.low < rareEvent.probability && rareEvent.probability < rareEvent.high).toBe(true);
    expect(criteria[0].estimate).toBe(1 - rareEvent.probability);
    expect([criteria[0].low, criteria[0].high]).toEqual([1 - rareEvent.high, 1 - rareEvent.low]);
  });

  it("has the same results if it was killed and continued, so that branches have lost their checkpoints", async () => {
    const args = ["campaign", "tilts.campaign.toml", "-o", "killed", "--exit", "flown", "--jobs"];
    const child = command.start([...args, "2"], { cwd: folder });
    await untilRows(join(folder, "killed"), 70, child);
    await kill(child);
    const left = countRows(join(folder, "killed"));
    const { code, err } = await run(...args, "1");
    expect(code, err).toBe(0);
    expect(left).toBeLessThan(countRows(join(folder, "whole")));
    expect(resultHashes(join(folder, "killed"))).toEqual(resultHashes(join(folder, "whole")));
  });

  it("has branches that are flown again by their number, from the folder of the run", async () => {
    const row = journalRows(join(folder, "whole")).at(-1)!;
    const { out, err } = await run("fly", `whole#${String(row["k"])}`, "--json");
    expect(JSON.parse(out).fingerprint, err).toBe(row["fingerprint"]);
    const elsewhere = await run("fly", `tilts.campaign.toml#${String(row["k"])}`);
    expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining("CAMPAIGN-008")]);
    expect(elsewhere.err).toContain("escapement fly <folder>#");
  });

  it("cannot be divided into parts or judged again", async () => {
    const part = await run("campaign", "tilts.campaign.toml", "--shard", "1/2", "-o", "part");
    expect([part.code, part.err]).toEqual([1, expect.stringContaining("CAMPAIGN-012")]);
    const judged = await run("campaign", "judge", "whole", "--require", "never tilt > 1 deg");
    expect([judged.code, judged.err]).toEqual([1, expect.stringContaining("CAMPAIGN-012")]);
  });
});
