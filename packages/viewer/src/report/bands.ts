/**
 * Time spans that are shaded on the plots of a flight: faults, gusts, and motors at their limits.
 *
 * They are read from the held signals, so a band begins and ends exactly at a boundary, however coarse the log is.
 */
import {
  EVENT_TEXTS,
  findStream,
  type Recording,
  SENSORS,
  SIGNALS,
  type Stream,
  StreamCursor,
  valueName,
} from "@escapement/core";

export interface Band {
  readonly kind: "fault" | "gust" | "saturation";
  readonly label: string;
  /** Seconds. */
  readonly from: number;
  readonly to: number;
}

/** Returns the label of the band that a row belongs to; undefined if it belongs to none. */
type Naming = (row: Float64Array) => string | undefined;

const { motorJam: JAM, batteryConnected: BATTERY, sensorFaultKind: FAULT, landDetected: LAND } = SIGNALS;
/** Gaps shorter than this fraction of a flight are invisible, so the bands on both sides are joined. */
const JOINED_FRACTION = 1 / 2000;

export function faultBands(recording: Recording): Band[] {
  const { rotors, batteries } = recording.dims;
  const of = (kind: Band["kind"], signals: readonly string[], naming: Naming) =>
    bandsOf(recording, kind, signals, naming);
  return [
    ...of("gust", ["windGustNed"], (wind) => (wind.some((value) => value !== 0) ? "gust" : undefined)),
    ...count(rotors).flatMap((i) =>
      of("fault", ["motorGain", "motorOffset", "motorJam"], (row) =>
        motorFault(i + 1, row[i]!, row[rotors + i]!, row[2 * rotors + i]!),
      ),
    ),
    ...count(rotors).flatMap((i) => [
      ...of("fault", ["propellerChip"], ({ [i]: share }) =>
        share! > 0 ? EVENT_TEXTS.propellerChipped({ motor: i + 1, share: share! }) : undefined,
      ),
      ...of("fault", ["propellerImbalance"], ({ [i]: imbalance }) =>
        imbalance! > 0 ? EVENT_TEXTS.propellerUnbalanced({ motor: i + 1, imbalanceGmm: imbalance! * 1e6 }) : undefined,
      ),
    ]),
    ...count(batteries).flatMap((i) =>
      of("fault", ["batteryConnected"], (row) =>
        row[i] === BATTERY.values.connected ? undefined : EVENT_TEXTS.batteryOff({ battery: i + 1 }),
      ),
    ),
    ...SENSORS.flatMap((sensor, i) =>
      of("fault", ["sensorFaultKind"], (row) =>
        row[i] === FAULT.values.healthy
          ? undefined
          : EVENT_TEXTS.sensorFault({ sensor, fault: valueName("sensorFaultKind", row[i]!) }),
      ),
    ),
  ].sort((a, b) => a.from - b.from);
}

function motorFault(motor: number, gain: number, offset: number, jam: number): string | undefined {
  if (jam === JAM.values.jammed) return EVENT_TEXTS.motorJammed({ motor });
  if (gain === 0) {
    return offset === 0 ? EVENT_TEXTS.motorOff({ motor }) : EVENT_TEXTS.motorStuck({ motor, duty: offset });
  }
  if (gain !== 1) return EVENT_TEXTS.motorLoss({ motor, gain });
  return offset === 0 ? undefined : EVENT_TEXTS.motorNoisy({ motor });
}

/** Returns the spans in which the autopilot demands more than the motors can deliver, or a motor is at full duty. */
export function saturationBands(recording: Recording): Band[] {
  const { rotors } = recording.dims;
  // Ignore the demand on the ground, where an idling controller's demand is meaningless.
  const unmet = bandsOf(recording, "saturation", ["unallocated", "landDetected"], (row) =>
    row[4] === LAND.values["in the air"] && row.slice(0, 4).some((value) => Math.abs(value) > 1e-6)
      ? "demand not met"
      : undefined,
  );
  const full = count(rotors).flatMap((i) =>
    bandsOf(recording, "saturation", ["motorCommand"], (row) =>
      row[i]! >= 1 ? `motor ${i + 1} at its limit` : undefined,
    ),
  );
  return [...unmet, ...full].sort((a, b) => a.from - b.from);
}

/** Returns the spans over which the label stays the same. `naming` gets one row with the values of all `signals`. */
function bandsOf(recording: Recording, kind: Band["kind"], signals: readonly string[], naming: Naming): Band[] {
  const rows = new RowCursor(signals.map((signal) => findStream(recording, signal)));
  const bands: Band[] = [];
  let open: { label: string; from: number } | undefined;
  const close = (to: number) => {
    if (open !== undefined) bands.push({ kind, label: open.label, from: open.from, to });
    open = undefined;
  };
  for (let tUs = rows.next(); tUs !== undefined; tUs = rows.next()) {
    const label = naming(rows.row);
    if (label === open?.label) continue;
    close(tUs / 1e6);
    if (label !== undefined) open = { label, from: tUs / 1e6 };
  }
  close(recording.endUs / 1e6);
  return joinOverGaps(bands, (JOINED_FRACTION * recording.endUs) / 1e6);
}

/** Reads several streams forward together, into one row. */
class RowCursor {
  readonly row: Float64Array;
  private readonly cursors: readonly StreamCursor[];

  constructor(streams: readonly Stream[]) {
    this.cursors = streams.map((stream) => new StreamCursor(stream));
    this.row = new Float64Array(streams.reduce((size, stream) => size + stream.size, 0));
  }

  /** Advances to the next time at which a stream changes and returns it; `row` then holds the values at that time. */
  next(): number | undefined {
    const tUs = Math.min(...this.cursors.map(({ nextUs }) => nextUs));
    if (tUs === Infinity) return undefined;
    let offset = 0;
    for (const cursor of this.cursors) {
      if (cursor.advanceTo(tUs)) cursor.copyInto(this.row, offset);
      offset += cursor.stream.size;
    }
    return tUs;
  }
}

function joinOverGaps(bands: readonly Band[], gapS: number): Band[] {
  const result: Band[] = [];
  for (const band of bands) {
    const last = result[result.length - 1];
    if (last !== undefined && last.label === band.label && band.from - last.to <= gapS) {
      result[result.length - 1] = { ...last, to: band.to };
    } else result.push(band);
  }
  return result;
}

function count(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
