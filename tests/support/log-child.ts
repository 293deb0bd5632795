/**
 * A process that logs and records until a test kills it: the flight of a spring, written to CSV, ULog and a recording
 * in the given folder. It prints "ready" when the flight starts.
 */
import { openLogFile, openRecordingFile } from "@escapement/formats/node";
import { Flight, flyAsync } from "@escapement/core";
import { flightColumns, flightRow } from "./flight-columns.ts";
import { DIMS, integrator, motor, springCart } from "./flights.ts";

const folder = process.argv[2]!;
const inWorker = process.argv[3] === "worker";

const columns = flightColumns();
const csv = await openLogFile(`${folder}/log.csv`);
const ulog = await openLogFile(`${folder}/log.ulg`);
csv.open(columns);
ulog.open(columns);
const recording = await openRecordingFile(`${folder}/flight.mcap`, { chunkBytes: 4000, inWorker });
const plant = springCart();
recording.prepare({ dims: DIMS, stateBlocks: plant.layout.blocks });
let rows = 0;
const flight = new Flight({
  plant,
  dims: DIMS,
  endUs: 1e12,
  logPeriodUs: 10_000,
  integrator: integrator(),
  autopilot: motor(4000, (tUs) => (tUs % 1_000_000) * 1e-6),
  observers: [recording],
  sinks: [recording],
});
await flyAsync(flight, {
  yieldEvery: 50,
  onPause: async () => {
    for (let i = 0; i < 10; i += 1) {
      const row = flightRow(columns, rows);
      csv.row(rows * 1000, row);
      ulog.row(rows * 1000, row);
      rows += 1;
    }
    if (rows === 10) process.stdout.write("ready\n");
    await new Promise((done) => setImmediate(done));
  },
});
