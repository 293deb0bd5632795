/** Spans of a flight that its lane shows: modes, gusts and faults. They are read from the log rows. */
import { SENSORS, SIGNALS } from "@escapement/core";
import type { RowsStore } from "../data/rows-store.ts";
import type { ViewFlight } from "../store/view-flight.ts";

interface ModeSpan {
  readonly mode: number;
  readonly fromUs: number;
  readonly toUs: number;
}

interface Band {
  readonly kind: "gust" | "fault";
  readonly fromUs: number;
  readonly toUs: number;
}

interface FlightBands {
  readonly modes: readonly ModeSpan[];
  readonly bands: readonly Band[];
}

const JAMMED = SIGNALS.motorJam.values.jammed;
const known = new WeakMap<RowsStore, { readonly count: number; readonly bands: FlightBands }>();

/** Computed again only when rows have arrived. */
export function bandsOf(flight: ViewFlight): FlightBands {
  const rows = flight.rows.peek();
  const found = known.get(rows);
  if (found?.count === rows.count) return found.bands;
  const { rotors = 0, batteries = 0 } = flight.head.peek() ?? {};
  const bands = {
    modes: modeSpans(rows),
    bands: [...spans(rows, "gust", gustTest(rows)), ...spans(rows, "fault", faultTest(rows, rotors, batteries))],
  };
  known.set(rows, { count: rows.count, bands });
  return bands;
}

function modeSpans(rows: RowsStore): ModeSpan[] {
  const column = rows.place("navState");
  const result: ModeSpan[] = [];
  let start = 0;
  for (let row = 1; row <= rows.count; row += 1) {
    const mode = rows.value(column, start);
    if (row < rows.count && Object.is(rows.value(column, row), mode)) continue;
    result.push({ mode, fromUs: rows.timeUs(start), toUs: rows.timeUs(Math.min(row, rows.count - 1)) });
    start = row;
  }
  return result;
}

type RowTest = (row: number) => boolean;

function gustTest(rows: RowsStore): RowTest {
  const columns = [0, 1, 2].map((i) => rows.place("windGustNed", i));
  return (row) => columns.some((column) => rows.value(column, row) !== 0 && column >= 0);
}

function faultTest(rows: RowsStore, rotors: number, batteries: number): RowTest {
  const differs = (signal: string, i: number, healthy: number): RowTest => {
    const column = rows.place(signal, i);
    return column < 0 ? () => false : (row) => rows.value(column, row) !== healthy;
  };
  const motors = Array.from({ length: rotors }, (_, i) => [
    differs("motorGain", i, 1),
    differs("motorOffset", i, 0),
    differs("motorJam", i, JAMMED === 1 ? 0 : 1),
    differs("propellerChip", i, 0),
    differs("propellerImbalance", i, 0),
  ]).flat();
  const packs = Array.from({ length: batteries }, (_, i) => differs("batteryConnected", i, 1));
  const sensors = SENSORS.map((_, i) => differs("sensorFaultKind", i, 0));
  const tests = [...motors, ...packs, ...sensors];
  return (row) => tests.some((test) => test(row));
}

function spans(rows: RowsStore, kind: Band["kind"], isIn: RowTest): Band[] {
  const result: Band[] = [];
  let fromUs: number | undefined;
  for (let row = 0; row < rows.count; row += 1) {
    const inside = isIn(row);
    if (inside && fromUs === undefined) fromUs = rows.timeUs(row);
    if (!inside && fromUs !== undefined) {
      result.push({ kind, fromUs, toUs: rows.timeUs(row) });
      fromUs = undefined;
    }
  }
  if (fromUs !== undefined) result.push({ kind, fromUs, toUs: rows.lastUs });
  return result;
}
