/**
 * What a report page of a flight holds: columns reduced to what is plotted, events, faults, waypoints, the flight.
 *
 * Made from a recording where the page is written, read where it is shown; both sides share this file and nothing else.
 * Columns are float32, because a screen shows no more; the numbers themselves stay in the recording.
 */
import type { FlightEvent, FlightExtremes, FlightDefinition, Recording } from "@escapement/core";
import { type Band, faultBands, saturationBands } from "./bands.ts";
import { flightColumns } from "./columns.ts";
import { thinned } from "./thin.ts";
import { type Waypoint, waypointsOf } from "./waypoints.ts";

export interface FlightHead {
  readonly kind: "flight";
  readonly title: string;
  readonly outcome: string;
  readonly reason: string;
  readonly fingerprint: string;
  readonly hash: string;
  readonly version: string;
  /** What a recording that was cut short lacks. */
  readonly missing?: string;
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
  readonly definition: FlightDefinition;
  readonly rotors: number;
  readonly bands: readonly Band[];
  readonly waypoints: readonly Waypoint[];
  readonly rows: number;
  /** Log rows that two rows of the page stand for; 1 where every row is there. */
  readonly rowsPerBucket: number;
  /** Names of the columns, in the order in which they follow each other. */
  readonly columns: readonly string[];
}

export interface ReportSource {
  readonly recording: Recording;
  readonly definition: FlightDefinition;
  readonly outcome: string;
  readonly reason: string;
  readonly events: readonly FlightEvent[];
  readonly extremes: FlightExtremes;
  readonly version: string;
  readonly missing?: string;
}

/** Head and columns of one block of a page; the columns follow each other in `values`. */
export interface ReportBlock<H> {
  readonly head: H;
  readonly values: Float32Array;
}

export type FlightReport = ReportBlock<FlightHead>;

/** More rows than this are thinned: a screen has a few thousand pixels. */
const MOST_ROWS = 12_000;

export function makeReport(source: ReportSource): FlightReport {
  const { recording, definition } = source;
  const { columns, rows, rowsPerBucket } = thinned(flightColumns(recording), MOST_ROWS);
  const head: FlightHead = {
    kind: "flight",
    title: definition.name,
    outcome: source.outcome,
    reason: source.reason,
    fingerprint: recording.digests.plant === "" ? "" : `fp1:${recording.digests.plant}`,
    hash: recording.resolvedHash,
    version: source.version,
    ...(source.missing === undefined ? {} : { missing: source.missing }),
    events: source.events,
    extremes: source.extremes,
    definition,
    rotors: recording.dims.rotors,
    bands: [...faultBands(recording), ...saturationBands(recording)],
    waypoints: waypointsOf(definition),
    rows,
    rowsPerBucket,
    columns: columns.map(({ name }) => name),
  };
  return { head, values: joined(columns, rows) };
}

/** Columns one after the other. */
export function joined(columns: readonly { readonly values: Float32Array }[], rows: number): Float32Array {
  const values = new Float32Array(columns.length * rows);
  columns.forEach((column, i) => values.set(column.values, i * rows));
  return values;
}
