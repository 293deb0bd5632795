/** The spans of modes, gusts and faults that the lane of a flight shows, read from the log rows. */
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
  /** False if some rows have not been read yet. */
  readonly isComplete: boolean;
}

const JAMMED = SIGNALS.motorJam.values.jammed;
const known = new WeakMap<RowsStore, BandReader>();

/** Number of rows that are read between two readings of the clock. */
const ROWS_PER_CLOCK_READING = 256;

/**
 * Returns the spans of a flight. Reads only rows that have arrived since the last call, until a time of
 * `performance.now()`; with 0 it returns the spans found so far.
 */
export function bandsOf(flight: ViewFlight, untilMs = Infinity): FlightBands {
  const rows = flight.rows.peek();
  let reader = known.get(rows);
  if (reader === undefined || reader.count > rows.count) {
    const { rotors = 0, batteries = 0 } = flight.head.peek() ?? {};
    reader = new BandReader(rows, rotors, batteries);
    known.set(rows, reader);
  }
  return reader.read(untilMs);
}

class BandReader {
  /** Number of rows that were read. */
  count = 0;
  private readonly rows: RowsStore;
  private readonly modes: SpanReader<{ readonly mode: number }>;
  private readonly gusts: SpanReader<Pick<Band, "kind">>;
  private readonly faults: SpanReader<Pick<Band, "kind">>;
  private bands: FlightBands = { modes: [], bands: [], isComplete: true };

  constructor(rows: RowsStore, rotors: number, batteries: number) {
    this.rows = rows;
    const mode = rows.place("navState");
    const [isGust, isFault] = [gustTest(rows), faultTest(rows, rotors, batteries)];
    const [gust, fault]: readonly Pick<Band, "kind">[] = [{ kind: "gust" }, { kind: "fault" }];
    this.modes = new SpanReader(
      rows,
      (row) => ({ mode: rows.value(mode, row) }),
      (a, b) => Object.is(a.mode, b.mode),
    );
    this.gusts = new SpanReader(rows, (row) => (isGust(row) ? gust : undefined));
    this.faults = new SpanReader(rows, (row) => (isFault(row) ? fault : undefined));
  }

  read(untilMs: number): FlightBands {
    const { rows } = this;
    const first = this.count;
    for (; this.count < rows.count; this.count += 1) {
      if (this.count % ROWS_PER_CLOCK_READING === 0 && untilMs !== Infinity && performance.now() >= untilMs) break;
      for (const spans of [this.modes, this.gusts, this.faults]) spans.add(this.count);
    }
    const isComplete = this.count === rows.count;
    if (this.count === first && isComplete === this.bands.isComplete) return this.bands;
    this.bands = { modes: this.modes.all(), bands: [...this.gusts.all(), ...this.faults.all()], isComplete };
    return this.bands;
  }
}

type Span<T> = T & { readonly fromUs: number; readonly toUs: number };

/** Joins consecutive rows of the same kind into spans; rows without a kind belong to no span. */
class SpanReader<T extends object> {
  private readonly rows: RowsStore;
  private readonly kindAt: (row: number) => T | undefined;
  private readonly isSame: (a: T, b: T) => boolean;
  private readonly closed: Span<T>[] = [];
  private open: { readonly kind: T; readonly fromUs: number } | undefined;

  constructor(
    rows: RowsStore,
    kindAt: (row: number) => T | undefined,
    isSame: (a: T, b: T) => boolean = (a, b) => a === b,
  ) {
    this.rows = rows;
    this.kindAt = kindAt;
    this.isSame = isSame;
  }

  add(row: number): void {
    const kind = this.kindAt(row);
    if (kind !== undefined && this.open !== undefined && this.isSame(this.open.kind, kind)) return;
    const tUs = this.rows.timeUs(row);
    if (this.open !== undefined) this.closed.push({ ...this.open.kind, fromUs: this.open.fromUs, toUs: tUs });
    this.open = kind === undefined ? undefined : { kind, fromUs: tUs };
  }

  /** Returns all spans; an open one ends at the last row. */
  all(): readonly Span<T>[] {
    const { open, closed } = this;
    return open === undefined
      ? [...closed]
      : [...closed, { ...open.kind, fromUs: open.fromUs, toUs: this.rows.lastUs }];
  }
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
