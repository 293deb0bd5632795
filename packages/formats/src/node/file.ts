/**
 * A byte sink that writes to a file, on Node.
 *
 * A file is created exclusively, so a second writer of the same file gets an error; devices and pipes are opened
 * directly. Writes are synchronous and in order, so bytes written before a crash of this process are in the file.
 * Errors are typed and report how much was written. With `whenComplete`, or if it replaces an existing file, the file
 * gets its name only on close.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { SimError, type ErrorFactory } from "@escapement/core";
import type { ByteSink } from "../bytes/byte-sink.ts";
import { fileErrors } from "../text/file-errors.ts";
import { partName } from "./parts.ts";

export interface FileOptions {
  /** Replaces an existing file. */
  readonly overwrite?: boolean;
  /** Writes to a temporary file in the same folder, and renames it on close. */
  readonly whenComplete?: boolean;
}

/** The system calls for a file. Tests replace them to simulate failures. */
export interface FileCalls {
  /** Writes at the end, or at a position. */
  write(fd: number, bytes: Uint8Array, offset: number, position?: number): number;
  sync(fd: number): void;
}

const CALLS: FileCalls = {
  write: (fd, bytes, offset, position) => writeSync(fd, bytes, offset, bytes.length - offset, position),
  sync: (fd) => fsyncSync(fd),
};

export class FileBytes implements ByteSink {
  readonly sync = true;
  readonly path: string;
  /** The current path of the bytes: a temporary name, or `path`. */
  private currentPath: string;
  private readonly whenComplete: boolean;
  private readonly isRegular: boolean;
  private readonly overwrite: boolean;
  /** True if the file replaces an existing file. */
  private readonly replaces: boolean;
  private readonly calls: FileCalls;
  private fd: number | undefined;
  private written = 0;
  /** True if the file has provisional bytes after `written`, which the next write replaces. */
  private hasProvisional = false;

  constructor(path: string, options: FileOptions = {}, calls: FileCalls = CALLS) {
    const { overwrite = false, whenComplete = false } = options;
    this.path = path;
    this.calls = calls;
    this.overwrite = overwrite;
    this.whenComplete = whenComplete;
    let createdPath = path;
    try {
      this.isRegular = isRegularOrAbsent(path);
      if (this.isRegular && !overwrite) failIfExists(path);
      this.replaces = overwrite && existsSync(path);
      // Two processes may write the same file. Each writes its own temporary file, and the last rename wins.
      if (this.isRegular && (overwrite || whenComplete)) createdPath = partName(path);
      this.fd = openSync(createdPath, this.isRegular ? "wx" : "w");
    } catch (error) {
      throw fileError(error, createdPath, "cannot be created");
    }
    this.currentPath = createdPath;
  }

  get bytesWritten(): number {
    return this.written;
  }

  write(bytes: Uint8Array): void {
    this.attempt((fd) => {
      // Do not rename yet if there is an old file, because only a complete file may replace it.
      if (!this.whenComplete && !this.replaces) this.rename();
      for (let offset = 0; offset < bytes.length;) {
        const count = this.calls.write(fd, bytes, offset);
        offset += count;
        this.written += count;
      }
    });
  }

  writeProvisionally(bytes: Uint8Array): void {
    if (!this.isRegular) return;
    this.attempt((fd) => {
      this.hasProvisional = true;
      for (let offset = 0; offset < bytes.length;) {
        offset += this.calls.write(fd, bytes, offset, this.written + offset);
      }
    });
  }

  /** Removes provisional bytes, then runs a write on the open file. */
  private attempt(act: (fd: number) => void): void {
    const { fd } = this;
    if (fd === undefined) {
      throw fileErrors.writeFailed({ what: "the file is closed", where: { file: this.path }, fix: "open it again" });
    }
    try {
      if (this.hasProvisional) ftruncateSync(fd, this.written);
      this.hasProvisional = false;
      act(fd);
    } catch (error) {
      throw fileError(error, this.path, `could not be written after ${this.written} bytes`);
    }
  }

