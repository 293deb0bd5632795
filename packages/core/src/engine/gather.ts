/**
 * From the bus into the plant's frozen input: the input signals of those who spoke, and whether any bit of it changed.
 *
 * Signals that the same writers change, and that lie side by side in both, are one range. A range is four standing windows:
 * loops over whole windows are what engines make the fastest code of. Bits are compared in words, for −0 is not 0, and
 * numbers copied whole, for one that is written in halves is slow to read soon after.
 */
import { type Bus, inputLayout } from "./bus.ts";
import { type InputSignal, signalSpec } from "./signals.ts";
import { changersOf } from "./stages.ts";

interface Range {
  /** Bits of those who change it. */
  readonly changers: number;
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly fromWords: Int32Array;
  readonly toWords: Int32Array;
}

export class InputGatherer {
  private readonly ranges: readonly Range[];

  constructor({ layout, values }: Bus, u: Float64Array) {
    this.ranges = placed(layout).map(({ changers, at, inputAt, size }) => {
      const [from, to] = [values.subarray(at, at + size), u.subarray(inputAt, inputAt + size)];
      return { changers, from, to, fromWords: wordsOf(from), toWords: wordsOf(to) };
    });
  }

  /** Copies what the writers in a due set may have changed; true if any bit did. */
  gather(due: number): boolean {
    const { ranges } = this;
    let changed = 0;
    for (let k = 0; k < ranges.length; k += 1) {
      const { changers, from, to, fromWords, toWords } = ranges[k]!;
      if ((changers & due) === 0) continue;
      for (let i = 0; i < fromWords.length; i += 1) changed |= fromWords[i]! ^ toWords[i]!;
      for (let i = 0; i < from.length; i += 1) to[i] = from[i]!;
    }
    return changed !== 0;
  }
}

interface Placed {
  readonly changers: number;
  readonly at: number;
  readonly inputAt: number;
  size: number;
}

function placed(layout: Bus["layout"]): readonly Placed[] {
  const { offsets } = inputLayout(layout.dims);
  const ranges: Placed[] = [];
  for (const name of Object.keys(offsets) as InputSignal[]) {
    const { offset: at, size } = layout.find(name);
    const inputAt = offsets[name];
    const changers = changersOf(signalSpec(name).writer);
    const last = ranges.at(-1);
    const isNext = last?.changers === changers && last.at + last.size === at && last.inputAt + last.size === inputAt;
    if (isNext) last.size += size;
    else ranges.push({ changers, at, inputAt, size });
  }
  return ranges;
}

function wordsOf(values: Float64Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
}
