/**
 * Measures the cost of recording and logging: the default mission with them, relative to the same flight without them.
 *
 * Whole flights alternate, from the first boundary to the closed file. The recording is compressed on another thread,
 * as in the command, and on the flying thread.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
import type { Group, Row } from "./row.ts";

interface Case {
  readonly row: Row;
  readonly file?: string;
  readonly inWorker?: boolean;
  readonly inMemory?: boolean;
}

function row(name: string, max?: number): Row {
  return {
    name,
    about: "The default mission of the iris, from the first boundary to the closed file.",
    unit: "ms",
    base: "no recording and no log",
    ...(max === undefined ? {} : { limit: { of: "base", max } }),
  };
}

const CASES: readonly Case[] = [
  { row: row("flight without recording or log") },
  { row: row("recording in memory"), inMemory: true },
  { row: row("recording to a file, packed on another thread", 1.3), file: "flight.mcap", inWorker: true },
  { row: row("recording to a file, packed on the flying thread"), file: "flight.mcap" },
  { row: row("CSV log of every column at 50 Hz"), file: "log.csv" },
  { row: row("ULog at 50 Hz"), file: "log.ulg" },
];

/** Flies once. Returns the wall time in milliseconds. */
async function timeFlight(
  resolved: ResolvedFlight,
  folder: string,
  { file, inWorker, inMemory }: Case,
): Promise<number> {
  const path = file === undefined ? undefined : join(folder, file);
  const isRecording = path?.endsWith(".mcap") === true;
  const given = { resolved: resolved.definition, resolvedHash: resolved.hash };
  const recording = isRecording
    ? await openRecordingFile(path, { ...given, overwrite: true, inWorker: inWorker === true })
    : undefined;
  const log = path === undefined || isRecording ? undefined : await openLogFile(path, { overwrite: true });
  const sink = recording ?? log;
  const options: AssembleOptions = {
    record: inMemory === true,
    ...(sink === undefined ? {} : { sinks: [sink] }),
    ...(recording === undefined ? {} : { observers: [recording] }),
  };
  const { flight, plant, fingerprint } = assemble(resolved.definition, coreRegistry, options);
  recording?.prepare({
    dims: plant.dims,
    stateBlocks: plant.layout.blocks,
    digests: () => fingerprint!.result(),
    plantDigest: () => fingerprint!.plantText(),
  });
  const began = process.hrtime.bigint();
  await flyAsync(flight);
  return Number(process.hrtime.bigint() - began) / 1e6;
}

export const recording: Group = {
  name: "recording",
  rows: CASES.map((each) => each.row),
  measure: async ({ isQuick }) => {
    const folder = mkdtempSync(join(tmpdir(), "escapement-bench-"));
    const resolved = mustResolve(resolveFlight({ file: "bench", spec: { extends: "mission" } }, coreRegistry));
    const best = CASES.map(() => Infinity);
    const rounds = isQuick ? 1 : 7;
    try {
      for (let round = 0; round < rounds; round += 1) {
        for (const [i, each] of CASES.entries()) {
          best[i] = Math.min(best[i]!, await timeFlight(resolved, folder, each));
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    return CASES.map((each, i) => ({ row: each.row.name, value: best[i]!, ratios: { base: best[i]! / best[0]! } }));
  },
};
