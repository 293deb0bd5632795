/**
 * What recording and logging cost: the default mission with them on, relative to the same flight without them:
 * `npx tsx --conditions=source bench/recording.ts [rounds]`.
 *
 * Whole flights take turns, from the first boundary to the closed file, and the best of each is compared: a busy machine
 * then costs rounds and not truth. The recording is packed on another thread, as the command does, and on the flying one.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  assemble,
  type AssembleOptions,
  coreRegistry,
  flyAsync,
  mustResolve,
  type ResolvedFlight,
  resolveFlight,
} from "@escapement/core";
import { openLogFile, openRecordingFile } from "@escapement/formats/node";

export interface RecordingRow {
  readonly name: string;
  readonly seconds: number;
  /** To the flight without any of it. */
  readonly ratio: number;
  /** At most; absent where none is set. */
  readonly target?: number;
  /** Of the file, a second of flight. */
  readonly bytesPerS: number;
}

interface Case {
  readonly name: string;
  readonly target?: number;
  readonly file?: string;
  readonly inWorker?: boolean;
  readonly inMemory?: boolean;
}

const CASES: readonly Case[] = [
  { name: "no recording" },
  { name: "recording in memory", inMemory: true },
  { name: "recording to a file, packed on another thread", file: "flight.mcap", inWorker: true, target: 2.0 },
  { name: "recording to a file, packed on the flying thread", file: "flight.mcap" },
  { name: "CSV log of every column at 50 Hz", file: "log.csv" },
  { name: "ULog at 50 Hz", file: "log.ulg" },
];

type Flown = Pick<RecordingRow, "seconds" | "bytesPerS">;

async function fly(
  { flown, hash }: ResolvedFlight,
  folder: string,
  { file, inWorker, inMemory }: Case,
): Promise<Flown> {
  const path = file === undefined ? undefined : join(folder, file);
  const isRecording = path?.endsWith(".mcap") === true;
  const recording = isRecording
    ? await openRecordingFile(path, {
        resolved: flown,
        resolvedHash: hash,
        overwrite: true,
        inWorker: inWorker === true,
      })
    : undefined;
  const log = path === undefined || isRecording ? undefined : await openLogFile(path, { overwrite: true });
  const sink = recording ?? log;
  const options: AssembleOptions = {
    record: inMemory === true,
    ...(sink === undefined ? {} : { sinks: [sink] }),
    ...(recording === undefined ? {} : { observers: [recording] }),
  };
  const { flight, plant, fingerprint } = assemble(flown, coreRegistry, options);
  const plantDigest = () => fingerprint!.result().plant;
  recording?.prepare({
    dims: plant.dims,
    stateBlocks: plant.layout.blocks,
    digests: () => fingerprint!.result(),
    plantDigest,
  });
  const began = process.hrtime.bigint();
  const { endUs } = await flyAsync(flight);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  return { seconds, bytesPerS: path === undefined ? 0 : statSync(path).size / (endUs / 1e6) };
}

export async function recordingRows(rounds = 7): Promise<RecordingRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "escapement-bench-"));
  const resolved = mustResolve(resolveFlight({ file: "bench", spec: { extends: "mission" } }, coreRegistry));
  const best = CASES.map((): Flown => ({ seconds: Infinity, bytesPerS: 0 }));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [i, each] of CASES.entries()) {
        const one = await fly(resolved, folder, each);
        if (one.seconds < best[i]!.seconds) best[i] = one;
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return CASES.map(({ name, target }, i) => ({
    name,
    seconds: best[i]!.seconds,
    ratio: best[i]!.seconds / best[0]!.seconds,
    ...(target === undefined ? {} : { target }),
    bytesPerS: best[i]!.bytesPerS,
  }));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { name, seconds, ratio, target, bytesPerS } of await recordingRows(Number(process.argv[2] ?? 7))) {
    const aim = target === undefined ? "" : `   at most ${target.toFixed(1)}`;
    const size = bytesPerS === 0 ? "" : `   ${(bytesPerS / 1e3).toFixed(1)} kB/s`;
    console.log(`${name.padEnd(52)} ${seconds.toFixed(3)} s   ${ratio.toFixed(2)}×${aim}${size}`);
  }
}
