/**
 * Writes HDF5 logs, with one float64 dataset per column, for MATLAB, h5py and Julia.
 *
 * Every dataset has the attributes `unit` and `about`. The file has the provenance, the order of the columns and,
 * written last, the number of rows. Datasets grow by whole chunks, so memory use is constant. The library stamps the
 * current time into every object, so the clock is frozen while it writes. Identical flights then give identical bytes.
 */
import type { Column, Readable } from "@escapement/core";
import { logErrors } from "../errors.ts";
import { RowBuffer } from "../row-buffer.ts";
import { LogSink } from "../log-sink.ts";
import { checkProvenance, RowGuard, TIME_COLUMN, type Provenance } from "../rows.ts";

/** h5wasm, in its build for Node or for browsers. */
export type Hdf5Library = typeof import("h5wasm");
type Dataset = import("h5wasm").Dataset;
type File = import("h5wasm").File;

export const HDF5_FORMAT_KEY = "escapement_log";
export const HDF5_FORMAT_VERSION = "1";
/** Names of the columns in order, joined by commas. */
export const HDF5_COLUMNS_KEY = "columns";
export const HDF5_ROWS_KEY = "rows";
/** The provenance keys in order, because HDF5 does not keep an order. */
export const HDF5_PROVENANCE_KEY = "provenance";
export const HDF5_KEYS: readonly string[] = [HDF5_FORMAT_KEY, HDF5_COLUMNS_KEY, HDF5_ROWS_KEY, HDF5_PROVENANCE_KEY];

const CHUNK_ROWS = 512;

/**
 * Loads the library and makes it throw its errors instead of printing them. It is an optional dependency of four
 * megabytes, imported only when an HDF5 file is written or read.
 */
export async function loadHdf5(importLibrary: () => Promise<unknown>) {
  let library: Hdf5Library;
  try {
    library = (await importLibrary()) as Hdf5Library;
  } catch (cause) {
    throw logErrors.missingLibrary({
      what: "HDF5 logs need the package h5wasm, which cannot be loaded",
      fix: "run npm install h5wasm, or choose another kind of log",
      cause,
    });
  }
  const module = await library.ready;
  module.activate_throwing_error_handler();
  return { library, FS: module.FS };
}

/** Completes or discards the library's file. */
export interface Hdf5Output {
  /** Name of the file in the library's file system. */
  readonly path: string;
  keep(): void | Promise<void>;
  discard(): void | Promise<void>;
  /** Turns a failure of the library into a typed error. */
  toError(error: unknown): Error;
}

export class Hdf5Sink extends LogSink {
  readonly neverFull = true;
  readonly isFull = false;
  private readonly library: Hdf5Library;
  private readonly place: Hdf5Output;
  private readonly provenance: Provenance;
  private guard: RowGuard | undefined;
  private buffer: RowBuffer | undefined;
  private file: File | undefined;
  private datasets: readonly Dataset[] = [];
  private rows = 0;
  private hasFailed = false;

  constructor(library: Hdf5Library, place: Hdf5Output, provenance: Provenance = {}) {
    super();
    checkProvenance(provenance, HDF5_KEYS);
    this.library = library;
    this.place = place;
    this.provenance = provenance;
  }

  open(columns: readonly Column[]): void {
    this.guard = new RowGuard(columns);
    this.buffer = new RowBuffer(columns.length, CHUNK_ROWS);
    const all = [TIME_COLUMN, ...columns];
    this.write(() => {
      const file = new this.library.File(this.place.path, "w");
      this.file = file;
      file.create_attribute(HDF5_FORMAT_KEY, HDF5_FORMAT_VERSION);
      for (const [key, value] of Object.entries(this.provenance)) file.create_attribute(key, value);
      file.create_attribute(HDF5_PROVENANCE_KEY, Object.keys(this.provenance).join(","));
      file.create_attribute(HDF5_COLUMNS_KEY, all.map((column) => column.name).join(","));
      this.datasets = all.map((column) => createDataset(file, column));
    });
  }

  row(tUs: number, row: Readable): void {
    this.guard!.check(tUs, row);
    this.buffer!.push(tUs, row);
    if (this.buffer!.isFull) this.writeChunk();
  }

  async drain(): Promise<void> {}

  protected override async abandon(): Promise<void> {
    this.closeQuietly();
    await this.place.discard();
  }

  protected override async finish(): Promise<void> {
    const { file } = this;
    if (file === undefined || this.hasFailed) return this.abandon();
    try {
      this.writeChunk();
      this.write(() => {
        file.create_attribute(HDF5_ROWS_KEY, this.rows);
        file.flush();
        file.close();
        this.file = undefined;
      });
    } catch (error) {
      await this.abandon();
      throw error;
    }
    await this.place.keep();
  }

  private writeChunk(): void {
    const { rows, columns } = this.buffer!;
    if (rows === 0) return;
    const end = this.rows + rows;
    this.write(() => {
      this.datasets.forEach((dataset, i) => {
        dataset.resize([end]);
        dataset.write_slice([[this.rows, end]], columns[i]!.subarray(0, rows));
      });
    });
    this.rows = end;
    this.buffer!.clear();
  }

  private write(act: () => void): void {
    try {
      withFrozenClock(act);
    } catch (error) {
      this.hasFailed = true;
      throw this.place.toError(error);
    }
  }

  /** Closes the file. Ignores an error, because the file is then discarded. */
  private closeQuietly(): void {
    try {
      this.file?.close();
    } catch {
      // The file is discarded.
    }
    this.file = undefined;
  }
}

function createDataset(file: File, { name, unit, about }: Column): Dataset {
  const dataset = file.create_dataset({
    name,
    data: new Float64Array(0),
    shape: [0],
    dtype: "<d",
    maxshape: [null],
    chunks: [CHUNK_ROWS],
  });
  dataset.create_attribute("unit", unit);
  dataset.create_attribute("about", about);
  return dataset;
}

/** Runs an action with the clock frozen. The action is synchronous, so no other code runs with the frozen clock. */
function withFrozenClock(act: () => void): void {
  const { now } = Date;
  Date.now = () => 0;
  try {
    act();
  } finally {
    Date.now = now;
  }
}
