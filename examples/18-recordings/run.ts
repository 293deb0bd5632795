/** Writes a flight to files and reads them back: series by name, a replay, and the error of another integrator. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fly, openRecording, readSeries, replayFlight } from "escapement";

const folder = mkdtempSync(join(tmpdir(), "recordings-"));
const file = (name: string) => join(folder, name);
const logs = [{ file: file("flight.csv") }, { file: file("flight.ulg") }];
// Physics ticks every millisecond, so that a replay can use a method without step control.
const timeline = { endS: 12, physicsPeriodS: 0.001 };
await fly({ extends: "mission", timeline, outputs: { recording: file("flight.mcap"), logs } });

// A log: one array per column, one series per signal.
const log = await readSeries(file("flight.csv"));
const down = log.column("pos_ned_d_m");
export const highestM = down.reduce((high, d) => Math.max(high, -d), 0);
console.log(`${log.names.length} columns, ${down.length} rows; highest ${highestM.toFixed(2)} m`);

// A ULog has PX4's names, and every topic has its own times.
export const attitude = (await readSeries(file("flight.ulg"))).signal("vehicle_attitude.q");
console.log(`${attitude.timesUs.length} attitudes of ${attitude.size} numbers in the ULog`);

// A recording: the same series, the flight's definition, and a replay that gives the same bits.
const { recording, definition, series } = await openRecording(file("flight.mcap"));
export const windMps = series.signal("windNed");
export const { reproduces } = replayFlight(recording);
console.log(`${definition.name}, seed ${definition.seed}: replayed with ${reproduces ? "the same" : "different"} bits`);

// Where would the vehicle be with Euler's method, under the same commands?
const euler = { ...definition.integrator, kind: "euler" };
const other = replayFlight(recording, { integrator: euler, record: true });
const ends = [recording, other.recording!].map(({ logged }) => logged[0]!.values.slice(-logged[0]!.size));
export const offM = Math.hypot(...[0, 1, 2].map((i) => ends[0]![i]! - ends[1]![i]!));
console.log(`euler ends ${offM.toFixed(3)} m away`);

rmSync(folder, { recursive: true });
