/** A sink that passes on every n-th row, or some of the columns. (The flight itself sets the log rate.) */
import type { Column, Readable } from "@escapement/core";
import { nearestName } from "@escapement/core";
import { logErrors } from "./errors.ts";
import { LogSink } from "./log-sink.ts";

export interface NarrowOptions {
  /** Keeps rows 0, n, 2n … */
  readonly every?: number;
  /** Names of the columns to keep, in this order; all if absent. */
  readonly columns?: readonly string[];
}

export function narrow(sink: LogSink, { every = 1, columns }: NarrowOptions): LogSink {
  return every === 1 && columns === undefined ? sink : new NarrowSink(sink, every, columns);
}

class NarrowSink extends LogSink {
  readonly neverFull: boolean;
  override readonly holdsParameters: boolean;
  private readonly sink: LogSink;
  private readonly every: number;
  private readonly names: readonly string[] | undefined;
  private indices: Int32Array = new Int32Array(0);
  private kept: Float64Array = new Float64Array(0);
  private count = 0;

  constructor(sink: LogSink, every: number, names: readonly string[] | undefined) {
    super();
    this.sink = sink;
    this.every = every;
    this.names = names;
    this.neverFull = sink.neverFull === true;
    this.holdsParameters = sink.holdsParameters;
  }

  get isFull(): boolean {
    return this.sink.isFull;
  }

  open(columns: readonly Column[]): void {
    const kept = this.names?.map((name) => find(name, columns)) ?? columns;
    this.indices = Int32Array.from(kept, (column) => columns.indexOf(column));
    this.kept = new Float64Array(kept.length);
    this.sink.open(kept);
  }

  row(tUs: number, row: Readable): void {
    const isKept = this.count % this.every === 0;
    this.count += 1;
    if (!isKept) return;
    const { indices, kept } = this;
    for (let i = 0; i < indices.length; i += 1) kept[i] = row[indices[i]!]!;
    this.sink.row(tUs, kept);
  }

  drain(): Promise<void> {
    return this.sink.drain();
  }

  protected override finish(): Promise<void> {
    return this.sink.close();
  }

  protected override abandon(): Promise<void> {
    return this.sink.discard();
  }
}

function find(name: string, columns: readonly Column[]): Column {
  const found = columns.find((column) => column.name === name);
  if (found !== undefined) return found;
  const names = columns.map((column) => column.name);
  const near = nearestName(name, names);
  throw logErrors.badColumn({
    what: `this flight has no column "${name}"`,
    fix:
      near === undefined
        ? `choose one of its ${names.length} columns, e.g. ${names.slice(0, 8).join(", ")}`
        : `did you mean "${near}"?`,
  });
}
