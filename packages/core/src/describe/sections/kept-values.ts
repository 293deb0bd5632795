/**
 * Some elements of an array, kept for a block of samples, one column per element. At a boundary they are only copied, so
 * that little code runs between two steps of the loop. Monitors read the columns later.
 */
export class KeptValues {
  private readonly size: number;
  private readonly offsets: number[] = [];
  private readonly columns: Float64Array[] = [];
  /** Indices of the elements that `copyTo` writes. */
  private readonly copied: number[] = [];

  constructor(size: number) {
    this.size = size;
  }

  /** Keeps an element, and returns its column. All elements must be added before the first sample. */
  add(offset: number): Float64Array {
    const known = this.offsets.indexOf(offset);
    if (known >= 0) return this.columns[known]!;
    const column = new Float64Array(this.size);
    this.offsets.push(offset);
    this.columns.push(column);
    return column;
  }

  /** Keeps an element that `copyTo` writes too. */
  addCopied(offset: number): void {
    this.add(offset);
    const index = this.offsets.indexOf(offset);
    if (!this.copied.includes(index)) this.copied.push(index);
  }

  /** Keeps the elements of an array as the k-th sample. */
  keep(from: Float64Array, k: number): void {
    const { offsets, columns } = this;
    for (let i = 0; i < offsets.length; i += 1) columns[i]![k] = from[offsets[i]!]!;
  }

  /** Writes elements of the k-th sample to their offsets in another array. */
  copyTo(into: Float64Array, k: number): void {
    const { offsets, columns, copied } = this;
    for (let i = 0; i < copied.length; i += 1) {
      const index = copied[i]!;
      into[offsets[index]!] = columns[index]![k]!;
    }
  }
}
