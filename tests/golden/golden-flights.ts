/**
 * The golden flights: every built-in flight, saved as two small files. One file has the fingerprint, outcome and
 * events; the other has a table that a person can diff.
 *
 * The table has one row per second, in common units. Both are compared exactly: the fingerprint shows that something
 * changed, the table shows what.
 */
import {
  eventText,
  flyFlightNow,
  coreRegistry,
  type RecordedFlight,
  mustResolve,
  type RecordedName,
  resolveFlight,
} from "@escapement/core";
import * as math from "@escapement/core/math";

export const goldenNames: readonly string[] = Object.keys(coreRegistry.flights);
/** Flights that only the long tests fly, because they take minutes and exercise nothing new in the engine. */
export const longNames: readonly string[] = ["long-hold"];

const DEG_PER_RAD = 180 / Math.PI;

export interface GoldenFiles {
  /** Digests, outcome and events. */
  readonly summary: string;
  readonly table: string;
}

export function flyGolden(name: string): GoldenFiles {
  const flight = flyFlightNow(mustResolve(resolveFlight({ file: "golden", spec: { extends: name } }, coreRegistry)));
  const { fingerprint, digests, outcome, reason, end, events } = flight;
  const summary = {
    fingerprint,
    outcome,
    reason,
    endS: end.endUs / 1e6,
    boundaries: end.boundaries,
    events: events.map((event) => `${(event.tUs / 1e6).toFixed(3)} ${eventText(event)}`),
    writers: digests.writers,
  };
  return { summary: `${JSON.stringify(summary, null, 2)}\n`, table: tableOf(flight) };
}

interface Column {
  readonly name: string;
  readonly signal: RecordedName;
  readonly decimals: number;
  readonly value: (values: Float64Array) => number;
}

const component = (name: string, signal: RecordedName, i: number, decimals: number, factor = 1): Column => ({
  name,
  signal,
  decimals,
  value: (values) => factor * (values[i] ?? 0),
});

const angle = (name: string, of: (q: Float64Array) => number): Column => ({
  name,
  signal: "qBodyToNed",
  decimals: 3,
  value: (q) => DEG_PER_RAD * of(q),
});

const COLUMNS: readonly Column[] = [
  component("north_m", "posNed", 0, 4),
  component("east_m", "posNed", 1, 4),
  component("altitude_m", "posNed", 2, 4, -1),
  component("vel_north_mps", "velNed", 0, 4),
  component("vel_east_mps", "velNed", 1, 4),
  component("climb_mps", "velNed", 2, 4, -1),
  angle("roll_deg", ([w, x, y, z]) => math.atan2(2 * (w! * x! + y! * z!), 1 - 2 * (x! * x! + y! * y!))),
  angle("pitch_deg", ([w, x, y, z]) => math.asin(Math.max(-1, Math.min(1, 2 * (w! * y! - z! * x!))))),
  angle("yaw_deg", ([w, x, y, z]) => math.atan2(2 * (w! * z! + x! * y!), 1 - 2 * (y! * y! + z! * z!))),
  component("motor_1", "motorCommand", 0, 4),
  component("battery_v", "batteryVoltage", 0, 3),
  component("wind_north_mps", "windBaseNed", 0, 3),
  component("mode", "navState", 0, 0),
];

function tableOf(flight: RecordedFlight): string {
  const lines = [["time_s", ...COLUMNS.map(({ name }) => name)].join(",")];
  const signals = new Map(COLUMNS.map(({ signal }) => [signal, flight.signal(signal)]));
  for (let second = 0; second * 1e6 <= flight.end.endUs; second += 1) {
    const cells = COLUMNS.map(({ signal, value, decimals }) => fixed(value(signals.get(signal)!.at(second)), decimals));
    lines.push([String(second), ...cells].join(","));
  }
  return `${lines.join("\n")}\n`;
}

/** Formats a number, but never as −0.0000, because the sign of a rounded zero has no meaning. */
function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text;
}
