/** Encodes and decodes messages other than rows: boundaries with their due bits, digests, checkpoints. */
import { putU64, getU64 } from "../mcap/wire.ts";

export class BoundaryBatch {
  private timesUs = new Float64Array(4096);
  private due = new Uint16Array(4096);
  count = 0;

  push(tUs: number, due: number): void {
    if (this.count === this.due.length) this.grow();
    this.timesUs[this.count] = tUs;
    this.due[this.count] = due;
    this.count += 1;
  }

  get firstUs(): number {
    return this.timesUs[0]!;
  }

  /**
   * Returns the CDR of `int64[] time_us, uint16[] due`: each list follows its length; values are aligned to their size.
   */
  encode(): Uint8Array {
    const { count } = this;
    const dueStart = 8 + 8 * count;
    const bytes = new Uint8Array(dueStart + 4 + 2 * count);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, count, true);
    for (let i = 0; i < count; i += 1) putU64(view, 8 + 8 * i, this.timesUs[i]!);
    view.setUint32(dueStart, count, true);
    for (let i = 0; i < count; i += 1) view.setUint16(dueStart + 4 + 2 * i, this.due[i]!, true);
    return bytes;
  }

  /** Returns all boundaries, for a batch that is kept. */
  whole(): { readonly timesUs: Float64Array; readonly due: Uint16Array } {
    return { timesUs: this.timesUs.slice(0, this.count), due: this.due.slice(0, this.count) };
  }

  clear(): void {
    this.count = 0;
  }

  private grow(): void {
    const { timesUs, due } = this;
    this.timesUs = new Float64Array(2 * due.length);
    this.timesUs.set(timesUs);
    this.due = new Uint16Array(2 * due.length);
    this.due.set(due);
  }
}

export function decodeBatch(view: DataView): { readonly timesUs: number[]; readonly due: number[] } {
  const count = view.getUint32(0, true);
  const dueStart = 8 + 8 * count;
  if (view.byteLength !== dueStart + 4 + 2 * count || view.getUint32(dueStart, true) !== count) {
    throw new RangeError("a list of boundaries has the wrong length");
  }
  return {
    timesUs: Array.from({ length: count }, (_, i) => getU64(view, 8 + 8 * i)),
    due: Array.from({ length: count }, (_, i) => view.getUint16(dueStart + 4 + 2 * i, true)),
  };
}

export function decodeDigest(payload: Uint8Array): string {
  const length = new DataView(payload.buffer, payload.byteOffset, payload.byteLength).getUint32(0, true);
  if (length !== payload.length - 4) throw new RangeError("a digest has the wrong length");
  return new TextDecoder().decode(payload.subarray(4, 3 + length));
}

/** Returns the checkpoint in a message, which is its length and then the checkpoint. */
export function checkpointBytes(payload: Uint8Array): Uint8Array {
  const length = new DataView(payload.buffer, payload.byteOffset, payload.byteLength).getUint32(0, true);
  if (length !== payload.length - 4) throw new RangeError("a checkpoint has the wrong length");
  return payload.slice(4);
}
