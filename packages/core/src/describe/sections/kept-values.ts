/**
 * Some elements of an array, kept for many samples. At a boundary they are only copied, so that little code runs
 * between two steps of the loop. Monitors read them later, for many samples in a row.
 */

/** Initial capacity, in samples. */
const INITIAL_SAMPLES = 256;

export class KeptValues {
  /** The kept elements, one sample after the other. */
  rows = new Float64Array(0);
  /** Kept elements per sample; 0 before the first sample. */
  stride = 0;
  private readonly added = new Set<number>();
  private readonly addedToCopy = new Set<number>();
  /** Offsets of the kept elements, ascending: elements side by side in the array are also side by side in `rows`. */
  private offsets = new Int32Array(0);
  /** Offsets of the elements that `copyTo` writes, and their indices in a sample. */
  private copiedOffsets = new Int32Array(0);
  private copiedSlots = new Int32Array(0);

  /** Keeps an element. All elements must be added before the first sample. `isCopied`: `copyTo` writes it too. */
  add(offset: number, isCopied: boolean): void {
    this.added.add(offset);
    if (isCopied) this.addedToCopy.add(offset);
  }

  /** Keeps components of a block, all if they are undefined. */
  addBlock(
    { offset, size }: { readonly offset: number; readonly size: number },
    components: readonly number[] | undefined,
    isCopied: boolean,
  ): void {
    for (let i = 0; i < size; i += 1) if (components?.includes(i) !== false) this.add(offset + i, isCopied);
  }

  /** Returns the index of an element in a sample. There must be a sample. */
  slotOf(offset: number): number {
    return this.offsets.indexOf(offset);
  }

  /** Keeps the elements of an array as the k-th sample. */
  keep(from: Float64Array, k: number): void {
    const { offsets, stride } = this;
    const at = k * stride;
    if (at + stride >= this.rows.length) {
      this.grow();
      this.keep(from, k);
      return;
    }
    const { rows } = this;
    for (let i = 0; i < stride; i += 1) rows[at + i] = from[offsets[i]!]!;
  }

  /** Writes elements of the k-th sample to their offsets in another array. */
  copyTo(into: Float64Array, k: number): void {
    const { copiedOffsets, copiedSlots, rows } = this;
    const at = k * this.stride;
    for (let i = 0; i < copiedOffsets.length; i += 1) into[copiedOffsets[i]!] = rows[at + copiedSlots[i]!]!;
  }

  private grow(): void {
    if (this.rows.length === 0) this.begin();
    const larger = new Float64Array(Math.max(2 * this.rows.length, INITIAL_SAMPLES * this.stride + 1));
    larger.set(this.rows);
    this.rows = larger;
  }

  private begin(): void {
    this.offsets = Int32Array.from(this.added).sort();
    this.stride = this.offsets.length;
    this.copiedOffsets = Int32Array.from(this.addedToCopy).sort();
    this.copiedSlots = this.copiedOffsets.map((offset) => this.slotOf(offset));
  }
}
