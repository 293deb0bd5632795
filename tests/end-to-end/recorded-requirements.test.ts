/** A recording is judged by the requirements of its flight, by every command that judges. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRecording } from "escapement";
import { buildCommand, CommandSession } from "../support/command.ts";

const FLIGHT = `extends = "hover"
timeline = { endS = 8 }

[[scenario]]
name = "weak"
at = "7 s"
for = "0.5 s"
motorLoss = { motor = 2, gain = 0.8 }

[[requirements]]
name = "upright"
text = "never tilt > 1 deg"

[[requirements]]
text = "for 1 s after weak: altitude > 1 m"
severity = "warning"
mustOccur = false
`;
const ADDED = "always altitude < 20 m";

interface Judged {
  readonly fingerprint: string;
  readonly judgedHash: string;
  readonly verdicts: readonly { readonly name: string; readonly verdict: string }[];
}

const folder = mkdtempSync(join(tmpdir(), "escapement-recorded-requirements-"));
const file = (name: string) => join(folder, name);
let command: CommandSession;
let flown: Judged;
const run = (...args: string[]) => command.run(args);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).out) as Judged;

beforeAll(async () => {
  command = new CommandSession(await buildCommand(), folder);
  writeFileSync(file("weak.toml"), FLIGHT);
  flown = await json("fly", "weak.toml", "--require", ADDED, "--record", "weak.mcap");
  await run("fly", "hover", "--until", "1", "--record", "plain.mcap", "--log", "plain.csv");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the requirements of a recorded flight", () => {
  it("are those of its description and of --require, and its definition does not contain them", async () => {
    const { requirements, recording } = await openRecording(file("weak.mcap"));
    expect(requirements.map(({ name, severity, mustOccur }) => [name, severity, mustOccur])).toEqual([
      ["upright", "error", false],
      ["for 1 s after weak: altitude > 1 m", "warning", false],
      [ADDED, "error", false],
    ]);
    expect(JSON.stringify(recording.resolved)).not.toContain("upright");
    expect((await openRecording(file("plain.mcap"))).requirements).toEqual([]);
  });

  it("give `require` the verdicts and the exit code of the flight, bit for bit", async () => {
    expect(flown.verdicts.map(({ verdict }) => verdict)).toEqual(["violated", "holds", "holds"]);
    expect(await json("require", "weak.mcap")).toEqual(flown.verdicts);
    expect((await run("require", "weak.mcap")).code).toBe(5);
  });

  it("are not judged by `require` if others are given", async () => {
    const { code, out } = await run("require", "weak.mcap", ADDED);
    expect([code, out.includes(ADDED), out.includes("upright")]).toEqual([0, true, false]);
  });

  it("must be given to `require` for a recording without them and for a log", async () => {
    for (const [name, what] of [
      ["plain.mcap", "the recording does not contain requirements"],
      ["plain.csv", "a log does not contain requirements"],
    ] as const) {
      const { code, err } = await run("require", name);
      expect([code, err.includes(what), err.includes(`escapement require ${name} 'never`)]).toEqual([2, true, true]);
    }
  });

  it("are on the page of `report`, before those of --require, each of them once", async () => {
    const more = "never tilt > 60 deg";
    const { code } = await run("report", "weak.mcap", "--require", "never tilt > 1 deg", "--require", more);
    expect(code).toBe(0);
    const html = readFileSync(file("weak.html"), "utf8");
    const head = JSON.parse(/id="head-0">(.*?)<\/script>/s.exec(html)![1]!) as Judged;
    expect(head.verdicts.map(({ name, verdict }) => [name, verdict])).toEqual([
      ...flown.verdicts.map(({ name, verdict }) => [name, verdict]),
      [more, "holds"],
    ]);
  });

  it("are listed by `info`", async () => {
    expect((await run("info", "weak.mcap")).out).toMatch(
      /^ {2}requirements {2}upright: never tilt > 1 deg\n {16}for 1 s after weak: altitude > 1 m \(warning\)\n/m,
    );
    expect((await run("info", "plain.mcap")).out).not.toContain("requirements");
    const { requirements } = (await json("info", "weak.mcap")) as unknown as { requirements: readonly object[] };
    expect(requirements).toEqual((await openRecording(file("weak.mcap"))).requirements);
  });

  it("judge the recorded flight when it is flown again, and can be replaced", async () => {
    const again = await json("fly", "weak.mcap", "--record", "again.mcap");
    expect(again).toMatchObject({
      fingerprint: flown.fingerprint,
      judgedHash: flown.judgedHash,
      verdicts: flown.verdicts,
    });
    expect(Buffer.compare(readFileSync(file("again.mcap")), readFileSync(file("weak.mcap")))).toBe(0);
    const other = await json("fly", "weak.mcap", "--set", `requirements=["${ADDED}"]`);
    expect(other.verdicts).toEqual(flown.verdicts.slice(2));
  });

  it("judge a recorded branch, and let `goto` and `branch` continue from checkpoints", async () => {
    const change = ["weak.mcap", "--at", "6", "--event", "motorOff = { motor = 2 }"];
    const { branches } = (await json("branch", ...change)) as unknown as { branches: readonly object[] };
    expect(branches).toMatchObject([{ continuedFromParent: true }]);
    const branch = await json("branch", ...change, "--record", "branch.mcap");
    expect(branch.verdicts.map(({ name }) => name)).toEqual(flown.verdicts.map(({ name }) => name));
    expect(await json("require", "branch.mcap")).toEqual(branch.verdicts);
    expect((await run("goto", "weak.mcap", "--at", "7.2")).code).toBe(0);
  });

  it("are in a recording that was cut short, and are judged as far as it goes", async () => {
    const bytes = readFileSync(file("weak.mcap"));
    writeFileSync(file("cut.mcap"), bytes.subarray(0, bytes.length / 2));
    const { err, out } = await run("require", "cut.mcap", "--json");
    expect(err).toContain("incomplete");
    expect((JSON.parse(out) as Judged["verdicts"]).map(({ name, verdict }) => [name, verdict])).toEqual([
      ["upright", "holds"],
      ["for 1 s after weak: altitude > 1 m", "untested"],
      [ADDED, "holds"],
    ]);
  });
});
