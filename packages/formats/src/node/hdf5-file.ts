/**
 * Writes HDF5 logs on Node. The library writes to the real file, so memory use does not grow with the flight.
 * The file has a temporary name until it is complete.
 */
import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { crc32 } from "../bytes/crc32.ts";
import { hdf5End } from "../logs/hdf5/end.ts";
import { Hdf5Sink, loadHdf5, type Hdf5Output } from "../logs/hdf5/sink.ts";
import type { Provenance } from "../logs/rows.ts";
import { fileErrors } from "../text/file-errors.ts";
import { FileBytes, fileError, type FileOptions, renameToFreeName } from "./file.ts";

export async function openHdf5File(
  path: string,
  provenance: Provenance = {},
  options: Pick<FileOptions, "overwrite"> = {},
): Promise<Hdf5Sink> {
  const { library } = await loadHdf5(() => import("h5wasm/node"));
  return new Hdf5Sink(library, new Hdf5FileOutput(path, options.overwrite === true), provenance);
}

class Hdf5FileOutput implements Hdf5Output {
  readonly path: string;
  private readonly finalPath: string;
  private readonly overwrite: boolean;

  constructor(path: string, overwrite: boolean) {
    this.finalPath = resolve(path);
    this.overwrite = overwrite;
    // Create the file exclusively; the library then opens it.
    this.path = new FileBytes(this.finalPath, { overwrite, whenComplete: true }).release();
  }

  keep(): void {
    try {
      appendEnd(this.path);
      if (this.overwrite) renameSync(this.path, this.finalPath);
      else renameToFreeName(this.path, this.finalPath);
    } catch (error) {
      throw fileError(error, this.finalPath, "could not be completed");
    }
  }

  discard(): void {
    rmSync(this.path, { force: true });
  }

  toError(cause: unknown): Error {
    return fileErrors.writeFailed({
      what: "the HDF5 library could not write",
      where: { file: this.finalPath },
      fix: "check the free space on the disk; a recording can be converted to the log again",
      cause,
    });
  }
}

/** Reads the file again, block by block, and appends its checksum. */
function appendEnd(path: string): void {
  const block = new Uint8Array(1 << 20);
  const fd = openSync(path, "r+");
  try {
    let crc = 0;
    let at = 0;
    for (let count = readSync(fd, block, 0, block.length, at); count > 0;) {
      crc = crc32(block.subarray(0, count), crc);
      at += count;
      count = readSync(fd, block, 0, block.length, at);
    }
    const end = hdf5End(crc);
    for (let done = 0; done < end.length;) done += writeSync(fd, end, done, end.length - done, at + done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
