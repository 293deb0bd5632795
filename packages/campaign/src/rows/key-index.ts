/**
 * Finds lines of a file by their key: a hash table in typed arrays, with 12 to 30 bytes per line. It stores only the
 * first 32 bits of a key, so a caller that reads a line must compare the whole key.
 */
export class KeyIndex {
  private size = 0;
  private tags = new Uint32Array(1024);
  /** 0: the slot is empty. */
  private offsetsPlusOne = new Float64Array(1024);

  /** Adds the line at an offset. `key` consists of hexadecimal digits. */
  add(key: string, offset: number): void {
    if (5 * this.size > 4 * this.tags.length) this.grow();
    this.insert(tagOf(key), offset);
    this.size += 1;
  }

  /** Returns the offsets of all lines that may have this key. */
  *offsetsOf(key: string): Generator<number> {
    const tag = tagOf(key);
    const mask = this.tags.length - 1;
    for (let slot = tag & mask; this.offsetsPlusOne[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.tags[slot] === tag) yield this.offsetsPlusOne[slot]! - 1;
    }
  }

  private insert(tag: number, offset: number): void {
    const mask = this.tags.length - 1;
    let slot = tag & mask;
    while (this.offsetsPlusOne[slot] !== 0) slot = (slot + 1) & mask;
    this.tags[slot] = tag;
    this.offsetsPlusOne[slot] = offset + 1;
  }

  private grow(): void {
    const { tags, offsetsPlusOne } = this;
    this.tags = new Uint32Array(2 * tags.length);
    this.offsetsPlusOne = new Float64Array(2 * tags.length);
    for (const [slot, tag] of tags.entries()) {
      const offset = offsetsPlusOne[slot]!;
      if (offset !== 0) this.insert(tag, offset - 1);
    }
  }
}

function tagOf(key: string): number {
  return Number.parseInt(key.slice(0, 8), 16);
}
