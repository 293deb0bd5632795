/**
 * The boundary order (law 3): the one table from which the loop, the docs and the recorder's due sets derive.
 *
 * At a boundary the stages run from first to last; a stage is due by the axes of those who speak in it. The stage list
 * in `docs/contract.md` is generated from here.
 */
import { SIGNAL_NAMES, signalSpec, type Writer } from "../signals/table.ts";

/** Those whose axis makes them due; one bit each in a due set. */
export const DUE_BITS = {
  scenario: 1 << 0,
  wind: 1 << 1,
  imu: 1 << 2,
  magnetometer: 1 << 3,
  barometer: 1 << 4,
  gnss: 1 << 5,
  airspeed: 1 << 6,
  rangeFinder: 1 << 7,
  estimator: 1 << 8,
  autopilot: 1 << 9,
  log: 1 << 10,
  physics: 1 << 11,
  /** Not an axis: this boundary is one only because it was inserted while flying. */
  inserted: 1 << 12,
} as const satisfies Partial<Record<Writer | "log" | "physics" | "inserted", number>>;
export type DueName = keyof typeof DUE_BITS;

/** Those whose word changes the sum of winds; and the plant's input. */
export const WIND_WRITERS = DUE_BITS.scenario | DUE_BITS.wind;
export const INPUT_WRITERS = SIGNAL_NAMES.map(signalSpec)
  .filter(({ input }) => input === true)
  .reduce((bits, { writer }) => bits | changersOf(writer), 0);

/** Bits of those whose word can change the signals of a writer. */
export function changersOf(writer: Writer): number {
  return writer === "windSum" ? WIND_WRITERS : DUE_BITS[writer as DueName];
}

export const SENSOR_WRITERS = ["imu", "magnetometer", "barometer", "gnss", "airspeed", "rangeFinder"] as const;
export type SensorWriter = (typeof SENSOR_WRITERS)[number];

const SENSORS_DUE = SENSOR_WRITERS.reduce((bits, writer) => bits | DUE_BITS[writer], 0);
/** A due set in which everyone is. */
export const EVERY_BOUNDARY = -1;

export interface Stage {
  readonly name: string;
  /** Bits of which one must be due; every boundary when all are set. */
  readonly due: number;
  readonly duty: string;
}

export const STAGES = [
  { name: "scenario", due: DUE_BITS.scenario, duty: "events, faults, requests, gusts; decides whether to stop" },
  { name: "wind", due: EVERY_BOUNDARY, duty: "base wind on its axis; base plus gusts at every boundary" },
  {
    name: "outputs",
    due: SENSORS_DUE | DUE_BITS.estimator | DUE_BITS.autopilot | DUE_BITS.log,
    duty: "algebraic outputs of x⁻ under the new wind and faults and the previous command",
  },
  { name: "estimator", due: SENSORS_DUE | DUE_BITS.estimator, duty: "raw sensors in table order, then the estimate" },
  { name: "telemetry", due: DUE_BITS.autopilot, duty: "probes read what the autopilot is about to see" },
  { name: "autopilot", due: DUE_BITS.autopilot, duty: "the command, checked by the command policy" },
  { name: "discontinuities", due: EVERY_BOUNDARY, duty: "the input is frozen; at autopilot ticks x⁺ = jump(x⁻)" },
  {
    name: "log",
    due: EVERY_BOUNDARY,
    duty: "digests and recorder at every boundary; rows to sinks where a log tick is due",
  },
] as const satisfies readonly Stage[];
export type StageName = (typeof STAGES)[number]["name"];

/** The names in a due set, in the order of the table above. */
export function dueNames(due: number): DueName[] {
  return (Object.keys(DUE_BITS) as DueName[]).filter((name) => (due & DUE_BITS[name]) !== 0);
}
