/**
 * The plant's frozen input u: the offset of each input signal, and how u is filled from the bus.
 *
 * Only the signals of sources that ran are copied, and the copy reports whether any bit changed. Adjacent signals are
 * copied as one range if the same sources change them.
 */
import { type Dims, type InputSignal, SIGNAL_NAMES, signalSpec, sizeOf } from "../signals/table.ts";
import { bitsOf } from "../integrate/bits.ts";
import type { Bus } from "./bus.ts";
import type { InputLayout } from "./contracts.ts";
import { dueBitsThatChange } from "./stages.ts";

/** The input signals with their specs. A flight makes several layouts, and looking up all names each time is slow. */
const INPUTS = SIGNAL_NAMES.map((name) => ({ name: name as InputSignal, spec: signalSpec(name) })).filter(
  ({ spec }) => spec.input === true,
);

/** Returns the offsets of the input signals in u, in table order. */
export function inputLayout(dims: Dims): InputLayout & { readonly offsets: Readonly<Record<InputSignal, number>> } {
  const offsets: Partial<Record<InputSignal, number>> = {};
  let size = 0;
  for (const { name, spec } of INPUTS) {
    offsets[name] = size;
    size += sizeOf(spec, dims);
  }
  return { size, offsets: offsets as Record<InputSignal, number> };
}

interface Range {
  /** Due bits of the sources that change these signals. */
  readonly sourceBits: number;
  /** The range on the bus and in u, as 32-bit words, so that −0 differs from 0. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

export class InputGatherer {
  private readonly ranges: readonly Range[];

  constructor({ layout, values }: Bus, u: Float64Array) {
    this.ranges = inputRanges(layout).map(({ sourceBits, offset, inputOffset, size }) => ({
      sourceBits,
      from: bitsOf(values.subarray(offset, offset + size)),
      to: bitsOf(u.subarray(inputOffset, inputOffset + size)),
    }));
  }

  /** Copies the signals that the sources in a due set may have changed. Returns whether any bit changed. */
  gather(due: number): boolean {
    const { ranges } = this;
    let differing = 0;
    for (let k = 0; k < ranges.length; k += 1) {
      const { sourceBits, from, to } = ranges[k]!;
      if ((sourceBits & due) === 0) continue;
      for (let i = 0; i < from.length; i += 1) {
        const word = from[i]!;
        differing |= word ^ to[i]!;
        to[i] = word;
      }
    }
    return differing !== 0;
  }
}

interface InputRange {
  readonly sourceBits: number;
  /** Offset on the bus. */
  readonly offset: number;
  /** Offset in u. */
  readonly inputOffset: number;
  size: number;
}

function inputRanges(layout: Bus["layout"]): readonly InputRange[] {
  const { offsets } = inputLayout(layout.dims);
  const ranges: InputRange[] = [];
  for (const name of Object.keys(offsets) as InputSignal[]) {
    const { offset, size } = layout.find(name);
    const inputOffset = offsets[name];
    const sourceBits = dueBitsThatChange(signalSpec(name).writer);
    const last = ranges.at(-1);
    const isAdjacent =
      last?.sourceBits === sourceBits &&
      last.offset + last.size === offset &&
      last.inputOffset + last.size === inputOffset;
    if (isAdjacent) last.size += size;
    else ranges.push({ sourceBits, offset, inputOffset, size });
  }
  return ranges;
}
