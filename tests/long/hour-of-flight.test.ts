/**
 * An hour of flight, logged at 250 Hz to CSV and HDF5 and recorded to MCAP by the command: memory stays constant, file
 * sizes stay in bounds, every row is present, and Foxglove's reader finds the end through the index. Takes about a
 * minute on two cores.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McapIndexedReader } from "@mcap/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTable } from "@escapement/formats";
import { buildCommand, type BuiltCommand, waitForEnd } from "../support/command.ts";

const HOUR_S = 3600;
const ROWS = HOUR_S * 250 + 1;
const MEGABYTE = 1e6;
const COLUMNS = [
  ...["n", "e", "d"].flatMap((axis) => [`pos_ned_${axis}_m`, `vel_ned_${axis}_mps`]),
  ...["w", "x", "y", "z"].map((part) => `q_body_to_ned_${part}`),
  ...[1, 2, 3, 4].map((motor) => `motor_command_${motor}`),
  "battery_voltage_v",
];

const folder = mkdtempSync(join(tmpdir(), "escapement-hour-"));
const file = (name: string) => join(folder, name);
let command: BuiltCommand;
/** Resident memory of the command in megabytes, sampled every second. */
const memory: number[] = [];

/** A hover with a large battery and few columns, because only the number of rows matters. */
const FLIGHT = {
  extends: "hover",
  name: "hour",
  vehicle: { extends: "iris", batteries: [{ capacityAh: 500, ocvSoc: [0, 1], ocvV: [11, 12.6], resistanceOhm: 0.02 }] },
  timeline: { endS: HOUR_S, logPeriodS: 0.004 },
  outputs: { recording: "hour.mcap", logs: ["hour.csv", "hour.h5"].map((name) => ({ file: name, columns: COLUMNS })) },
};

/** Returns the resident memory of a process in megabytes; undefined if there is no /proc. */
function residentOf(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const kilobytes = /VmRSS:\s+(\d+) kB/.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1e3;
  } catch {
    return undefined;
  }
}

/** Runs the command in the folder and appends its resident memory to `samples` every second. */
async function run(args: readonly string[], samples: number[]): Promise<string> {
  const child = command.start([...args], { cwd: folder });
  const timer = setInterval(() => {
    const now = residentOf(child.pid);
    if (now !== undefined) samples.push(now);
  }, 1000);
  const { code, err, out } = await waitForEnd(child);
  clearInterval(timer);
  expect([code, err]).toEqual([0, ""]);
  return out;
}

beforeAll(async () => {
  command = await buildCommand();
  writeFileSync(file("hour.json"), JSON.stringify(FLIGHT));
  const out = await run(["fly", "hour.json", "--json"], memory);
  expect(JSON.parse(out)).toMatchObject({ outcome: "completed", endS: HOUR_S });
}, 1_200_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("an hour of flight at 250 Hz", () => {
  it("needs no more memory at its end than near its beginning", ({ skip }) => {
    if (memory.length < 10) return skip("no /proc to read memory from, or too few samples");
    const early = Math.max(...memory.slice(0, Math.ceil(memory.length / 5)));
    expect(Math.max(...memory)).toBeLessThan(early + 120);
    expect(Math.max(...memory)).toBeLessThan(600);
  });

  it(
    "is replayed, judged, reported, compared, inspected and branched in less than 600 MB",
    { timeout: 900_000 },
    async () => {
      const samples: number[] = [];
      expect(await run(["replay", "hour.mcap"], samples)).toMatch(/^the same bits/);
      expect(await run(["require", "hour.mcap", "never tilt > 30 deg"], samples)).toMatch(/holds/);
      expect(await run(["report", "hour.mcap", "-o", "hour.html"], samples)).toMatch(/hour\.html/);
      expect(await run(["diff", "hour.mcap", "hour.mcap"], samples)).toMatch(/^the same bits/);
      expect(await run(["goto", "hour.mcap", "--at", "3590"], samples)).toMatch(/3590/);
      const branch = ["branch", "hour.mcap", "--at", "3590", "--event", "land"];
      expect(await run(branch, samples)).toMatch(/as flown/);
      for (const megabytes of samples) expect(megabytes).toBeLessThan(600);
    },
  );

  it("stays within its size limits on disk", () => {
    const sizes = ["hour.csv", "hour.h5", "hour.mcap"].map((name) => statSync(file(name)).size / MEGABYTE);
    expect(sizes[0]).toBeLessThan(400);
    expect(sizes[1]).toBeLessThan(200);
    expect(sizes[2]).toBeLessThan(900);
  });

  it("has every row in HDF5, up to the last", async () => {
    const { columns } = await readTable(readFileSync(file("hour.h5")));
    const times = columns.get("time_us")!;
    expect([times.length, times[1], times[ROWS - 1]]).toEqual([ROWS, 4000, HOUR_S * 1e6]);
    expect(Math.abs(columns.get("pos_ned_d_m")![ROWS - 1]! + 10)).toBeLessThan(1);
  });

  it("has every row in CSV, and the number of rows at the end", () => {
    const fd = openSync(file("hour.csv"), "r");
    const tail = Buffer.alloc(2000);
    readSync(fd, tail, 0, tail.length, statSync(file("hour.csv")).size - tail.length);
    closeSync(fd);
    const lines = tail.toString().trimEnd().split("\n");
    expect(lines.at(-1)).toMatch(new RegExp(`^# rows = ${ROWS}, crc32 = [0-9a-f]{8}$`));
    expect(lines.at(-2)).toMatch(/^3600000000,/);
  });

  it("has every log tick in the recording, found through the index by Foxglove's reader", async () => {
    const fd = openSync(file("hour.mcap"), "r");
    try {
      const reader = await McapIndexedReader.Initialize({
        readable: {
          size: async () => BigInt(statSync(file("hour.mcap")).size),
          read: async (offset: bigint, size: bigint) => {
            const bytes = new Uint8Array(Number(size));
            readSync(fd, bytes, 0, bytes.length, Number(offset));
            return bytes;
          },
        },
      });
      const state = [...reader.channelsById.values()].find(({ topic }) => topic === "/state")!;
      expect(reader.statistics?.channelMessageCounts.get(state.id)).toBe(BigInt(ROWS));
      expect(reader.statistics?.messageEndTime).toBe(BigInt(HOUR_S) * 1_000_000_000n);
      expect([...reader.attachmentIndexes].map(({ name }) => name)).toContain("digests.json");
    } finally {
      closeSync(fd);
    }
  });
});