  close(): void {
    const fd = this.fd;
    if (fd === undefined) return;
    this.fd = undefined;
    try {
      if (this.hasProvisional) ftruncateSync(fd, this.written);
      if (this.isRegular) this.calls.sync(fd);
      closeSync(fd);
      if (this.written === 0 && this.overwrite) this.removePart();
      else this.rename();
    } catch (error) {
      throw fileError(error, this.path, `could not be completed after ${this.written} bytes`);
    }
  }

  /**
   * Gives the file its final name: on close, or at the first write if the file replaces none and need not be complete.
   */
  private rename(): void {
    if (this.currentPath === this.path) return;
    if (this.overwrite) renameSync(this.currentPath, this.path);
    else renameToFreeName(this.currentPath, this.path);
    this.currentPath = this.path;
  }

  private removePart(): void {
    if (this.currentPath !== this.path) rmSync(this.currentPath, { force: true });
  }

  /** Closes the file without renaming it, so that another writer can continue. Returns its current path. */
  release(): string {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
    return this.currentPath;
  }

  discard(): void {
    const fd = this.fd;
    if (fd === undefined) return;
    this.fd = undefined;
    closeSync(fd);
    this.removePart();
  }
}

/**
 * Renames a part file to a name that no file has. Another process may choose the same name at the same time. If both
 * only checked the name and then renamed, the second would replace the file of the first. So this function first
 * creates an empty file of that name exclusively.
 */
export function renameToFreeName(part: string, path: string): void {
  try {
    closeSync(openSync(path, "wx"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw fileErrors.exists({
      what: "another process has created the file in the meantime",
      where: { file: path },
      fix: `rename the file that was written, which is kept as ${part}`,
    });
  }
  renameSync(part, path);
}

function isRegularOrAbsent(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined || stat.isFile();
}

function failIfExists(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  throw fileErrors.exists({
    what: "the file already exists",
    where: { file: path },
    fix: "choose another name, or allow overwriting; another flight may be writing it",
  });
}

const ERRORS_BY_CODE: { readonly [code: string]: { readonly make: ErrorFactory; readonly fix: string } } = {
  EEXIST: { make: fileErrors.exists, fix: "choose another name, or remove the file; another flight may be writing it" },
  ENOSPC: { make: fileErrors.noSpace, fix: "free space on the disk; the part written before is readable" },
  EDQUOT: { make: fileErrors.noSpace, fix: "free space in your quota; the part written before is readable" },
  EFBIG: { make: fileErrors.noSpace, fix: "raise the limit on file sizes; the part written before is readable" },
  ENOENT: { make: fileErrors.notFound, fix: "create the folder first, or correct the path" },
  ENOTDIR: { make: fileErrors.notFound, fix: "correct the path; a part of it is a file, not a folder" },
  ENAMETOOLONG: { make: fileErrors.notAllowed, fix: "give a shorter name" },
  ELOOP: { make: fileErrors.notAllowed, fix: "correct the symbolic links on the path, which form a loop" },
  EISDIR: { make: fileErrors.notAllowed, fix: "give the name of a file, not of a folder" },
  EACCES: { make: fileErrors.notAllowed, fix: "choose a folder that you may write to" },
  EPERM: { make: fileErrors.notAllowed, fix: "choose a folder that you may write to" },
  EROFS: { make: fileErrors.notAllowed, fix: "choose a folder on a disk that can be written" },
};

/** Turns a failure of the operating system into a typed error. Other errors are bugs and are rethrown. */
export function fileError(error: unknown, file: string, what: string): SimError {
  if (error instanceof SimError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (!(error instanceof Error) || code === undefined || !/^E[A-Z0-9]+$/.test(code)) throw error;
  const known = Object.hasOwn(ERRORS_BY_CODE, code) ? ERRORS_BY_CODE[code]! : undefined;
  const { make, fix } = known ?? {
    make: fileErrors.writeFailed,
    fix: "check the disk; the part written before is readable",
  };
  return make({ what: `the file ${what} (${code})`, where: { file }, fix, cause: error });
}
