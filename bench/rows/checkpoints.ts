/**
 * The cost of checkpoints: saving one, keeping them in a recording, their size, and going to an instant of a flight.
 *
 * Each is compared in the same process with the flying that it is measured in: boundaries, or half a second of flight.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coreRegistry, FlightSession, mustResolve, resolveFlight, Run } from "@escapement/core";
import { openRecordingFile } from "@escapement/formats/node";
import { encodeCheckpoint } from "../../packages/formats/src/checkpoint/checkpoint.ts";
import { measure, type Variant } from "../measure.ts";
import type { Group, Row } from "./row.ts";

const SAVE: Row = {
  name: "saving a checkpoint",
  about: "The default mission of the iris in flight. The divisor is one boundary and its interval.",
  unit: "ns",
  base: "one boundary of the mission",
  bar: { of: "base", most: 20 },
};
const GOING: Row = {
  name: "going to an instant of a ten-minute flight",
  about: "Random instants of a hover of ten minutes, in a session that has flown it once.",
  unit: "ms",
  base: "half a second of the same flight",
  bar: { of: "base", most: 2 },
};
const RECORDING: Row = {
  name: "recording with checkpoints",
  about: "The default mission of the iris, from the first boundary to the closed file.",
  unit: "ms",
  base: "the same recording without checkpoints",
  bar: { of: "base", most: 1.05 },
};
const SIZES = [
  { vehicle: "iris", most: 10_000 },
  { vehicle: "octa", most: 16_000 },
].map(({ vehicle, most }) => ({
  vehicle,
  row: {
    name: `bytes per checkpoint, ${vehicle}`,
    about: "A checkpoint in the middle of the default mission.",
    unit: "bytes",
    bar: { of: "value", most },
  } satisfies Row,
}));

const resolved = (spec: object) => mustResolve(resolveFlight({ file: "bench", spec: spec as never }, coreRegistry));

/** Nanoseconds of a save, and of a boundary. */
function saving(effort: Parameters<Group["measure"]>[0]): readonly [save: number, boundary: number] {
  const session = new FlightSession(resolved({ extends: "mission" }), { checkpointEveryUs: 1e12 });
  session.advance(20_000_000);
  const start = session.save();
  const save: Variant = {
    name: "save",
    guessNs: 50_000,
    run: (units) => {
      for (let i = 0; i < units; i += 1) session.save();
      return units;
    },
  };
  const fly: Variant = {
    name: "fly",
    guessNs: 5000,
    prepare: () => session.load(start),
    run: (units) => {
      const before = session.boundary;
      session.advance(session.nowUs + 1000 * Math.min(units, 20_000));
      return session.boundary - before;
    },
  };
  const [saveNs, boundaryNs] = measure([save, fly], effort);
  return [saveNs!, boundaryNs!];
}

/** Milliseconds of going to an instant, and of flying half a second. */
function going(isQuick: boolean): readonly [go: number, fly: number] {
  const endS = isQuick ? 20 : 600;
  const session = new FlightSession(resolved({ extends: "hover", timeline: { endS } }));
  session.advance();
  const goMs: number[] = [];
  const flyMs: number[] = [];
  for (let i = 0; i < (isQuick ? 5 : 200); i += 1) {
    // Multiples of the golden ratio spread evenly over the flight and over the gaps between checkpoints.
    const tUs = Math.floor(((i * 0.618033988749895) % 1) * (endS - 2) * 1000) * 1000;
    const began = performance.now();
    session.rewindTo(tUs);
    const there = performance.now();
    session.advance(session.nowUs + 500_000);
    goMs.push(there - began);
    flyMs.push(performance.now() - there);
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  return [median(goMs), median(flyMs)];
}

/** Milliseconds of a recorded flight. */
async function recordingMs(folder: string, hasCheckpoints: boolean): Promise<number> {
  const flight = resolved({ extends: "mission" });
  const recording = await openRecordingFile(join(folder, "flight.mcap"), {
    resolved: flight.definition,
    resolvedHash: flight.hash,
    overwrite: true,
    inWorker: true,
  });
  const run = new Run(flight, {
    sinks: [recording],
    observers: [recording],
    ...(hasCheckpoints ? { onCheckpoint: (tUs, snapshot) => recording.checkpoint(tUs, snapshot) } : {}),
  });
  const { plant, fingerprint } = run.assembled;
  recording.prepare({
    dims: plant.dims,
    stateBlocks: plant.layout.blocks,
    digests: () => fingerprint!.result(),
    plantDigest: () => fingerprint!.result().plant,
  });
  const began = performance.now();
  await run.toEnd();
  return performance.now() - began;
}

export const checkpoints: Group = {
  name: "checkpoints",
  rows: [SAVE, GOING, ...SIZES.map(({ row }) => row), RECORDING],
  measure: async (effort) => {
    const [saveNs, boundaryNs] = saving(effort);
    const [goMs, flyMs] = going(effort.isQuick);
    const sizes = SIZES.map(({ vehicle, row }) => {
      const session = new FlightSession(resolved({ extends: "mission", vehicle }));
      session.advance(20_000_000);
      return { row: row.name, value: encodeCheckpoint(session.save(), "bench").length, ratios: {} };
    });
    const folder = mkdtempSync(join(tmpdir(), "escapement-bench-"));
    const best = { with: Infinity, without: Infinity };
    try {
      for (let round = 0; round < (effort.isQuick ? 1 : 7); round += 1) {
        best.without = Math.min(best.without, await recordingMs(folder, false));
        best.with = Math.min(best.with, await recordingMs(folder, true));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    return [
      { row: SAVE.name, value: saveNs, ratios: { base: saveNs / boundaryNs } },
      { row: GOING.name, value: goMs, ratios: { base: goMs / flyMs } },
      ...sizes,
      { row: RECORDING.name, value: best.with, ratios: { base: best.with / best.without } },
    ];
  },
};
