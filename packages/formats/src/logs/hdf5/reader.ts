/** Reads HDF5 logs into typed arrays, through h5wasm's in-memory file system. */
import { SimError } from "@escapement/core";
import { ReadBudget, type ReadLimits } from "../../bytes/read-budget.ts";
import { logErrors } from "../errors.ts";
import { isWholeHdf5 } from "./end.ts";
import {
  HDF5_COLUMNS_KEY,
  HDF5_FORMAT_KEY,
  HDF5_FORMAT_VERSION,
  HDF5_KEYS,
  HDF5_PROVENANCE_KEY,
  HDF5_ROWS_KEY,
  loadHdf5,
  type Hdf5Library,
} from "./sink.ts";
import type { Table } from "../rows.ts";

type File = import("h5wasm").File;

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
let fileCount = 0;

export async function readHdf5(bytes: Uint8Array, file = "log.h5", limits: ReadLimits = {}): Promise<Table> {
  if (SIGNATURE.some((byte, i) => bytes[i] !== byte)) {
    throw logErrors.notALog({ what: "the first bytes are not those of HDF5", where: { file }, fix: "give a .h5 file" });
  }
  if (!isWholeHdf5(bytes)) {
    throw logErrors.damaged({
      what: "the file does not end with its own checksum: it was cut short or changed, or it is not an Escapement log",
      where: { file },
      fix: "convert the recording again",
    });
  }
  const { library, FS } = await loadHdf5(() => import("h5wasm"));
  fileCount += 1;
  const path = `/log-${fileCount}.h5`;
  FS.writeFile(path, bytes);
  try {
    return readFile(library, path, new ReadBudget(bytes.length, file, limits), file);
  } finally {
    FS.unlink(path);
  }
}

function readFile(library: Hdf5Library, path: string, budget: ReadBudget, name: string): Table {
  const where = { file: name };
  let handle: File | undefined;
  try {
    handle = new library.File(path, "r");
    const attributes = new Map(Object.entries(handle.attrs).map(([key, attribute]) => [key, attribute.value]));
    const version = attributes.get(HDF5_FORMAT_KEY);
    if (version !== HDF5_FORMAT_VERSION) {
      const make = version === undefined ? logErrors.notALog : logErrors.wrongVersion;
      throw make({
        what:
          version === undefined
            ? "the file is HDF5, but not an Escapement log"
            : `the log has the unsupported format version ${String(version)}`,
        where,
        fix: "give a log written by this version of Escapement",
      });
    }
    return tableOf(handle, attributes, budget);
  } catch (cause) {
    if (cause instanceof SimError) throw cause;
    throw logErrors.damaged({ what: "the HDF5 file is damaged", where, fix: "convert the recording again", cause });
  } finally {
    closeQuietly(handle);
  }
}

/** Closes the file. Ignores an error: closing a damaged file may fail too, and only the first error is reported. */
function closeQuietly(handle: File | undefined): void {
  try {
    handle?.close();
  } catch {
    // The file is removed from memory in any case.
  }
}

function tableOf(handle: File, attributes: Map<string, unknown>, budget: ReadBudget): Table {
  const names = String(attributes.get(HDF5_COLUMNS_KEY)).split(",");
  const rows = Number(attributes.get(HDF5_ROWS_KEY));
  const columns = new Map<string, Float64Array>();
  const units = new Map<string, string>();
  const abouts = new Map<string, string>();
  for (const name of names) {
    const dataset = handle.get(name);
    if (dataset === null || !("value" in dataset)) throw new RangeError(`no dataset ${name}`);
    // The library allocates the whole dataset, even if the file is small.
    budget.spendWhole(8 * (dataset.shape ?? []).reduce((size, length) => size * length, 1));
    const { value } = dataset;
    if (!(value instanceof Float64Array) || value.length !== rows)
      throw new RangeError(`dataset ${name} has the wrong type or length`);
    columns.set(name, value);
    units.set(name, String(dataset.attrs["unit"]?.value));
    abouts.set(name, String(dataset.attrs["about"]?.value));
  }
  const order = String(attributes.get(HDF5_PROVENANCE_KEY) ?? "").split(",");
  const keys = [...attributes.keys()].filter((key) => !HDF5_KEYS.includes(key));
  keys.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const provenance = Object.fromEntries(keys.map((key) => [key, String(attributes.get(key))]));
  return { columns, units, abouts, provenance };
}
