/**
 * A file as a byte sink, on Node: the only place of this package that touches a file system.
 *
 * A file is created anew and exclusively, so that two writers on one file are refused; devices and pipes are opened as
 * they are. Writes are synchronous and in order: what was handed over before a crash of this process is in the file.
 * Failures are typed and say how much was written. `whenComplete` shows the file under its name only once it is closed.
 * A file that is replaced stays until there is something to put in its place.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { SimError, type ErrorFactory } from "@escapement/core";
import type { ByteSink } from "../bytes/byte-sink.ts";
import { fileErrors } from "../text/file-errors.ts";

export interface FileOptions {
  /** Replaces a file of that name. */
  readonly overwrite?: boolean;
  /** Writes under another name beside it, which becomes this one on close. */
  readonly whenComplete?: boolean;
}

/** The calls of the operating system that a file needs; replaced in tests that let them fail. */
export interface FileCalls {
  write(fd: number, bytes: Uint8Array, offset: number): number;
  sync(fd: number): void;
}

const CALLS: FileCalls = {
  write: (fd, bytes, offset) => writeSync(fd, bytes, offset),
  sync: (fd) => fsyncSync(fd),
};

export class FileBytes implements ByteSink {
  readonly sync = true;
  readonly path: string;
  /** Where the bytes are: under another name until it is whole, or until there is something to replace the old file with. */
  private placeNow: string;
  private readonly whenComplete: boolean;
  private readonly isRegular: boolean;
  private readonly overwrite: boolean;
  private readonly calls: FileCalls;
  private fd: number | undefined;
  private written = 0;

  constructor(path: string, options: FileOptions = {}, calls: FileCalls = CALLS) {
    const { overwrite = false, whenComplete = false } = options;
    this.path = path;
    this.calls = calls;
    this.overwrite = overwrite;
    this.whenComplete = whenComplete;
    let place = path;
    try {
      this.isRegular = isRegularOrAbsent(path);
      if (this.isRegular && !overwrite) refuseExisting(path);
      // Who overwrites may meet another who does: each writes a file of its own, and the later one's stays, whole.
      if (this.isRegular && overwrite) place = `${path}.${process.pid}.part`;
      else if (this.isRegular && whenComplete) place = `${path}.part`;
      this.fd = openSync(place, this.isRegular ? "wx" : "w");
    } catch (error) {
      throw fileMistake(error, place, "cannot be created");
    }
    this.placeNow = place;
  }

  get bytesWritten(): number {
    return this.written;
  }

  write(bytes: Uint8Array): void {
    if (this.fd === undefined) {
      throw fileErrors.writeFailed({ what: "the file is closed", where: { file: this.path }, fix: "open it again" });
    }
    try {
      if (!this.whenComplete) this.takeName();
      for (let offset = 0; offset < bytes.length;) {
        const count = this.calls.write(this.fd, bytes, offset);
        offset += count;
        this.written += count;
      }
    } catch (error) {
      throw fileMistake(error, this.path, `could not be written on after ${this.written} bytes`);
    }
  }

  close(): void {
    const fd = this.fd;
    if (fd === undefined) return;
    this.fd = undefined;
    try {
      if (this.isRegular) this.calls.sync(fd);
      closeSync(fd);
      if (this.written === 0 && this.overwrite) this.removePart();
      else this.takeName();
    } catch (error) {
      throw fileMistake(error, this.path, `could not be completed after ${this.written} bytes`);
    }
  }

  /** An open file may be renamed: a log that is being written has its name from its first byte. */
  private takeName(): void {
    if (this.placeNow === this.path) return;
    // Between the check at the start and now somebody else may have made one.
    if (!this.overwrite) refuseExisting(this.path);
    renameSync(this.placeNow, this.path);
    this.placeNow = this.path;
  }

  private removePart(): void {
    if (this.placeNow !== this.path) rmSync(this.placeNow, { force: true });
  }

  /** Lets go of the file as it is, for somebody else to write on; gives the name that it has. */
  release(): string {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
    return this.placeNow;
  }

  discard(): void {
    const fd = this.fd;
    if (fd === undefined) return;
    this.fd = undefined;
    closeSync(fd);
    this.removePart();
  }
}

function isRegularOrAbsent(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined || stat.isFile();
}

function refuseExisting(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  throw fileErrors.exists({
    what: "the file is there already",
    where: { file: path },
    fix: "another flight may be writing it; choose another name, or ask for it to be overwritten",
  });
}

const FACTORIES: { readonly [code: string]: { readonly make: ErrorFactory; readonly fix: string } } = {
  EEXIST: { make: fileErrors.exists, fix: "another flight may be writing it; choose another name, or remove it" },
  ENOSPC: { make: fileErrors.noSpace, fix: "make room on the disk; what was written before is readable" },
  EDQUOT: { make: fileErrors.noSpace, fix: "make room in your quota; what was written before is readable" },
  EFBIG: { make: fileErrors.noSpace, fix: "raise the limit of file sizes; what was written before is readable" },
  ENOENT: { make: fileErrors.notFound, fix: "create the folder first, or correct the path" },
  ENOTDIR: { make: fileErrors.notFound, fix: "a part of the path is a file, not a folder" },
  ENAMETOOLONG: { make: fileErrors.notAllowed, fix: "give a shorter name" },
  ELOOP: { make: fileErrors.notAllowed, fix: "the links on the path lead in a circle: correct them" },
  EISDIR: { make: fileErrors.notAllowed, fix: "give the name of a file, not of a folder" },
  EACCES: { make: fileErrors.notAllowed, fix: "choose a folder that you may write to" },
  EPERM: { make: fileErrors.notAllowed, fix: "choose a folder that you may write to" },
  EROFS: { make: fileErrors.notAllowed, fix: "choose a folder on a disk that can be written" },
};

/** A failure of the operating system as a typed error; anything else is our own mistake and goes on as it is. */
export function fileMistake(error: unknown, file: string, what: string): SimError {
  if (error instanceof SimError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (!(error instanceof Error) || code === undefined || !/^E[A-Z0-9]+$/.test(code)) throw error;
  const known = Object.hasOwn(FACTORIES, code) ? FACTORIES[code]! : undefined;
  const { make, fix } = known ?? {
    make: fileErrors.writeFailed,
    fix: "check the disk; what was written before is readable",
  };
  return make({ what: `the file ${what} (${code})`, where: { file }, fix, cause: error });
}
