/**
 * Logs a flight with stock PX4: the columns of every log, and the estimate that PX4's own estimator reports.
 *
 * A log with parameters has them at its start, so it is opened only when PX4 has reported all parameters, some seconds
 * into the flight. Rows are kept in memory until the log is opened or a time limit is reached.
 */
import { columnName } from "@escapement/core";
import type { Column, Readable, Sink } from "@escapement/core";
import type { Px4Estimate, VehicleLink } from "./vehicle-link.ts";

const MAX_WAIT_US = 30_000_000;

const NED = ["n", "e", "d"];
const XYZ = ["x", "y", "z"];

function columnsOf(name: string, components: readonly string[], unit: string, about: string): Column[] {
  return components.map((component) => ({ name: columnName(name, component, unit), unit, about }));
}

/** The columns of the estimate, in the order of the arrays in `Px4Estimate`. */
const ESTIMATE_COLUMNS: readonly Column[] = [
  {
    name: columnName("px4EstimateValid", undefined, "flag"),
    unit: "flag",
    about: "Whether PX4 has reported its estimate.",
  },
  ...columnsOf("px4PosNed", NED, "m", "Position that PX4's own estimator reports."),
  ...columnsOf("px4VelNed", NED, "m/s", "Velocity that PX4's own estimator reports."),
  ...columnsOf("px4QBodyToNed", ["w", ...XYZ], "1", "Attitude that PX4's own estimator reports."),
  ...columnsOf("px4RateBody", XYZ, "rad/s", "Body rates that PX4's own estimator reports."),
];

interface HeldRow {
  readonly tUs: number;
  readonly row: Float64Array;
}

export class EstimateLog implements Sink {
  private readonly inner: Sink;
  /** The link may be replaced until the flight begins. */
  private readonly link: () => VehicleLink;
  private readonly onOpen: () => void;
  private columns: readonly Column[] = [];
  private fullRow = new Float64Array(0);
  /** Undefined once the inner log is open. */
  private held: HeldRow[] | undefined = [];
  private waitEndsUs = Infinity;

  /** `onOpen` is called right before the inner log is opened. */
  constructor(inner: Sink, link: () => VehicleLink, onOpen: () => void) {
    this.inner = inner;
    this.link = link;
    this.onOpen = onOpen;
  }

  get neverFull(): boolean {
    return this.inner.neverFull === true;
  }

  get isFull(): boolean {
    return this.held === undefined && this.inner.isFull;
  }

  open(columns: readonly Column[]): void {
    this.columns = [...columns, ...ESTIMATE_COLUMNS];
    this.fullRow = new Float64Array(this.columns.length);
  }

  row(tUs: number, row: Readable): void {
    const { fullRow } = this;
    const flightColumns = fullRow.length - ESTIMATE_COLUMNS.length;
    for (let i = 0; i < flightColumns; i += 1) fullRow[i] = row[i]!;
    writeEstimate(fullRow, flightColumns, this.link().estimate);
    if (this.held === undefined) {
      this.inner.row(tUs, fullRow);
      return;
    }
    if (this.waitEndsUs === Infinity) this.waitEndsUs = tUs + MAX_WAIT_US;
    this.held.push({ tUs, row: fullRow.slice() });
    if (this.inner.holdsParameters !== true || this.link().hasAllParameters || tUs >= this.waitEndsUs)
      this.openInner(this.held);
  }

  drain(): Promise<void> {
    return this.inner.drain();
  }

  async close(): Promise<void> {
    // Without columns the flight has not begun, and the inner log stays empty.
    if (this.held !== undefined && this.columns.length > 0) this.openInner(this.held);
    await this.inner.close();
  }

  private openInner(held: readonly HeldRow[]): void {
    this.held = undefined;
    this.onOpen();
    this.inner.open(this.columns);
    for (const { tUs, row } of held) this.inner.row(tUs, row);
  }
}

function writeEstimate(row: Float64Array, at: number, { isValid, posNed, velNed, qBodyToNed, rateBody }: Px4Estimate) {
  row[at] = isValid ? 1 : 0;
  row.set(posNed, at + 1);
  row.set(velNed, at + 4);
  row.set(qBodyToNed, at + 7);
  row.set(rateBody, at + 11);
}
