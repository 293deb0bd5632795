/** A set of flight numbers: one bit per number. */
export class NumberSet {
  size = 0;
  private bits = new Uint8Array(128);

  has(k: number): boolean {
    return ((this.bits[Math.floor(k / 8)] ?? 0) & (1 << (k % 8))) !== 0;
  }

  add(k: number): void {
    if (this.has(k)) return;
    const at = Math.floor(k / 8);
    if (at >= this.bits.length) {
      const grown = new Uint8Array(Math.max(at + 1, 2 * this.bits.length));
      grown.set(this.bits);
      this.bits = grown;
    }
    this.bits[at]! |= 1 << (k % 8);
    this.size += 1;
  }

  delete(k: number): void {
    if (!this.has(k)) return;
    this.bits[Math.floor(k / 8)]! &= ~(1 << (k % 8));
    this.size -= 1;
  }
}
