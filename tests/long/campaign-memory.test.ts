/**
 * A campaign of a million flights needs little memory: rows are streamed from the journal into statistics, table and
 * page. Only the first flight is flown; the other rows are synthetic.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BuiltCommand, buildCommand, waitForEnd } from "../support/command.ts";
import { appendRows } from "../support/synthetic-journal.ts";

const FLIGHTS = 1_000_000;
const MAX_MB = 200;
const CAMPAIGN = `
name = "many"
criteria = ["P(stays near) >= 50 % with 95 % confidence", "no flight fails"]
flight = { extends = "hover", timeline = { endS = 1 } }

[vary]
"vehicle.massKg" = { uniform = [1.4, 1.6] }
"wind.w20Mps" = { uniform = [10, 20] }

[plan]
kind = "random"
flights = ${FLIGHTS}

[[requirements]]
name = "stays near"
text = "never positionError > 0.65 m"

[[requirements]]
text = "never tilt > 60 deg"
`;
/**
 * Prints the peak memory of the process, in kilobytes. `resourceUsage` is not used, because its maximum begins with
 * that of the parent process.
 */
const PRELOAD = `process.on("exit", () => process.stderr.write(
  require("node:fs").readFileSync("/proc/self/status", "utf8").match(/VmHWM:.*kB/)[0],
));`;

let command: BuiltCommand;
let folder: string;

beforeAll(async () => {
  command = await buildCommand();
  folder = mkdtempSync(join(tmpdir(), "escapement-many-"));
  writeFileSync(join(folder, "many.campaign.toml"), CAMPAIGN);
  writeFileSync(join(folder, "memory.cjs"), PRELOAD);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function run(...more: readonly string[]) {
  const args = ["campaign", "many.campaign.toml", "--no-cache", "--exit", "flown", "--json", ...more];
  const child = spawn(process.execPath, ["--require", "./memory.cjs", command.main, ...args], { cwd: folder });
  const ended = await waitForEnd(child);
  return { ...ended, memoryMb: (Number(/VmHWM:\s*(\d+)/.exec(ended.err)?.[1]) * 1024) / 1e6 };
}

it(`a campaign of ${FLIGHTS} flights needs at most ${MAX_MB} MB`, async ({ skip }) => {
  if (process.platform !== "linux") return skip("peak memory is read from /proc");
  // The other flights of the campaign are missing.
  expect((await run("--flights", "0..1")).code).toBe(0);
  appendRows(join(folder, "many", "journal.ndjson"), FLIGHTS);
  const { code, out, err, memoryMb } = await run();
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ flights: FLIGHTS, run: { found: FLIGHTS, flown: 0, missing: 0 } });
  expect(
    readFileSync(join(folder, "many", "results.parquet"))
      .subarray(-4)
      .toString(),
  ).toBe("PAR1");
  expect(statSync(join(folder, "many", "report.html")).size).toBeLessThan(2e6);
  expect(memoryMb).toBeLessThan(MAX_MB);
}, 1_800_000);
