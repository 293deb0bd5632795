/** A byte source that reads pieces of a file when they are needed, on Node. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import type { ByteSource } from "../bytes/byte-source.ts";
import { fileError } from "./file.ts";

export class FileSource implements ByteSource {
  readonly size: number;
  private readonly path: string;
  private readonly fd: number;

  /** Throws the error of the operating system if the file cannot be opened. */
  constructor(path: string) {
    this.path = path;
    this.fd = openSync(path, "r");
    this.size = statSync(path).size;
  }

  /** Returns true if the path names a file of known size. Pipes and devices must be read as a whole. */
  static canOpen(path: string): boolean {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  }

  read(offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(Math.min(length, Math.max(0, this.size - offset)));
    try {
      for (let at = 0; at < bytes.length;) {
        const count = readSync(this.fd, bytes, at, bytes.length - at, offset + at);
        // The file was truncated while it was being read.
        if (count === 0) return bytes.subarray(0, at);
        at += count;
      }
    } catch (error) {
      throw fileError(error, this.path, "cannot be read");
    }
    return bytes;
  }

  close(): void {
    closeSync(this.fd);
  }
}
