/**
 * A campaign of 1000 flights: any flight can be flown again by its number, with the bits and verdicts of its row, and
 * the campaign can be run again without flying.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RandomStream } from "@escapement/core";
import { journalRows, resultHashes } from "../support/campaign-run.ts";
import { type BuiltCommand, buildCommand, CommandSession, waitForEnd } from "../support/command.ts";

const FLIGHTS = 1000;
const AGAIN = 200;
/** Limit on the processor time of a run that flies nothing. */
const MAX_IDLE_MS = 2000;
/** Prints the processor time of the process in microseconds; wall time depends on other programs. */
const PRELOAD = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write("processor time " + (user + system));
});`;
const CAMPAIGN = `
name = "hops"
flight = { extends = "hover", timeline = { endS = 3 } }

[plan]
kind = "sobol"
flights = ${FLIGHTS}

[vary]
"wind.w20Mps" = { uniform = [3, 15] }
"vehicle.massKg" = { normal = { mean = 1.5, sigma = 0.05 }, within = [1.35, 1.65] }

[[requirements]]
text = "never tilt > 1 deg"
severity = "warning"
`;

let command: BuiltCommand;
let folder: string;

beforeAll(async () => {
  command = await buildCommand();
  folder = mkdtempSync(join(tmpdir(), "escapement-numbers-"));
  writeFileSync(join(folder, "hops.campaign.toml"), CAMPAIGN);
  writeFileSync(join(folder, "time.cjs"), PRELOAD);
  const { code, err } = await command.run(["campaign", "hops.campaign.toml"], { cwd: folder });
  expect(code, err).toBe(0);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

it(`${AGAIN} of ${FLIGHTS} flights have the bits and verdicts of their rows when they are flown again`, async () => {
  const rows = new Map(journalRows(join(folder, "hops")).map((row) => [row["k"], row]));
  expect(rows.size).toBe(FLIGHTS);
  const random = new RandomStream(1, "numbers");
  const session = new CommandSession(command, folder);
  for (let i = 0; i < AGAIN; i += 1) {
    const k = Math.floor(random.uniform() * FLIGHTS);
    // Every second time, use the folder of the run, which needs no campaign file.
    const { out } = await session.run(["fly", `${i % 2 === 0 ? "hops.campaign.toml" : "hops"}#${k}`, "--json"]);
    const { fingerprint, verdicts } = JSON.parse(out);
    const row = rows.get(k)!;
    const kept = row["verdicts"] as { verdict: string; low: unknown; high: unknown }[];
    expect([k, fingerprint]).toEqual([k, row["fingerprint"]]);
    for (const [j, { verdict, low, high }] of kept.entries()) expect(verdicts[j]).toMatchObject({ verdict, low, high });
  }
});

it.each([
  ["its journal", "hops"],
  ["the cache", "cached"],
])("is run again from %s in at most 2 s, without flying", async (_source, output) => {
  const args = ["campaign", "hops.campaign.toml", "-o", output, "--json"];
  let leastMs = Infinity;
  for (let i = 0; i < 3; i += 1) {
    if (output !== "hops") rmSync(join(folder, output), { recursive: true, force: true });
    const child = spawn(process.execPath, ["--require", "./time.cjs", command.main, ...args], { cwd: folder });
    const { code, out, err } = await waitForEnd(child);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ flights: FLIGHTS, run: { flown: 0, missing: 0 } });
    expect(resultHashes(join(folder, output))).toEqual(resultHashes(join(folder, "hops")));
    leastMs = Math.min(leastMs, Number(/processor time (\d+)/.exec(err)![1]) / 1000);
  }
  expect(leastMs).toBeLessThanOrEqual(MAX_IDLE_MS);
});
