/**
 * Kills writers at random moments, in flights slower and faster than real time. Streamed files must contain everything
 * older than one second of wall time. HDF5 and Parquet writers must leave no file under the final name. A file that
 * existed before must be unchanged.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SimError } from "@escapement/core";
import { readRecording, readTable } from "@escapement/formats";
import { Chance } from "./mutate.ts";

const STREAMED = ["log.csv", "log.ulg", "log.mcap", "flight.mcap"];
const WHOLE = ["log.h5", "log.parquet"];
const OLD = "an old file";
const PACES = [0.1, 1, 8];
const MAX_LOST_US = 1_000_000;
const MAX_DELAY_MS = 4000;

/** Runs a writer and kills it; returns the flight time that it had reached, or −1 if it had not begun. */
function runAndKill(program: string, args: readonly string[], afterMs: number): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    let isTimed = false;
    child.stdout.on("data", (data: Buffer) => {
      text = (text + data.toString()).slice(-200);
      if (!isTimed) setTimeout(() => child.kill("SIGKILL"), afterMs);
      isTimed = true;
    });
    child.once("exit", () => {
      const times = text.split("\n").slice(0, -1);
      resolve(Number(times.at(-1) ?? -1));
    });
  });
}

async function lastTimeUs(path: string): Promise<number> {
  const bytes = readFileSync(path);
  if (path.includes("flight.mcap")) return (await readRecording(bytes)).recording.endUs;
  const { columns } = await readTable(bytes);
  // Time stamps of a ULog are one second later than the flight.
  if (path.includes("log.ulg")) return columns.get("actuator_motors.timestamp")!.at(-1)! - 1_000_000;
  return columns.get("time_us")!.at(-1) ?? -1;
}

/** Kills one writer. Returns one text for each file that was destroyed or that lacks data. */
export async function killOnce(program: string, seed: number, i: number): Promise<string[]> {
  const chance = new Chance(seed, `kill/${i}`);
  const mode = chance.of(["fresh", "overwrite"]);
  const pace = chance.of(PACES);
  // One kill in four comes within the first 20 ms.
  const afterMs = chance.below(4) === 0 ? chance.below(20) : chance.below(MAX_DELAY_MS);
  const folder = mkdtempSync(join(tmpdir(), "escapement-attack-"));
  const faults: string[] = [];
  try {
    if (mode === "overwrite") for (const name of [...STREAMED, ...WHOLE]) writeFileSync(join(folder, name), OLD);
    const reachedUs = await runAndKill(program, [folder, mode, String(pace)], afterMs);
    const partOf = (name: string) =>
      readdirSync(folder).find((file) => file.startsWith(`${name}.`) && file.endsWith(".part"));
    for (const name of STREAMED) {
      const isOld = mode === "overwrite" && readFileSync(join(folder, name), "utf8") === OLD;
      if (mode === "overwrite" && !isOld) faults.push(`${name}: the old file is gone`);
      const written = mode === "overwrite" ? partOf(name) : name;
      if (written === undefined || !existsSync(join(folder, written))) {
        faults.push(`${name}: nothing was written`);
        continue;
      }
      try {
        const lostUs = (reachedUs - (await lastTimeUs(join(folder, written)))) / pace;
        if (lostUs > MAX_LOST_US) faults.push(`${name}: the last ${lostUs / 1e6} s are lost at pace ${pace}`);
      } catch (error) {
        faults.push(`${name}: ${error instanceof SimError ? error.message : String(error)} after ${reachedUs / 1e6} s`);
      }
    }
    for (const name of WHOLE) {
      const path = join(folder, name);
      if (mode === "overwrite" && readFileSync(path, "utf8") !== OLD) faults.push(`${name}: the old file is gone`);
      if (mode === "fresh" && existsSync(path)) faults.push(`${name}: an incomplete file has its name`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return faults;
}
