/** A byte source that reads pieces of a file when they are needed, so that a large file is never wholly in memory. */
import type { ByteSource } from "@escapement/formats";

/** Minimum length of a piece, because each read costs a message to a different process. */
const MIN_BYTES = 1 << 20;
const FRACTION_STEP = 0.01;

/** Exists only in workers. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

class BlobSource implements ByteSource {
  readonly size: number;
  private readonly blob: Blob;
  private readonly reader = new FileReaderSync();
  private readonly onFraction: (fraction: number) => void;
  private kept = { start: 0, bytes: new Uint8Array(0) };
  private fraction = 0;

  /** `onFraction` is called with the fraction of the file that has been read. */
  constructor(blob: Blob, onFraction: (fraction: number) => void) {
    this.blob = blob;
    this.size = blob.size;
    this.onFraction = onFraction;
  }

  read(offset: number, length: number): Uint8Array {
    const { start, bytes } = this.kept;
    if (offset < start || offset + length > start + bytes.length) {
      const end = Math.min(this.size, offset + Math.max(length, MIN_BYTES));
      this.kept = { start: offset, bytes: new Uint8Array(this.reader.readAsArrayBuffer(this.blob.slice(offset, end))) };
      // Readers look at the end of a file first, so only a piece that continues the previous one counts as progress.
      if (offset >= start && offset <= start + bytes.length) this.report(end / this.size);
    }
    const from = offset - this.kept.start;
    return this.kept.bytes.slice(from, from + length);
  }

  private report(fraction: number): void {
    if (fraction < this.fraction + FRACTION_STEP) return;
    this.fraction = fraction;
    this.onFraction(fraction);
  }
}

/** Returns a source that reads piece by piece in a worker; elsewhere, all bytes of the file. */
export async function sourceOfBlob(
  blob: Blob,
  onFraction: (fraction: number) => void,
): Promise<Uint8Array | ByteSource> {
  if (typeof FileReaderSync !== "undefined") return new BlobSource(blob, onFraction);
  return new Uint8Array(await blob.arrayBuffer());
}
