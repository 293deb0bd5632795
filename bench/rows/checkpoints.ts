/**
 * Measures the cost of checkpoints: saving one, keeping them in a recording, their size, and going to an instant of a
 * flight.
 *
 * Each cost is compared with flying in the same process: with boundaries, or with half a second of flight.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coreRegistry, FlightSession, mustResolve, resolveFlight, Run } from "@escapement/core";
import { openRecordingFile } from "@escapement/formats/node";
import { nextCheckpointUs } from "../../packages/core/src/run/session/checkpoint-keeper.ts";
import { encodeCheckpoint } from "../../packages/formats/src/checkpoint/checkpoint.ts";
import { measure, type Variant } from "../measure.ts";
import type { Group, Row } from "./row.ts";

const SAVE: Row = {
  name: "saving a checkpoint",
  about: "Saving a checkpoint of the default mission of the iris into memory, in the air.",
  unit: "ns",
  base: "one boundary of the mission and the interval after it",
  limit: { of: "base", max: 20 },
};
const GOING: Row = {
  name: "going to an instant of a ten-minute flight",
  about: "Random instants of a hover of ten minutes, in a session that has flown it once.",
  unit: "ms",
  base: "half a second of the same flight",
  limit: { of: "base", max: 2 },
};
const RECORDING: Row = {
  name: "recording with checkpoints",
  about:
    "CPU time per second of the default mission of the iris: simulation, recording and the thread that compresses.",
  unit: "ms",
  base: "a second without checkpoints, of the same recording",
  limit: { of: "base", max: 1.05 },
};
const SIZES = [
  { vehicle: "iris", max: 10_000 },
  { vehicle: "octa", max: 16_000 },
].map(({ vehicle, max }) => ({
  vehicle,
  row: {
    name: `bytes per checkpoint, ${vehicle}`,
    about: "A checkpoint in the middle of the default mission.",
    unit: "bytes",
    limit: { of: "value", max },
  } satisfies Row,
}));

const resolved = (spec: object) => mustResolve(resolveFlight({ file: "bench", spec: spec as never }, coreRegistry));

/** Returns the nanoseconds of a save, and of a boundary. */
function measureSaving(effort: Parameters<Group["measure"]>[0]): readonly [save: number, boundary: number] {
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

/** Returns the milliseconds of going to an instant, and of flying half a second. */
function measureGoing(isQuick: boolean): readonly [go: number, fly: number] {
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
  return [median(goMs), median(flyMs)];
}

const BLOCK_US = 1_000_000;

/**
 * Returns the milliseconds of CPU time that a second of a recorded flight takes with and without checkpoints. Seconds
 * with and without them alternate, and the first second alternates from flight to flight, so that other load slows both
 * equally.
 */
async function recordingMs(folder: string, flights: number): Promise<readonly [withThem: number, without: number]> {
  const spent: readonly [number[], number[]] = [[], []];
  const cpuMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const resolvedMission = resolved({ extends: "mission" });
  // The first flights only warm up.
  for (let flight = -2; flight < flights; flight += 1) {
    const recording = await openRecordingFile(join(folder, "flight.mcap"), {
      resolved: resolvedMission.definition,
      resolvedHash: resolvedMission.hash,
      overwrite: true,
      inWorker: true,
    });
    const markUs = Float64Array.of(BLOCK_US);
    let [block, beganMs] = [0, cpuMs()];
    const hasCheckpoints = () => (block + flight) % 2 === 0;
    const onPause = (pause: string) => {
      if (pause !== "mark") return;
      const { nowUs } = run.flight.schedule;
      if (Math.floor(nowUs / BLOCK_US) !== block) {
        const nowMs = cpuMs();
        if (flight >= 0) spent[hasCheckpoints() ? 0 : 1].push(nowMs - beganMs);
        [block, beganMs] = [Math.floor(nowUs / BLOCK_US), nowMs];
      }
      if (hasCheckpoints()) recording.checkpoint(nowUs, run.flight.save());
      markUs[0] = hasCheckpoints() ? nextCheckpointUs(nowUs) : (block + 1) * BLOCK_US;
    };
    const run: Run = new Run(resolvedMission, { sinks: [recording], observers: [recording], markUs, onPause });
    const { plant, fingerprint } = run.assembled;
    recording.prepare({
      dims: plant.dims,
      stateBlocks: plant.layout.blocks,
      digests: () => fingerprint!.result(),
      plantDigest: () => fingerprint!.plantText(),
    });
    await run.toEnd();
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return [mean(spent[0]), mean(spent[1])];
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

export const checkpoints: Group = {
  name: "checkpoints",
  rows: [SAVE, GOING, ...SIZES.map(({ row }) => row), RECORDING],
  measure: async (effort) => {
    const [saveNs, boundaryNs] = measureSaving(effort);
    const [goMs, flyMs] = measureGoing(effort.isQuick);
    const sizes = SIZES.map(({ vehicle, row }) => {
      const session = new FlightSession(resolved({ extends: "mission", vehicle }));
      session.advance(20_000_000);
      return { row: row.name, value: encodeCheckpoint(session.save(), "bench").length, ratios: {} };
    });
    const folder = mkdtempSync(join(tmpdir(), "escapement-bench-"));
    let recorded: readonly [number, number];
    try {
      recorded = await recordingMs(folder, effort.isQuick ? 2 : 20);
    } finally {
      rmSync(folder, { recursive: true });
    }
    return [
      { row: SAVE.name, value: saveNs, ratios: { base: saveNs / boundaryNs } },
      { row: GOING.name, value: goMs, ratios: { base: goMs / flyMs } },
      ...sizes,
      { row: RECORDING.name, value: recorded[0], ratios: { base: recorded[0] / recorded[1] } },
    ];
  },
};
