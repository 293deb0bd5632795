/**
 * The boundary order (law 3): the stages of a boundary, and the due bits that trigger each.
 *
 * The lists `DUE_NAMES` and `STAGES` determine the due bits, the dispatch in `Boundary` (one method per stage name),
 * the due sets in recordings, and the stage table in `docs/contract.md`. If a name is added to a list but not handled,
 * the code does not compile.
 */
import { SIGNAL_NAMES, signalSpec, type Writer } from "../signals/table.ts";

/** Raw sensors, in the order in which they run. */
export const SENSOR_WRITERS = [
  "imu",
  "magnetometer",
  "barometer",
  "gnss",
  "airspeed",
  "rangeFinder",
] as const satisfies readonly Writer[];
export type SensorWriter = (typeof SENSOR_WRITERS)[number];

/** Writers that have an axis. The other two are `windSum`, which the engine computes, and `outputs` of the plant. */
export type SourceWriter = "scenario" | "wind" | SensorWriter | "estimator" | "autopilot";

/**
 * The names of the due bits, in bit order. Recordings hold these bits: add a name at the end, even if its stage runs
 * earlier, and never reorder the names. `inserted` is not an axis: it marks a boundary that exists only because it was
 * inserted during the flight.
 */
const DUE_NAMES = [
  "scenario",
  "wind",
  "imu",
  "magnetometer",
  "barometer",
  "gnss",
  "airspeed",
  "rangeFinder",
  "estimator",
  "autopilot",
  "log",
  "physics",
  "inserted",
] as const satisfies readonly (SourceWriter | "log" | "physics" | "inserted")[];
export type DueName = (typeof DUE_NAMES)[number];

/** One bit per name in a due set. */
export const DUE_BITS = Object.fromEntries(DUE_NAMES.map((name, i) => [name, 1 << i])) as Readonly<
  Record<DueName, number>
>;

/** Returns the names in a due set, in the order of their bits. */
export function dueNames(due: number): DueName[] {
  return DUE_NAMES.filter((name) => (due & DUE_BITS[name]) !== 0);
}

/** A mask that every due set matches. */
export const EVERY_BOUNDARY = -1;

const bitsOf = (names: readonly DueName[]): number => names.reduce((bits, name) => bits | DUE_BITS[name], 0);
const SENSORS_DUE = bitsOf(SENSOR_WRITERS);

/** Due bits of the sources that change the total wind. */
export const WIND_DUE = bitsOf(["scenario", "wind"]);

/** Returns the due bits of the sources that can change those signals of a writer that are inputs of the plant. */
export function dueBitsThatChange(writer: Writer): number {
  if (writer === "windSum") return WIND_DUE;
  // The plant's outputs change with the state, and none of them is an input.
  return writer === "outputs" ? 0 : DUE_BITS[writer];
}

/** Due bits of the sources that can change the plant's input. */
const INPUT_DUE = SIGNAL_NAMES.map(signalSpec)
  .filter(({ input }) => input === true)
  .reduce((bits, { writer }) => bits | dueBitsThatChange(writer), 0);

export interface Stage {
  readonly name: string;
  /** The stage runs if one of these bits is due. */
  readonly due: number;
  /** A subset of `due`: after the first boundary the stage has work only if one of these bits is due. */
  readonly hasWork?: number;
  readonly duty: string;
}

/** The stages of a boundary, in order. */
export const STAGES = [
  { name: "scenario", due: DUE_BITS.scenario, duty: "events, faults, requests, gusts; decides whether to stop" },
  {
    name: "wind",
    due: EVERY_BOUNDARY,
    hasWork: WIND_DUE,
    duty: "base wind on its axis; base plus gusts at every boundary",
  },
  {
    name: "outputs",
    due: SENSORS_DUE | bitsOf(["estimator", "autopilot", "log"]),
    duty: "algebraic outputs of x⁻ under the new wind and faults and the previous command",
  },
  { name: "estimator", due: SENSORS_DUE | DUE_BITS.estimator, duty: "raw sensors in table order, then the estimate" },
  { name: "telemetry", due: DUE_BITS.autopilot, duty: "probes read what the autopilot is about to see" },
  { name: "autopilot", due: DUE_BITS.autopilot, duty: "the command, checked by the command policy" },
  {
    name: "discontinuities",
    due: EVERY_BOUNDARY,
    hasWork: INPUT_DUE,
    duty: "the input is frozen; at autopilot ticks x⁺ = jump(x⁻)",
  },
  {
    name: "log",
    due: EVERY_BOUNDARY,
    duty: "digests and recorder at every boundary; rows to sinks at log ticks",
  },
] as const satisfies readonly Stage[];
export type StageName = (typeof STAGES)[number]["name"];

/** Indexed by due set: one bit per stage that has work. */
export const STAGES_WITH_WORK = stagesOfSets((bit) =>
  stageBits((stage: Stage) => ((stage.hasWork ?? stage.due) & bit) !== 0),
);
/** Stages that always run at the first boundary. */
export const STAGES_AT_FIRST = stageBits(({ due }) => due === EVERY_BOUNDARY);

/** Returns a table indexed by due set. A set has every stage that any of its bits has. */
function stagesOfSets(stagesOf: (bit: number) => number): Uint16Array {
  const table = new Uint16Array(1 << DUE_NAMES.length);
  for (let due = 1; due < table.length; due += 1) {
    const others = due & (due - 1);
    table[due] = others === 0 ? stagesOf(due) : table[others]! | table[due ^ others]!;
  }
  return table;
}

function stageBits(test: (stage: Stage) => boolean): number {
  return STAGES.reduce((bits, stage, i) => (test(stage) ? bits | (1 << i) : bits), 0);
}
