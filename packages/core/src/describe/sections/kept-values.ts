/**
 * Some elements of an array, kept for many samples. A boundary only copies them; monitors read them later, for many
 * samples in a row, so that little code runs between two steps of the loop.
 */

/** Room for samples at first. */
const FIRST_ROOM = 64;

export class KeptValues {
  /** The kept elements, one sample after the other. */
  rows = new Float64Array(0);
  private offsets = new Int32Array(0);

  /** Kept elements per sample. */
  get stride(): number {
    return this.offsets.length;
  }

  /** Returns the place of an element among those of a sample. Every place must be known before the first sample. */
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
  show(into: Float64Array, k: number): void {
    const { offsets, rows } = this;
    const at = k * offsets.length;
    for (let i = 0; i < offsets.length; i += 1) into[offsets[i]!] = rows[at + i]!;
  }

  private grow(): void {
    const larger = new Float64Array(Math.max(2 * this.rows.length, FIRST_ROOM * this.stride));
    larger.set(this.rows);
    this.rows = larger;
  }
}
