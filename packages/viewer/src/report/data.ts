/**
 * The data of a flight report: plotted columns, events, faults, waypoints and the flight definition.
 *
 * `makeReport` runs when the page is written; the page itself only reads the result. Columns are float32, because a
 * screen cannot show more digits. The recording keeps the float64 values.
 */
import {
  asFed,
  DUE_BITS,
  type FedRecording,
  type FlightEvent,
  type FlightExtremes,
  type FlightDefinition,
  type Recording,
  type Verdict,
} from "@escapement/core";
import { type Band, BandWatch } from "./bands.ts";
import { FlightColumns, logTicks } from "./columns.ts";
import { contrastOf, type FlightContrast } from "./contrast.ts";
import { type Downsampled, Downsampling } from "./downsample.ts";
import { Stretch } from "./stretch.ts";
import { type ReportVerdict, reportVerdict } from "./verdict-data.ts";
import { type Waypoint, waypointsOf } from "../shared/waypoints.ts";

export interface FlightHead {
  readonly kind: "flight";
  readonly title: string;
  readonly outcome: string;
  readonly reason: string;
  readonly fingerprint: string;
  readonly hash: string;
  readonly version: string;
  /** Describes what an incomplete recording lacks; absent if the recording is complete. */
  readonly missing?: string;
  /** Name of the recording; absent if it is not a file. */
  readonly file?: string;
  /** How the flight differs from the first one of the page; absent for the first. */
  readonly fromFirst?: FlightContrast;
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
  /** Absent if the flight has no requirements. */
  readonly verdicts?: readonly ReportVerdict[];
  readonly definition: FlightDefinition;
  readonly rotors: number;
  readonly bands: readonly Band[];
  readonly waypoints: readonly Waypoint[];
  readonly rows: number;
  /** Number of log rows per bucket. The page has two rows per bucket. The number is 1 if the page has every row. */
  readonly rowsPerBucket: number;
  /** Names of the columns, in the order of `values`. */
  readonly columns: readonly string[];
  /** Unit of each column that has one. */
  readonly units: Readonly<Record<string, string>>;
}

interface ReportSource {
  /** A fed recording is read piece by piece. */
  readonly recording: Recording | FedRecording;
  readonly definition: FlightDefinition;
  readonly outcome: string;
  readonly reason: string;
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
  readonly verdicts?: readonly Verdict[];
  readonly version: string;
  readonly missing?: string;
  readonly file?: string;
  /** The recording of the first flight of the page; absent if this is the first flight. */
  readonly first?: Recording | FedRecording;
  /** Log rows of the longest flight of the page. */
  readonly longestRows?: number;
}

/** One block of a page; `values` holds the columns one after the other. */
export interface ReportBlock<H> {
  readonly head: H;
  readonly values: Float32Array;
}

export type FlightReport = ReportBlock<FlightHead>;

/** Longer flights are downsampled, because a screen has a few thousand pixels. */
const MAX_ROWS = 12_000;

export function makeReport(source: ReportSource): FlightReport {
  const { recording, definition } = source;
  const { columns, rows, rowsPerBucket, bands } = readFlight(asFed(recording), source.longestRows);
  const head: FlightHead = {
    kind: "flight",
    title: definition.name,
    outcome: source.outcome,
    reason: source.reason,
    fingerprint: recording.digests.plant === "" ? "" : `fp1:${recording.digests.plant}`,
    hash: recording.resolvedHash,
    version: source.version,
    ...(source.missing === undefined ? {} : { missing: source.missing }),
    ...(source.file === undefined ? {} : { file: source.file }),
    ...(source.first === undefined ? {} : { fromFirst: contrastOf(source.first, recording) }),
    events: source.events,
    extremes: source.extremes,
    ...(source.verdicts === undefined || source.verdicts.length === 0
      ? {}
      : { verdicts: source.verdicts.map((verdict) => reportVerdict(verdict, recording.endUs)) }),
    definition,
    rotors: recording.dims.rotors,
    bands,
    waypoints: waypointsOf(definition),
    rows,
    rowsPerBucket,
    columns: columns.map(({ name }) => name),
    units: Object.fromEntries(columns.filter(({ unit }) => unit !== "").map(({ name, unit }) => [name, unit])),
  };
  return { head, values: joinColumns(columns, rows) };
}

/** Reads a flight once, stretch by stretch. */
function readFlight(recording: FedRecording, longestRows?: number): Downsampled & { readonly bands: readonly Band[] } {
  const feed = recording.openFeed();
  const { timesUs, due } = recording.boundaries;
  const watch = new BandWatch(recording, feed);
  const rows = logTicks(recording);
  const downsampling = new Downsampling(rows, MAX_ROWS, longestRows);
  const columns = new FlightColumns(recording.dims);
  const stretch = new Stretch(recording, feed, Math.min(rows, downsampling.rowsPerPiece));
  for (let i = 0; i < timesUs.length; i += 1) {
    feed.advanceTo(timesUs[i]!);
    watch.observe(timesUs[i]!);
    if ((due[i]! & DUE_BITS.log) === 0) continue;
    if (stretch.isFull) {
      downsampling.add(columns.of(stretch));
      stretch.clear();
    }
    stretch.take();
  }
  downsampling.add(columns.of(stretch));
  return { ...downsampling.result(), bands: watch.bands() };
}

/** Joins columns into one array. */
export function joinColumns(columns: readonly { readonly values: Float32Array }[], rows: number): Float32Array {
  const values = new Float32Array(columns.length * rows);
  columns.forEach((column, i) => values.set(column.values, i * rows));
  return values;
}
