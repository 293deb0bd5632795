/** With `--json`, every command prints one JSON document to standard output, and nothing else. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../packages/cli/src/commands/index.ts";
import { buildCommand, CommandSession } from "../support/command.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-json-"));
const propeller = fileURLToPath(new URL("../fixtures/uiuc-apc-sf-10x4.7.csv", import.meta.url));

/** A short run of each command. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  fly: ["good.toml"],
  replay: ["flight.mcap"],
  branch: ["gusty.toml", "--at", "0.2", "--future", "rtl"],
  init: ["new.toml"],
  check: ["good.toml"],
  list: ["winds"],
  trim: ["x500", "--speed", "0"],
  fit: ["propeller", propeller, "--diameter", "0.254"],
  goto: ["flight.mcap", "--at", "0.2"],
  info: ["flight.mcap"],
  require: ["flight.mcap", "never tilt > 60 deg"],
  report: ["flight.mcap", "-o", "flight.html"],
  convert: ["flight.mcap", "flight.csv"],
  recover: ["cut.csv", "-o", "whole.csv"],
  compare: ["flight.mcap", "--integrator", "rk4"],
  diff: ["flight.mcap", "flight.mcap"],
  bisect: ["good.toml", "gusty.toml", "--on", "windMaxMps > 3"],
  shrink: ["gusty.toml", "--require", "never windMps > 2", "-o", "small.toml"],
  tree: ["flight.mcap"],
  campaign: ["two.campaign.toml", "--no-cache", "--jobs", "1"],
  explain: ["FLIGHT-013"],
  doctor: [],
  verify: [],
  schema: [],
  completion: ["bash"],
};

/** Commands that serve or wait for others; the test files named here read their JSON. */
const TESTED_ELSEWHERE = { view: "view-server.test.ts", join: "fleet.test.ts" };

let session: CommandSession;
beforeAll(async () => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const flight = 'extends = "drop"\ntimeline = { endS = 0.6 }\n';
  write("good.toml", flight);
  write("gusty.toml", `${flight}[[scenario]]\nat = "0.1 s"\nfor = "0.3 s"\ngust = { velNedMps = [5, 0, 0] }\n`);
  write(
    "two.campaign.toml",
    '[flight]\nextends = "drop"\ntimeline = { endS = 0.1 }\n[plan]\nkind = "random"\nflights = 2\n',
  );
  session = new CommandSession(await buildCommand(), folder);
  await session.run(["fly", "good.toml", "--record", "flight.mcap", "--log", "log.csv"]);
  const log = readFileSync(join(folder, "log.csv"), "utf8");
  write("cut.csv", log.slice(0, log.length / 2));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("--json", () => {
  it("is tested for every command: a new one needs a line in `RUNS`", () => {
    const tested = [...Object.keys(RUNS), ...Object.keys(TESTED_ELSEWHERE)];
    expect(tested.sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  it.each(Object.entries(RUNS))("%s prints one JSON document", async (name, args) => {
    const { code, out } = await session.run([name, ...args, "--json"]);
    expect(JSON.parse(out)).not.toHaveProperty("errors");
    expect(code).toBe(0);
  });
});
