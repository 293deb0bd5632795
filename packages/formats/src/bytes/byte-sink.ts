/**
 * The output of codecs: a file on Node, an array in memory, or a stream in a web page.
 *
 * A sink declares whether its writes are synchronous. A flight that has only such sinks runs without awaiting anything.
 */

export interface ByteSink {
  /** True if `write` never returns a promise. */
  readonly sync?: boolean;
  /** Writes bytes in order. The caller may reuse the array once the call, or its promise, has finished. */
  write(bytes: Uint8Array): void | Promise<void>;
  /**
   * Writes provisional bytes at the end: the start of data that `write` will write in full later. The next write of
   * either kind replaces them. Absent if the output cannot replace bytes.
   */
  writeProvisionally?(bytes: Uint8Array): void;
  /** Ends the output and keeps it. */
  close(): void | Promise<void>;
  /**
   * Ends the output after a failure. A file that appears only when complete is removed; other sinks keep their bytes.
   */
  discard?(): void | Promise<void>;
}

/** A byte sink that keeps all bytes in memory: for tests, pages and small files. */
export class MemoryBytes implements ByteSink {
  readonly sync = true;
  private readonly parts: Uint8Array[] = [];
  private size = 0;

  write(bytes: Uint8Array): void {
    this.parts.push(bytes.slice());
    this.size += bytes.length;
  }

  close(): void {}

  bytes(): Uint8Array {
    const all = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
