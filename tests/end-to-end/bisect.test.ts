/** Tests `bisect` as a user runs it: its JSON and its exit codes. `samples.test.ts` checks the printed text. */
import { beforeAll, describe, expect, it } from "vitest";
import { buildCommand, CommandSession } from "../support/command.ts";

let command: CommandSession;
const run = (...args: string[]) => command.run(["bisect", ...args]);

beforeAll(async () => {
  command = new CommandSession(await buildCommand(), process.cwd());
});

describe("bisect", () => {
  it("prints one JSON document with times in seconds", async () => {
    const setting = ["--set", "timeline.endS=1", "--on", "endS < 2"];
    expect((await run("drop", "hover", ...setting, "--json")).code).toBe(1);
    const { out, err, code } = await run(
      "drop",
      "hover",
      "--set",
      "timeline.endS=8",
      "--on",
      "altitudeMaxM > 2",
      "--json",
    );
    expect([code, err]).toEqual([0, ""]);
    const found = JSON.parse(out);
    expect(found).toMatchObject({
      on: "altitudeMaxM > 2",
      good: { flight: "drop", result: "false" },
      bad: { flight: "hover", result: "true" },
    });
    expect(found.cause.length).toBeGreaterThan(0);
    expect(found.cost.flights).toBeGreaterThan(2);
  });

  it("exits with 2 for a result that does not exist, and with 1 if the results are equal", async () => {
    const unknown = await run("mission", "motor-out", "--on", "luck");
    expect([unknown.code, unknown.out]).toEqual([2, ""]);
    expect(unknown.err).toContain("BISECT-002");
    const same = await run("drop", "drop", "--set", "timeline.endS=0.2");
    expect([same.code, same.out]).toEqual([1, ""]);
    expect(same.err).toContain("these descriptions are equal");
  });
});
