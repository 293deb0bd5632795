/**
 * Where bytes go: the only thing a codec knows of the world.
 *
 * A file on Node, an array in memory, a stream in a page fulfil it. Codecs hand over blocks; a sink that takes them at
 * once says so, and flights that use only such sinks need not wait for anybody.
 */

export interface ByteSink {
  /** True of a sink whose `write` never returns a promise. */
  readonly sync?: boolean;
  /** Takes bytes in order. The array may be reused by the caller once the call, or its promise, is done. */
  write(bytes: Uint8Array): void | Promise<void>;
  /** Everything was written: keep it. */
  close(): void | Promise<void>;
  /** Something went wrong: let go. A sink that shows complete files only shows nothing; others keep what they have. */
  discard?(): void | Promise<void>;
}

/** Keeps everything; for tests, pages and small files. */
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
