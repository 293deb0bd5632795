/** Arrays that grow by doubling, for recordings of unknown length: one copy per value on average, no object per row. */
export class GrowingFloats {
  private values: Float64Array;
  private used = 0;

  constructor(capacity = 256) {
    this.values = new Float64Array(capacity);
  }

  get length(): number {
    return this.used;
  }

  push(value: number): void {
    this.reserve(1);
    this.values[this.used] = value;
    this.used += 1;
  }

  append(source: Float64Array, start: number, count: number): void {
    this.reserve(count);
    for (let i = 0; i < count; i += 1) this.values[this.used + i] = source[start + i]!;
    this.used += count;
  }

  /** Returns a view of the values written so far, which is valid until the array grows. */
  view(): Float64Array {
    return this.values.subarray(0, this.used);
  }

  truncate(length: number): void {
    this.used = Math.min(this.used, length);
  }

  private reserve(count: number): void {
    if (this.used + count <= this.values.length) return;
    const larger = new Float64Array(Math.max(2 * this.values.length, this.used + count));
    larger.set(this.values.subarray(0, this.used));
    this.values = larger;
  }
}
