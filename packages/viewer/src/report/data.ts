/**
 * What a report page holds: the rows of a flight reduced to what is plotted, its events, and the flight itself.
 *
 * Made from a recording where the page is written, read where it is shown; both sides share this file and nothing else.
 * Columns are float32, because a screen shows no more; the numbers themselves stay in the recording.
 */
import {
  findStream,
  type FlightEvent,
  type FlightExtremes,
  type Flown,
  type Recording,
  sampleHoldInto,
  type Stream,
} from "@escapement/core";

export interface ReportHead {
  readonly title: string;
  readonly outcome: string;
  readonly reason: string;
  readonly fingerprint: string;
  readonly hash: string;
  readonly version: string;
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
  readonly flown: Flown;
  readonly rotors: number;
  readonly rows: number;
  /** Names of the columns, in the order in which they follow each other. */
  readonly columns: readonly string[];
}

export interface ReportSource {
  readonly recording: Recording;
  readonly flown: Flown;
  readonly outcome: string;
  readonly reason: string;
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
  readonly version: string;
}

export interface Report {
  readonly head: ReportHead;
  /** Column after column. */
  readonly values: Float32Array;
}

/** More rows than this are thinned evenly: a screen has a few thousand pixels. */
const MOST_ROWS = 12_000;
const DEG = 180 / Math.PI;

export function makeReport(source: ReportSource): Report {
  const { recording, flown } = source;
  const state = findStream(recording, "state");
  const stride = Math.max(1, Math.ceil(state.timesUs.length / MOST_ROWS));
  const rows = Array.from({ length: Math.ceil(state.timesUs.length / stride) }, (_, i) => i * stride);
  const columns = new ColumnMaker(recording, state, rows);
  columns.fill();
  return {
    head: {
      title: flown.name,
      outcome: source.outcome,
      reason: source.reason,
      fingerprint: `fp1:${recording.digests.plant}`,
      hash: recording.resolvedHash,
      version: source.version,
      events: source.events,
      extremes: source.extremes,
      flown,
      rotors: recording.dims.rotors,
      rows: rows.length,
      columns: columns.names,
    },
    values: columns.joined(),
  };
}

/** Collects columns by name, each sampled at the chosen log ticks. */
class ColumnMaker {
  readonly names: string[] = [];
  private readonly columns: Float32Array[] = [];
  private readonly recording: Recording;
  private readonly state: Stream;
  private readonly rows: readonly number[];

  constructor(recording: Recording, state: Stream, rows: readonly number[]) {
    this.recording = recording;
    this.state = state;
    this.rows = rows;
  }

  fill(): void {
    this.add("t", (_x, tUs) => tUs / 1e6);
    this.addState("pos", "posNed", 3);
    this.addState("vel", "velNed", 3);
    this.addState("rate", "rateBody", 3, DEG);
    this.addAttitude("att", (row) => this.stateAt("qBodyToNed", row));
    this.addSignal("setPos", "setPosNed", 3);
    this.addSignal("setRate", "setRateBody", 3, DEG);
    this.addAttitude("setAtt", (_row, tUs) => this.held("setQBodyToNed", tUs));
    this.addSignal("valid", "setpointValid", 1);
    this.addSignal("nav", "navState", 1);
    this.addSignal("motor", "motorCommand", this.recording.dims.rotors);
    this.addSignal("voltage", "batteryVoltage", Math.min(1, this.recording.dims.batteries));
    this.addSignal("current", "batteryCurrent", Math.min(1, this.recording.dims.batteries));
    this.addSignal("remaining", "batteryRemaining", Math.min(1, this.recording.dims.batteries));
    this.addSignal("wind", "windBaseNed", 3);
    this.addSignal("gust", "windGustNed", 3);
  }

  joined(): Float32Array {
    const values = new Float32Array(this.columns.length * this.rows.length);
    this.columns.forEach((column, i) => values.set(column, i * this.rows.length));
    return values;
  }

  private add(name: string, valueAt: (row: number, tUs: number) => number): void {
    this.names.push(name);
    this.columns.push(Float32Array.from(this.rows, (row) => valueAt(row, this.state.timesUs[row]!)));
  }

  private addState(name: string, block: string, size: number, factor = 1): void {
    for (let i = 0; i < size; i += 1) this.add(`${name}${i}`, (row) => factor * (this.stateAt(block, row)[i] ?? 0));
  }

  private addSignal(name: string, signal: string, size: number, factor = 1): void {
    for (let i = 0; i < size; i += 1) this.add(`${name}${i}`, (_row, tUs) => factor * (this.held(signal, tUs)[i] ?? 0));
  }

  /** Roll, pitch and yaw in degrees. */
  private addAttitude(name: string, quaternionAt: (row: number, tUs: number) => Float64Array): void {
    for (let i = 0; i < 3; i += 1) this.add(`${name}${i}`, (row, tUs) => eulerDeg(quaternionAt(row, tUs))[i]!);
  }

  private stateAt(block: string, row: number): Float64Array {
    let offset = 0;
    for (const { name, size } of this.recording.stateBlocks) {
      if (name === block) return this.state.values.subarray(row * this.state.size + offset, row * this.state.size + offset + size);
      offset += size;
    }
    return new Float64Array(0);
  }

  private held(signal: string, tUs: number): Float64Array {
    const stream = findStream(this.recording, signal);
    const out = new Float64Array(stream.size);
    if (stream.timesUs.length > 0 && stream.timesUs[0]! <= tUs) sampleHoldInto(out, stream, tUs);
    return out;
  }
}

function eulerDeg(q: Float64Array): [number, number, number] {
  const [w = 1, x = 0, y = 0, z = 0] = q;
  const roll = Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  const pitch = Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x))));
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  return [roll * DEG, pitch * DEG, yaw * DEG];
}
