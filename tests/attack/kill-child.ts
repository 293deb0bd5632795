/**
 * A process that flies at a pace and writes every kind of file until it is killed. It prints the flight time in
 * microseconds after every row. `overwrite` replaces the files that are in the folder.
 */
import { Flight, flyAsync, type Sink } from "@escapement/core";
import { openLogFile, openRecordingFile } from "@escapement/formats/node";
import { DIMS, integrator, motor, springCart } from "../support/flights.ts";

const [folder, mode, paceText] = process.argv.slice(2);
const pace = Number(paceText);
const overwrite = mode === "overwrite";
const plant = springCart();
const logs = await Promise.all(
  ["log.csv", "log.ulg", "log.mcap", "log.h5", "log.parquet"].map((name) =>
    openLogFile(`${folder}/${name}`, { overwrite }),
  ),
);
const recording = await openRecordingFile(`${folder}/flight.mcap`, { overwrite, inWorker: true });
recording.prepare({ dims: DIMS, stateBlocks: plant.layout.blocks });

const startMs = performance.now();
let flownMs = 0;
const clock: Sink = {
  isFull: true,
  open: () => {},
  row: (tUs) => {
    flownMs = tUs / 1e3 / pace;
    process.stdout.write(`${tUs}\n`);
  },
  drain: async () => {},
  close: async () => {},
};
await flyAsync(
  new Flight({
    plant,
    dims: DIMS,
    endUs: 600_000_000,
    logPeriodUs: 20_000,
    integrator: integrator(),
    autopilot: motor(4000, (tUs) => (tUs % 1_000_000) * 1e-6),
    observers: [recording],
    sinks: [recording, ...logs, clock],
  }),
  {
    yieldEvery: 1,
    onPause: async () => {
      const aheadMs = flownMs - (performance.now() - startMs);
      await new Promise((done) => setTimeout(done, Math.max(0, aheadMs)));
    },
  },
);
