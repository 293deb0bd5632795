/**
 * The rows of a journal in the order of their numbers. They are read from the file each time, so memory does not grow
 * with their size. The position of each row is found once.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { decodeLine, type Manifest, type Row, rowFrom } from "@escapement/formats";
import { readJournal, readManifest } from "./journal.ts";

/** If a flight has several rows, the last one is used. The journal must not change while its rows are read. */
export class JournalRows implements Iterable<Row> {
  readonly manifest: Manifest;
  private readonly path: string;
  private readonly places = new RowPositions();

  constructor(path: string) {
    this.path = path;
    this.manifest = readManifest(path);
    // A journal of one shard has only every count-th flight.
    const spacing = this.manifest.shard?.count ?? 1;
    readJournal(path, ({ k }, offset, bytes) => this.places.set(Math.floor(k / spacing), offset, bytes));
  }

  /** Number of flights that have a row. */
  get size(): number {
    return this.places.size;
  }

  *[Symbol.iterator](): Generator<Row> {
    const { places } = this;
    const fd = openSync(this.path, "r");
    try {
      let buffer = Buffer.allocUnsafe(4096);
      for (let i = 0; i < places.length; i += 1) {
        const bytes = places.bytes[i]!;
        if (bytes === 0) continue;
        if (bytes > buffer.length) buffer = Buffer.allocUnsafe(2 * bytes);
        readSync(fd, buffer, 0, bytes, places.offsets[i]!);
        yield rowFrom(decodeLine(buffer.toString("utf8", 0, bytes)))!;
      }
    } finally {
      closeSync(fd);
    }
  }
}

/** Position of each row's line: twelve bytes per flight, so that ten million fit into memory. */
class RowPositions {
  offsets = new Float64Array(1024);
  /** 0: there is no row. */
  bytes = new Uint32Array(1024);
  length = 0;
  size = 0;

  set(i: number, offset: number, bytes: number): void {
    if (i >= this.offsets.length) this.grow(Math.max(i + 1, 2 * this.offsets.length));
    if (this.bytes[i] === 0) this.size += 1;
    this.offsets[i] = offset;
    this.bytes[i] = bytes;
    this.length = Math.max(this.length, i + 1);
  }

  private grow(length: number): void {
    const [offsets, bytes] = [new Float64Array(length), new Uint32Array(length)];
    offsets.set(this.offsets);
    bytes.set(this.bytes);
    [this.offsets, this.bytes] = [offsets, bytes];
  }
}
