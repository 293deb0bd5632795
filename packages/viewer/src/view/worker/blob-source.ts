/** A file of the page as a byte source: pieces are read when they are needed, so that a large file is never in memory. */
import type { ByteSource } from "@escapement/formats";

/** Pieces are read at least this long, because each read costs a message to another process. */
const LEAST_BYTES = 1 << 20;
const SHARE_STEP = 0.01;

/** Only workers have it. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

class BlobSource implements ByteSource {
  readonly size: number;
  private readonly blob: Blob;
  private readonly reader = new FileReaderSync();
  private readonly onShare: (share: number) => void;
  private kept = { start: 0, bytes: new Uint8Array(0) };
  private share = 0;

  /** `onShare` is called with the fraction of the file that has been read. */
  constructor(blob: Blob, onShare: (share: number) => void) {
    this.blob = blob;
    this.size = blob.size;
    this.onShare = onShare;
  }

  read(offset: number, length: number): Uint8Array {
    const { start, bytes } = this.kept;
    if (offset < start || offset + length > start + bytes.length) {
      const end = Math.min(this.size, offset + Math.max(length, LEAST_BYTES));
      this.kept = { start: offset, bytes: new Uint8Array(this.reader.readAsArrayBuffer(this.blob.slice(offset, end))) };
      this.report(end / this.size);
    }
    const from = offset - this.kept.start;
    return this.kept.bytes.slice(from, from + length);
  }

  private report(share: number): void {
    if (share < this.share + SHARE_STEP) return;
    this.share = share;
    this.onShare(share);
  }
}

/** The file piece by piece in a worker; whole elsewhere. */
export async function sourceOfBlob(blob: Blob, onShare: (share: number) => void): Promise<Uint8Array | ByteSource> {
  if (typeof FileReaderSync !== "undefined") return new BlobSource(blob, onShare);
  return new Uint8Array(await blob.arrayBuffer());
}
