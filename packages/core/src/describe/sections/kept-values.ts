/**
 * Some elements of an array, kept for many samples. At a boundary they are only copied, so that little code runs
 * between two steps of the loop. Monitors read them later, for many samples in a row.
 */

/** Initial capacity, in samples. */
const INITIAL_SAMPLES = 64;

export class KeptValues {
  /** The kept elements, one sample after the other. */
  rows = new Float64Array(0);
  private offsets = new Int32Array(0);

  /** Kept elements per sample. */
  get stride(): number {
    return this.offsets.length;
  }

  /** Returns the index of an element in a sample. All elements must be added before the first sample. */
  slotOf(offset: number): number {
    const known = this.offsets.indexOf(offset);
    if (known >= 0) return known;
    this.offsets = Int32Array.of(...this.offsets, offset);
    return this.offsets.length - 1;
  }

  /** Keeps the elements of an array as the k-th sample. */
  keep(from: Float64Array, k: number): void {
    const { offsets } = this;
    const at = k * offsets.length;
    if (at + offsets.length > this.rows.length) this.grow();
    const { rows } = this;
    for (let i = 0; i < offsets.length; i += 1) rows[at + i] = from[offsets[i]!]!;
  }

  /** Writes the elements of the k-th sample to their offsets in another array. */
  copyTo(into: Float64Array, k: number): void {
    const { offsets, rows } = this;
    const at = k * offsets.length;
    for (let i = 0; i < offsets.length; i += 1) into[offsets[i]!] = rows[at + i]!;
  }

  private grow(): void {
    const larger = new Float64Array(Math.max(2 * this.rows.length, INITIAL_SAMPLES * this.stride));
    larger.set(this.rows);
    this.rows = larger;
  }
}
