/** Tests `goto` and `branch` as a user runs them, on recordings with and without checkpoints and on named flights. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeCheckpoint, readRecording } from "@escapement/formats";
import { buildCommand, CommandSession } from "../support/command.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-time-travel-"));
let command: CommandSession;
const run = (...args: string[]) => command.run(args);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).out);

beforeAll(async () => {
  command = new CommandSession(await buildCommand(), folder);
  expect((await run("fly", "motor-out", "--until", "14", "--record", "out.mcap")).err).toBe("");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a recording", () => {
  it("contains a checkpoint of its flight every half second", async () => {
    const { checkpoints, recording } = await readRecording(readFileSync(join(folder, "out.mcap")));
    const lastUs = Math.floor(recording.endUs / 500_000) * 500_000;
    expect(checkpoints.map(({ tUs }) => tUs)).toEqual(
      Array.from({ length: lastUs / 500_000 }, (_, i) => 500_000 * (i + 1)),
    );
    for (const { bytes } of checkpoints) {
      expect(bytes.length).toBeLessThan(10_000);
      expect(decodeCheckpoint(bytes).snapshot.flightHash).toBe(recording.resolvedHash);
    }
  });
});

describe("goto", () => {
  it("shows the recorded state, whether the instant is a time, a boundary or an event", async () => {
    const { recording } = await readRecording(readFileSync(join(folder, "out.mcap")));
    const state = recording.logged.find(({ name }) => name === "state")!;
    const row = state.timesUs.indexOf(6_400_000);
    const there = await json("goto", "out.mcap", "--at", "6.4");
    const values = there.state.flatMap(({ values: block }: { values: number[] }) => block);
    expect(values).toEqual([...state.values.subarray(row * state.size, (row + 1) * state.size)]);
    expect(await json("goto", "out.mcap", "--at", `#${there.boundary}`)).toEqual(there);
    expect(await json("goto", "motor-out", "--at", "6400 ms")).toMatchObject({ state: there.state });
    const armed = await json("goto", "out.mcap", "--at", "armed");
    const autopilot = armed.signals.find(({ writer }: { writer: string }) => writer === "autopilot").values;
    expect(autopilot.find(({ name }: { name: string }) => name === "armed").values).toEqual([1]);
  });

  it("explains the forms of an instant if it cannot find one", async () => {
    const { code, err } = await run("goto", "out.mcap", "--at", "nonsense");
    expect(code).toBe(2);
    expect(err).toContain("CLI-019");
  });

  it("rejects a boundary after the end, and names the last boundary", async () => {
    const { boundary } = await json("goto", "out.mcap", "--at", "9999");
    expect(await run("goto", "out.mcap", "--at", `#${boundary}`)).toMatchObject({ code: 0 });
    const { code, err } = await run("goto", "out.mcap", "--at", `#${boundary + 1}`);
    expect(code).toBe(2);
    expect(err.replace(/\s+/g, " ")).toContain(
      `CLI-019 --at #${boundary + 1} is after the end: the flight has boundaries 0 to ${boundary}`,
    );
  });

  it("shows one screen, and with --all every signal of the parts that the flight has", async () => {
    const { out } = await run("goto", "out.mcap", "--at", "6.4");
    expect(out.trimEnd().split("\n").length).toBeLessThanOrEqual(26);
    expect(out).toMatch(/^ {2}attitude +deg +roll \S+, pitch \S+, yaw \S+$/m);
    const all = (await run("goto", "out.mcap", "--at", "6.4", "--all")).out;
    expect(all).toMatch(/^ {2}estPosNed /m);
    expect(all).not.toContain("gnssLatLon");
  });
});

describe("branch", () => {
  it("reports the fingerprint that the branch's description has when flown from the start", async () => {
    const args = ["branch", "out.mcap", "--at", "6.5", "--event", "land"];
    const { parent, branches } = await json(...args, "--save", "land.toml");
    expect(branches[0]).toMatchObject({ change: "land", continuedFromParent: true });
    expect(branches[0].fingerprint).not.toBe(parent.fingerprint);
    const again = await json("fly", "land.toml");
    expect(again).toMatchObject({ fingerprint: branches[0].fingerprint, flightHash: branches[0].flightHash });
    const recorded = await json(...args, "--record", "land.mcap");
    expect(recorded.fingerprint).toBe(branches[0].fingerprint);
    expect((await run("replay", "land.mcap")).code).toBe(0);
  });

  it("flies several futures, sweeps a value, and removes an event", async () => {
    const futures = await json("branch", "out.mcap", "--at", "4", "--future", "rtl", "--future", "hold");
    expect(futures.branches.map(({ change }: { change: string }) => change)).toEqual(["rtl", "hold"]);
    const event = ["--event", "motorLoss = { motor = 1, gain = 1 }"];
    const swept = await json("branch", "out.mcap", "--at", "4", ...event, "--sweep", "motorLoss.gain=0.5:0.9:3");
    expect(swept.branches.map(({ change }: { change: string }) => change)).toEqual([
      "motorLoss.gain = 0.5",
      "motorLoss.gain = 0.7",
      "motorLoss.gain = 0.9",
    ]);
    const healthy = await json("branch", "out.mcap", "--at", "4", "--without", "0");
    expect(healthy.branches[0]).toMatchObject({ continuedFromParent: true, outcome: "time ran out" });
  });

  it("gives the same result for a flight that was not recorded", async () => {
    const recorded = await json("branch", "out.mcap", "--at", "6.5", "--event", "land");
    const { fingerprint } = recorded.branches[0];
    writeFileSync(join(folder, "own.toml"), 'extends = "motor-out"\n[timeline]\nendS = 14\n');
    const named = await json("branch", "own.toml", "--at", "6.5", "--event", "land");
    expect(named.branches[0]).toMatchObject({ fingerprint });
  });

  it("of a flight with the real PX4 library is flown again, compared up to the instant, and can be replayed", async ({
    skip,
  }) => {
    if ((process.env["PX4_LOCKSTEP_LIB"] ?? "") === "") skip("PX4_LOCKSTEP_LIB is not set");
    const flown = await run("fly", "mission", "--autopilot", "px4-lockstep", "--until", "15", "--record", "px4.mcap");
    expect(flown.code).toBe(3);
    expect(await json("goto", "px4.mcap", "--at", "12")).toMatchObject({ tUs: 12_000_000 });
    const { branches } = await json("branch", "px4.mcap", "--at", "12", "--event", "land", "--record", "px4-land.mcap");
    expect(branches[0].flownFromStartBecause).toContain("every bit up to the instant was compared");
    expect(await run("replay", "px4-land.mcap")).toMatchObject({ code: 0 });
  });

  it.each([
    [["--at", "5", "--event", "motorOf = { motor = 1 }"], "FLIGHT-002", 1],
    [["--at", "5", "--event", 'at = "2 s", rtl = true'], "FLIGHT-031", 1],
    [["--at", "5", "--event", "{{"], "CLI-020", 2],
    [["--at", "5", "--without", "nobody"], "CLI-020", 2],
    [["--at", "5", "--sweep", "gust.x=1"], "CLI-020", 2],
  ] as const)("%j is a typed error", async (args, error, exitCode) => {
    const { code, err } = await run("branch", "out.mcap", ...args);
    expect(err).toContain(error);
    expect(code).toBe(exitCode);
  });
});
